"""One trial: the function and what was captured of it, on equal inputs, from the same state, as often as asked.

A function whose own results vary from run to run (a clock, entropy) can't be compared by value: then it is
an error if the captured one repeats itself where the function does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from astrace.check.compare import KIND, difference
from astrace.check.observe import Call, Divergence, Outcome, divergence, observe
from astrace.check.settings import Settings
from astrace.check.subject import Subject, failing, is_on_arguments
from astrace.check.world import Snapshot

SLOWEST: Final = 5.0
"""What was captured may take so many seconds, whatever the function takes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What compares a function and what was captured of it.

    Args:
        subject: the two.
        before: the state from which every run starts.
        settings: how to compare.
        captured: what is called to know whether that is the same as the original.
    """

    subject: Subject
    before: Snapshot
    settings: Settings
    captured: Callable[..., Any]

    def compare(self, *calls: Call) -> Divergence | None:
        """The first difference on some calls in a row; the state is put back.

        Args:
            calls: their arguments, which are not changed.
        """
        self.before.restore()  # Hypothesis sets the random generators for every input
        expected = self.runs(self.subject.original, calls)
        found = self._found(calls)
        apart = self._first(expected, found)
        if apart is None:
            return None
        again = self.runs(self.subject.original, calls)
        if self._first(expected, again) is not None:
            return self._of_varying(calls, expected, found)
        if self._first(found, self._found(calls)) is not None:
            return Divergence(
                "AC109", "the graph gives another result at every call, the function always the same"
            )
        return self._judged(calls[apart.turn], apart, found[apart.turn])

    def runs(
        self, function: Callable[..., Any], calls: Sequence[Call], seconds: float | None = None
    ) -> list[Outcome]:
        """What calls in a row gave; the state is put back."""
        seconds = self.settings.call_deadline if seconds is None else seconds
        outcomes: list[Outcome] = []
        try:
            outcomes.extend(observe(function, call.copy(), self.before, seconds) for call in calls)
        finally:
            if len(outcomes) < len(calls) or any(one.state for one in outcomes):
                self.before.restore()
        return outcomes

    def _found(self, calls: Sequence[Call]) -> list[Outcome]:
        """What was captured gives; it may have to be captured first, which takes its time."""
        return self.runs(self.captured, calls, max(10 * self.settings.call_deadline, SLOWEST))

    def _first(self, expected: list[Outcome], found: list[Outcome]) -> Divergence | None:
        return next(self._all(expected, found), None)

    def _all(self, expected: list[Outcome], found: list[Outcome]) -> Iterator[Divergence]:
        for turn, (left, right) in enumerate(zip(expected, found, strict=True)):
            apart = divergence(left, right, self.settings.ulps)
            if apart is not None:
                after = f", at call {turn + 1} in a row" if turn else ""
                yield replace(apart, turn=turn, message=apart.message + after)

    def _of_varying(
        self, calls: Sequence[Call], expected: list[Outcome], found: list[Outcome]
    ) -> Divergence | None:
        """The difference where the function's own results vary: a type, or that the captured one repeats itself."""
        apart = difference(expected[0].result, found[0].result)
        if expected[0].error is None and found[0].error is None and apart is not None and apart.code == KIND:
            return Divergence(KIND, f"the result{apart.where} is {apart}")
        if self._first(found, self._found(calls)) is None:
            what = "the function gives another result at every call, the graph always the same"
            return Divergence("AC107", what)
        return Divergence(
            "AC203", "the function gives another result at every call: only types were compared"
        )

    def _judged(self, call: Call, apart: Divergence, found: Outcome) -> Divergence | None:
        """A frozen graph that refuses arguments of other types than it was made for says so: that is no error."""
        if apart.code != "AC103" or not self.subject.frozen or found.error is None:
            return apart
        graph = self.subject.graph
        strange = graph is not None and any(map(is_on_arguments, failing(graph, self.subject.given(call))))
        if not strange:
            return apart
        return Divergence("AC304", apart.message) if "the function returns" in apart.message else None
