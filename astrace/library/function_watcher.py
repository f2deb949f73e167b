"""One function of a hooked library: it is watched, captured, tried, and kept or left plain.

A `Watched` stands behind the function's stub.  While a call is under way, the calls that the function makes of itself are
its own: they run without the stub, through its graph where they come from one and as plain Python where not, so that
recursion reaches as deep as it does without a hook.  Counts are kept without a lock: two threads may count one call between
them, which nothing depends on.  Capturing and deciding is done by one thread at a time.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable, Iterable
from time import perf_counter_ns, thread_time_ns
from typing import TYPE_CHECKING, Any, Final

from astrace.library.call_times import Counts, Times, reason_to_leave, timed, waited, waited_with_room
from astrace.library.capture_time import USUAL
from astrace.library.hook_state import HookState
from astrace.library.lazy_modules import LazyModules
from astrace.library.past_decisions import PLAIN, PastDecision, kinds_of, name_of
from astrace.library.policy import Policy, has_arrays
from astrace.locations import no_caller
from astrace.util.code_stubs import Stub, stub_of
from astrace.util.events import TRACE
from astrace.util.own_work import OwnWork

if TYPE_CHECKING:
    from astrace.compiler.stages import Stages
    from astrace.library.watched_compiled import WatchedCompiled

LOCK: Final = threading.Lock()
"""Held for the moment in which a function gets the place for its captures."""
TIMED: Final = 8
"""The number of calls that are timed if nothing depends on it."""
NOTHING: Final = Counts()
"""The counts of functions that were never called."""
LEFT: Final = "left plain"
"""How decisions begin after which a function is plain for good."""
LONG: Final = 10**10
"""Nanoseconds for which loops that another process compiles are waited for, however short they are."""
SHORT: Final = 20e-6
"""Seconds: loops that take less in a call are not waited for until they are compiled."""
AS_MANY: Final = 4
"""How many times as many calls as in an earlier process pass, where capturing gained nothing there on the whole."""
AS_MUCH: Final = 4
"""How many times as much as a capture took that was put off has to be there for the next one."""
BUDGET: Final = "takes long to capture"
GLANCED: Final = 10e6
"""Nanoseconds after which it is asked again whether another capture may begin."""


class Watched:
    """A function and what becomes of it.

    Args:
        function: the function; its calls come here from now on.
        holders: the hook that found it, alone: when it is captured, and whether it stays so; the modules that wait for the first call, since calls while modules
            are imported are left plain (what they do is done once); the time that the captures of all the hook's functions
            took; and what earlier processes have found out.
        code: the function's own code, which it gets back in the end.
    """

    def __init__(
        self, function: types.FunctionType, holders: tuple[HookState, ...], code: types.CodeType
    ) -> None:
        self.function = function
        self._first = holders[0]  # compiles it, whichever are there later
        self._holders = holders
        self.stub = Stub(function, self._watch, code, self)

    # what holds of a function that is not called, as most are: set when that changes
    decision: str = ""
    kinds: str = ""
    recalled: PastDecision | None = None
    _counts: Counts | None = None
    _plain: Callable[..., Any] | None = None
    _compiled: WatchedCompiled | None = None
    _called_for: bool = False
    _running: int = 0
    _paused: bool = False
    warms_up: bool = False
    """True while loops of its captures are being compiled, or judged."""
    was_impatient: bool = False
    """True where the trial began before that was over: another process compiles, and takes long."""
    _trial_began: bool = False
    _patient_until: int = 0
    _calls_before: int | None = None
    _ended_as: str = ""
    _needed: int = USUAL
    """The nanoseconds that have to be there for a capture."""

    @property
    def counts(self) -> Counts:
        """The counts of its calls; made at the first one, since most functions are never called."""
        if self._counts is None:
            self._counts = Counts()
        return self._counts

    @property
    def counted(self) -> Counts:
        """The counts of its calls, to be read only."""
        return self._counts or NOTHING

    @property
    def code(self) -> types.CodeType:
        """The code that the function was written as."""
        return self.stub.code

    @property
    def calls(self) -> int:
        """How often it was called: until it was left plain, or until now."""
        if self._compiled is None or self._calls_before is None:
            return self.counted.calls
        return self.counts.calls + self._compiled.stats.calls - self._calls_before

    @property
    def runs_as(self) -> str:
        """What its calls run as by now: ``graph``, ``plain``, or ``both`` while that is being decided.

        Of a function that no hook watches any more, as they ran last.
        """
        if self._ended_as:
            return self._ended_as
        is_captured = any(stages.fallback is None for stages in self.captures)
        is_kept = self._calls_before is not None
        if not is_captured or not (is_kept or self.stub.run == self._try):
            return "plain"
        return "graph" if is_kept or not self._policy.trial else "both"

    @property
    def captures(self) -> tuple[Stages, ...]:
        """The stages of each capture, failed ones included and one that was put off left out."""
        compiled = self._compiled
        if compiled is None:
            return ()
        return compiled.captures[:-1] if compiled.is_put_off else compiled.captures

    def call_for(self) -> None:
        """Watch for a capture with or without arrays, since a captured function calls this one."""
        self._called_for = True

    @property
    def _policy(self) -> Policy:
        return self._holders[-1].policy

    def _charge(self, nanoseconds: int) -> None:
        """Count time against the part that captures may take, unless it has paid off in an earlier process."""
        if self.recalled is None:
            self._holders[-1].taken.add(nanoseconds)

    def join(self, hook: HookState) -> None:
        """Take over the policy of another hook that has the same function."""
        self._holders = (*self._holders, hook)
        if self._counts is not None:
            self._counts.passing = 0  # what may pass is for the policy to say

    def part(self, waiting: LazyModules) -> None:
        """Remove a hook; with the last one the function gets its calls back."""
        left = [holder for holder in self._holders if holder.waiting is not waiting]
        if left:
            self._holders = tuple(left)
        else:
            self._ended_as = "plain" if self._compiled is None else self.runs_as
            self.release()

    def release(self) -> None:
        """Give the function its calls back."""
        self.stub.run = self._plain or self.stub.run_plain
        self.stub.entrance = None
        self.stub.remove()

    # -- the ways a call takes -------------------------------------------------------------------------

    @no_caller
    def _watch(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run a call before the function is captured: count, and look for arrays."""
        plain = self._plain or self._twin()
        if self._running:
            self._pause()
            return plain(*args, **kwargs)
        self._running += 1
        try:
            counts = self._counts or self.counts
            if counts.passing:
                counts.passing -= 1
                counts.calls += 1
                counts.with_arrays += 1
                return plain(*args, **kwargs)
            if TRACE.get() is not None or not self._is_used():  # a capture must not lead to another one
                return plain(*args, **kwargs)
            counts.calls += 1
            policy = self._policy
            has = self._called_for or has_arrays(args, kwargs)
            counts.with_arrays += has
            why = reason_to_leave(counts, policy)
            if why:
                self._leave(why)
            is_first = counts.calls == 1 or (has and counts.with_arrays == 1)
            begins = is_first and self._recall(kinds_of(args, kwargs) if has else "")
            if not has or self.decision:
                return plain(*args, **kwargs)
            if not begins and policy.worth and counts.before < policy.worth * 1e9:
                return self._wait(policy.worth * 1e9, args, kwargs)
            if not begins and (policy.after is None or counts.with_arrays < policy.after):
                is_timed = counts.plain.calls < TIMED
                return timed(plain, counts.plain, args, kwargs) if is_timed else plain(*args, **kwargs)
            holder = self._holders[-1]
            if not begins and not holder.taken.is_within(holder.share, self._needed):
                return self._wait(counts.before + GLANCED, args, kwargs)
            self.stub.run = self._try
            return self._tried(args, kwargs)
        finally:
            self._running -= 1
            if self._paused:
                self._resume()

    @no_caller
    def _wait(self, until: float, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call as plain Python before its capture.

        Args:
            until: the nanoseconds after which that is looked at again.
            args: of the call.
            kwargs: of the call.
        """
        counts = self.counts
        wait = waited_with_room if counts.takes_long else waited
        return wait(self._twin(), counts, until, args, kwargs)

    def _is_used(self) -> bool:
        """Return whether nothing is being imported, so that a call counts; it ends the wait of all modules."""
        for holder in self._holders:
            if holder.waiting.loading:
                return False
            if holder.waiting.modules:
                holder.waiting.end()
        return True

    @no_caller
    def _try(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run a call while it is being decided."""
        if self._running:
            self._pause()
            return self._twin()(*args, **kwargs)
        self._running += 1
        try:
            if TRACE.get() is not None:
                return self._twin()(*args, **kwargs)
            self.counts.calls += 1
            self.counts.with_arrays += has_arrays(args, kwargs)
            return self._tried(args, kwargs)
        finally:
            self._running -= 1
            if self._paused:
                self._resume()

    @no_caller
    def _keep_running(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run a call once it is decided, for a graph that may call the function again."""
        if self._running:
            self._pause()
            return self._twin()(*args, **kwargs)
        self._running += 1
        try:
            return (self._compiled or self._compile())(*args, **kwargs)
        finally:
            self._running -= 1
            if self._paused:
                self._resume()

    def _pause(self) -> None:
        """Let the function call itself directly (or another thread do so, which is taken for the same)."""
        self._paused = True
        self.stub.pause()

    def _resume(self) -> None:
        """Take the function's calls again, now that the last one is over."""
        if not self._running:
            self._paused = False
            self.stub.resume()

    @no_caller
    def _tried(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run calls through the graph and as plain Python, in turn."""
        counts, policy = self.counts, self._policy
        try:
            is_tried = policy.trial and not self.warms_up and self.recalled is None
            if is_tried and counts.captured.calls > counts.plain.calls:
                return timed(self._twin(), counts.plain, args, kwargs)
            return self._captured(args, kwargs)
        finally:
            self._decide()

    @no_caller
    def _captured(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call through the graph."""
        return timed(self._compiled or self._compile(), self.counts.captured, args, kwargs)

    def _compile(self) -> WatchedCompiled:
        with OwnWork(), LOCK:
            started, self.counts.usual = thread_time_ns(), self.counts.plain.median or 0.0
            from astrace.library.watched_compiled import WatchedCompiled

            self._charge(thread_time_ns() - started)
            self._patient_until = perf_counter_ns() + LONG
            if self._compiled is None:
                self._compiled = WatchedCompiled(
                    self._twin(), self._first.options(), self._captured_anew, self._time_left
                )
                self.stub.entrance = self._compiled.__astrace_entrance__
            return self._compiled

    def _time_left(self) -> float | None:
        """Return the seconds that the next capture may take before it is put off; ``None`` for any."""
        share = self._holders[-1].share
        if share is None or self.recalled is not None:
            return None
        if any(stages.fallback is None for stages in self.captures):
            return None
        return max(self._holders[-1].taken.left(share), self._needed) / 1e9

    def _captured_anew(self, took: int, loading: int, callees: Iterable[types.FunctionType]) -> None:
        """Take note of one capture more, of the nanoseconds that it and its modules took, and of the functions whose calls it leaves."""
        if self._compiled is not None and self._compiled.is_put_off:
            self._needed = AS_MUCH * took
        else:
            self.counts.capturing += took
        self._charge(took + loading)
        self._first.captured(f"{self.function.__module__}.{self.function.__qualname__}")
        compiled = self._compiled
        for callee in callees:
            watched = watched_by(callee)
            if watched is not None and watched is not self:
                watched.call_for()
        if compiled is not None and self.stub.run is compiled and not compiled.makes_no_calls:
            self.stub.run = self._keep_running

    def _twin(self) -> Callable[..., Any]:
        if self._plain is None:
            self._plain = self.stub.plain()
        return self._plain

    # -- decisions -------------------------------------------------------------------------------------

    def _decide(self) -> None:
        """Keep the captured form, or leave the function plain, as soon as enough is known."""
        policy, captures = self._policy, self.captures
        failed = [stages for stages in captures if stages.fallback is not None]
        if self._compiled is not None and self._compiled.is_put_off:
            self.stub.run = self._watch
            return
        if policy.attempts is not None and len(failed) == len(captures) >= policy.attempts:
            self._leave("can't be captured")
            return
        if policy.budget is not None and self.counts.capturing > policy.budget * 1e9:
            self._leave(BUDGET)
            return
        if not policy.trial:
            if self.counts.captured.calls >= TIMED:
                self._keep("kept")
            return
        if self._waits_for_machine_code():
            return
        if self.recalled is not None and not self._is_as_recalled(self.recalled):
            return
        self._compare()

    def _compare(self) -> None:
        """Decide by the calls that were timed each way, once there are enough."""
        policy, plain, captured = self._policy, self.counts.plain, self.counts.captured
        if min(plain.calls, captured.calls) < policy.trial:
            return
        if all(stages.fallback is not None for stages in self.captures):
            self._leave("can't be captured")
            return
        ratio = (captured.median or 0.0) / (plain.median or 1e-9)
        if ratio <= policy.margin:
            self._keep(f"kept: takes {ratio:.2f} times the plain time")
        else:
            self._leave(f"gains nothing: takes {ratio:.2f} times the plain time")

    def _is_as_recalled(self, recalled: PastDecision) -> bool:
        """Keep the captured form if it is as fast as in an earlier process; return whether it has to be compared anew."""
        captured = self.counts.captured
        if captured.calls < self._policy.trial:
            return False
        ratio = (captured.median or 0.0) / recalled.before if recalled.before else float("inf")
        if ratio <= self._policy.margin:
            self._keep(f"kept: takes {ratio:.2f} times the plain time of an earlier process")
            return False
        self.recalled = None
        return True

    def _recall(self, kinds: str) -> bool:
        """Begin with what an earlier process has found out; return whether the function is to be captured now."""
        decisions, self.kinds = self._holders[-1].decisions, kinds
        found = None if decisions is None else decisions.of(name_of(self.function, self.code, kinds))
        if decisions is None or found is None:
            return False
        if found.runs_as == PLAIN:
            self._leave(f"{found.why}, in an earlier process")
        elif not decisions.is_worth(found):
            self.counts.passing = found.calls * AS_MANY
            return False
        self.recalled = found
        return found.runs_as != PLAIN

    def _waits_for_machine_code(self) -> bool:
        """Return whether loops of its captures have still to be compiled and judged; the trial begins after that."""
        if self._trial_began:
            return False
        captured = self.counts.captured
        programs = [stages.executable for stages in self.captures]
        warm_ups = [one.warm_up for one in programs if one is not None and one.warm_up is not None]
        is_patient = perf_counter_ns() < self._patient_until
        self.warms_up = any(
            captured.calls < TIMED
            or (not one.is_over and ((one.has_begun and is_patient) or one.seconds > SHORT * captured.calls))
            for one in warm_ups
        )
        if self.warms_up:
            return True
        self._trial_began = True
        self.was_impatient = any(one.has_begun and not one.is_over for one in warm_ups)
        if warm_ups:
            self.counts.plain, self.counts.captured = Times(), Times()
        return bool(warm_ups)

    def _keep(self, why: str) -> None:
        assert self._compiled is not None
        self.decision = why
        self._calls_before = self._compiled.stats.calls
        self.stub.run = self._compiled if self._compiled.makes_no_calls else self._keep_running

    def _leave(self, why: str) -> None:
        self.decision = f"{LEFT}: {why}"
        self.release()


def watched_by(function: types.FunctionType) -> Watched | None:
    """Return the object that watches a function now, whichever hook put it there."""
    stub = stub_of(function)
    return stub.owner if stub is not None and isinstance(stub.owner, Watched) else None
