"""Classes: making instances while tracing."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
from collections.abc import Mapping
from typing import Any

from astrace.guards.access_paths import Attribute, Item
from astrace.guards.kinds import Is
from astrace.ir.constants import is_exception_class
from astrace.ir.specs import class_of
from astrace.ops.python.object_rows import GIVE_OTHERS
from astrace.tracing.changes.journal import attributes
from astrace.tracing.context import Trace, current
from astrace.tracing.operators.calls.functions import check_arguments, guard_defaults
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import is_traced_through
from astrace.tracing.values.objects import (
    guard_class_attribute,
    guard_lacking,
    is_key,
    is_user_class,
    looked_up,
    made,
)
from astrace.tracing.values.operands import is_traced
from astrace.tracing.values.special_lookup import is_mixed
from astrace.tracing.values.special_methods import (
    answers_for_all,
    class_attribute,
    hook,
    is_hook,
    is_subclass,
)
from astrace.util.trees import is_namedtuple_class, members, resolution_order

__all__ = [
    "attributes_of",
    "classes",
    "construct",
    "descriptor",
    "guard_class",
    "initialise",
    "is_laid_out_plainly",
    "maker",
    "new_object",
]


def construct(trace: Trace, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``cls(*args, **kwargs)``; ``NotImplemented`` where a class is no different from any other callable."""
    _can_be_made(trace, cls)
    if is_exception_class(cls):
        return _exception(trace, cls, args, kwargs)
    if is_initialised_in_python(cls):
        return _initialised(trace, cls, args, kwargs)
    if issubclass(cls, enum.Enum):
        return _member(trace, cls, args, kwargs)
    if is_namedtuple_class(cls):
        return _named_tuple(trace, cls, args, kwargs)
    if not is_user_class(cls) or issubclass(cls, BaseException) or not _is_plain(cls):
        return NotImplemented
    if type(cls) is type:
        trace.state.guard(Is(Attribute(trace.state.path(cls), "__new__"), object.__new__))
    elif hook(type(cls), "__getattribute__") is None:
        looked_up(trace, cls, "__new__")
    instance = new_object(trace, cls, args=())
    found = class_attribute(cls, "__init__")
    if found is None or not isinstance(found[1], types.FunctionType):
        return trace.native(_no_arguments, cls, instance, args, kwargs)
    guard_class_attribute(trace, cls, "__init__")
    if (
        class_attribute(cls, "__dataclass_fields__") is not None
        and found[1].__code__.co_filename == "<string>"
    ):
        return _dataclass(trace, cls, found[1], instance, args, kwargs)
    given = trace.operators.call(found[1], instance, *args, **kwargs)
    _must_be_none(trace, given)
    return instance


def _can_be_made(trace: Trace, cls: type) -> None:
    """Stop where instances of a class can't exist while tracing."""
    if trace.state.stale.is_busy() and is_user_class(cls) and hook(type(cls), "__getattribute__") is None:
        guard_lacking(trace, cls, "__del__")
        looked_up(trace, type(cls), "__call__")
    if is_user_class(cls) and class_attribute(cls, "__del__") is not None:
        trace.stop(
            "AT204",
            f"an instance of `{cls.__name__}`, whose `__del__` runs when the last reference to it is gone",
        )
    if is_user_class(cls) and (hindrance := answers_for_all(cls)) is not None:
        trace.stop("AT204", f"an instance of `{cls.__name__}`, whose `{hindrance}` would run while tracing")


def new_object(trace: Trace, cls: type, args: tuple[Any, ...]) -> Any:
    """``object.__new__(cls, *args)`` for a class that `is_laid_out_plainly`."""
    _can_be_made(trace, cls)
    return made(trace, trace.native(object.__new__, cls, *map(type, args)), "instance")


def is_laid_out_plainly(cls: Any) -> bool:
    """Return whether ``object.__new__`` makes instances of a class of the user's, without C code of another base."""
    plain = isinstance(cls, type) and is_user_class(cls) and not issubclass(cls, BaseException)
    return plain and not is_mixed(cls) and not issubclass(cls, enum.Enum)


def maker(cls: type) -> types.FunctionType | None:
    """The ``__new__`` of a class, if it is in Python and ``type.__call__`` calls it."""
    found, called = class_attribute(cls, "__new__"), class_attribute(type(cls), "__call__")
    if found is None or called is None or called[0] is not type or not is_laid_out_plainly(cls):
        return None
    function = found[1].__func__ if isinstance(found[1], staticmethod) else None
    return function if isinstance(function, types.FunctionType) and is_traced_through(function) else None


def initialise(
    trace: Trace, cls: type, instance: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Initialise the result of ``__new__`` as ``cls(*args, **kwargs)`` does, and return it."""
    kind = class_of(instance.value.spec) if isinstance(instance, Tracer) else type(instance)
    if kind is not None and not is_subclass(kind, cls):
        return instance
    found = None if kind is None else class_attribute(kind, "__init__")
    if kind is None or found is None or not isinstance(found[1], types.FunctionType):
        if found is None or found[0] is not object:
            trace.operators.opaque(initialise_for_real, (cls, instance, *args), kwargs)
        return instance
    guard_class_attribute(trace, kind, "__init__")
    _must_be_none(trace, trace.operators.call(found[1], instance, *args, **kwargs))
    return instance


def initialise_for_real(cls: type, instance: Any, /, *args: Any, **kwargs: Any) -> None:
    """Initialise an instance when the program runs; see `initialise`."""
    kind = type(instance)
    if issubclass(kind, cls):
        Gives(kind.__init__(instance, *args, **kwargs))  # type: ignore[misc]


def _must_be_none(trace: Trace, given: Any) -> None:
    """Refuse a result of ``__init__`` other than ``None``, as Python does."""
    if isinstance(given, Tracer):
        if class_of(given.value.spec) is not type(None):
            record(trace, "call", (Gives, given))
    elif given is not None:
        trace.native(Gives, given)


class Gives:
    """A class whose instances are not made unless ``None`` is given, so that Python itself complains."""

    def __init__(self, given: Any) -> None:
        return given  # noqa: PLE0101 - that is what Python complains about


def _member(trace: Trace, cls: type[enum.Enum], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Return a member of an enumeration by its value; the user's ``_missing_`` is called at run time."""
    missing = class_attribute(cls, "_missing_")
    known = len(args) == 1 and not kwargs and is_key(args[0])
    if not known or hook(type(cls), "__call__") is not None:
        return NotImplemented
    if missing is not None and is_hook(missing[1]) and args[0] not in cls._value2member_map_:
        return NotImplemented
    return trace.native(cls, *args)


def _named_tuple(trace: Trace, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A named tuple; its defaults are what ``__new__`` has now."""
    if len(args) + len(kwargs) != len(cls._fields):  # type: ignore[attr-defined]
        guard_defaults(trace, cls.__new__)  # type: ignore[arg-type]
    return trace.native(cls, *args, **kwargs)


def _no_arguments(cls: type, instance: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if args or kwargs:
        raise TypeError(f"{cls.__name__}() takes no arguments")
    return instance


def _is_plain(cls: type) -> bool:
    """Return whether instances are made by ``object.__new__`` and kept by no metaclass."""
    call_method = class_attribute(type(cls), "__call__")
    plain_metaclass = call_method is not None and call_method[0] is type
    return (
        cls.__new__ is object.__new__
        and plain_metaclass
        and not issubclass(cls, tuple | list | dict | set | str | int | float)
    )


def _exception(trace: Trace, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An exception: a Python object inside a `try` that may know it while tracing; else the program makes it."""
    if is_traced(args) or kwargs or trace.recording_raises():
        return record(trace, "call", (cls, *args), kwargs)
    return made(trace, trace.native(cls, *args), "exception")


def is_initialised_in_python(cls: type) -> bool:
    """Return whether a value is an exception class with an ``__init__`` in Python, and no other method of the kind."""
    found = class_attribute(cls, "__init__")
    return (
        issubclass(cls, BaseException)
        and not issubclass(cls, GIVE_OTHERS)
        and type(cls) is type
        and isinstance(cls.__new__, types.BuiltinFunctionType)
        and found is not None
        and isinstance(found[1], types.FunctionType)
        and found[1].__code__.co_filename != "<string>"
    )


def _initialised(trace: Trace, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An exception whose ``__init__`` is traced through; the exception itself is made by the program."""
    guard_class_attribute(trace, cls, "__init__")
    instance = record(trace, "call", (cls.__new__, cls, *args), kwargs)
    trace.operators.call(class_attribute(cls, "__init__")[1], instance, *args, **kwargs)  # type: ignore[index]
    return instance


def _dataclass(
    trace: Trace,
    cls: type,
    generated: types.FunctionType,
    instance: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    """Do what the generated ``__init__`` of a dataclass does, since its source is not to be found."""
    check_arguments(trace, generated, (instance, *args), kwargs)
    signature = inspect.signature(generated)
    bound = signature.bind(instance, *args, **kwargs)
    passed = set(bound.arguments)
    bound.apply_defaults()
    given = bound.arguments
    if len(passed) < len(given):
        guard_defaults(trace, generated)
    stored = {field.name for field in dataclasses.fields(cls)}
    late: list[Any] = []
    for name, field in cls.__dataclass_fields__.items():  # type: ignore[attr-defined]
        if name not in stored:
            late += [given[name]] if name in given else []
        elif field.default_factory is not dataclasses.MISSING and name not in passed:
            trace.operators.set_field(instance, name, trace.operators.call(field.default_factory))
        elif name in given:
            trace.operators.set_field(instance, name, given[name])
        elif field.default is not dataclasses.MISSING and "__slots__" in vars(cls):
            trace.operators.set_field(instance, name, field.default)
    if "__post_init__" in generated.__code__.co_names:
        trace.operators.call(trace.operators.attr(instance, "__post_init__"), *late)
    return instance


def attributes_of(instance: Any) -> dict[str, Any]:
    """The attributes of an instance made while tracing."""
    return attributes(instance)


def guard_class(cls: type, name: str) -> None:
    """Check at each call that a class still has an attribute."""
    guard_class_attribute(current(), cls, name)


def descriptor(cls: type, name: str, stored: Any) -> Any:
    """A descriptor of the user's, as an object from outside."""
    trace = current()
    home = next(base for base in resolution_order(cls) if name in members(base))
    return trace.state.outside(stored, Item(Attribute(trace.state.path(home), "__dict__"), name))


def classes(kinds: Any) -> tuple[type, ...]:
    """The classes that an ``except`` clause names."""
    trace = current()
    found: tuple[Any, ...] = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in found):
        trace.stop(
            "AT209", "`except` with something that is no exception class, or is not known while tracing"
        )
    return found
