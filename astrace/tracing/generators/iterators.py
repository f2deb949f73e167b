"""The start of a walk over an iterator: the items that are left, and the parts that are walked with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from astrace.ir.specs import ArraySpec, DeviceSpec, ListSpec, rank_of
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import (
    OneShot,
    Stream,
    TracedEnumerate,
    TracedRange,
    TracedReversed,
    TracedZip,
)

__all__ = ["opened", "spend"]


def opened(trace: Trace, iterable: Any) -> Any:
    """Return what is left of an iterator, for a consumer to walk; any other iterable as it is.

    Everything else is given as it is.
    """
    if not isinstance(iterable, OneShot):
        return iterable
    if not iterable.claim(trace):
        return ()
    match iterable:
        case TracedEnumerate():
            inner = opened(trace, iterable.inner)
            if isinstance(inner, Stream):
                return _counted(trace, inner, iterable.start)
            return replace(iterable, inner=inner, site=())
        case TracedZip():
            parts = tuple(opened(trace, part) for part in iterable.parts)
            if any(isinstance(part, Stream) for part in parts):
                return _zipped(trace, parts, iterable.strict)
            return replace(iterable, parts=parts, site=())
        case TracedReversed():
            return replace(iterable, inner=opened(trace, iterable.inner), site=())
        case _:
            return replace(iterable, site=())


def spend(trace: Trace, iterable: Any) -> None:
    """Mark an iterator as spent, and what it counts with it; the parts of a zip may hold more."""
    if isinstance(iterable, OneShot):
        iterable.spend(trace)
    if isinstance(iterable, TracedEnumerate):
        spend(trace, iterable.inner)


def _counted(trace: Trace, stream: Stream, start: Any) -> Stream:
    """``enumerate(stream, start)``."""

    def run(emit: Callable[[Any], Any]) -> Any:
        count = trace.operators.box({"at": start})

        def take(item: Any) -> Any:
            at = count.get("at")
            count.set("at", trace.operators.binary("add", at, 1))
            return emit((at, item))

        return stream.run(take)

    return Stream(run)


def _zipped(trace: Trace, parts: tuple[Any, ...], strict: bool) -> Stream:
    """``zip`` of one stream and sequences: the stream is walked, the others are indexed."""
    places = [place for place, part in enumerate(parts) if isinstance(part, Stream)]
    sequences = [part for part in parts if not isinstance(part, Stream)]
    if len(places) > 1 or strict or not all(_is_sequence(part) for part in sequences):
        parts[places[-1]].must_exist(trace, "`zip` of a generator and anything but sequences")
    (place,) = places
    stream: Stream = parts[place]

    def run(emit: Callable[[Any], Any]) -> Any:
        count = trace.operators.box({"at": 0})

        def have(items: list[Any]) -> Any:
            """Return whether all of some sequences have an item left."""
            left = [trace.operators.compare("lt", count.get("at"), _length(trace, part)) for part in items]
            return trace.operators.and_(True, *(lambda one=one: one for one in left))

        def emit_turn(item: Any) -> Any:
            at = count.get("at")
            count.set("at", trace.operators.binary("add", at, 1))
            given = [trace.operators.item(part, at) for part in sequences]
            enough = emit((*given[:place], item, *given[place:]))
            # The sequences in front of the stream are asked first, and the stream not at all if one has ended.
            return trace.operators.or_(
                False if enough is None else enough,
                lambda: trace.operators.not_(have(sequences[:place])),
            )

        def take(item: Any) -> Any:
            return trace.operators.if_exp(have(sequences[place:]), lambda: emit_turn(item), lambda: True)

        def walk() -> None:
            stream.run(take)

        return trace.operators.if_exp(have(sequences[:place]), walk, lambda: None)

    return Stream(run)


def _is_sequence(part: Any) -> bool:
    if not isinstance(part, Tracer):
        return isinstance(part, list | tuple | range | str | TracedRange)
    spec = part.value.spec
    array = isinstance(spec, ArraySpec | DeviceSpec) and rank_of(spec) > 0
    return array or isinstance(spec, ListSpec)


def _length(trace: Trace, part: Any) -> Any:
    if isinstance(part, TracedRange):
        return trace.operators.call(len, part.materialize(trace))
    return trace.operators.call(len, part)
