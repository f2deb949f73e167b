"""Arithmetic, comparison, identity and membership, with Python's own dispatch.

Tracers are recorded, Python's own values are computed at once, instances with special methods have those
methods traced, in the order in which Python would try them.
"""

from __future__ import annotations

import dataclasses
import operator
import types
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from astrace.guards import IsAt
from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import (
    ANY,
    AnySpec,
    ArraySpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    class_of,
    is_immutable,
)
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.ops.operators import INPLACE, REFLECTED, contains, method_name, not_contains
from astrace.ops.waiting import must_wait
from astrace.tracing.callables import is_traced_through
from astrace.tracing.context import Trace, current
from astrace.tracing.elements import loosen_by
from astrace.tracing.hooks import is_subclass, speaking_members
from astrace.tracing.lifting import Lazy, holds_local_function, spec_at
from astrace.tracing.objects import PLAIN_CONTAINERS, adopt, is_live, mutate, special_method
from astrace.tracing.record import record
from astrace.tracing.stops import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values import DictView, GivenFunction

__all__ = ["binary", "compare", "inplace", "unary"]

NAMES: Final = {method_name(name): name for name in ("eq", "ne", "lt", "le", "gt", "ge")}
NATIVE: Final[dict[str, Callable[..., Any]]] = {"in_": contains, "not_in": not_contains}
IDENTITY: Final = ("is_", "is_not")


def binary(name: str, left: Any, right: Any) -> Any:
    """``left + right`` and its like."""
    return _operate(current(), name, name, left, right)


def _operate(trace: Trace, name: str, form: str, left: Any, right: Any) -> Any:
    """An operator; ``form`` is the op that is written down or applied where no method of the user's takes part."""
    result = _by_methods(trace, name, left, right)
    if result is not NotImplemented:
        return result
    left, right = _known_view(trace, left), _known_view(trace, right)
    if isinstance(left, Tracer) or isinstance(right, Tracer) or _is_outside(trace, left, right):
        return record(trace, form, (left, right))
    speaks = name == "mod" and speaking_members((right,), text=True)
    if speaks or ({type(left), type(right)} - JOINED and is_live(trace, (left, right))):
        return record(trace, form, (left, right))
    if must_wait(getattr(operator, name), (left, right)):
        return record(trace, form, (left, right))
    return adopt(trace, trace.native(getattr(operator, form), left, right), "binary")


def _known_view(trace: Trace, value: Any) -> Any:
    """The keys of a dict from outside as such, where they are known."""
    if not isinstance(value, DictView) or value.name != "keys":
        return value
    keys = value.keys(trace)
    return value if keys is None else dict.fromkeys(keys).keys()


JOINED: Final = frozenset({list, tuple, dict, int, bool})
"""Classes whose operators on each other move items without looking at them."""


def _is_outside(trace: Trace, *values: Any) -> bool:
    return any(trace.state.is_outside(value) or isinstance(value, Lazy) for value in values)


def unary(name: str, value: Any) -> Any:
    """``-value`` and its like."""
    trace = current()
    method = special_method(trace, value, method_name(name))
    if method is not None:
        return trace.operators.call(method, value)
    if isinstance(value, Tracer) or _is_outside(trace, value):
        return record(trace, name, (value,))
    return trace.native(getattr(operator, name), value)


def compare(name: str, left: Any, right: Any) -> Any:
    """``left < right``, ``left in right``, ``left is right``."""
    trace = current()
    if name in IDENTITY:
        same = _identical(trace, left, right)
        return same if name == "is_" else trace.operators.not_(same)
    if name in NATIVE:
        return _membership(trace, name, left, right)
    result = _by_methods(trace, name, left, right)
    if result is NotImplemented and name in ("eq", "ne"):
        result = _equal_by_default(trace, name, left, right)
    if result is not NotImplemented:
        return result
    left, right = _known_view(trace, left), _known_view(trace, right)
    if is_live(trace, (left, right)):
        return record(trace, name, (left, right))
    return trace.native(getattr(operator, name), left, right)


def _by_methods(trace: Trace, name: str, left: Any, right: Any) -> Any:
    """Python's protocol, where a method written in Python takes part; else ``NotImplemented``.

    The left operand's method is tried first, then the right one's reflected method; the other way round
    where the right class is a subclass.
    """
    attempts = [(left, right, method_name(name)), (right, left, REFLECTED[name])]
    kinds = (_class(left), _class(right))
    if _is_known(left) and kinds[0] is not kinds[1] and is_subclass(kinds[1], kinds[0]):
        attempts.reverse()
    for owner, other, method in attempts:
        found = special_method(trace, owner, method)
        if found is None and owner is left and not _defers(left):
            return NotImplemented
        if found is not None and _compares_fields(found, owner, other):
            return _fields_compared(trace, NAMES[method], owner, other)
        if found is not None and _is_out_of_sight(trace, found):
            return record(trace, name, (left, right))
        result = NotImplemented if found is None else _asked(trace, found, owner, other)
        if result is OUT_OF_SIGHT:
            return record(trace, name, (left, right))
        if isinstance(result, Tracer) and _may_decline(result.value.spec):
            trace.stop("AT201", f"whether `{method}` gives `NotImplemented` is needed while tracing")
        if result is not NotImplemented:
            return result
    return NotImplemented


OUT_OF_SIGHT: Final = object()
"""Instead of a result: nobody here learns what the method gives."""


def _asked(trace: Trace, method: types.FunctionType, owner: Any, other: Any) -> Any:
    """What a special method gives; one that has to run as it is may decline, which only Python's operator sees."""
    with trace.undone_unless_kept() as keep:
        try:
            result = trace.operators.call(method, owner, other)
        except (Exception, Leaves):
            keep()
            raise
        maker = trace.producers.get(result.value) if isinstance(result, Tracer) else None
        if maker is not None and maker.op == "call" and _calls(maker, method):
            return OUT_OF_SIGHT
        keep()
        return result


def _calls(node: Node, function: types.FunctionType) -> bool:
    first = node.inputs[0]
    return isinstance(first, Constant) and first.value is function


def _is_out_of_sight(trace: Trace, method: types.FunctionType) -> bool:
    """Whether a method is called as it is, so that nobody here learns whether it gives ``NotImplemented``."""
    return not is_traced_through(method) or bool(trace.rewrite(method).skipped)


def _compares_fields(method: types.FunctionType, owner: Any, other: Any) -> bool:
    """Whether a comparison is the one that ``dataclass`` writes, of two instances of one class."""
    cls = _class(owner)
    generated = method.__code__.co_filename == "<string>" and dataclasses.is_dataclass(cls)
    return generated and cls is _class(other)


def _fields_compared(trace: Trace, name: str, owner: Any, other: Any) -> Any:
    fields = [field.name for field in dataclasses.fields(_class(owner)) if field.compare]
    left, right = (tuple(trace.operators.attr(value, field) for field in fields) for value in (owner, other))
    return compare(name, left, right)


def _may_decline(spec: Spec) -> bool:
    """Whether ``NotImplemented`` is among a few known results."""
    if isinstance(spec, UnionSpec):
        return any(map(_may_decline, spec.options))
    return isinstance(spec, LiteralSpec) and spec.value is NotImplemented


def _equal_by_default(trace: Trace, name: str, left: Any, right: Any) -> Any:
    """What ``object`` makes of an ``__eq__`` of the user's: ``!=`` asks it, and objects equal themselves.

    ``NotImplemented`` where no such method takes part, or one of another kind does.
    """
    methods = [special_method(trace, value, "__eq__") for value in (left, right)]
    if methods == [None, None]:
        return NotImplemented
    if name == "ne" and not any(special_method(trace, value, "__ne__") for value in (left, right)):
        same = _by_methods(trace, "eq", left, right)
        if same is not NotImplemented:
            return trace.operators.not_(same)
    silent = all(
        method is not None or type(value) in SILENT
        for method, value in zip(methods, (left, right), strict=True)
    )
    return (name == "ne") != _identical(trace, left, right) if silent else NotImplemented


SILENT: Final = (type(None), str, bytes, bool, int, float, complex, tuple, list, dict, set)
"""Classes whose ``==`` knows nothing of the user's classes."""


def _defers(left: Any) -> bool:
    """Whether an operand's own method gives way to one of a class it does not know."""
    if isinstance(left, Tracer):
        return isinstance(left.value.spec, ScalarSpec)
    return not isinstance(left, np.generic | np.ndarray)


def _is_known(value: Any) -> bool:
    """Whether the class of an operand is known."""
    return not isinstance(value, Tracer) or class_of(value.value.spec) is not None


def _class(value: Any) -> type:
    return (class_of(value.value.spec) or object) if isinstance(value, Tracer) else type(value)


# -- identity and membership -----------------------------------------------------------------------------


def _identical(trace: Trace, left: Any, right: Any) -> Any:
    if left is right:
        return True
    left, right = (one.materialize(trace) if isinstance(one, GivenFunction) else one for one in (left, right))
    if holds_local_function(spec_at(trace, left)) and holds_local_function(spec_at(trace, right)):
        trace.stop("AT204", "two functions defined here are compared")
    if isinstance(left, Tracer) or isinstance(right, Tracer):
        return _identical_tracers(trace, left, right)
    for value in (left, right):
        birth = trace.journal.birth(value)
        if birth is not None and birth.sources:
            mutate(trace, value)
    if trace.state.is_outside(left) and trace.state.is_outside(right):
        trace.state.guard(IsAt(trace.state.path(left), trace.state.path(right), together=False))
    return left is right


def _identical_tracers(trace: Trace, left: Any, right: Any) -> Any:
    """Two tracers may be one object; a tracer and a constant of another class can't be."""
    if isinstance(left, Tracer) and isinstance(right, Tracer):
        if trace.recorder.origin(left.value) is trace.recorder.origin(right.value):
            return True
        return record(trace, "is_", (left, right))
    tracer, other = (left, right) if isinstance(left, Tracer) else (right, left)
    spec = tracer.value.spec
    options = spec.options if isinstance(spec, UnionSpec) else (spec,)
    kinds = {class_of(option) for option in options}
    if None not in kinds and type(other) not in kinds:
        return False
    if all(isinstance(option, LiteralSpec) and option.value is other for option in options):
        return True
    return record(trace, "is_", (left, right))


def _membership(trace: Trace, name: str, item: Any, container: Any) -> Any:
    method = special_method(trace, container, "__contains__")
    if method is not None:
        found = trace.operators.call(bool, trace.operators.call(method, container, item))
        return found if name == "in_" else trace.operators.not_(found)
    if isinstance(container, DictView):
        return _in_view(trace, name, item, container)
    if type(container) in trace.operators.VIEW_TYPES and not trace.state.is_outside(container):
        if type(container) is type({}.items()) and not _may_be_entry(trace, item):
            return name == "not_in"
        container = list(container)
    if isinstance(container, (Lazy, Tracer)) or is_live(trace, item):
        return record(trace, name, (item, container))
    if trace.state.is_outside(container):
        return trace.operators.outside_contains(name, item, container)
    if is_live(trace, list(container) if type(container) is dict else container):
        return record(trace, name, (item, container))
    return trace.native(NATIVE[name], item, container)


def _in_view(trace: Trace, name: str, item: Any, view: DictView) -> Any:
    if view.name == "keys" and not is_live(trace, item):
        return trace.operators.outside_contains(name, item, view.owner)
    if view.name == "items" and not _may_be_entry(trace, item):
        return name == "not_in"
    items = view.items(trace)
    return record(trace, name, (item, view)) if items is None else _membership(trace, name, item, items)


def _may_be_entry(trace: Trace, item: Any) -> bool:
    """Whether an item of a dict may be this: a pair is looked up by its key, and nothing else is looked for."""
    if isinstance(item, Tracer):
        spec = item.value.spec
        return class_of(spec) in (tuple, None) and not (isinstance(spec, TupleSpec) and len(spec.items) != 2)
    if not isinstance(item, tuple) or len(item) != 2:  # type: ignore[reportUnknownArgumentType]
        return isinstance(item, Lazy)
    if not isinstance(item[0], Tracer):
        trace.native(hash, item[0])  # type: ignore[reportUnknownArgumentType]
    return True


# -- in place --------------------------------------------------------------------------------------------


def inplace(name: str, target: Any, value: Any) -> Any:
    """``target += value`` for a name: what the name is bound to afterwards."""
    trace = current()
    method = special_method(trace, target, method_name(name))
    if method is not None:
        return trace.operators.call(method, target, value)
    if isinstance(target, Tracer):
        return _inplace_tracer(trace, name, target, value)
    if trace.state.is_outside(target):
        return trace.operators.outside_inplace(name, target, value)
    if type(target) in PLAIN_CONTAINERS:
        return _inplace_made(trace, name, target, value)
    return _replaced(trace, name, target, value)


def _replaced(trace: Trace, name: str, target: Any, value: Any) -> Any:
    """``target += value`` for what is replaced by another object.

    The plain operator is written down, of which passes know more, unless a TypeError may name the operator.
    """
    plain = INPLACE[name]
    specs = [spec_at(trace, target), spec_at(trace, value)]
    (found,) = infer(OPS[plain], Node(plain, tuple(map(Value, specs)), ()), 1)
    replaces = is_immutable(specs[0]) or isinstance(specs[0], TupleSpec)
    form = name if found == ANY and replaces else plain
    return _operate(trace, plain, form, target, value)


def _inplace_made(trace: Trace, name: str, target: Any, value: Any) -> Any:
    """A list, dict or set made here is changed; what is added may only be known when the program runs."""
    mutate(trace, target)
    known = not isinstance(value, Tracer) and not trace.state.may_have_other_keys(value)
    if known and name == "iadd" and type(target) is list:
        value = list(trace.operators.spread(value))
    elif known and type(value) in PLAIN_CONTAINERS and trace.state.is_outside(value):
        value = trace.operators.expand(value)
    function = getattr(operator, name)
    if (
        isinstance(value, Tracer | Lazy)
        or trace.state.is_outside(value)
        or must_wait(function, (target, value))
    ):
        trace.need_object(trace.journal.births[id(target)].site)
    return trace.native(function, target, value)


def _inplace_tracer(trace: Trace, name: str, target: Tracer, value: Any) -> Any:
    """Arrays and lists are changed in place and stay what they are; numbers are replaced."""
    spec = target.value.spec
    if is_immutable(spec):
        return _replaced(trace, name, target, value)
    if name == "iadd":
        loosen_by(trace, target, spec_at(trace, value))
    result = record(trace, name, (target, value))
    if isinstance(spec, ArraySpec | ListSpec) or (
        isinstance(spec, AnySpec) and spec.cls in (list, dict, set)
    ):
        return target
    return result
