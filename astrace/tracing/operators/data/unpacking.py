"""Taking containers apart: unpacking, ``*`` and ``**``, and the items of a container as a list.

Takes trace-level objects, gives their items as far as they are known while tracing; of what only the running program knows,
nodes that take it apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from astrace.ir.specs import ArraySpec, DeviceSpec, TupleSpec, class_of, rank_of
from astrace.ops.python.objects import copied_mapping
from astrace.ops.python.unpacking import unpack as checked_unpack
from astrace.tracing.changes.array_checks import look_at
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.iter_protocol import walked
from astrace.tracing.notes import LAZY
from astrace.tracing.operators.data.starred_displays import Starred
from astrace.tracing.plan import MOVE
from astrace.tracing.record import record, record_all
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import Stream
from astrace.tracing.values.long_sequences import is_long, item_by_item
from astrace.tracing.values.objects import is_user_class, made, special_method
from astrace.tracing.values.operands import Lazy


def unpack(value: Any, before: int, after: int | None = None) -> Sequence[Any]:
    """The values that ``a, b = value`` or ``a, *rest, b = value`` binds."""
    trace = current()
    method = special_method(trace, value, "__iter__")
    if method is not None:
        iterator = walked(trace, method, value)
        return (
            _unpack_value(trace, value, before, after)
            if iterator is None
            else unpack(iterator, before, after)
        )
    value = (
        trace.operators.collect(value, before + 1) if isinstance(value, Stream) and after is None else value
    )
    value = item_by_item(trace, value)
    if isinstance(value, Tracer) and not isinstance(value.value.spec, TupleSpec):
        return _unpack_value(trace, value, before, after)
    if trace.state.is_outside(value) and trace.state.may_have_other_keys(value):
        return _unpack_value(trace, value, before, after)
    items = spread(value)
    return trace.native_container(_unpack_items, trace, items, before, after)


def _unpack_value(trace: Trace, value: Any, before: int, after: int | None) -> Sequence[Any]:
    if after is None:
        return record_all(trace, "unpack", (value,), {"before": before}, before)
    return record_all(trace, "unpack", (value,), {"before": before, "after": after}, before + 1 + after)


def _unpack_items(trace: Trace, items: Sequence[Any], before: int, after: int | None) -> Sequence[Any]:
    """Python's own check of the number of items, with its own messages."""
    found = checked_unpack(list(items), before, after)
    if after is None:
        return found
    return [*found[:before], made(trace, found[before], "rest"), *found[before + 1 :]]


def spread(value: Any) -> Sequence[Any]:
    """Return all items of an iterable whose number is known while tracing."""
    trace = current()
    value = item_by_item(trace, value)
    if is_long(trace, value):
        return list(trace.operators.expand_listed(value))
    found = items_of(trace, value)
    if found is None:
        what = kind_of(value)
        trace.stop("AT201", f"the number of items of {what} is not known until the program runs", MOVE)
    return found


def kind_of(value: Any) -> str:
    """Name the kind of object that a trace-level object is when the program runs."""
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if isinstance(value, Lazy):
        cls = value.cls() or LAZY.get(type(value).__name__)
    name = cls if isinstance(cls, str) or cls is None else cls.__qualname__
    return "an iterable" if name is None else f"a `{name}`"


def spread_keywords(value: Any) -> dict[str, Any]:
    """Return all items of a mapping behind ``**`` in a call; one stands for a mapping of unknown names."""
    trace = current()
    if _is_unsized(trace, value):
        held = trace.operators.opaque(copied_mapping, (value,), {})
        return {f"** {id(held.value)}": Starred(held)}
    found = spread_mapping(value)
    return found if all(isinstance(name, str) for name in found) else current().native(_refuse_names)


TWICE: Final = "** twice"
"""Stands for the name that is given twice."""


def merged_keywords(*parts: tuple[str, Any] | dict[str, Any]) -> dict[str, Any]:
    """The keywords of a call with ``**``: single ones, and the items of mappings; or only one that is given twice."""
    merged: dict[str, Any] = {}
    for part in parts:
        for name, value in (part,) if isinstance(part, tuple) else part.items():
            if name in merged:
                return {TWICE: Starred((name,))}
            merged[name] = value
    return merged


def refuse_twice(function: Any, name: str) -> Any:
    """Python's own complaint about a keyword that is given twice."""
    return function(**{name: None}, **{name: None})


def _is_unsized(trace: Trace, value: Any) -> bool:
    """Return whether only the running program knows the items of ``**value``."""
    if isinstance(value, Tracer) or not isinstance(value, dict):
        return isinstance(value, Tracer) or (trace.state.is_outside(value) and not is_user_class(type(value)))
    if trace.state.is_outside(value) and trace.state.may_have_other_keys(value):
        return True
    return type(value) is not dict and any(special_method(trace, value, name) for name in WALKING_DICTS)


def _refuse_names() -> dict[str, Any]:
    """Python's own complaint about keywords that are no strings."""
    raise TypeError("keywords must be strings")


def _kind(value: Any) -> type:
    """The class that the program knows a value by."""
    return (class_of(value.value.spec) or object) if isinstance(value, Tracer) else type(value)


def spread_mapping(value: Any) -> dict[Any, Any]:
    """Return all items of a mapping behind ``**``, in a call or in a display."""
    trace = current()
    if is_user_class(type(value)) and not isinstance(value, dict):
        return _by_keys(trace, value)
    if type(value) is not dict and any(special_method(trace, value, name) for name in WALKING_DICTS):
        trace.stop(
            "AT201", f"`**` of a `{_kind(value).__qualname__}`, whose class has methods of its own for that"
        )
    if trace.state.is_outside(value) and isinstance(value, dict):
        value = NotImplemented if trace.state.may_have_other_keys(value) else trace.operators.expand(value)
    if not isinstance(value, dict):
        trace.stop("AT201", "`**` of a value that is not known while tracing")
    return value  # type: ignore[reportUnknownVariableType]


WALKING_DICTS: Final = ("__iter__", "keys", "__getitem__")
"""Methods of a subclass of ``dict`` that may affect the items of ``**``."""


def _by_keys(trace: Trace, value: Any) -> dict[str, Any]:
    """The items of an object with ``keys`` and ``__getitem__`` of its own."""
    if not hasattr(type(value), "keys"):
        trace.stop("AT201", f"`**` of a `{type(value).__qualname__}`, whose class has no `keys`")
    names = spread(trace.operators.call(trace.operators.attr(value, "keys")))
    known = [trace.operators.concrete(name) if isinstance(name, Tracer) else name for name in names]
    if not all(isinstance(name, str) for name in known):
        trace.stop("AT201", "`**` of an object whose keys are not all strings")
    return {name: trace.operators.item(value, name) for name in known}


def items_of(trace: Trace, value: Any) -> list[Any] | None:
    """The items of an iterable, where their number is known while tracing; else ``None``."""
    if isinstance(value, Tracer):
        return _items_of_tracer(trace, value)
    if isinstance(value, Lazy):
        return trace.operators.static_items(value)
    if trace.state.is_outside(value):
        known = type(value) in (list, dict, set) and not trace.state.may_have_other_keys(value)
        unrolled = known and not is_long(trace, value)
        return list(trace.operators.expand_listed(value)) if unrolled else None
    trace.spend_on(value)
    return list(value) if isinstance(value, LISTED) or type(value) in VIEW_TYPES else None


LISTED: Final = (list, tuple, dict, set, frozenset, str, range, bytes)
VIEW_TYPES: Final = (type({}.keys()), type({}.values()), type({}.items()))


def _items_of_tracer(trace: Trace, value: Tracer) -> list[Any] | None:
    size = size_of(value)
    return None if size is None else [record(trace, "get_item", (value, index)) for index in range(size)]


def size_of(value: Tracer) -> int | None:
    """Return the number of items of a traced tuple or array, fixed for this specialisation; else ``None``."""
    trace, spec = current(), value.value.spec
    if isinstance(spec, TupleSpec):
        return len(spec.items)
    if not isinstance(spec, ArraySpec | DeviceSpec) or not rank_of(spec):
        return None
    if isinstance(spec, ArraySpec) and not isinstance(spec.shape[0], str):
        look_at(trace, value)
        return spec.shape[0]
    return trace.operators.concrete(record(trace, "dim", (value, 0)))
