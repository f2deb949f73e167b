"""Calls with ``*items`` where only the running program knows how many items there are."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from weakref import ref

from astrace.errors import AS_PLAIN, Reason
from astrace.ir.specs import class_of
from astrace.locations import Location
from astrace.ops.python.argument_binding import STARRED, Binding, parameters
from astrace.tracing.context import Trace, current
from astrace.tracing.operators.data.starred_displays import Starred, splice, starred
from astrace.tracing.operators.data.unpacking import TWICE, refuse_twice
from astrace.tracing.record import record, record_all
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import is_traced_through, touches_only_arguments
from astrace.tracing.values.lazy import ArrayMethod, TracedMethod
from astrace.tracing.values.objects import is_made, is_user_class
from astrace.tracing.values.operands import Lazy, existing, held, rewritten_in
from astrace.tracing.values.special_methods import is_compiled
from astrace.util.code_stubs import code_of

__all__ = ["call_spread", "has_stars", "star", "unpacked"]


def star(value: Any, alone: bool = False) -> Sequence[Any]:
    """The arguments behind a ``*``: one by one where their number is known while tracing, else as one `Starred`."""
    trace = current()
    container = trace.state.is_outside(value) and not is_user_class(type(value))
    if container and not trace.state.may_have_other_keys(value):
        return trace.operators.spread(value)
    found = starred(value, called=True, alone=alone)
    if alone and type(value) is tuple and not isinstance(found.items, Tracer):
        return (Starred(value),)  # some callables are given this very tuple
    return (found,) if isinstance(found.items, Tracer) else found.items


def has_stars(args: Iterable[Any]) -> bool:
    """Return whether there are arguments of an unknown number."""
    return any(type(arg) is Starred for arg in args)


def unpacked(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the arguments one by one where a tuple is the only one, unless the callable takes the tuple itself."""
    whole = _whole(args)
    return args if whole is None or (not kwargs and _takes_tuple(function)) else whole


def _whole(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Return the tuple behind a ``*`` that is the only argument."""
    first = args[0] if len(args) == 1 else None
    return first.items if isinstance(first, Starred) and isinstance(first.items, tuple) else None


def _takes_tuple(function: Any) -> bool:
    """Return whether a callable may be an object written in C that takes the tuple behind a ``*`` itself."""
    cls: Any = type(function)
    if isinstance(function, Tracer):
        return class_of(function.value.spec) is None
    if isinstance(function, type | Lazy | ArrayMethod | TracedMethod | SLOTS):
        return False
    return _is_opaque(function) and not cls.__flags__ & TAKES_ARGUMENTS


TAKES_ARGUMENTS: Final = 1 << 11
"""The flag of classes whose instances are given arguments one by one (``Py_TPFLAGS_HAVE_VECTORCALL``)."""
SLOTS: Final = types.WrapperDescriptorType | types.MethodWrapperType


def call_spread(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``function(*args, **kwargs)`` with arguments of an unknown number: a node, and so is the function's own work."""
    if TWICE in kwargs:
        return _given_twice(trace, function, kwargs[TWICE].items[0])
    if isinstance(function, ArrayMethod | TracedMethod):
        function = record(trace, "get_attr", (function.owner, function.name))
    traced_through = not _is_opaque(function)
    if traced_through:
        plain, owner = _receiver(function)
        if _is_bindable(plain, len(owner)):
            return _bound(trace, plain, owner, args, kwargs)
        function = _for_real(trace, function)
    whole = _whole(args)
    items = splice("list", args) if whole is None else held(trace, whole)
    result = _node(trace, function, items, kwargs)
    trace.state.stale.unseen(function, tuple(_given(args, kwargs)), {})
    if traced_through or isinstance(function, Tracer) or not touches_only_arguments(function):
        trace.state.forget_all()
    return result


def _receiver(function: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the function behind a bound method, and the object that it is bound to."""
    if isinstance(function, types.MethodType):
        return function.__func__, (function.__self__,)
    return function, ()


def _is_bindable(function: Any, least: int) -> bool:
    """Return whether a function has only parameters that take one argument each, and at least so many by position."""
    if not isinstance(function, types.FunctionType) or rewritten_in(function) is not None:
        return False
    code = code_of(function)
    return is_traced_through(function) and not code.co_flags & STARRED and code.co_argcount >= least


def _bound(
    trace: Trace,
    function: types.FunctionType,
    owner: tuple[Any, ...],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    """A call that is traced through: the running program tells which parameter is given what."""
    code = code_of(function)
    binding = trace.operators.wrap_constant(Binding.of(function, code, len(owner)))
    found = _node(trace, binding, splice("list", args), kwargs)
    names = parameters(code)
    values = record_all(trace, "unpack", (found,), {"before": len(names)}, len(names))
    by_position = (*owner, *values[len(owner) : code.co_argcount])
    by_name = dict(zip(names[code.co_argcount :], values[code.co_argcount :], strict=True))
    return trace.operators.call(function, *by_position, **by_name)


def _given_twice(trace: Trace, function: Any, name: str) -> Any:
    """A call that Python refuses before it is made, since a keyword is given twice."""
    if isinstance(function, Tracer | Lazy):
        trace.stop("AT201", f"`{name}` is given twice to a callable that is not known until the program runs")
    return trace.native(refuse_twice, function, name)


def _given(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
    """The arguments one by one, as far as they are known."""
    parts = [value.items if type(value) is Starred else (value,) for value in (*args, *kwargs.values())]
    return [one for part in parts if not isinstance(part, Tracer) for one in part]


def _for_real(trace: Trace, function: Any) -> Any:
    """Return a callable that would be traced through as one for the program to call; the reason is remembered."""
    name = getattr(function, "__name__", type(function).__name__)
    message = f"`{name}` {AS_PLAIN}its arguments from `*` or `**` are not known until the program runs"
    where = trace.location() or Location.of(trace.function.__code__)
    inner = function.__func__ if isinstance(function, types.MethodType) else function
    callee = ref(inner) if isinstance(inner, types.FunctionType) else None
    trace.plain(Reason("AT201", message, where, "pass the arguments one by one", callee))
    made = existing(trace, function)
    if made is not function or isinstance(function, types.MethodType) or is_made(trace, function):
        return made
    return function if trace.state.is_outside(function) else trace.operators.wrap_constant(function)


def _node(trace: Trace, function: Any, items: Any, kwargs: Mapping[str, Any]) -> Any:
    if not has_stars(kwargs.values()):
        return record(trace, "call_spread", (function, items), kwargs)
    names = tuple(None if type(value) is Starred else name for name, value in kwargs.items())
    values = (value.items if type(value) is Starred else value for value in kwargs.values())
    return record(trace, "call_mapping", (function, items, names, *values))


def _is_opaque(function: Any) -> bool:
    """Return whether a callable is a node at each call, rather than traced through."""
    match function:
        case Tracer() | ArrayMethod() | TracedMethod():
            return True
        case types.FunctionType():
            return rewritten_in(function) is None and not is_traced_through(function)
        case type():
            return not is_user_class(function)
        case types.MethodType():
            return False
        case _:
            return not is_user_class(type(function)) and not is_compiled(function) and callable(function)
