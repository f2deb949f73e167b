"""Arithmetic, comparison, identity and membership, with Python's own dispatch.

Tracers are recorded, Python's own values are computed at once, instances with special methods have those
methods traced, in the order in which Python would try them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from astrace.guards.kinds import IsAt
from astrace.ir.block import NO_ATTRS, Value
from astrace.ir.specs import (
    ANY,
    ArraySpec,
    LiteralSpec,
    TupleSpec,
    UnionSpec,
    class_of,
    is_immutable,
)
from astrace.ops import OPS
from astrace.ops.constant_folding import must_wait
from astrace.ops.infer import infer
from astrace.ops.python.operators import INPLACE, UPDATING, contains, keeps_target, method_name, not_contains
from astrace.tracing.context import Trace, current
from astrace.tracing.operators.data.binary_dispatch import BY_IDENTITY, OPAQUE, by_method, by_methods
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import DictView, GivenFunction
from astrace.tracing.values.list_specs import loosen_by
from astrace.tracing.values.objects import PLAIN_CONTAINERS, adopt, is_live, mutate, special_method
from astrace.tracing.values.operands import Lazy, held, holds_local_function, itself, spec_at
from astrace.tracing.values.special_methods import class_attribute, has_enum_methods

__all__ = ["binary", "compare", "inplace", "unary"]

NATIVE: Final[dict[str, Callable[..., Any]]] = {"in_": contains, "not_in": not_contains}
IDENTITY: Final = ("is_", "is_not")


def binary(name: str, left: Any, right: Any) -> Any:
    """``left + right`` and its like."""
    return _operate(current(), name, name, left, right)


def _operate(trace: Trace, name: str, form: str, left: Any, right: Any, spelled: str | None = None) -> Any:
    """An operator; ``form`` is the op that is written down or applied where no method of the user's takes part.

    What the program says, ``spelled``, may be another one: in place.
    """
    result = by_methods(trace, name, left, right, spelled or form)
    if result is OPAQUE:
        return record(trace, form, (left, right))
    if result is not NotImplemented:
        return result
    left, right = _known_view(trace, left), _known_view(trace, right)
    if isinstance(left, Tracer) or isinstance(right, Tracer) or _is_outside(trace, left, right):
        return record(trace, form, (left, right))
    speaks = name == "mod" and has_enum_methods((right,), text=True)
    if speaks or ({type(left), type(right)} - JOINED and is_live(trace, (left, right))):
        return record(trace, form, (left, right))
    if must_wait(getattr(operator, name), (left, right)):
        return record(trace, form, (left, right))
    result = trace.native(getattr(operator, form), left, right)
    return adopt(trace, trace.state.wholes.computed(result, left, right), "binary")


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
    warns = name == "invert" and type(value) is bool
    if warns or isinstance(value, Tracer) or _is_outside(trace, value):
        return record(trace, name, (value,))
    return trace.state.wholes.computed(trace.native(getattr(operator, name), value), value)


def compare(name: str, left: Any, right: Any) -> Any:
    """``left < right``, ``left in right``, ``left is right``."""
    trace = current()
    if name in IDENTITY:
        same = _identical(trace, left, right)
        return same if name == "is_" else trace.operators.not_(same)
    if name in NATIVE:
        return _membership(trace, name, left, right)
    result = by_methods(trace, name, left, right)
    if result is BY_IDENTITY:
        result = _identical(trace, left, right)
        return result if name == "eq" else trace.operators.not_(result)
    if result is OPAQUE:
        return record(trace, name, (left, right))
    if result is not NotImplemented:
        return result
    left, right = _known_view(trace, left), _known_view(trace, right)
    if is_live(trace, (left, right)):
        return record(trace, name, (left, right))
    return trace.native(getattr(operator, name), left, right)


# -- identity and membership -----------------------------------------------------------------------------


def _identical(trace: Trace, left: Any, right: Any) -> Any:
    if left is right or trace.state.wholes.are_two(left, right):
        return left is right
    if type(left) is type(right) or Tracer in (type(left), type(right)):
        wholes = trace.state.wholes
        told = held if any(map(wholes.is_mixed, (left, right))) else itself
        left, right = told(trace, left), told(trace, right)
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
    """Compare two objects by ``is``, at least one a tracer; a constant of another class is never the same."""
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
    """Return whether a value may be an item of a dict: a pair is looked up by its key, nothing else is found."""
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
    """Compute ``target += value`` for a name: return the object that the name is bound to afterwards."""
    trace = current()
    result = by_method(trace, method_name(name), target, value)
    if result is OPAQUE:
        return record(trace, name, (target, value))
    if result is not NotImplemented:
        return result
    result = _reflected(trace, name, target, value)
    if result is not NotImplemented:
        return result
    if isinstance(target, Tracer):
        return _inplace_tracer(trace, name, target, value)
    if trace.state.is_outside(target):
        return trace.operators.outside_inplace(name, target, value)
    if type(target) in PLAIN_CONTAINERS:
        return _inplace_made(trace, name, target, value)
    return _replaced(trace, name, target, value)


def _reflected(trace: Trace, name: str, target: Any, value: Any) -> Any:
    """Return the right operand's result for an in-place operator, if it is asked before a container is changed."""
    container = spec_at(trace, target)
    if class_of(container) not in UPDATING or keeps_target(name, container, spec_at(trace, value)):
        return NotImplemented
    result = by_methods(trace, INPLACE[name], target, value)
    return NotImplemented if result is OPAQUE else result


def _replaced(trace: Trace, name: str, target: Any, value: Any) -> Any:
    """Trace ``target += value`` for a target that is replaced by another object.

    The plain operator is written down, of which passes know more, unless a TypeError may name the operator.
    """
    plain = INPLACE[name]
    specs = [spec_at(trace, target), spec_at(trace, value)]
    (found,) = infer(OPS[plain], tuple(map(Value, specs)), NO_ATTRS, 1)
    cls = target.cls() if isinstance(target, Lazy) else class_of(specs[0])
    replaces = is_immutable(specs[0]) or (cls is not None and class_attribute(cls, method_name(name)) is None)
    form = name if found == ANY and replaces else plain
    return _operate(trace, plain, form, target, value, name)


def _inplace_made(trace: Trace, name: str, target: Any, value: Any) -> Any:
    """Change a list, dict or set made here in place; the operand may only be known when the program runs."""
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
        trace.need_object(trace.journal.births[id(target)])
    return trace.native(function, target, value)


def _inplace_tracer(trace: Trace, name: str, target: Tracer, value: Any) -> Any:
    """Change arrays and lists in place, so that they stay the same objects; numbers are replaced."""
    spec = target.value.spec
    if is_immutable(spec):
        return _replaced(trace, name, target, value)
    if name == "iadd":
        loosen_by(trace, target, spec_at(trace, value))
    result = record(trace, name, (target, value))
    changed = isinstance(spec, ArraySpec) or class_of(spec) in UPDATING
    return target if changed and keeps_target(name, spec, spec_at(trace, value)) else result
