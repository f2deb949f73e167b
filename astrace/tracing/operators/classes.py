"""Classes: making instances while tracing."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
from collections.abc import Mapping
from typing import Any

from astrace.ir.statics import is_exception_class
from astrace.ops.object_rows import GIVE_OTHERS
from astrace.paths import Attribute, Item
from astrace.tracing.context import Trace, current
from astrace.tracing.hooks import answers_for_all, class_attribute, hook, is_hook
from astrace.tracing.journal import attributes
from astrace.tracing.lifting import is_traced
from astrace.tracing.objects import guard_class_attribute, is_key, is_user_class, made
from astrace.tracing.operators.functions import check_arguments, guard_defaults
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.trees import is_namedtuple_class, members, resolution_order

__all__ = ["attributes_of", "classes", "construct", "descriptor", "guard_class"]


def construct(trace: Trace, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``cls(*args, **kwargs)``; ``NotImplemented`` where a class is no different from any other callable."""
    if is_user_class(cls) and class_attribute(cls, "__del__") is not None:
        trace.stop(
            "AT204", f"an instance of `{cls.__name__}`, whose `__del__` runs when the last name of it goes"
        )
    if is_user_class(cls) and (hindrance := answers_for_all(cls)) is not None:
        trace.stop("AT204", f"an instance of `{cls.__name__}`, whose `{hindrance}` would run while tracing")
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
    instance = made(trace, trace.native(object.__new__, cls), "instance")
    initialise = class_attribute(cls, "__init__")
    if initialise is None or not isinstance(initialise[1], types.FunctionType):
        return trace.native(_no_arguments, cls, instance, args, kwargs)
    guard_class_attribute(trace, cls, "__init__")
    if (
        class_attribute(cls, "__dataclass_fields__") is not None
        and initialise[1].__code__.co_filename == "<string>"
    ):
        return _dataclass(trace, cls, initialise[1], instance, args, kwargs)
    given = trace.operators.call(initialise[1], instance, *args, **kwargs)
    _must_be_none(trace, given)
    return instance


def _must_be_none(trace: Trace, given: Any) -> None:
    """What an ``__init__`` has given; Python refuses anything but ``None``."""
    if given is not None and not isinstance(given, Tracer):
        trace.native(_refuse_given, given)


def _refuse_given(given: Any) -> None:
    """Python's own complaint about an ``__init__`` that gives something."""
    raise TypeError(f"__init__() should return None, not '{type(given).__name__}'")


def _member(trace: Trace, cls: type[enum.Enum], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A member of an enumeration by its value; what the user's ``_missing_`` gives is asked for at run time."""
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
    """Whether instances are made by ``object.__new__`` and kept by no metaclass."""
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
    """Whether a value is an exception class that has an ``__init__`` written in Python, and nothing else of the kind."""
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
    initialise: types.FunctionType,
    instance: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    """What the generated ``__init__`` of a dataclass does, whose source is nowhere."""
    check_arguments(trace, initialise, (instance, *args), kwargs)
    signature = inspect.signature(initialise)
    bound = signature.bind(instance, *args, **kwargs)
    passed = set(bound.arguments)
    bound.apply_defaults()
    given = bound.arguments
    if len(passed) < len(given):
        guard_defaults(trace, initialise)
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
    if "__post_init__" in initialise.__code__.co_names:
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
