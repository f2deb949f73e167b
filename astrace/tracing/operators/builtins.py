"""Builtins that need more than being recorded: those that look at types, make iterables or take functions.

``BUILTINS`` maps a builtin to what a call of it means; each entry takes the trace, the builtin, and the
call's arguments.
"""

from __future__ import annotations

import builtins
import contextlib
import decimal
import functools
import threading
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.block import Constant
from astrace.ir.specs import ArraySpec, UnionSpec, class_of
from astrace.ir.statics import UNDEFINED, is_static
from astrace.ops import OPS
from astrace.ops.objects import check_next
from astrace.tracing.context import Trace, current
from astrace.tracing.lifting import Lazy, is_traced
from astrace.tracing.objects import (
    adopt,
    class_attribute,
    instance_dict,
    is_made,
    is_user_class,
    made,
    special_method,
)
from astrace.tracing.operators.streams import all_of, any_of
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values import (
    Stream,
    TracedEnumerate,
    TracedRange,
    TracedReversed,
    TracedZip,
)

__all__ = ["never_suppresses"]

Args: TypeAlias = tuple[Any, ...]
Kwargs: TypeAlias = Mapping[str, Any]
Handler: TypeAlias = Callable[[Trace, Any, Args, Kwargs], Any]


# -- types and truth -------------------------------------------------------------------------------------


def _isinstance(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    value, classes = args
    if not isinstance(value, Tracer):
        return trace.native(isinstance, value, classes)
    spec = value.value.spec
    options = spec.options if isinstance(spec, UnionSpec) else (spec,)
    kinds = [class_of(option) for option in options]
    answers = {trace.native(issubclass, kind, classes) for kind in kinds if kind is not None}
    if None in kinds or len(answers) != 1:
        return record(trace, "isinstance", args)
    return answers.pop()


def _type(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if len(args) != 1:
        trace.stop("AT106", "a class made inside a function is not captured")
    value = args[0]
    if not isinstance(value, Tracer):
        return type(value)
    return class_of(value.value.spec) or record(trace, "type", args)


def _callable(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    value = args[0]
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else None
    if isinstance(value, Tracer) and cls is None:
        return record(trace, "callable", args)
    return callable(value) if cls is None else issubclass(cls, Callable)


def _bool(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if not args:
        return False
    decided = trace.operators.truth(args[0])
    return record(trace, "bool", (decided,)) if isinstance(decided, Tracer) else decided


def _converted(method: str) -> Handler:
    """``int``, ``float``, ``abs``, … with the special method of the user's classes."""

    def handler(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
        found = special_method(trace, args[0], method) if args else None
        if found is not None:
            return trace.operators.call(found, *args)
        if is_traced(args) or trace.state.is_outside(args[0] if args else None):
            return record(trace, OPS.find(function).name, args, kwargs)  # type: ignore[union-attr]
        return trace.native(function, *args, **kwargs)

    return handler


def _str(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``str`` and ``repr``: of constants at once, of anything else when the program runs."""
    if not args:
        return ""
    method = special_method(trace, args[0], "__str__" if function is str else "__repr__")
    if method is None and function is str:
        method = special_method(trace, args[0], "__repr__")
    if method is not None:
        return trace.operators.call(method, args[0])
    if all(map(is_static, args)):
        return trace.native(function, *args, **kwargs)
    return record(trace, function.__name__, args, kwargs)


# -- attributes --------------------------------------------------------------------------------------------


def _getattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    owner, name, *default = args
    name = trace.operators.concrete(name) if isinstance(name, Tracer) else name
    if default and not _has(trace, owner, name):
        return default[0]
    return trace.operators.attr(owner, name)


def _hasattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    return _has(trace, *args)


def _has(trace: Trace, owner: Any, name: str) -> bool:
    """Whether an object has an attribute, as far as its class and its own attributes say."""
    if isinstance(owner, Tracer):
        cls = class_of(owner.value.spec)
        if cls is None or is_user_class(cls):
            trace.stop(
                "AT201", f"whether a traced value has the attribute `{name}` is not known while tracing"
            )
        return hasattr(cls, name)
    if is_user_class(type(owner)) and class_attribute(type(owner), "__getattr__") is not None:
        trace.stop("AT201", f"whether an object has the attribute `{name}` is up to its `__getattr__`")
    if is_made(trace, owner) or not trace.state.is_outside(owner):
        return hasattr(owner, name)
    known = (id(owner), ("attr", name)) in trace.journal.slots or name in instance_dict(owner)
    if known:
        trace.operators.attr(owner, name)
        return True
    trace.operators.guard_lacks(owner, name)
    return class_attribute(type(owner), name) is not None


def _setattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    owner, name, value = args
    trace.operators.store_attr(value, owner, name)


def _delattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    trace.operators.delete_attr(*args)


# -- iterables ---------------------------------------------------------------------------------------------


def _len(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    (value,) = args
    method = special_method(trace, value, "__len__")
    if method is not None:
        return trace.operators.call(method, value)
    if isinstance(value, Tracer):
        spec = value.value.spec
        if isinstance(spec, ArraySpec) and spec.shape:
            size = spec.shape[0]
            return size if isinstance(size, int) else record(trace, "dim", (value, 0))
        return record(trace, "len", args)
    if isinstance(value, Lazy):
        return record(trace, "len", args)
    if type(value) in (list, dict, set) and trace.state.is_outside(value):
        return trace.operators.outside_length(value)
    return record(trace, "len", args) if trace.state.is_outside(value) else trace.native(len, value)


def _range(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if not is_traced(args):
        return trace.native(range, *args)
    if not 1 <= len(args) <= 3:
        return trace.native(range, *args)
    start, stop, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
    return TracedRange(start, stop, step)


def _enumerate(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    iterable, *rest = args
    start = rest[0] if rest else kwargs.get("start", 0)
    return TracedEnumerate(iterable, start)


def _zip(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    return TracedZip(args, bool(kwargs.get("strict", False)))


def _reversed(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    return TracedReversed(args[0])


def _map(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    mapped, *iterables = args
    source = iterables[0] if len(iterables) == 1 else TracedZip(tuple(iterables), False)

    def run(emit: Callable[[Any], Any]) -> Any:
        def turn(item: Any) -> Any:
            given = (item,) if len(iterables) == 1 else item
            return emit(trace.operators.call(mapped, *given))

        return trace.operators.each(source, turn)

    return Stream(run)


def _filter(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    test, iterable = args

    def run(emit: Callable[[Any], Any]) -> Any:
        def turn(item: Any) -> Any:
            passed = item if test is None else trace.operators.call(test, item)
            return trace.operators.when(passed, lambda: emit(item))

        return trace.operators.each(iterable, turn)

    return Stream(run)


def _listed(trace: Trace, value: Any) -> Any:
    """An iterable as a list, a tuple or a tracer: something with all its items."""
    if isinstance(value, Stream):
        return trace.operators.collect(value)
    if type(value) in (list, dict, set) and trace.state.is_outside(value) and not trace.state.is_dirty(value):
        return trace.operators.expand(value)
    if isinstance(value, Lazy):
        return trace.operators.listed(value)
    return value


def _collected(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``list``, ``tuple``, ``set``, ``frozenset`` of an iterable."""
    if not args:
        return made(trace, function(), function.__name__)
    value = _listed(trace, args[0])
    items = None if isinstance(value, Tracer) else trace.operators.items_of(trace, value)
    hashed = function in (set, frozenset)
    if items is None or (hashed and not all(map(is_static, items))):
        return record(trace, function.__name__, (value,))
    return adopt(trace, trace.native(function, items), function.__name__)


def _dict(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    pairs: dict[Any, Any] = {}
    if args:
        value = _listed(trace, args[0])
        if isinstance(value, dict):
            pairs.update(value)
        else:
            items = trace.operators.items_of(trace, value)
            if items is None or not all(is_static(item[0]) for item in items):
                return record(trace, "dict", (value,), kwargs)
            pairs.update(trace.native(dict, items))
    return made(trace, {**pairs, **kwargs}, "dict")


def _reduced(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``sum``, ``any``, ``all``, ``max``, ``min``, ``sorted``."""
    if function in (any, all) and isinstance(args[0], Stream):
        return any_of(args[0]) if function is any else all_of(args[0])
    key = kwargs.get("key")
    single = len(args) == 1 or function is sum
    given = (_listed(trace, args[0]), *args[1:]) if single else args
    if isinstance(key, types.FunctionType | types.MethodType | functools.partial):
        return _by_key(trace, function, given, kwargs)
    value = given[0] if single else given
    if is_traced(given) or is_traced(kwargs) or trace.state.is_outside(value) or _has_instances(value):
        return record(trace, function.__name__, given, kwargs)
    return adopt(trace, trace.native(function, *given, **kwargs), function.__name__)


def _has_instances(value: Any) -> bool:
    """Whether a container holds instances of the user's classes, whose comparison would run their code."""
    return type(value) in (list, tuple, set) and any(is_user_class(type(item)) for item in value)


def _by_key(trace: Trace, function: Any, given: Args, kwargs: Kwargs) -> Any:
    """``sorted``, ``max`` or ``min`` with a key of the user's: known while tracing where all keys are."""
    items = trace.operators.items_of(trace, given[0]) if len(given) == 1 else list(given)
    if items is None:
        return trace.operators.opaque(function, given, kwargs)
    keys = [trace.operators.call(kwargs["key"], item) for item in items]
    if not all(map(is_static, keys)):
        return trace.operators.opaque(function, given, kwargs)
    others = {name: value for name, value in kwargs.items() if name != "key"}
    order = range(len(items))
    picked = trace.native(function, order, key=keys.__getitem__, **others)
    if function is sorted:
        return made(trace, [items[index] for index in picked], "sorted")
    return items[picked] if isinstance(picked, int) else picked


def _iter(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if isinstance(args[0], Stream):
        return args[0]
    method = special_method(trace, args[0], "__iter__")
    return trace.operators.call(method, args[0]) if method is not None else record(trace, "iter", args)


def _next(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    source, *default = args
    method = special_method(trace, source, "__next__")
    if method is not None and not default:
        return trace.operators.call(method, source)
    if not isinstance(source, Stream):
        return record(trace, "next", args)
    first = trace.operators.box({"item": default[0] if default else UNDEFINED})

    def emit(item: Any) -> bool:
        first.set("item", item)
        return True

    source.run(emit)
    found = first.get("item")
    if isinstance(found, Tracer):
        return found if default else record(trace, "check_next", (found,))
    return trace.native(check_next, found)


def _reduce(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``functools.reduce``."""
    step, iterable, *initial = args
    held = trace.operators.box({"total": initial[0] if initial else UNDEFINED})

    def turn(item: Any) -> bool:
        total = held.get("total")
        held.set("total", item if total is UNDEFINED else trace.operators.call(step, total, item))
        return False

    source = _listed(trace, iterable)
    items: Sequence[Any] | None = (
        None if isinstance(source, Tracer) else trace.operators.items_of(trace, source)
    )
    if items is None and not initial:
        return trace.operators.opaque(function, args, kwargs)
    if items is None:
        trace.operators.each(source, turn)
    else:
        for item in items:
            turn(item)
    total = held.get("total")
    return trace.native(functools.reduce, step, ()) if total is UNDEFINED else total


# -- effects -----------------------------------------------------------------------------------------------


def _print(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    """``print`` keeps nothing of what it is given: containers can be laid out in the node."""
    trace.note("AT006", "`print` is an effect: it happens once, in order, when the program runs")
    record(trace, "call", (function, *(_printable(trace, arg) for arg in args)), kwargs)


def _printable(trace: Trace, value: Any) -> Any:
    method = special_method(trace, value, "__str__") or special_method(trace, value, "__repr__")
    return trace.operators.call(str, value) if method is not None else value


def _opaque(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    return trace.operators.opaque(function, args, kwargs)


def _object(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    trace.stop("AT204", "an `object()` made while tracing")


def _power(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    if len(args) == 2 and not kwargs:
        return trace.operators.binary("pow", *args)
    return (
        record(trace, "builtins.pow", args, kwargs) if is_traced(args) else trace.native(pow, *args, **kwargs)
    )


def _divmod(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    return record(trace, "divmod", args) if is_traced(args) else trace.native(divmod, *args)


BUILTINS: Final[Mapping[Any, Handler]] = {
    isinstance: _isinstance,
    type: _type,
    callable: _callable,
    bool: _bool,
    int: _converted("__int__"),
    float: _converted("__float__"),
    complex: _converted("__complex__"),
    abs: _converted("__abs__"),
    round: _converted("__round__"),
    hash: _converted("__hash__"),
    str: _str,
    repr: _str,
    getattr: _getattr,
    hasattr: _hasattr,
    setattr: _setattr,
    delattr: _delattr,
    len: _len,
    range: _range,
    enumerate: _enumerate,
    zip: _zip,
    reversed: _reversed,
    map: _map,
    filter: _filter,
    list: _collected,
    tuple: _collected,
    set: _collected,
    frozenset: _collected,
    dict: _dict,
    sum: _reduced,
    any: _reduced,
    all: _reduced,
    max: _reduced,
    min: _reduced,
    sorted: _reduced,
    iter: _iter,
    next: _next,
    functools.reduce: _reduce,
    print: _print,
    pow: _power,
    divmod: _divmod,
    object: _object,
    id: _opaque,
    builtins.open: _opaque,
    input: _opaque,
}

NEVER_SUPPRESSING: Final = (
    builtins.open,
    np.errstate,
    threading.Lock,
    threading.RLock,
    warnings.catch_warnings,
    contextlib.nullcontext,
    decimal.localcontext,
)


def never_suppresses(manager: Any) -> bool:
    """Whether leaving a context manager lets exceptions through."""
    trace = current()
    if not isinstance(manager, Tracer):
        return type(manager) in (type(threading.Lock()), type(threading.RLock()))
    node = trace.producers.get(trace.recorder.origin(manager.value))
    if node is None or node.op != "call" or not isinstance(node.inputs[0], Constant):
        return False
    return any(node.inputs[0].value is known for known in NEVER_SUPPRESSING)
