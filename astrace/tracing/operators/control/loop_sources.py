"""Iteration spaces of loops: a shape for the node, or the items where the loop runs while tracing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from astrace.ir.constants import is_static
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import ANY, INT, Spec
from astrace.ops.python.builtins import element_of
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.iterators import spend
from astrace.tracing.operators.control.loop_body import Loop
from astrace.tracing.record import is_walked
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import (
    DictView,
    OneShot,
    Stream,
    TracedEnumerate,
    TracedRange,
    TracedReversed,
    TracedZip,
)
from astrace.tracing.values.long_sequences import element_of_long, is_long
from astrace.tracing.values.operands import Lazy, rewritten_in, spec_at

__all__ = ["static_items"]


def static_items(iterable: Lazy) -> list[Any] | None:
    """The items of a lazy iterable whose parts are known while tracing; else ``None``."""
    trace = current()
    if not isinstance(iterable, OneShot):
        return _static_items(trace, iterable)
    if iterable.is_spent(trace):
        return []
    if _holds_stream(iterable):
        collected = trace.operators.listed(iterable)
        return list(collected) if isinstance(collected, list) else None
    items = _static_items(trace, iterable)
    if items is not None:
        iterable.claim(trace)
        spend(trace, iterable)
    return items


def _holds_stream(iterable: Any) -> bool:
    """Return whether an iterator hands out items that code makes one by one."""
    match iterable:
        case Stream():
            return True
        case TracedEnumerate() | TracedReversed():
            return _holds_stream(iterable.inner)
        case TracedZip():
            return any(map(_holds_stream, iterable.parts))
        case _:
            return False


def _static_items(trace: Trace, iterable: Lazy) -> list[Any] | None:
    match iterable:
        case TracedRange():
            bounds = (iterable.start, iterable.stop, iterable.step)
            known = trace.native(range, *(_number(trace, bound) for bound in bounds))
            trace.spend_on(known)
            return list(known)
        case TracedEnumerate():
            inner = trace.operators.items_of(trace, iterable.inner)
            start = iterable.start
            return (
                None
                if inner is None
                else [
                    (
                        trace.operators.binary("add", start, i) if isinstance(start, Tracer) else start + i,
                        item,
                    )
                    for i, item in enumerate(inner)
                ]
            )
        case TracedZip():
            parts = [trace.operators.items_of(trace, part) for part in iterable.parts]
            known = [part for part in parts if part is not None]
            return None if len(known) < len(parts) else list(trace.native(_zip, known, iterable.strict))
        case TracedReversed():
            inner = trace.operators.items_of(trace, iterable.inner)
            return None if inner is None else inner[::-1]
        case DictView():
            return iterable.items(trace)
        case _:
            return None


def _number(trace: Trace, value: Any) -> Any:
    return trace.operators.concrete(value) if isinstance(value, Tracer) else value


def _zip(parts: list[list[Any]], strict: bool) -> list[Any]:
    return list(zip(*parts, strict=strict))


@dataclass(eq=False)
class IterationSpace:
    """The sequence that a ``for_loop`` node iterates over.

    Args:
        over: its shape.
        iterated: the operands that ``over`` numbers.
        specs: what is known of the values of one iteration, in order.
        counters: which of them would be known while tracing, were the loop unrolled.
        static: how many iterations there are, where that is known while tracing.
        long: the long lists among what is iterated over.
        loop: stands for the loop while its body is traced.
        runs: taking an item may run the user's code.
    """

    over: Over
    iterated: list[Any]
    specs: list[Spec]
    counters: set[int]
    static: int | None
    long: tuple[Any, ...]
    loop: Loop
    runs: bool


def iteration_space(trace: Trace, iterable: Any) -> IterationSpace | None:
    """Return the iteration space of a node over ``iterable``; ``None`` where the loop has to run while tracing."""
    iterated: list[Any] = []
    specs: list[Spec] = []
    over = _place(trace, iterable, iterated, specs, top=True)
    if over is None:
        return None
    long = {place: value for place, value in enumerate(iterated) if is_long(trace, value)}
    known = _known_if_unrolled(over, iter(range(len(specs))), long)
    lists = tuple(value for value in long.values() if type(value) is list)
    static = _static_turns(iterable)
    runs = any(is_walked(trace, value) for value in iterated)
    loop = Loop(counted=static is not None, site=trace.site("loop"))
    return IterationSpace(over, iterated, specs, known, static, lists, loop, runs)


def _known_if_unrolled(over: Over, positions: Iterator[int], long: Mapping[int, Any]) -> set[int]:
    """Return the values of an iteration that ``range`` or ``enumerate`` counts, or that are items of a long list."""
    match over:
        case Range():
            return {next(positions)}
        case Each():
            position = next(positions)
            return {position} if over.iterable in long else set()
        case Enumerate():
            return {next(positions)} | _known_if_unrolled(over.inner, positions, long)
        case Zip():
            return set().union(*(_known_if_unrolled(part, positions, long) for part in over.parts))
        case Reversed():
            return _known_if_unrolled(over.inner, positions, long)


def _static_turns(iterable: Any) -> int | None:
    match iterable:
        case TracedRange(start, stop, step) if (
            all(type(part) is int for part in (start, stop, step)) and step
        ):
            return len(range(start, stop, step))
        case TracedEnumerate() | TracedReversed():
            return _static_turns(iterable.inner)
        case _:
            return None


def _place(trace: Trace, iterable: Any, iterated: list[Any], specs: list[Spec], top: bool) -> Over | None:
    match iterable:
        case TracedRange():
            first = len(iterated)
            iterated += [iterable.start, iterable.stop, iterable.step]
            specs.append(INT)
            return Range(first, first + 1, first + 2)
        case TracedEnumerate():
            specs.append(INT)
            iterated.append(iterable.start)
            start = len(iterated) - 1
            inner = _place(trace, iterable.inner, iterated, specs, top)
            return None if inner is None else Enumerate(inner, start)
        case TracedZip():
            return _place_zip(trace, iterable, iterated, specs)
        case TracedReversed():
            inner = _place(trace, iterable.inner, iterated, specs, top)
            return None if inner is None else Reversed(inner)
        case DictView() if top and iterable.keys(trace) is not None:
            return None
        case DictView() if (items := iterable.items(trace)) is not None:
            return _place_each(trace, items, iterated, specs, top)
        case list() | Tracer() if (element := element_of_long(trace, iterable)) is not None:
            iterated.append(iterable)
            specs.append(element)
            return Each(len(iterated) - 1, element)
        case range():
            bounds = TracedRange(iterable.start, iterable.stop, iterable.step)
            return _place(trace, bounds, iterated, specs, top)
        case _:
            return _place_each(trace, iterable, iterated, specs, top)


def _place_zip(trace: Trace, iterable: TracedZip, iterated: list[Any], specs: list[Spec]) -> Over | None:
    """A zip is iterated over by a node if one of its parts is; the others become values."""
    if not any(_is_walked_by_node(trace, part) for part in iterable.parts):
        return None
    parts = [_place(trace, part, iterated, specs, top=False) for part in iterable.parts]
    known = tuple(part for part in parts if part is not None)
    return Zip(known, iterable.strict) if len(known) == len(parts) else None


def _is_walked_by_node(trace: Trace, part: Any) -> bool:
    if isinstance(part, DictView):
        return part.keys(trace) is None
    return isinstance(part, Tracer | Lazy | range) or is_long(trace, part)


def _place_each(
    trace: Trace, iterable: Any, iterated: list[Any], specs: list[Spec], top: bool
) -> Over | None:
    if type(iterable) is str:
        trace.state.used_as_data(iterable)
    python = type(iterable) in (list, tuple, dict, set, str, frozenset) or (
        type(iterable) in trace.operators.VIEW_TYPES and not trace.state.is_outside(iterable)
    )
    if python and (top or not all(map(_is_value, iterable))):
        return None
    if isinstance(iterable, Tracer) and spec_at(trace, iterable) and trace.operators.is_tuple(iterable):
        return None
    iterated.append(iterable)
    specs.append(element_of(spec_at(trace, iterable)) or ANY)
    return Each(len(iterated) - 1)


def _is_value(part: Any) -> bool:
    return rewritten_in(part) is None and (isinstance(part, Tracer) or is_static(part))


def element_at(over: Over, values: list[Any]) -> Any:
    """Return one iteration's element, nested as Python would give it."""
    match over:
        case Range() | Each():
            return values.pop(0)
        case Enumerate():
            return (values.pop(0), element_at(over.inner, values))
        case Zip():
            return tuple(element_at(part, values) for part in over.parts)
        case Reversed():
            return element_at(over.inner, values)
