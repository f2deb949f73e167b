"""From a divergence to a finding: the cause, and the program that shows it.

Takes the calls on which function and graph differ, and how; gives a `Finding`.  `astrace.check.diagnose.blame` looks for what is
to blame, `astrace.check.reproduce.program` writes the program.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from astrace.check.compare.observe import Call, Divergence, observe, quiet
from astrace.check.compare.trial import VARIES
from astrace.check.diagnose.blame import Blame, blame
from astrace.check.diagnose.without_graph import without_graph
from astrace.check.isolation.time_limits import CallAllowance
from astrace.check.report.dedupe import by_change, is_by_identity, leaves_traces, told
from astrace.check.report.findings import Example, Finding, Suspect, finding
from astrace.check.reproduce.program import Shown, program
from astrace.check.sandbox.files import Files
from astrace.check.sandbox.world import Snapshot, World
from astrace.check.subject import Subject


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The explanation of the divergences of one check.

    Args:
        subject: what is checked.
        world: what it reads; put back after each call.
        before: the state from which calls start.
        allowance: how long a call may take.
        made_for: the call that the graph was made for, where that is known.
        differs: whether function and graph differ on a call.
    """

    subject: Subject
    world: World
    before: Snapshot
    allowance: CallAllowance
    made_for: Call | None
    differs: Callable[[Call], bool]

    def of_calls(self, calls: Sequence[Call], apart: Divergence) -> Finding:
        """The finding that a difference on the last of some calls in a row makes; if results vary nothing is to blame."""
        *earlier, call = calls
        if apart.code == "AC203":
            return finding(apart.code, apart.message, location=self.subject.start)
        with self.world.sandbox() as before:
            for one in earlier:
                observe(self.subject.original, one.copy(), before, self.allowance.seconds)
            blamed = self._blamed(call)
        if self.subject.graph is None and self.subject.frozen:
            blamed = without_graph(self.subject, apart, call, self.made_for, self.differs)
        if apart.code == "AC107" and is_by_identity(blamed, self.world.names):
            return finding("AC203", VARIES, location=self.subject.start)
        return told(apart.code, apart.message, blamed)

    def of_change(self, call: Call, apart: Divergence, suspect: Suspect) -> Finding:
        """The finding that a change of the world makes, of which one of the two takes no notice, with its program."""
        blamed = self._blamed(call)
        return by_change(self.subject, blamed, suspect, apart, self._example([call], apart, suspect))

    def shown(self, found: Finding, calls: Sequence[Call], apart: Divergence) -> Finding:
        """A finding with the program that shows it."""
        if apart.code == "AC203":
            return found
        blamed = Blame(found.location, found.because, found.fix, found.constant)
        change = found.constant if self.subject.frozen and blamed.changed else None
        return replace(found, example=self._example(calls, apart, change))

    def _example(self, calls: Sequence[Call], apart: Divergence, change: Suspect | None) -> Example:
        now = None if change is None else self.subject.held(change.what)
        stateful = leaves_traces(self.world, self.subject.original, calls, self.allowance.seconds)
        with self.world.sandbox():
            self.before.restore()  # the program starts from the earlier state
            source = program(
                self.subject, Shown(apart, calls, self.made_for or calls[0], change, now, stateful)
            )
        return Example(calls[-1].args, calls[-1].kwargs, source)

    def _blamed(self, call: Call) -> Blame:
        files = Files()
        with quiet(io.StringIO()), files.watched():
            try:
                return blame(self.subject, call, self.world)
            finally:
                files.restore()
