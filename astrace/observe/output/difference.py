"""Two traces compared: the first beginning or end of a call at which they differ.

Values are compared to the bit, summaries by what they know.  Beginnings and ends are taken in the order in which they happened, so
that what is found first is not the call around the one that made the difference.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from astrace.observe.records.trace_call import TraceCall
from astrace.observe.records.trace_data import TraceData
from astrace.observe.snapshots.arrays import digest
from astrace.observe.snapshots.summaries import ArraySummary, ContainerSummary, ObjectSummary, TextSummary
from astrace.observe.snapshots.text import value_text
from astrace.util.terminal import printable


@dataclass(frozen=True, slots=True, repr=False)
class TraceDifference:
    """The first difference of two traces.

    Args:
        call: the call in the first trace; ``None`` where only the other one has it.
        other: the call in the second trace.
        what: what differs: ``parameter x``, ``result y``, ``exception``, ``call``.
        value: what the first trace has.
        other_value: what the second one has.
    """

    call: TraceCall | None
    other: TraceCall | None
    what: str
    value: Any
    other_value: Any

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        call = self.call or self.other
        assert call is not None
        where = f"{call.stage}, call {call.number}: {call.name}"
        place = f"\n  at {call.location}" if call.location is not None else ""
        told = "\n".join(
            f"  {name}: {value_text(value)}"
            for name, value in (("here", self.value), ("other", self.other_value))
        )
        many = _elements(self.value, self.other_value)
        return (
            printable(f"{where}: {self.what} differs{many}")
            + printable(place).replace("\\n", "\n")
            + f"\n{told}"
        )


def first_difference(trace: TraceData, other: TraceData) -> TraceDifference | None:
    """The first difference of two traces; ``None`` where they are equal in all but times and threads."""
    for mine, theirs in itertools.zip_longest(_events(trace), _events(other)):
        found = _differing(mine, theirs)
        if found is not None:
            return found
    return None


Event = tuple[TraceCall, bool]
"""A call, and whether it ends."""


def _events(trace: TraceData) -> Iterator[Event]:
    moments: list[tuple[int, TraceCall, bool]] = [(call.entered, call, False) for call in trace.calls]
    moments += [(call.left, call, True) for call in trace.calls if call.left is not None]
    moments.sort(key=lambda moment: moment[0])
    return ((call, ends) for _, call, ends in moments)


def _differing(mine: Event | None, theirs: Event | None) -> TraceDifference | None:
    if mine is None or theirs is None:
        call = None if mine is None else mine[0]
        other = None if theirs is None else theirs[0]
        return TraceDifference(call, other, "call", _title(mine), _title(theirs))
    (call, ends), (other, ended) = mine, theirs
    if (call.stage, call.name, ends) != (other.stage, other.name, ended):
        return TraceDifference(call, other, "call", _title(mine), _title(theirs))
    if not ends:
        return _in_values(call, other, "parameter", call.parameters, other.parameters)
    if str(call.exception) != str(other.exception):
        return TraceDifference(call, other, "exception", str(call.exception), str(other.exception))
    return _in_values(call, other, "result", call.results, other.results)


def _title(event: Event | None) -> str:
    if event is None:
        return "no further call"
    return f"{'the end' if event[1] else 'the beginning'} of {event[0].stage}: {event[0].name}"


def _in_values(
    call: TraceCall, other: TraceCall, kind: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]
) -> TraceDifference | None:
    for name in dict.fromkeys((*mine, *theirs)):
        here, there = mine.get(name, ABSENT), theirs.get(name, ABSENT)
        if not same(here, there):
            return TraceDifference(call, other, f"{kind} {name}", here, there)
    return None


ABSENT = ObjectSummary("", "<absent>")


def same(mine: Any, theirs: Any) -> bool:
    """Return whether two recorded values are equal to the bit, as far as is known; NaN equals itself."""
    if type(mine) is not type(theirs):
        return False
    match mine:
        case np.ndarray():
            return mine.dtype == theirs.dtype and mine.shape == theirs.shape and _bits(mine) == _bits(theirs)
        case np.generic():
            return mine.dtype == theirs.dtype and _bits(mine) == _bits(theirs)
        case float() | complex():
            return repr(mine) == repr(theirs)
        case list() | tuple():
            return len(mine) == len(theirs) and all(map(same, mine, theirs))
        case dict():
            return [*map(repr, mine)] == [*map(repr, theirs)] and all(
                map(same, mine.values(), theirs.values())
            )
        case ArraySummary() | ContainerSummary() | ObjectSummary() | TextSummary():
            names = [one.name for one in fields(mine) if one.name != "preview"]
            return all(same(getattr(mine, name), getattr(theirs, name)) for name in names)
        case _:
            return bool(mine == theirs)


def _bits(value: Any) -> bytes | str:
    """The bytes of an array or a number; a hash for extended floats, whose padding is arbitrary."""
    return digest(np.asarray(value)) if value.dtype.char in "gG" else value.tobytes()


def _elements(mine: Any, theirs: Any) -> str:
    """How many elements of two arrays differ, and which is the first."""
    if not isinstance(mine, np.ndarray) or not isinstance(theirs, np.ndarray):
        return ""
    if mine.dtype != theirs.dtype or mine.shape != theirs.shape or not mine.size:  # pyright: ignore[reportUnknownMemberType]
        return ""
    pairs = zip(mine.reshape(-1), theirs.reshape(-1), strict=True)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    differing = [index for index, (one, other) in enumerate(pairs) if not same(one, other)]
    if not differing:
        return ""
    place = [int(one) for one in np.unravel_index(differing[0], mine.shape)]  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return f" in {len(differing)} of {mine.size} elements, first at {place}"
