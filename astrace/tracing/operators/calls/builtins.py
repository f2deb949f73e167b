"""Builtins that need more than being recorded: those that look at types, make iterables or take functions.

``BUILTINS`` maps a builtin to what a call of it means; each entry takes the trace, the builtin, and the
call's arguments.
"""

from __future__ import annotations

import builtins
import collections
import contextlib
import dataclasses
import functools
import types
import warnings
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.constants import is_static
from astrace.ir.jax_arrays import jax_module
from astrace.ir.specs import DeviceSpec, UnionSpec, class_of
from astrace.ops import OPS
from astrace.ops.constant_folding import must_wait
from astrace.tracing.context import Trace
from astrace.tracing.generators.chain import CHAINS
from astrace.tracing.operators.calls.attribute_builtins import ATTRIBUTES
from astrace.tracing.operators.calls.classes import is_laid_out_plainly, new_object
from astrace.tracing.operators.calls.dataclass_replace import replace_
from astrace.tracing.operators.calls.iterable_builtins import (
    Args,
    Handler,
    Kwargs,
    collected_,
    dict_,
    enumerate_,
    filter_,
    iter_,
    len_,
    map_,
    next_,
    range_,
    reduce_,
    reduced_,
    reversed_,
    zip_,
)
from astrace.tracing.operators.calls.known_results import FACTS
from astrace.tracing.operators.calls.printing import print_
from astrace.tracing.operators.calls.warnings import warn
from astrace.tracing.operators.data.binary_dispatch import OPAQUE, by_methods
from astrace.tracing.operators.data.instance_checks import (
    asks_metaclass,
    asks_object,
    by_metaclass,
    guard_derivation,
)
from astrace.tracing.operators.data.text_methods import shown
from astrace.tracing.record import record
from astrace.tracing.scopes import rewritten_frames
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import is_known_error, is_live, looked_up
from astrace.tracing.values.operands import Lazy, is_traced
from astrace.tracing.values.special_lookup import answering, ask
from astrace.tracing.values.special_methods import has_enum_methods
from astrace.util.trees import leaves

__all__: list[str] = []


# -- types and truth -------------------------------------------------------------------------------------


def _isinstance(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    value, classes = args
    if is_traced(classes):
        return trace.operators.opaque(function, args, kwargs)
    if isinstance(value, Tracer) and isinstance(value.value.spec, DeviceSpec):
        return _is_device_array(classes)
    if any(map(asks_metaclass, classes if type(classes) is tuple else (classes,))):
        return by_metaclass(trace, "__instancecheck__", value, classes)
    if isinstance(value, Lazy) and value.cls() is None:
        value = value.materialize(trace)
    trace.state.stale.instance(value)
    kinds = _kinds(value)
    if asks_object(classes, kinds):
        return trace.operators.opaque(isinstance, (value, classes), {})
    if not isinstance(value, Tracer | Lazy):
        guard_derivation(trace, type(value), classes)
        return trace.native(isinstance, value, classes)
    known = [kind for kind in kinds if kind is not None]
    answers = {trace.native(_is_of_class, kind, classes) for kind in known}
    if len(known) < len(kinds) or len(answers) != 1:
        return record(trace, "isinstance", args)
    for kind in known:
        guard_derivation(trace, kind, classes)
    return answers.pop()


def _is_of_class(kind: type, classes: Any) -> bool:
    """Return the answer of ``isinstance`` for objects of a class; raise in its words where no class is given."""
    with contextlib.suppress(TypeError):
        return issubclass(kind, classes)
    return isinstance(None, classes)


def _kinds(value: Any) -> list[type | None]:
    """The classes that a trace-level object may be of; ``None`` for one that only the running program knows."""
    if not isinstance(value, Tracer):
        return [value.cls() if isinstance(value, Lazy) else type(value)]
    spec = value.value.spec
    return [class_of(one) for one in (spec.options if isinstance(spec, UnionSpec) else (spec,))]


def _is_device_array(classes: Any) -> bool:
    """``isinstance(x, classes)`` of an array of JAX."""
    known = jax_module().Array
    return any(cls is known or known in cls.__mro__ for cls in leaves(classes) if isinstance(cls, type))


def _issubclass(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    value, classes = args
    if is_traced(classes):
        return trace.operators.opaque(function, args, kwargs)
    if any(map(asks_metaclass, classes if type(classes) is tuple else (classes,))):
        return by_metaclass(trace, "__subclasscheck__", value, classes)
    if isinstance(value, Tracer):
        return trace.operators.opaque(function, args, kwargs)
    guard_derivation(trace, value, classes)
    return trace.native(issubclass, value, classes)


def _type(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if len(args) != 1:
        trace.stop("AT106", "a class made inside a function is not captured")
    value = args[0]
    trace.state.stale.instance(value)
    if isinstance(value, Lazy):
        kind = value.cls()
        if kind is not None:
            return kind
        value = value.materialize(trace)
    if not isinstance(value, Tracer):
        return type(value)
    return class_of(value.value.spec) or record(trace, "type", args)


def _callable(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    value = args[0]
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else None
    cls = value.cls() if isinstance(value, Lazy) else cls
    if isinstance(value, Tracer | Lazy) and cls is None:
        return record(trace, "callable", args)
    found = looked_up(trace, type(value) if cls is None else cls, "__call__")
    return callable(value) if cls is None else found is not None


def _bool(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if not args:
        return False
    decided = trace.operators.truth(args[0])
    return record(trace, "bool", (decided,)) if isinstance(decided, Tracer) else decided


def _converted(*methods: str) -> Handler:
    """``int``, ``float``, ``hash``, … with the special methods of the user's classes, in Python's order."""

    def handler(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
        if (
            len(args) == 1
            and not kwargs
            and (found := _first_in_python(trace, args[0], *methods)) is not None
        ):
            method, name = found
            given = ask(trace, method, name, args[0])
            return given if name == methods[0] else trace.operators.call(function, given)
        if is_live(trace, args) or must_wait(function, args):
            return record(trace, OPS.find(function).name, args, kwargs)  # type: ignore[union-attr]
        return trace.native(function, *args, **kwargs)

    return handler


def _first_in_python(trace: Trace, value: Any, *names: str) -> tuple[types.FunctionType, str] | None:
    """The first special method that the class of an object has, with its name, where it is written in Python."""
    for name in names:
        found = answering(trace, value, name)
        if found is not None:
            return (found, name) if isinstance(found, types.FunctionType) else None
    return None


def _number(method: str) -> Handler:
    """Trace ``abs`` and ``round``, whose result is that of the special method, of any type."""

    def handler(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
        found = answering(trace, args[0], method)
        if isinstance(found, types.FunctionType) and not kwargs:
            return trace.operators.call(found, *args)
        if is_live(trace, args) or must_wait(function, args):
            return record(trace, OPS.find(function).name, args, kwargs)  # type: ignore[union-attr]
        return trace.native(function, *args, **kwargs)

    return handler


def _str(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``str`` and ``repr``: of constants at once, of anything else when the program runs."""
    if not args and not kwargs:
        return ""
    found = shown(trace, function, args[0]) if len(args) == 1 and not kwargs else NotImplemented
    if found is not NotImplemented:
        return found
    plain = all(map(is_static, (*args, *kwargs.values()))) and not has_enum_methods(args, text=True)
    known = plain and not must_wait(function, args)
    if known or (args and is_known_error(trace, args[0]) and len(args) == 1 and not kwargs):
        return trace.native(function, *args, **kwargs)
    return record(trace, function.__name__, args, kwargs)


# -- effects -----------------------------------------------------------------------------------------------


def _opaque(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    return trace.operators.opaque(function, args, kwargs)


def _runs_text(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``eval`` and ``exec``: with a namespace of their own they are calls that may change anything."""
    if len(args) < 2 or args[1] is None:
        _reads_frame(trace, function, args, kwargs)
    result = trace.operators.opaque(function, args, kwargs)
    trace.state.forget_all()
    return result


def _reads_frame(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``globals``, ``locals``, and what looks at the caller's names unless it is given others."""
    if not args or function not in (vars, dir):
        trace.stop("AT106", f"`{function.__name__}` reads the names of the function it is called from")
    return trace.operators.opaque(function, args, kwargs)


def _object(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    trace.stop("AT204", "an `object()` made while tracing")


def _new(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``object.__new__``: an instance of a class of the user's is made while tracing."""
    if args and not kwargs and is_laid_out_plainly(args[0]):
        return new_object(trace, args[0], args[1:])
    return trace.operators.opaque(function, args, kwargs)


def _memoryview(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """Refuse a view, which fixes the size of its object for as long as it exists, even unused."""
    (value,) = args
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls not in (bytes, np.ndarray):
        trace.stop(
            "AT204", "a `memoryview` fixes the size of the object that it shows for as long as it exists"
        )
    return trace.operators.opaque(function, args, kwargs)


def _namedtuple(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``namedtuple``: a new class at each call, which tells the module of the code that made it."""
    if "module" not in kwargs:
        _, scope = next(rewritten_frames())
        kwargs = {**kwargs, "module": trace.operators.read_global(scope, "__name__")}
    return trace.operators.opaque(function, args, kwargs)


def _power(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if len(args) == 2 and not kwargs:
        return trace.operators.binary("pow", *args)
    return (
        record(trace, "builtins.pow", args, kwargs)
        if is_live(trace, args)
        else trace.native(pow, *args, **kwargs)
    )


def _divmod(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    result = by_methods(trace, "divmod", *args)
    if result is OPAQUE:
        return record(trace, "divmod", args)
    if result is not NotImplemented:
        return result
    return record(trace, "divmod", args) if is_live(trace, args) else trace.native(divmod, *args)


BUILTINS: Final[Mapping[Any, Handler]] = {
    isinstance: _isinstance,
    issubclass: _issubclass,
    type: _type,
    callable: _callable,
    bool: _bool,
    int: _converted("__int__", "__index__"),
    float: _converted("__float__", "__index__"),
    complex: _converted("__complex__", "__float__", "__index__"),
    abs: _number("__abs__"),
    round: _number("__round__"),
    hash: _converted("__hash__"),
    str: _str,
    repr: _str,
    **ATTRIBUTES,
    len: len_,
    range: range_,
    enumerate: enumerate_,
    zip: zip_,
    reversed: reversed_,
    map: map_,
    filter: filter_,
    list: collected_,
    tuple: collected_,
    set: collected_,
    frozenset: collected_,
    dict: dict_,
    sum: reduced_,
    any: reduced_,
    all: reduced_,
    max: reduced_,
    min: reduced_,
    sorted: reduced_,
    iter: iter_,
    next: next_,
    functools.reduce: reduce_,
    **CHAINS,
    collections.namedtuple: _namedtuple,  # noqa: PYI024 - this is what programs call
    print: print_,
    pow: _power,
    divmod: _divmod,
    object: _object,
    object.__new__: _new,
    memoryview: _memoryview,
    id: _opaque,
    eval: _runs_text,
    exec: _runs_text,
    globals: _reads_frame,
    locals: _reads_frame,
    vars: _reads_frame,
    dir: _reads_frame,
    builtins.open: _opaque,
    input: _opaque,
    warnings.warn: warn,
    dataclasses.replace: replace_,
    **FACTS,
}
