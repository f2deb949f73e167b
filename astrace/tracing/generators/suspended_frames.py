"""Frames suspended while another is traced: a generator's consumer, a ``with`` statement around its manager.

In Python each frame has its own names, and a handler finds in them the values that they had when the frame was left.
While tracing, regions of one frame are recorded inside regions of the other, and a name holds the value from the region
that was traced last, whether or not that runs.  So the ``try`` bodies of a suspended frame store their names when it is
left, and not while it is suspended.  A variable that it assigns, and that the other code reads by a nested function, is
journaled like an object: once such a read is found, tracing starts again with that in the plan.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from astrace.ir.constants import UNDEFINED
from astrace.tracing.context import Trace
from astrace.tracing.signals import Restart

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Manager:
    """A call of a function made by ``contextlib.contextmanager``: its body runs around a ``with``."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@dataclass(slots=True)
class Aside:
    """A frame suspended while another is traced.

    Args:
        code: its code; ``None`` where it is no code of the user's.
        cells: the variables that it shares with others, by the ``id`` of the cell.
        read: those that were read while it was suspended.
        changed: those that it has changed.
        going: it is not suspended just now.
    """

    code: types.CodeType | None
    cells: dict[int, tuple[str, types.CellType]]
    read: set[int] = field(default_factory=set[int])
    changed: set[int] = field(default_factory=set[int])
    going: bool = False

    def held(self) -> dict[int, Any]:
        """Return the present values of the variables."""
        return {key: _content(cell) for key, (_, cell) in self.cells.items()}

    def check(self, trace: Trace) -> None:
        """Start again if a variable that was read is one of those that change."""
        found = [self.cells[key][0] for key in self.read & self.changed if key not in trace.journal.variables]
        if found:
            trace.plan.shared.update((self.code, name) for name in found)
            raise Restart


@contextmanager
def waiting(
    trace: Trace, run: Callable[P, T], body: Callable[..., Any] | None = None
) -> Generator[Callable[P, T]]:
    """Suspend the frame of the code around, while another frame is traced.

    Args:
        trace: the trace that is going on.
        run: belongs to the code around.
        body: that part of ``run`` which is the user's.

    Yields:
        ``run``, to be called meanwhile.
    """
    outer = trace.waiting
    aside = _aside(body)
    declared = [key for key in aside.cells if _declare(trace, aside, key)]

    def gone_on(*args: P.args, **kwargs: P.kwargs) -> T:
        for key in declared:
            trace.journal.touch_variable(aside.cells[key][1])
        with _resumed(trace, outer, aside):
            return run(*args, **kwargs)

    _leave(trace, outer, len(trace.tries))
    trace.waiting = len(trace.tries)
    trace.asides.append(aside)
    try:
        yield gone_on
        aside.check(trace)
    finally:
        trace.asides.pop()
        trace.waiting = outer
        for key in declared:
            del trace.journal.variables[key]


def reads(trace: Trace, function: Callable[..., Any]) -> None:
    """Take note that a nested function is called, or goes on: it may read variables of suspended code."""
    cells = {id(cell) for cell in getattr(function, "__closure__", None) or ()}
    for aside in trace.asides:
        if not aside.going and not cells.isdisjoint(aside.cells):
            aside.read |= cells & aside.cells.keys()
            aside.check(trace)


def _aside(body: Callable[..., Any] | None) -> Aside:
    if not isinstance(body, types.FunctionType):
        return Aside(None, {})
    names = zip(body.__code__.co_freevars, body.__closure__ or (), strict=True)
    return Aside(body.__code__, {id(cell): (name, cell) for name, cell in names})


def _declare(trace: Trace, aside: Aside, key: int) -> bool:
    """Have a variable journaled while its code is suspended, if the plan says so."""
    name, cell = aside.cells[key]
    if (aside.code, name) not in trace.plan.shared or key in trace.journal.variables:
        return False
    trace.journal.declare(name, cell, (*trace.site("variable"), name))
    return True


@contextmanager
def _resumed(trace: Trace, outer: int, aside: Aside) -> Generator[None]:
    inner, trace.waiting = trace.waiting, outer
    before, aside.going = aside.held(), True
    try:
        yield
    except Exception:
        _leave(trace, outer, inner)
        raise
    else:
        _leave(trace, outer, inner)
    finally:
        trace.waiting, aside.going = inner, False
        aside.changed.update(key for key, value in aside.held().items() if value is not before[key])
    aside.check(trace)


def _leave(trace: Trace, first: int, last: int) -> None:
    """Leave code, with some of the ``try`` bodies that are open."""
    for one in trace.tries[first:last]:
        if one.watch is not None:
            one.watch.leave()


def _content(cell: types.CellType) -> Any:
    return UNDEFINED if cell == types.CellType() else cell.cell_contents
