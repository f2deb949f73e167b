"""Values of names where an exception leaves a ``try`` body: its handlers and ``finally`` start with them.

A name that holds the same wherever the body may raise is simply that.  One that holds different things gets
a cell, a list of one item that exists when the program runs: tracing starts again, and what the name holds is
stored before each node that may raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from astrace.ir.block import Node
from astrace.ir.constants import UNSET
from astrace.tracing.changes.journal import Site, Variable
from astrace.tracing.changes.merge import stays
from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.recorder import Recorder
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import made
from astrace.tracing.values.operands import is_one

Key: TypeAlias = str | Variable
"""A shared name of the function, or a variable that nested functions assign."""

Names: TypeAlias = Mapping[Key, Any]


def cells_of(trace: Trace, given: Names) -> dict[Key, Any]:
    """Return the cells of names that the plan lists, holding the values from before the body."""
    names = [name for name in given if _site(trace, name) in trace.plan.objects]
    first = {name: None if given[name] is UNSET else given[name] for name in names}
    return {name: made(trace, [value], _kind(trace, name)) for name, value in first.items()}


def _site(trace: Trace, name: Key) -> Site:
    return trace.site(_kind(trace, name))


def _kind(trace: Trace, name: Key) -> str:
    """Name the cell of a name; variables of several functions may have one name."""
    if isinstance(name, Variable):
        return f"held {name.name} of {trace.journal.births[id(name)].site}"
    return f"held {name}"


class HandlerPlaces:
    """The places of a ``try`` body that may raise.

    Args:
        trace: the trace that is going on.
        now: gives what the names hold, but for variables.
        given: what they held before the body.
        cells: the cells by name.
    """

    def __init__(
        self, trace: Trace, now: Callable[[], Names], given: Names, cells: Mapping[Key, Any]
    ) -> None:
        self._trace = trace
        self._now = now
        self._holder = Holder(trace, given, cells)
        self._depth = len(trace.tries)
        self._found: list[Names] = []
        self._held: list[Names] = []
        self._left: list[Names] = []
        self._elsewhere: list[Names] = []

    def raises(self, node: Node) -> None:
        """Record the live names at a node that may raise; for a suspended body, those at its suspension."""
        names = self._known()
        if not node.regions:
            self._holder.hold(names)
        if self._waits():
            self._elsewhere.append(names)
            return
        self._found += self._held if node.regions else ()
        self._found.append(names)

    def hold(self) -> None:
        """Store what the names hold before a control flow node, or at the end of an iteration."""
        names = self._known()
        self._holder.hold(names)
        if not self._waits():
            _add(names, self._held)

    def leave(self) -> None:
        """Suspend the body for other code, which may raise."""
        names = self._known()
        self._holder.hold(names)
        _add(names, self._left)

    def all(self) -> list[Names]:
        """Return all records; code elsewhere may be in a loop, and be reached from each place of suspension."""
        if not self._elsewhere:
            return self._found
        first, variables = self._left[0], self._elsewhere[0]
        left = [{**names, **variables} for names in self._left]
        return [*self._found, *left, *({**first, **later} for later in self._elsewhere)]

    def _known(self) -> Names:
        """Return what names hold as far as it is known: while the body is suspended, only variables."""
        variables = self._trace.journal.present()
        return variables if self._waits() else {**self._now(), **variables}

    def _waits(self) -> bool:
        return self._trace.waiting > self._depth


def _add(names: Names, found: list[Names]) -> None:
    """Remember what names hold, once."""
    if not any(all(names.get(name) is value for name, value in earlier.items()) for earlier in found):
        found.append(names)


class Holder:
    """Keeps cells up to date: before each leaf node that may raise, before control flow, and after each iteration.

    A control flow node may raise before its regions (a truth is asked for) or between its iterations (an iterator
    is asked for the next item).

    Args:
        trace: the trace that is going on.
        given: what the names held before the body.
        cells: the cells by name.
    """

    def __init__(self, trace: Trace, given: Names, cells: Mapping[Key, Any]) -> None:
        self.trace = trace
        self.cells = cells
        self._last: dict[Key, tuple[Recorder | None, Any]] = {name: (None, given[name]) for name in cells}
        self._busy = not cells

    def hold(self, names: Names) -> None:
        """Store what names hold now, where it is not certain that it is stored already."""
        if self._busy:
            return
        self._busy = True  # storing is a node, too
        for name, cell in self.cells.items():
            if name in names and names[name] is not UNSET:  # an unset name has a flag instead
                self._store(name, names[name], cell)
        self._busy = False

    def _store(self, name: Key, value: Any, cell: Any) -> None:
        recorder, last = self._last[name]
        if self._is_gone(value) or (last is value and recorder in (None, self.trace.recorder)):
            return
        self._last[name] = self.trace.recorder, value
        self.trace.operators.store_item(value, cell, 0)

    def _is_gone(self, value: Any) -> bool:
        """Return whether a name still holds the value of an ended region, which has stored it at its end.

        An iteration of a loop stored it at its end; the body of an inner ``try`` did wherever it may raise.
        """
        return isinstance(value, Tracer) and not self.trace.recorder.reachable(value.value)


def held_in_handler(
    trace: Trace, name: Key, given: Any, raised: Sequence[Names], cells: Mapping[Key, Any]
) -> Callable[[], Any]:
    """Return a function that gives a name's value at the start of a handler; to be called inside the handler.

    Where that takes a cell, this attempt goes on to learn of the `try` statements around this one, and is thrown away.
    """
    if name in cells:
        return lambda: _read(trace, cells[name])
    if not is_same_everywhere(trace, name, raised):
        site = _site(trace, name)
        if not trace.learnt or site not in trace.plan.objects:
            trace.learn((site,))
        return lambda: record(trace, "get_item", (trace.operators.wrap_constant([None]), 0))
    value = raised[0][name] if raised else given
    return lambda: value


def _read(trace: Trace, cell: Any) -> Any:
    """Read a cell; that can't raise, so no other ``try`` around has to know."""
    tries, trace.tries = trace.tries, []
    try:
        return record(trace, "get_item", (cell, 0))
    finally:
        trace.tries = tries


def is_same_everywhere(trace: Trace, name: Key, raised: Sequence[Names]) -> bool:
    """Return whether a name holds one object, known outside the body, wherever the body may raise."""
    if not raised:
        return True
    value = raised[0][name]
    return stays(trace, value) and all(is_one(trace, names[name], value) for names in raised)
