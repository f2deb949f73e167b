"""The times of a watched function's calls: as plain Python, and through its graph.

A call in which astrace works for itself, since something that it calls is captured, is not among them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final

from astrace.locations import no_caller
from astrace.util.frame_stack import with_room
from astrace.util.own_work import is_hardly, spent

if TYPE_CHECKING:
    from astrace.library.policy import Policy

LATEST: Final = 32
"""The number of calls whose times are kept."""
SURE: Final = 16
"""The number of timed calls after which others are expected to take as long."""
GLANCE: Final = 8
"""The part of what is missing that may pass unseen, as a divisor."""
BRIEF: Final = 5e-6
"""Seconds: a call that takes less can't gain, since its arguments have to be looked at for the graph."""
LONG: Final = 1_000_000
"""Nanoseconds: a call that takes more may get room on the stack."""
UNSEEN: Final = 256
"""The most calls that pass unseen, one after another."""


@dataclass(slots=True)
class Times:
    """The number and the duration of a function's runs in one form; calls with work of astrace's own in them are not among them.

    Args:
        calls: how many were timed.
        latest: what the last ones took, in nanoseconds.
    """

    calls: int = 0
    latest: deque[int] = field(default_factory=lambda: deque[int](maxlen=LATEST))

    def add(self, nanoseconds: int) -> None:
        """Count a call."""
        self.calls += 1
        self.latest.append(nanoseconds)

    @property
    def median(self) -> float | None:
        """Seconds for a call, of the last ones; a call that something else has delayed says nothing of the others."""
        ordered = sorted(self.latest)
        half = len(ordered) // 2
        return (ordered[half] + ordered[-1 - half]) / 2e9 if ordered else None


@dataclass(slots=True)
class Counts:
    """The calls of a function so far, by kind.

    Args:
        calls: how often it was called while it was watched, captured calls of the hot path aside.
        with_arrays: how many of them were given arrays.
        plain: the calls that were timed as plain Python.
        before: nanoseconds that the calls with arrays took before it is captured, where that decides when it is.
        captured: the calls that were timed through a graph.
        capturing: nanoseconds of the processor that its captures took.
        usual: seconds for a call as plain Python when it was captured first; zero where that was not known.
        passing: how many of the next calls are counted only: they can't change what becomes of the function.
    """

    calls: int = 0
    with_arrays: int = 0
    plain: Times = field(default_factory=Times)
    before: int = 0
    captured: Times = field(default_factory=Times)
    capturing: int = 0
    usual: float = 0.0
    passing: int = 0

    @property
    def takes_long(self) -> bool:
        """Whether the next call as plain Python is expected to take long; the first one may."""
        latest = self.plain.latest
        return not latest or latest[-1] >= LONG

    def pass_over(self, nanoseconds: float) -> int:
        """Let calls pass that take a part of some time, as far as that can be told; return what they take.

        Args:
            nanoseconds: the time after which something may change.
        """
        median = self.plain.median if self.plain.calls >= SURE else None
        if not median:
            return 0
        self.passing = max(0, min(int(nanoseconds / (GLANCE * median * 1e9)), UNSEEN))
        return int(self.passing * median * 1e9)


def reason_to_leave(counts: Counts, policy: Policy) -> str:
    """Return why a function that is not captured yet is to be left plain; nothing while there is no reason.

    Args:
        counts: of its calls so far.
        policy: when functions are captured.
    """
    if policy.patience is None or counts.calls < policy.patience:
        return ""
    if counts.calls - counts.with_arrays >= policy.patience:
        return "is not called with arrays"
    if counts.with_arrays < policy.patience:
        return ""
    if policy.after is None:
        return "is only watched"
    is_brief = policy.worth and counts.plain.calls >= SURE and (counts.plain.median or BRIEF) < BRIEF
    return "its calls are too short to gain" if is_brief else ""


@no_caller
def timed(function: Callable[..., Any], times: Times, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function and count how long it takes; a call that raises, or in which astrace works for itself, is not counted."""
    own, start = spent(), perf_counter_ns()
    found = function(*args, **kwargs)
    took, own = perf_counter_ns() - start, spent() - own
    if is_hardly(own, took):
        times.add(took - own)
    return found


@no_caller
def waited(
    function: Callable[..., Any], counts: Counts, worth: float, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run and time a call that is not worth a capture yet; calls that raise are timed as well.

    Args:
        function: as plain Python.
        counts: of its calls.
        worth: the nanoseconds that its calls have to take.
        args: of the call.
        kwargs: of the call.
    """
    own, start = spent(), perf_counter_ns()
    try:
        return function(*args, **kwargs)
    finally:
        took, own = perf_counter_ns() - start, spent() - own
        counts.before += took - own
        if is_hardly(own, took):
            counts.plain.add(took - own)
        counts.before += counts.pass_over(worth - counts.before)


waited_with_room: Final = with_room(waited)
"""The same for calls that take long: what they call has the stack for itself."""
