"""The function and what was captured of it, called on equal inputs: how they differ, how long they take, what is reached.

Takes calls, gives the `Divergence` on them.  On the way it measures how long a call may take, and notes in `Reached`
which ways calls go in the graph of the first example.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from astrace.check.compare.observe import Call, Divergence, observe
from astrace.check.compare.trial import SLOWEST, Trial
from astrace.check.inputs.coverage import Reached
from astrace.check.isolation.time_limits import CallAllowance, Clock
from astrace.check.sandbox.world import Snapshot, World
from astrace.check.settings import Settings
from astrace.check.subject import Subject, failing, generated


@dataclass(slots=True)
class Pair:
    """The two sides of a check.

    Args:
        subject: the function, and what was captured of it.
        world: what they read; put back after each call.
        settings: how to compare.
        clock: what time is left of the check.
        allowance: how long a call of the function may take.
        reached: which ways calls went, from when there is a graph.
    """

    subject: Subject
    world: World
    settings: Settings
    clock: Clock
    allowance: CallAllowance = field(init=False)
    reached: Reached | None = None
    _generated: Callable[..., Any] | None = field(init=False)

    def __post_init__(self) -> None:
        self.allowance = CallAllowance(self.settings.call_deadline)
        self._generated = None if self.subject.graph is None else generated(self.subject.graph)

    def measure(self, call: Call) -> None:
        """Measure how long the function takes for an example, which bounds the other calls."""
        started = time.process_time()
        with self.world.sandbox() as before:
            outcome = observe(self.subject.original, call.copy(), before, self.allowance.seconds)
        if not outcome.late:
            self.allowance.measure(time.process_time() - started)

    def apart(
        self, before: Snapshot, *calls: Call, steady: bool = False, watched: bool = False
    ) -> Divergence | None:
        """The difference on calls in a row, from some state.

        Args:
            before: the state.
            calls: the calls.
            steady: function and graph are known to give the same for the same arguments.
            watched: which ways the first call goes is noted, where the function comes back.

        Raises:
            OutOfTime: nothing is left of the time of the check.
        """
        late, trial = self.allowance.late, self._trial(before, steady)
        found = trial.compare(*calls)
        if watched and self.allowance.late == late:
            self._watch(calls[0])
        return found

    def _trial(self, before: Snapshot, steady: bool) -> Trial:
        return Trial(
            self.subject,
            before,
            self.settings,
            self.clock,
            self.allowance,
            self._captured,
            self._generated,
            steady,
        )

    def _captured(self, *args: Any, **kwargs: Any) -> Any:
        """Run the captured side; a graph is watched while it runs."""
        graph = self.subject.graph
        if graph is None or self.reached is None:
            return self.subject.captured(*args, **kwargs)
        return self.reached.run(graph.bind(args, kwargs))

    # -- which ways a call goes ------------------------------------------------------------------------

    def _watch(self, call: Call) -> None:
        """Note the ways that a call of a compiled function takes in the graph of the first example."""
        reached = self.reached
        given = self.ask_guards(call)
        if reached is None or given is None or self.clock.is_over or reached.is_complete:
            return
        with self.world.sandbox() as before:
            observe(reached.run, Call((given,)), before, self.allowance.seconds + SLOWEST)

    def ask_guards(self, call: Call) -> dict[str, Any] | None:
        """Note which guards of the graph of the first example fail; the arguments by name if none does."""
        given = None if self.subject.frozen or self.reached is None else self._bound(call)
        if self.reached is None or given is None:
            return None
        failed = failing(self.reached.graph, given)
        self.reached.fail(failed)
        return None if failed else given

    def _bound(self, call: Call) -> dict[str, Any] | None:
        try:
            return self.subject.given(call.copy())
        except Exception:  # the call does not fit; original and graph say so themselves
            return None
