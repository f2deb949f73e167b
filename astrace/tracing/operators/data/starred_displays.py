"""Displays with ``*`` and ``**``: their items side by side, known while tracing or only when the program runs."""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.ir.specs import ArraySpec, class_of
from astrace.ops.effects import may_raise
from astrace.ops.python.objects import displayed_mapping
from astrace.ops.python.objects import spread as listed
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.gathering import gathered, hashes_silently, runs_code
from astrace.tracing.generators.iter_protocol import walked
from astrace.tracing.record import record
from astrace.tracing.signals import Leaves, Uncapturable
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import Stream
from astrace.tracing.values.objects import special_method
from astrace.tracing.values.operands import Lazy
from astrace.tracing.values.special_methods import is_subclass

__all__ = ["mapping", "splice", "splice_dict", "starred"]


@dataclass(frozen=True, slots=True)
class Starred:
    """A value behind a ``*`` or ``**`` in a display, as it is when the display comes there.

    Args:
        items: its items; where only the running program knows how many, a list or a dict of them that it makes.
    """

    items: Sequence[Any] | Tracer


HINTS: Final = ("__len__", "__length_hint__")
"""The special methods that Python calls after ``__iter__`` when it makes a list or a tuple of an instance."""

BUILT_IN: Final = (list, tuple, dict, set, frozenset, range, str)


def starred(value: Any, called: bool = False, alone: bool = False, hashed: bool = False) -> Starred:
    """The ``*value`` of a display or call.

    Args:
        value: what stands behind the ``*``.
        called: it is part of a call; then the number of items is fixed where that can be done.
        alone: it is the only argument of the call, which takes it as it is.
        hashed: it is part of a set, for which Python asks no sizes and complains in other words.
    """
    trace = current()
    method = special_method(trace, value, "__iter__")
    if method is not None:
        iterator = walked(trace, method, value) if hashed else _asked_for_size(trace, method, value)
        if iterator is None:
            return Starred(trace.operators.opaque(set if hashed else listed, (value,), {}))
        return starred(iterator, called, alone, hashed)
    if hashed and runs_code(value):
        return Starred(gathered(trace, value, hashes_silently))
    if isinstance(value, Stream):
        return Starred(trace.operators.collect(value))
    if not isinstance(value, Tracer | Lazy) and type(value) not in BUILT_IN:
        return Starred(trace.operators.spread(value))
    found = trace.operators.items_of(trace, value) if called or not _has_named_size(value) else None
    if found is not None:
        return Starred(found)
    if alone and isinstance(value, Lazy) and value.IS_KEPT:
        value = value.materialize(trace)
    op = "set" if hashed else "spread"
    return Starred(value if alone and isinstance(value, Tracer) else record(trace, op, (value,)))


def _asked_for_size(trace: Trace, method: types.FunctionType, value: Any) -> Any:
    """Return an instance's ``__iter__`` result, after Python's question for the number of items.

    ``None`` where asking may raise: whether Python makes anything of that is up to the exception; and where the
    program has to walk the instance.
    """
    asked = [name for name in HINTS if special_method(trace, value, name) is not None]
    if not asked:
        return walked(trace, method, value)
    first = len(trace.recorder.nodes)
    with trace.undone_unless_kept() as keep:
        try:
            found = walked(trace, method, value)
            if found is None:
                return None
            trace.operators.call(len, value)
        except Leaves:
            return None
        except Exception as error:
            trace.catch(error, "`__len__`")
            return None
        if asked[0] != HINTS[0] or any(map(may_raise, trace.recorder.nodes[first:])):
            return None
        keep()
        return found


def _has_named_size(value: Any) -> bool:
    """Return whether the capture holds for arrays of any number of rows."""
    spec = value.value.spec if isinstance(value, Tracer) else None
    return isinstance(spec, ArraySpec) and isinstance(next(iter(spec.shape), None), str)


def mapping(value: Any) -> Starred:
    """The ``**value`` of a display."""
    trace = current()
    if _is_unsized_dict(trace, value):
        return Starred(record(trace, "dict", (value,)))
    found = None if isinstance(value, Tracer) else _known_mapping(trace, value)
    return Starred(trace.operators.opaque(displayed_mapping, (value,), {})) if found is None else found


def _known_mapping(trace: Trace, value: Any) -> Starred | None:
    """The items of a mapping; ``None``, with nothing done, where only the running program knows its keys."""
    stop: Uncapturable | None = None
    with trace.undone_unless_kept() as keep:
        try:
            return Starred(tuple(trace.operators.spread_mapping(value).items()))
        except Uncapturable as found:
            stop = found
            if found.reason.code != UNKNOWN or type(found) is not Uncapturable:
                raise  # code that has not ended yet goes on around it
        finally:
            if stop is None:
                keep()
    return None


UNKNOWN: Final = "AT201"
"""The code where a value is needed that only the running program knows."""


def _is_unsized_dict(trace: Trace, value: Any) -> bool:
    """Return whether a dict holds keys that only the running program knows, or its class decides what it holds."""
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if isinstance(value, Tracer) or (cls is not dict and isinstance(value, dict)):
        return cls is not None and is_subclass(cls, dict)
    return type(value) is dict and trace.state.may_have_other_keys(value)


def _display(trace: Trace, kind: str, items: tuple[Any, ...]) -> Any:
    match kind:
        case "list":
            return trace.operators.make_list(items)
        case "set":
            return trace.operators.make_set(items)
        case _:
            return items


def splice(kind: str, parts: tuple[Any, ...]) -> Any:
    """``[…, *…]``, ``(…, *…)`` or ``{…, *…}``."""
    trace = current()
    items = [part.items if isinstance(part, Starred) else (part,) for part in parts]
    if not any(isinstance(part, Tracer) for part in items):
        found = tuple(item for part in items for item in part)
        return _display(trace, kind, found)
    if kind == "set":
        return functools.reduce(
            lambda left, right: record(trace, "or_", (left, right)), [_as_set(trace, part) for part in items]
        )
    made = _joined(trace, items)
    return made if kind == "list" else record(trace, kind, (made,))


def _as_set(trace: Trace, part: Sequence[Any] | Tracer) -> Tracer:
    """Return one part of a set display."""
    if not isinstance(part, Tracer):
        return record(trace, "set", (record(trace, "make_list", tuple(part)),))
    return part if class_of(part.value.spec) is set else record(trace, "set", (part,))


def _joined(trace: Trace, items: Sequence[Sequence[Any] | Tracer]) -> Tracer:
    """A list that exists when the program runs."""
    parts: list[Tracer] = []
    for unsized, group in itertools.groupby(items, lambda part: isinstance(part, Tracer)):
        found: list[Any] = list(group)
        parts += found if unsized else [record(trace, "make_list", tuple(itertools.chain(*found)))]
    return functools.reduce(lambda left, right: record(trace, "add", (left, right)), parts)


def splice_dict(parts: tuple[Any, ...]) -> Any:
    """``{key: value, **mapping}``."""
    trace = current()
    items = [part.items if isinstance(part, Starred) else (part,) for part in parts]
    if not any(isinstance(part, Tracer) for part in items):
        return trace.operators.make_dict(tuple(pair for part in items for pair in part))
    made = record(trace, "make_dict", ())
    for part in items:
        if isinstance(part, Tracer):
            record(trace, "call_method", (made, "update", part))
            continue
        for key, value in part:
            record(trace, "set_item", (made, key, value))
    return made
