"""The implementation of `astrace.tracing.operators_protocol.Operators`, for the rest of tracing."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from astrace.guards.access_paths import Path
from astrace.guards.kinds import LacksAttribute
from astrace.ir.specs import TupleSpec, class_of
from astrace.tracing.changes.aliases import may_run_hidden_code
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.generators import box
from astrace.tracing.generators.iter_protocol import walked
from astrace.tracing.generators.iterators import opened, spend
from astrace.tracing.operators.calls.calls import call, call_body
from astrace.tracing.operators.calls.classes import attributes_of, classes, descriptor, guard_class
from astrace.tracing.operators.calls.functions import super_attribute, wrapped
from astrace.tracing.operators.calls.opaque_calls import opaque
from astrace.tracing.operators.control.branches import and_, if_exp, not_, or_, truth, when
from astrace.tracing.operators.control.exceptions import try_
from astrace.tracing.operators.control.for_loop import each, for_loop
from astrace.tracing.operators.control.loop_sources import static_items
from astrace.tracing.operators.control.raise_ import raise_while_tracing
from astrace.tracing.operators.data.arithmetic import binary, compare, inplace, unary
from astrace.tracing.operators.data.attributes import attr
from astrace.tracing.operators.data.containers import (
    collect,
    make_dict,
    make_list,
    make_set,
    runtime_object,
)
from astrace.tracing.operators.data.names import (
    named,
)
from astrace.tracing.operators.data.reads import (
    expand,
    expand_listed,
    item,
    known_keys,
    known_length,
    outside_contains,
    outside_length,
    position,
    read_cell,
    read_global,
)
from astrace.tracing.operators.data.unpacking import (
    VIEW_TYPES,
    items_of,
    kind_of,
    size_of,
    spread,
    spread_mapping,
)
from astrace.tracing.operators.data.writes import (
    delete_attr,
    delete_item,
    outside_inplace,
    store_attr,
    store_item,
)
from astrace.tracing.record import record
from astrace.tracing.record import record_tuple as _record_tuple
from astrace.tracing.tracer import Tracer
from astrace.tracing.values import static_values as _concrete
from astrace.tracing.values.lazy import DictView, Stream, TracedRange
from astrace.tracing.values.objects import is_live, is_user_class, special_method
from astrace.tracing.values.special_lookup import answering, ask

__all__ = [
    "VIEW_TYPES",
    "and_",
    "attr",
    "attributes_of",
    "binary",
    "box",
    "call",
    "call_body",
    "classes",
    "collect",
    "compare",
    "concrete",
    "delete_attr",
    "delete_item",
    "descriptor",
    "each",
    "expand",
    "expand_listed",
    "guard_class",
    "guard_lacks",
    "if_exp",
    "inplace",
    "is_tuple",
    "item",
    "items_of",
    "iteration_method",
    "kind_of",
    "known_keys",
    "known_length",
    "listed",
    "make_dict",
    "make_list",
    "make_set",
    "named",
    "not_",
    "opaque",
    "or_",
    "outside_contains",
    "outside_inplace",
    "outside_length",
    "position",
    "raise_while_tracing",
    "read_cell",
    "read_global",
    "record_check",
    "record_made",
    "record_read",
    "record_tuple",
    "runtime_object",
    "set_field",
    "size_of",
    "spread",
    "spread_mapping",
    "static_items",
    "store_attr",
    "store_item",
    "super_attribute",
    "truth",
    "truth_of_object",
    "truth_of_tracer",
    "try_",
    "unary",
    "when",
    "wrap_constant",
    "wrapped",
]


def concrete(tracer: Tracer) -> Any:
    """The value of a tracer, made static for this specialisation."""
    return _concrete.concrete(current(), tracer)


def record_tuple(items: tuple[Any, ...]) -> Tracer:
    """A tuple of trace-level objects as one value."""
    return _record_tuple(current(), items)


def record_read(op: str, owner: Any, key: Any) -> Any:
    """Record a read of outside state at this place of the program."""
    return record(current(), op, (owner, key))


def record_made(value: Any) -> Tracer:
    """Record a tuple, a slice, or a number or text equal to another one, as an object of its own."""
    if isinstance(value, tuple):
        return record_tuple(value)
    return record_slice(value) if type(value) is slice else record(current(), "another", (value,))


def record_slice(value: slice) -> Tracer:
    """A slice whose bounds are traced, as one value."""
    return record(current(), "slice", (value.start, value.stop, value.step))


def record_check(found: Any, expected: Any, path: Path) -> None:
    """Record a check, at this place of the program, that outside state is unchanged."""
    record(current(), "check_unchanged", (found, expected, str(path)))


def wrap_constant(value: Any) -> Tracer:
    """A constant object as a tracer: an input that is pinned, for a node that changes or reads it."""
    trace = current()
    return Tracer(trace, trace.state.reference(value))


def truth_of_tracer(value: Tracer) -> Any:
    """Return the truth of a tracer's value; for an instance its class decides."""
    cls, trace = class_of(value.value.spec), current()
    if cls is None or not is_user_class(cls):
        return record(trace, "bool", (value,)) if may_run_hidden_code(trace, value) else value
    found = _own_truth(trace, value)
    if found is not None:
        return found
    return (
        value if answering(trace, value, "__bool__", "__len__") is None else record(trace, "bool", (value,))
    )


def _own_truth(trace: Trace, value: Any) -> Any:
    """Trace the method that tells an object's truth; ``None`` where there is no such function."""
    method = answering(trace, value, "__bool__", "__len__")
    if not isinstance(method, types.FunctionType):
        return None
    name = "__bool__" if answering(trace, value, "__bool__") is not None else "__len__"
    return truth(ask(trace, method, name, value))


def truth_of_object(value: Any) -> Any:
    """The truth of an object that is neither a tracer nor one of Python's plain constants."""
    trace = current()
    found = _own_truth(trace, value)
    if found is not None:
        return found
    if isinstance(value, DictView):
        return truth_of_object(value.owner)
    if isinstance(value, TracedRange):
        return record(trace, "bool", (value,))
    if type(value) in (list, dict, set):
        length = outside_length(value)
        return length if isinstance(length, Tracer) else length > 0
    if value is NotImplemented:
        return record(trace, "call", (bool, value))  # it warns
    if is_live(trace, value) and answering(trace, value, "__bool__", "__len__") is not None:
        return record(trace, "bool", (value,))
    return trace.native(bool, value)


def is_tuple(value: Tracer) -> bool:
    """Return whether a tracer stands for a tuple whose items are known."""
    return isinstance(value.value.spec, TupleSpec)


def iteration_method(iterable: Any) -> Callable[..., Any] | None:
    """Return a function that iterates over an instance with an ``__iter__`` of the user's, if the program does not."""
    trace = current()
    method = special_method(trace, iterable, "__iter__")
    found = None if method is None else walked(trace, method, iterable)
    if found is None:
        return None

    def loop(body: Callable[..., Any], given: Any, breaks: bool) -> Any:
        return for_loop(found, body, given, breaks)

    return loop


def listed(iterable: Any) -> Any:
    """The items of a lazy iterable as a list, or as a value."""
    trace = current()
    source = opened(trace, iterable)
    if source == ():
        return make_list(())
    found = collect(source) if isinstance(source, Stream) else record(trace, "list", (source,))
    spend(trace, iterable)
    return found


def set_field(instance: Any, name: str, value: Any) -> None:
    """Store an attribute past any ``__setattr__``, as a generated ``__init__`` does."""
    if isinstance(instance, Tracer):
        record(current(), "set_field", (instance, name, value))
    else:
        object.__setattr__(instance, name, value)


def guard_lacks(owner: Any, name: str) -> None:
    """Check at each call that an object has no attribute of that name of its own."""
    trace = current()
    trace.state.guard(LacksAttribute(trace.state.path(owner), name))
