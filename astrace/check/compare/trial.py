"""One trial: the function and what was captured of it, on equal inputs, from the same state, as often as asked.

A function whose own results vary from run to run (a clock, entropy) can't be compared by value: then it is
an error if the captured one repeats itself where the function does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from astrace.check.compare.diff import KIND, difference
from astrace.check.compare.observe import Call, Divergence, Outcome, divergence, observe
from astrace.check.compare.other_outcomes import ROUNDING, is_rounding, nudged, other_divergence
from astrace.check.inputs.numeric import Array
from astrace.check.isolation.time_limits import CallAllowance, Clock, OutOfTime
from astrace.check.sandbox.world import Snapshot
from astrace.check.settings import Settings
from astrace.check.subject import Subject, failing
from astrace.compiler.frozen_graph import FrozenGraph

CAPTURE: Final = 5.0
"""Capturing a function may take so many seconds of the processor."""
SLOWEST: Final = 1.0
"""The seconds that the captured side may always take, whatever the function takes."""
NEARLY: Final = 0.9
SLOWER: Final = 200
"""And so many times the function's own time."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A comparison of a function and what was captured of it.

    Args:
        subject: the two.
        before: the state from which every run starts.
        settings: how to compare.
        clock: what time is left of the check.
        allowance: how long a call of the function may take.
        captured: what is called to know whether that is the same as the original.
        generated: the same as generated code, for a graph: not watched, it takes about what the function takes.
        steady: both are known to give the same for the same arguments.
    """

    subject: Subject
    before: Snapshot
    settings: Settings
    clock: Clock
    allowance: CallAllowance
    captured: Callable[..., Any]
    generated: Callable[..., Any] | None = None
    steady: bool = False

    def compare(self, *calls: Call) -> Divergence | None:
        """The first difference on some calls in a row; the state is put back.

        Args:
            calls: their arguments, which are not changed.

        Raises:
            OutOfTime: nothing is left of the time of the check.
        """
        self.before.restore()  # Hypothesis sets the random generators for every input
        started = time.process_time()
        expected = self.runs(self.subject.original, calls)
        calls = calls[: sum(not one.late for one in expected)]
        if expected[-1].late:
            self.allowance.was_late()
        if not calls:
            return None  # no result of the function to compare with
        seconds = self._patience(time.process_time() - started)
        captured, found = self._captured(calls, seconds)
        apart = self._first(expected, found)
        if apart is None or self._is_rounding(calls, apart, expected, found):
            return None
        if self.steady:
            return self._judged(calls[apart.call], apart, expected[apart.call], found[apart.call])
        if self._varies(calls, expected):
            return self._of_varying(
                expected, found, self._is_frozen(calls, expected, captured, found, seconds)
            )
        if not found[apart.call].late and not self._repeats(captured, calls, found, seconds):
            if self._changes(self.subject.original, calls, expected):
                return self._of_varying(expected, found, False)
            return Divergence(
                "AC109", "the graph gives a different result at every call, the function always the same one"
            )
        return self._judged(calls[apart.call], apart, expected[apart.call], found[apart.call])

    def runs(
        self, function: Callable[..., Any], calls: Sequence[Call], seconds: float | None = None
    ) -> list[Outcome]:
        """Return the outcomes of calls in a row, up to one that does not end; the state is put back.

        Raises:
            OutOfTime: nothing is left of the time of the check.
        """
        seconds = self.allowance.seconds if seconds is None else seconds
        outcomes: list[Outcome] = []
        if self.clock.is_over:
            raise OutOfTime
        try:
            for call in calls:
                outcomes.append(self._run(function, call, seconds))
                if outcomes[-1].late:
                    break
        finally:
            if len(outcomes) < len(calls) or any(one.state for one in outcomes):
                self.before.restore()
        return outcomes

    def _run(self, function: Callable[..., Any], call: Call, seconds: float) -> Outcome:
        """Return the outcome of one call.

        Raises:
            OutOfTime: it was late because nothing is left of the time of the check, which says nothing of the call.
        """
        started = time.process_time()
        outcome = observe(function, call.copy(), self.before, seconds)
        if outcome.late and self.clock.is_over and time.process_time() - started < seconds * NEARLY:
            raise OutOfTime
        return outcome

    def _captured(self, calls: Sequence[Call], seconds: float) -> tuple[Callable[..., Any], list[Outcome]]:
        """Return a callable of the captured side with its outcomes: generated code if a watched graph is too slow."""
        if self.generated is None:
            return self.captured, self.runs(self.captured, calls, seconds)
        found = self.runs(self.captured, calls, SLOWEST)
        if not found[-1].late:
            return self.captured, found
        return self.generated, self.runs(self.generated, calls, seconds)

    def _patience(self, taken: float) -> float:
        """Return the seconds that a call of the captured side may take, from the function's time for all calls."""
        capture = 0.0 if self.subject.graph is not None else CAPTURE
        if self.subject.other is not None:  # each kind of arguments may be compiled for
            capture = self.settings.deadline
        return capture + max(SLOWEST, min(SLOWER * taken, 10 * self.settings.call_deadline))

    def _first(self, expected: list[Outcome], found: list[Outcome]) -> Divergence | None:
        return next(self._all(expected, found), None)

    def _varies(self, calls: Sequence[Call], expected: list[Outcome]) -> bool:
        """Return whether the function's own results vary: by a clock, or by uninitialised memory."""
        return not self._repeats(self.subject.original, calls, expected)

    def _repeats(
        self,
        function: Callable[..., Any],
        calls: Sequence[Call],
        outcomes: list[Outcome],
        seconds: float | None = None,
    ) -> bool:
        """Return whether calls in a row give the same again, whatever uninitialised memory holds."""
        held: list[Any] = []
        for pattern in PATTERNS:
            poison(pattern)
            held.append(displaced())
            if self._first(outcomes, self.runs(function, calls, seconds)) is not None:
                return False
        return True

    def _is_frozen(
        self,
        calls: Sequence[Call],
        expected: list[Outcome],
        captured: Callable[..., Any],
        found: list[Outcome],
        seconds: float,
    ) -> bool:
        """Return whether the captured side always gives the same where the function mostly gives something else.

        A coarse clock changes now and then: a few runs do not tell a frozen one from one that goes.
        """
        return (
            self._repeats(captured, calls, found, seconds)
            and self._changes(self.subject.original, calls, expected) > MORE // 2
            and not self._changes(captured, calls, found, seconds)
        )

    def _changes(
        self,
        function: Callable[..., Any],
        calls: Sequence[Call],
        outcomes: list[Outcome],
        seconds: float | None = None,
    ) -> int:
        """Count the runs, of some more, in which calls in a row give something else."""
        held: list[Any] = []
        changed = 0
        for _ in range(MORE):
            held.append(displaced())
            changed += self._first(outcomes, self.runs(function, calls, seconds)) is not None
        return changed

    def _all(self, expected: list[Outcome], found: list[Outcome]) -> Iterator[Divergence]:
        for call, (left, right) in enumerate(zip(expected, found, strict=False)):
            apart = self._apart(left, right)
            if apart is not None:
                after = f", at call {call + 1} in a row" if call else ""
                yield replace(apart, call=call, message=apart.message + after)

    def _apart(self, expected: Outcome, found: Outcome) -> Divergence | None:
        """The first difference between two outcomes; other compilers have rules of their own."""
        other, ulps = self.subject.other, self.settings.ulps
        if other is not None:
            return other_divergence(expected, found, other, ulps)
        return divergence(expected, found, ulps, self.subject.tolerances)

    def _is_rounding(
        self, calls: Sequence[Call], apart: Divergence, expected: list[Outcome], found: list[Outcome]
    ) -> bool:
        """Return whether another compiler's result is as near as that of nearly the same arguments; that is told."""
        other = self.subject.other
        if other is None or apart.code not in ("AC101", "AC104"):
            return False
        at = apart.call
        nearly = [self.runs(self.subject.original, some) for some in nudged(calls, found[at])]
        if any(len(runs) <= at for runs in nearly):
            return False
        rounded = is_rounding(expected[at], found[at], [runs[at] for runs in nearly], other)
        if rounded:
            other.told[ROUNDING] = None
        return rounded

    def _of_varying(self, expected: list[Outcome], found: list[Outcome], repeats: bool) -> Divergence | None:
        """The difference where the function's own results vary: a type, or that the captured one repeats itself."""
        apart = difference(expected[0].result, found[0].result) if self.subject.other is None else None
        if expected[0].error is None and found[0].error is None and apart is not None and apart.code == KIND:
            return Divergence(KIND, f"the result{apart.where} is {apart}")
        if repeats:
            what = "the function gives a different result at every call, the graph always the same one"
            return Divergence("AC107", what)
        return Divergence("AC203", VARIES)

    def _judged(self, call: Call, apart: Divergence, expected: Outcome, found: Outcome) -> Divergence | None:
        """Arguments that a frozen graph was not made for: called with them, it says so itself.

        Where it would raise anyway, that is no error.  If the function does, because it can't do anything with such
        types, they tell nothing of the graph.
        """
        graph, other = self.subject.graph, self.subject.other
        if other is not None and not other.takes(call):
            return other.not_taken(call, apart.message)
        if not self.subject.frozen or graph is None:
            return apart
        if not any(map(self.subject.is_on_arguments, failing(graph, self.subject.given(call)))):
            return apart
        if apart.code != "AC103":
            if not isinstance(graph, FrozenGraph):
                return apart
            if self.settings.accept_refused:
                return None
            return replace(apart, message=apart.message + REFUSED, refused=True)
        if expected.error is not None:
            return None if expected.error[0] in TYPE_REFUSALS or found.error is not None else apart
        return Divergence("AC304", apart.message) if found.error is not None else apart


REFUSED: Final = ", in the graph as it is without the check of its arguments, which raises SignatureMismatch"
"""Added to a difference that the user meets only after an error."""
VARIES: Final = (
    "the function gives a different result at every call: only types, shapes and structure were compared"
)
MORE: Final = 8
"""The number of runs of a function whose results vary, before a finding is made."""
TYPE_REFUSALS: Final = ("TypeError", "AttributeError", "UFuncTypeError", "_UFuncNoLoopError", "AxisError")
"""Exceptions with which a function says that it was not made for arguments of a type."""


def poison(filled: Sequence[Array]) -> None:
    """Leave bytes behind in the memory that the next small arrays get, as far as NumPy reuses it for them."""
    for array in filled:
        copy = array.copy
        _ = [copy() for _ in range(CACHED)]


def displaced() -> list[Any]:
    """Return objects that occupy, as long as they are held, the places in memory which the next ones would get.

    Results that depend on addresses (``id``, the hash of a NaN) then differ, in a graph as well.
    """
    return [[float(number), (number,), bytearray(number), object()] for number in range(DISPLACED)]


DISPLACED: Final = 120
"""Python keeps about a hundred freed floats, and gives them out again."""
SIZES: Final = (*range(1, 64), *range(64, 1024, 8))
CACHED: Final = 8
"""NumPy keeps a few freed blocks of each of these sizes, in bytes, and gives them out again."""
PATTERNS: Final = tuple(tuple(np.full(size, byte, np.uint8) for size in SIZES) for byte in (0x00, 0x3F))
