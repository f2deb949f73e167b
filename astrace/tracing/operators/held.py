"""What names hold when an exception leaves a ``try`` body: what its handlers and ``finally`` start with.

A name that holds the same wherever the body may raise is simply that.  One that holds different things gets
a cell, a list of one item that exists when the program runs: tracing starts again, and what the name holds is
stored before each node that may raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from astrace.ir.block import Node
from astrace.ir.statics import UNSET, same
from astrace.tracing.context import Trace
from astrace.tracing.journal import Site
from astrace.tracing.merge import stays
from astrace.tracing.objects import made
from astrace.tracing.record import record
from astrace.tracing.recorder import Recorder
from astrace.tracing.tracer import Tracer

Names: TypeAlias = Mapping[str, Any]


def cells_of(trace: Trace, given: Names) -> dict[str, Any]:
    """The cells of the names for which the plan wants one, holding what the names hold before the body."""
    names = [name for name in given if _site(trace, name) in trace.plan.objects]
    first = {name: None if given[name] is UNSET else given[name] for name in names}
    return {name: made(trace, [value], f"held {name}") for name, value in first.items()}


def _site(trace: Trace, name: str) -> Site:
    return trace.site(f"held {name}")


@dataclass(frozen=True, slots=True)
class Raise:
    """A place in a ``try`` body that may raise.

    Args:
        names: what the shared names hold there.
        variables: what the variables hold there that nested functions assign, by the ``id`` of the `Variable`.
    """

    names: Names
    variables: dict[int, Names]


class Places:
    """The places of a ``try`` body that may raise.

    Args:
        trace: the trace that is going on.
        now: gives what the names hold.
        given: what they held before the body.
        cells: the cells by name.
    """

    def __init__(
        self, trace: Trace, now: Callable[[], Names], given: Names, cells: Mapping[str, Any]
    ) -> None:
        self._trace = trace
        self._now = now
        self._holder = Holder(trace, now, given, cells)
        self._depth = len(trace.tries)
        self._found: list[Raise] = []
        self._held: list[Names] = []
        self._left: list[Names] = []
        self._elsewhere: list[dict[int, Names]] = []

    def raises(self, node: Node) -> None:
        """Here is one; if it is in code for which the body waits, names hold what they did when it was left."""
        variables = self._trace.journal.present()
        if self._trace.waiting > self._depth:
            self._elsewhere.append(variables)
            return
        if node.regions:
            self._found += (Raise(names, variables) for names in self._held)
        else:
            self._holder.hold()
        self._found.append(Raise(self._now(), variables))

    def hold(self) -> None:
        """Store what the names hold: a control flow node comes next, or a loop's turn ends."""
        self._holder.hold()
        _add(self._now(), self._held)

    def leave(self) -> None:
        """The body waits for other code, which may raise."""
        self._holder.hold()
        _add(self._now(), self._left)

    def all(self) -> list[Raise]:
        """All of them: code elsewhere may be in a loop, and be reached from each place where it was left to."""
        if not self._elsewhere:
            return self._found
        left = [Raise(names, self._elsewhere[0]) for names in self._left]
        return [*self._found, *left, *(Raise(self._left[0], variables) for variables in self._elsewhere)]


def _add(names: Names, found: list[Names]) -> None:
    """Remember what names hold, once."""
    if not any(all(value is names[name] for name, value in earlier.items()) for earlier in found):
        found.append(names)


class Holder:
    """Keeps cells up to date: before each leaf node that may raise, before control flow, and after each turn.

    A control flow node may raise before its regions (a truth is asked for) or between its turns (an iterator
    is asked for the next item).

    Args:
        trace: the trace that is going on.
        now: gives what the names hold.
        given: what they held before the body.
        cells: the cells by name.
    """

    def __init__(
        self, trace: Trace, now: Callable[[], Names], given: Names, cells: Mapping[str, Any]
    ) -> None:
        self.trace = trace
        self.now = now
        self.cells = cells
        self._last: dict[str, tuple[Recorder | None, Any]] = {name: (None, given[name]) for name in cells}
        self._busy = not cells

    def hold(self) -> None:
        """Store what the names hold now, where it is not certain that it is stored already."""
        if self._busy:
            return
        self._busy = True  # storing is a node, too
        names = self.now()
        for name, cell in self.cells.items():
            recorder, value = self._last[name]
            if names[name] is UNSET:  # a result that is not there yet; a flag says so
                continue
            if value is names[name] and (recorder in (None, self.trace.recorder) or self._is_gone(value)):
                continue
            self._last[name] = self.trace.recorder, names[name]
            self.trace.operators.store_item(names[name], cell, 0)
        self._busy = False

    def _is_gone(self, value: Any) -> bool:
        """Whether a name still holds what a turn gave it, whose end stored it: the loop's result is yet to come."""
        return isinstance(value, Tracer) and not self.trace.recorder.reachable(value.value)


def held_in_handler(
    trace: Trace, name: str, given: Any, raised: Sequence[Names], cells: Mapping[str, Any]
) -> Callable[[], Any]:
    """What a name holds when a handler starts; to be asked for inside the handler."""
    if name in cells:
        return lambda: _read(trace, cells[name])
    if not is_same_everywhere(trace, name, raised):
        trace.need_object(_site(trace, name))
    value = raised[0][name] if raised else given
    return lambda: value


def _read(trace: Trace, cell: Any) -> Any:
    """What a cell holds; it can't raise, so no other ``try`` around has to know."""
    tries, trace.tries = trace.tries, []
    try:
        return record(trace, "get_item", (cell, 0))
    finally:
        trace.tries = tries


def is_same_everywhere(trace: Trace, name: str, raised: Sequence[Names]) -> bool:
    """Whether a name holds one thing, known outside the body, wherever the body may raise."""
    if not raised:
        return True
    value = raised[0][name]
    return stays(trace, value) and all(names[name] is value or same(names[name], value) for names in raised)
