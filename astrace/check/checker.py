"""START HERE: `check_subject` runs all of it in a row and gives a `Report`.

::

    subject   what is checked, its world, example calls
    static    what the graph holds (suspects)
    examples  the calls given, three times in a row
    inputs    directed and drawn calls, made smaller, blamed
    changes   the world changed place by place
    gaps      goals that no input reached
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from astrace.check.compare.observe import Call, Divergence, observe
from astrace.check.compare.other_outcomes import REFUSED
from astrace.check.compare.pair import Pair
from astrace.check.diagnose.blame import reason_text
from astrace.check.diagnose.diagnosis import Diagnosis
from astrace.check.diagnose.suspects import suspects, unkept
from astrace.check.inputs.call_variants import cheapest_first, directed, with_noise
from astrace.check.inputs.code_constants import Mined, mine
from astrace.check.inputs.coverage import Reached
from astrace.check.inputs.guess import guesses
from astrace.check.inputs.numeric import KINDS, NumberSource
from astrace.check.inputs.search import search, smaller
from astrace.check.isolation.bounded import bounded, out_of_time
from astrace.check.isolation.child_process import Publish
from astrace.check.isolation.time_limits import Bounds, Clock, OutOfTime
from astrace.check.mutate.guard_mutations import changes
from astrace.check.report.dedupe import against_text, is_same, is_settled, is_told_by, spoken
from astrace.check.report.findings import Finding, Suspect, finding
from astrace.check.report.report import Report
from astrace.check.report.results import Coverage, in_order
from astrace.check.sandbox.world import Snapshot, World
from astrace.check.settings import Settings
from astrace.check.subject import Subject, fallback_of
from astrace.errors import Reason
from astrace.locations import Location

MOST_FINDINGS: Final = 5
COPIED: Final = "pass arguments that can be copied: each call needs fresh ones"
GIVE: Final = "give an example call: `astrace.check(f, x)`, `--args`, or `ASTRACE_EXAMPLES` in the module"
OTHER_EXAMPLE: Final = "give an example call that it takes, or change the line"
OFTEN: Final = 0.2
SHRINKING: Final = 4
"""Making a failing call smaller may take one part of so many of the time."""
MOST_GAPS: Final = 10
MOST_REPEATED: Final = 3
VARYING: Final = ("AC107", "AC109")
"""Codes of findings about results that differ from call to call, whatever the arguments."""


def check_subject(subject: Subject, calls: list[Call], settings: Settings, clock: Clock) -> Report:
    """The report on one function.

    Args:
        subject: what is checked.
        calls: example calls.
        settings: how.
        clock: the time of the check, which has begun: loading a compiler is part of it.

    Raises:
        InvalidArgument: an example does not fit the function's signature.
    """
    for call in calls:
        subject.accept(call)

    def run(bounds: Bounds, publish: Publish) -> Report:
        try:
            return check_within(bounds, publish, subject, calls, settings)
        finally:
            if subject.other is not None:
                subject.other.leave()

    return bounded(run, subject, settings, clock)


def check_within(
    bounds: Bounds, publish: Publish, subject: Subject, calls: list[Call], settings: Settings
) -> Report:
    """The report on one function, by a check that is bounded already.

    Args:
        bounds: the bounds of its calls.
        publish: takes the findings so far.
        subject: what is checked.
        calls: example calls.
        settings: how.
    """
    return _Check(subject, settings, bounds.clock, publish).run(calls)


@dataclass(slots=True)
class _Check:
    """One check in progress."""

    subject: Subject
    settings: Settings
    clock: Clock
    publish: Publish
    world: World = field(init=False)
    pair: Pair = field(init=False)
    mined: Mined = field(init=False)
    before: Snapshot = field(init=False)
    findings: list[Finding] = field(default_factory=list)
    made_for: Call | None = None
    examples: int = 0
    changes: int = 0
    repeated: int = 0
    told: float = 0.0

    def __post_init__(self) -> None:
        self.world = World([self.subject.original])
        self.pair = Pair(self.subject, self.world, self.settings, self.clock)
        self.mined = mine(self.subject.original)

    def run(self, calls: list[Call]) -> Report:
        """Run all stages of the check."""
        with self.world.sandbox(system=True), self.world.sandbox() as self.before:
            calls = self._usable(calls or guesses(self.subject.original, self.mined, self.world))
            calls = self._taken(calls)
            if calls and self._is_captured(calls[0]):
                self._static(calls[0])
                self._given(calls)
                if self.subject.other is not None:  # other kinds of arguments take long to compile for
                    self._changes(calls[0])
                self._inputs(calls)
                if self.subject.other is None:
                    self._changes(calls[0])
                self._gaps()
        if self.clock.is_over:
            self.findings.append(out_of_time(self.subject, self.settings, self._coverage()))
        return self._report()

    def _coverage(self) -> Coverage:
        reached = self.pair.reached
        goals = tuple(reached.goals(not self.subject.frozen)) if reached is not None else ()
        return Coverage(goals, self.examples, self.changes)

    def _report(self, *more: Finding) -> Report:
        coverage = self._coverage()
        name = self.subject.name
        found = in_order(
            [
                replace(spoken(one, self.subject), function=name, location=self.subject.place_of(one))
                for one in (*self.findings, *more, *self._of_other())
            ]
        )
        seed = self.settings.seed or 0
        against = against_text(self.subject)
        report = Report(self.subject.name, found, coverage, self.clock.spent, seed, against=against)
        return report.strict() if self.settings.strict else report

    def _of_other(self) -> list[Finding]:
        """What is to be told of another compiler."""
        other = self.subject.other
        return [] if other is None else other.notes(self.subject.start)

    # -- before any comparison -------------------------------------------------------------------------

    def _usable(self, calls: list[Call]) -> list[Call]:
        """The examples that can be copied; without any there is nothing to do."""
        usable: list[Call] = []
        for call in calls:
            try:
                usable.append(call.copy())
            except Exception as error:
                self._note("AC306", f"an example can't be copied: {type(error).__name__}: {error}", COPIED)
        if not calls:
            self._note(
                "AC306", "no example call was given, and no arguments were found with which it returns", GIVE
            )
        return usable

    def _taken(self, calls: list[Call]) -> list[Call]:
        """The examples that another compiler takes; of one that it refuses it is told why."""
        other = self.subject.other
        if other is None:
            return calls
        taken: list[Call] = []
        for call in map(other.as_taken, calls):
            outcome = observe(other, call.copy(), self.before, self.settings.deadline)
            self.before.restore()
            if outcome.error is None or outcome.error[0] != REFUSED:
                taken.append(call)
                continue
            said = other.asked[outcome.error[1]]
            self.findings.append(replace(said, code="AC306", fix=OTHER_EXAMPLE))
        return taken

    def _note(self, code: str, message: str, fix: str = "", where: Location | None = None) -> None:
        self.findings.append(finding(code, message, location=where or self.subject.start, fix=fix))

    def _is_captured(self, call: Call) -> bool:
        """Return whether there is a capture to compare with."""
        reason = fallback_of(self.subject, call.copy())
        if reason is not None:
            self._plain(reason)
        return reason is None

    def _plain(self, reason: Reason) -> None:
        fix = reason.hint
        self.findings.append(
            finding(
                "AC303", f"it runs as plain Python: {reason_text(reason)}", location=reason.location, fix=fix
            )
        )

    def _static(self, call: Call) -> None:
        """Report the findings that the graph gives by itself."""
        stages = self.subject.stages(call.copy())
        for reason in stages.recording.plain_calls if stages is not None and stages.recording else ():
            self._plain(reason)
        graph = self.subject.graph_of(call.copy())
        self.made_for = call
        if graph is not None:
            self.findings += suspects(self.subject, graph)
            self.findings += unkept(self.subject, self.world)
            self.pair.reached = Reached(graph)
        self.publish(self._report())

    # -- calls -----------------------------------------------------------------------------------------

    def _given(self, calls: list[Call]) -> None:
        """The examples, several times in a row."""
        source = NumberSource(np.random.default_rng(self.settings.seed), self.mined)
        for call in calls:
            self.pair.measure(call)
            other = with_noise(call, "jitter", KINDS["jitter"], source)
            self._try(call, call, other)

    def _inputs(self, calls: list[Call]) -> None:
        """Directed inputs, then drawn ones."""
        source = NumberSource(np.random.default_rng(self.settings.seed), self.mined)
        stream = directed(calls, source, self.subject.signature)
        varied = itertools.islice(stream, len(calls), len(calls) + self.settings.directed)
        for call in varied if self.subject.other is None else cheapest_first(varied, calls):
            if self.clock.is_over or len(self._errors()) >= MOST_FINDINGS or self.repeated >= MOST_REPEATED:
                return
            self._try(call)
        if not self._errors():
            self._drawn(calls)

    def _drawn(self, calls: list[Call]) -> None:
        def fails(call: Call) -> bool:
            apart = self._apart(self.before, call, watched=True)
            return apart is not None and apart.code.startswith("AC1")

        name, reached = self.subject.name, self.pair.reached
        found = search(fails, calls, self.mined, self.settings, name, reached, self.clock)
        if found is not None:
            self._try(found)

    def _errors(self) -> list[Finding]:
        return [one for one in self.findings if one.grade == "error"]

    def _tell(self) -> None:
        """Report what was done so far, now and then."""
        if time.monotonic() > self.told + OFTEN:
            self.publish(self._report())
            self.told = time.monotonic()

    def _apart(
        self, before: Snapshot, *calls: Call, steady: bool = False, watched: bool = False
    ) -> Divergence | None:
        """Return the difference on calls in a row, from some state; nothing where the time is over.

        Args:
            before: the state.
            calls: the calls.
            steady: function and graph are known to give the same for the same arguments.
            watched: which ways the first call goes is noted, where the function comes back.
        """
        self.examples += 1
        calls = self._as_taken(calls)
        try:
            found = self.pair.apart(before, *calls, steady=steady, watched=watched)
            self._tell()
            return found
        except OutOfTime:
            return None
        except (TypeError, ValueError, RecursionError, MemoryError) as error:
            self._note("AC306", f"a call can't be compared: {type(error).__name__}: {error}")
            return None

    def _as_taken(self, calls: tuple[Call, ...]) -> tuple[Call, ...]:
        """The calls as another compiler takes them."""
        other = self.subject.other
        return calls if other is None else tuple(map(other.as_taken, calls))

    def _try(self, *calls: Call) -> None:
        """Compare on calls in a row; what fails, and is not known yet, is made smaller and blamed."""
        calls = self._as_taken(calls)
        apart = self._apart(self.before, *calls, watched=True)
        if apart is None:
            return
        calls = calls[: apart.call + 1]
        seen = finding(apart.code, apart.message, location=self.subject.start)
        self.publish(self._report(seen))  # finding what is to blame may exceed the time
        found = self._diagnosis().of_calls(calls, apart)
        if self._is_known(found):
            self.repeated += 1
            return
        if len(calls) == 1 and found.grade == "error" and found.code not in VARYING:
            calls, apart = self._smaller(calls[0], apart)
            found = self._diagnosis().of_calls(calls, apart)
        if not self._is_known(found):
            self.findings.append(self._diagnosis().shown(found, calls, apart))
            self.publish(self._report())

    def _smaller(self, call: Call, apart: Divergence) -> tuple[tuple[Call], Divergence]:
        """A smaller call that fails likewise, and how; function and graph are asked twice for the last one only."""
        limit = self.clock.part(self.settings.deadline / SHRINKING)

        def same(one: Call) -> bool:
            other = self._apart(self.before, one, steady=True)
            return other is not None and other.code == apart.code

        found = smaller(call, same, self.settings, limit)
        other = self._apart(self.before, found)
        return ((found,), other) if other is not None and other.code == apart.code else ((call,), apart)

    def _diagnosis(self) -> Diagnosis:
        return Diagnosis(
            self.subject, self.world, self.before, self.pair.allowance, self.made_for, self._differs
        )

    def _differs(self, call: Call) -> bool:
        """Return whether function and graph differ on a call."""
        apart = self._apart(self.before, call, steady=True)
        return apart is not None and apart.code.startswith("AC1")

    def _is_known(self, found: Finding) -> bool:
        return any(is_same(found, other) for other in self.findings)

    # -- the world -------------------------------------------------------------------------------------

    def _changes(self, call: Call) -> None:
        """Change the world, place by place, and compare."""
        usual = self._apart(self.before, call) if self._errors() else None
        source = NumberSource(np.random.default_rng(self.settings.seed), self.mined)
        for shift in itertools.islice(
            changes(self.subject, call, self.world, self.mined, source, self.before.files.read),
            self.settings.changes,
        ):
            if self.clock.is_over:
                return
            with self.world.sandbox(more=[("", shift.owner)] if shift.owner is not None else []) as kept:
                if not shift.is_made(kept.files):
                    continue
                self.changes += 1
                self.pair.ask_guards(call)
                with self.world.sandbox(more=shift.placed) as before:
                    apart = self._apart(before, call)
                if apart is not None and apart.code.startswith("AC1") and apart != usual:
                    self._changed(call, apart, shift.suspect)

    def _changed(self, call: Call, apart: Divergence, suspect: Suspect) -> None:
        """Report a change of the world that one of the two sides does not notice."""
        one = self._diagnosis().of_change(call, apart, suspect)
        known = [other for other in self.findings if is_told_by(one, other)]
        if any(other.grade == "note" and is_settled(other, suspect) for other in known):
            return  # a constant that nothing in the program changes
        self.findings = [other for other in self.findings if other not in known]
        if not self._is_known(one):
            self.findings.append(one)
            self.publish(self._report())

    # -- gaps ------------------------------------------------------------------------------------------

    def _gaps(self) -> None:
        """Note the goals that no input reached."""
        reached = self.pair.reached
        if reached is None:
            return
        goals = [goal for goal in reached.goals(False) if not goal.reached and goal.what != "an exception"]
        for goal in goals[:MOST_GAPS]:
            self._note("AC305", goal.missed, where=goal.location)
