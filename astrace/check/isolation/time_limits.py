"""Time limits of a check and of each of its calls, and the end of a call that takes longer.

A call is ended from inside: by an alarm on the main thread of a Unix system, by an exception that another thread sets
elsewhere.  Where the check runs in a process of its own (`astrace.check.isolation.child_process`), what neither can end, a loop in C
code, is ended from outside, with the process; the call is left out when the check starts again.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import signal
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final


class TimeUp(BaseException):
    """A call took longer than it may."""


class OutOfTime(Exception):
    """The time of the whole check ran out in the middle of a trial."""


@dataclass(slots=True)
class Clock:
    """The time that is left to a check, on the clock on the wall: a call may wait as well as compute.

    Args:
        seconds: the time of the check.
        now: the clock.
        whole: of a part of a check the clock of the whole.
    """

    seconds: float
    now: Callable[[], float] = time.monotonic
    whole: Clock | None = None
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.now()

    @property
    def spent(self) -> float:
        """The seconds since it was started."""
        return self.now() - self.started

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(self.seconds - self.spent, 0.0)

    @property
    def is_over(self) -> bool:
        """True if nothing is left."""
        return self.spent > self.seconds or (self.whole is not None and self.whole.is_over)

    def part(self, seconds: float) -> Clock:
        """Return a clock for a part of the check, by the time of the processor, which ends no later than the whole."""
        return Clock(seconds, time.thread_time, self)


@dataclass(slots=True)
class CallAllowance:
    """The processor time that a call of the function may take, in seconds: some multiple of what its example takes.

    Args:
        seconds: how many.
        least: it never gets less.
        late: how many calls took longer.
    """

    seconds: float
    least: float = 0.02
    late: int = 0

    def measure(self, taken: float) -> None:
        """Take note of how long the example took."""
        self.seconds = min(self.seconds, max(ENOUGH, MANY * taken))
        self.least = min(self.seconds, max(self.least, FEW * taken))

    def was_late(self) -> None:
        """Take note that a call took longer: the next one is not awaited for as long."""
        self.late += 1
        self.seconds = max(self.seconds / 2, self.least)


ENOUGH: Final = 0.25
MANY: Final = 100
FEW: Final = 20

# -- calls, seen from another process ------------------------------------------------------------------------


class CallWatch:
    """The running call and its deadline, where another process can read them.

    The number of the call is written before the deadline and again after it, and read in the opposite order: where the two
    differ, the other process has read in the middle of a write.

    Args:
        left_out: the numbers of calls that are not made, because they ended the process before.
    """

    def __init__(self) -> None:
        shared = memoryview(mmap.mmap(-1, mmap.PAGESIZE))
        self._numbers, self._deadline = shared[:16].cast("q"), shared[16:32].cast("d")
        self.left_out: frozenset[int] = frozenset()
        self._number = 0

    def begin(self, seconds: float, waiting: float) -> None:
        """Take note that a call begins, with the seconds it may compute, and the seconds it may take.

        Raises:
            TimeUp: it is one that did not come back before.
        """
        self._number += 1
        if self._number in self.left_out:
            raise TimeUp
        self._numbers[0] = self._number
        self._deadline[0] = time.process_time() + seconds
        self._deadline[1] = time.monotonic() + waiting
        self._numbers[1] = self._number

    def end(self) -> None:
        """Take note that the call came back."""
        self._numbers[0] = self._numbers[1] = 0

    @property
    def running(self) -> tuple[int, float, float]:
        """The number of the call that is running, 0 for none, and until when it may, by the processor and by the wall."""
        number = self._numbers[1]
        computed, until = self._deadline
        return (number if number == self._numbers[0] else 0), computed, until

    def restart(self, left_out: frozenset[int]) -> None:
        """Count from the beginning, and leave out some calls."""
        self.left_out = left_out
        self._number = 0
        self.end()


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of all calls of a check.

    Args:
        clock: the time of the check.
        watch: where calls are told to another process, if there is one.
        keep: told what lay at a path that is about to be changed, so that another process can put it back.
    """

    clock: Clock
    watch: CallWatch | None = None
    keep: Callable[[str, Any], None] | None = None


BOUNDS: Final[ContextVar[Bounds | None]] = ContextVar("astrace.check.bounds", default=None)
"""The bounds of the calls of the running check."""


def is_out_of_time() -> bool:
    """Return whether nothing is left of the time of the check that is running."""
    bounds = BOUNDS.get()
    return bounds is not None and bounds.clock.is_over


def has_own_process() -> bool:
    """Return whether the check that is running has a process of its own."""
    bounds = BOUNDS.get()
    return bounds is not None and bounds.watch is not None


def keep_elsewhere(path: str, found: Any) -> None:
    """Tell the process that waits for this one, if there is one, the contents of a path."""
    bounds = BOUNDS.get()
    if bounds is not None and bounds.keep is not None:
        bounds.keep(path, found)


# -- one call --------------------------------------------------------------------------------------------------

WAITING: Final = 10
"""Code that waits may wait so many times as long as it may compute."""
SHORTEST: Final = 0.02
AGAIN: Final = 0.2
TIMERS: Final[Mapping[int, int]] = (
    {signal.ITIMER_PROF: signal.SIGPROF, signal.ITIMER_REAL: signal.SIGALRM}
    if hasattr(signal, "setitimer")
    else {}
)


@contextlib.contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """A stretch of code that is ended by `TimeUp`, in the time that is left of the check at the latest.

    The time is that of the processor, so that a busy machine changes nothing; code that waits may wait ten times
    as long.  The exception is repeated, for code that catches everything.
    """
    bounds = BOUNDS.get()
    waiting = seconds * WAITING
    if bounds is not None:
        waiting = max(min(waiting, bounds.clock.left), SHORTEST)
        seconds = min(seconds, waiting)
    watch = None if bounds is None else bounds.watch
    if watch is not None:
        watch.begin(seconds, waiting)
    try:
        with _ended(seconds, waiting):
            yield
    finally:
        if watch is not None:
            watch.end()


def _ended(seconds: float, waiting: float) -> contextlib.AbstractContextManager[None]:
    """Return the context that ends a stretch of code, on this system and thread."""
    if threading.current_thread() is not threading.main_thread() or not TIMERS:
        return _by_thread(waiting if TIMERS else seconds)
    if any(signal.getitimer(one)[0] for one in TIMERS):  # they are somebody else's
        return _by_thread(waiting)
    return _by_alarm(seconds, waiting)


@contextlib.contextmanager
def _by_alarm(seconds: float, waiting: float) -> Generator[None]:
    before = [signal.signal(number, _time_is_up) for number in TIMERS.values()]
    for timer, limit in zip(TIMERS, (seconds, waiting), strict=True):
        signal.setitimer(timer, limit, AGAIN)
    try:
        yield
    finally:
        running = list(TIMERS)
        while running:
            try:  # an alarm that comes just now must leave no timer running
                signal.setitimer(running[-1], 0)
                running.pop()
            except TimeUp:
                continue
        for number, handler in zip(TIMERS.values(), before, strict=True):
            signal.signal(number, handler)


def _time_is_up(*_: Any) -> None:
    raise TimeUp


@contextlib.contextmanager
def _by_thread(seconds: float) -> Generator[None]:
    """End a stretch of code as an alarm does, in any thread; code in C is not ended."""
    thread = ctypes.c_ulong(threading.get_ident())
    ended, late = threading.Event(), threading.Event()

    def wait() -> None:
        left = seconds
        while not ended.wait(left):
            late.set()
            _set_exception(thread)
            left = AGAIN

    guard = threading.Thread(target=wait, name="astrace.check", daemon=True)
    guard.start()
    try:
        yield
    finally:
        while guard.is_alive():
            try:  # an exception that comes just now must leave no thread running
                ended.set()
                guard.join()
            except TimeUp:
                continue
        if late.is_set():
            _raise_what_waits(thread)


def _set_exception(thread: ctypes.c_ulong) -> None:
    """Have a thread raise `TimeUp`."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TimeUp))


def _raise_what_waits(thread: ctypes.c_ulong) -> None:
    """Raise an exception that may have been set for this thread and not been raised yet.

    It is not taken back: setting none leaves the interpreter looking for one for ever, and Python 3.11 then hangs at
    the first call under a trace function.
    """
    try:
        _set_exception(thread)
        while True:
            pass
    except TimeUp:
        return
