"""The clock in front of each compiled function: how long calls and captures take, and what the plain function would take.

A `FunctionClock` counts for one function, in all threads; calls of other compiled functions inside a call are taken out of
its own time.  Some calls run as the plain function, for comparison: it does what its graph does.  A call inside a call of
the same function belongs to that one, so that recursion reaches as deep as it does without a recording.
"""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter_ns
from types import CodeType
from typing import Any, Final

from astrace.compiler.compiled import Compiled
from astrace.compiler.stages import Stages
from astrace.locations import no_caller
from astrace.report.call_kinds import MOST_KINDS, CallKind, size_of
from astrace.util.events import TRACE
from astrace.util.own_work import is_hardly, spent

ALWAYS_COMPARED: Final = 3
"""The number of calls that run as the plain function whatever they take, if they are not `LONG`."""
SHARE: Final = 0.2
"""How much of the time of calls through graphs those may take that run as the plain function."""
LONG: Final = 10**9
"""Nanoseconds: a plain call that takes longer is the last one that is run for comparison."""
MOST_FUNCTIONS: Final = 2_000
"""The number of functions that are recorded."""
SAME_RESULTS: Final = ("numpy", "native")
"""The backends whose results are those of the plain function to the bit."""


@dataclass(slots=True)
class OpenCall:
    """A call that is going on.

    Args:
        clock: counts it.
        outer: the call that it was made in.
        inner: nanoseconds of captures and of other functions' calls in it.
        capturing: nanoseconds of its own captures, which do not count as its time.
    """

    clock: FunctionClock
    outer: OpenCall | None
    inner: int = 0
    capturing: int = 0

    def is_inside(self, clock: FunctionClock) -> bool:
        """Return whether it was made in a call of a function, or is one."""
        call: OpenCall | None = self
        while call is not None and call.clock is not clock:
            call = call.outer
        return call is not None


OPEN: Final[ContextVar[OpenCall | None]] = ContextVar("OPEN", default=None)
"""The call that is going on in this context."""


@dataclass(slots=True)
class CallTimes:
    """The number and the time of calls, in nanoseconds."""

    calls: int = 0
    total: int = 0
    own: int = 0
    slowest: int = 0

    def add(self, took: int, own: int) -> None:
        """Count a call."""
        self.calls += 1
        self.total += took
        self.own += own
        self.slowest = max(self.slowest, took)


@dataclass(slots=True, eq=False)
class FunctionClock:
    """What is measured of one function.

    Args:
        function: the compiled function.
        before: its counts when the recording began.
        compared: some calls run as the plain function.
        between: called after each call that is made in no other one.

    ``kinds`` holds the calls by program and size of arguments, and ``programs`` counts how often another program came.
    """

    function: Compiled[..., Any]
    before: Any
    compared: bool
    between: Callable[[], None] | None = None
    times: CallTimes = field(default_factory=CallTimes)
    plain: CallTimes = field(default_factory=CallTimes)
    captures: list[tuple[Stages, int]] = field(default_factory=list)
    kinds: dict[Any, CallKind] = field(default_factory=dict[Any, CallKind])
    programs: int = 0
    raised: int = 0
    lines: Counter[int] = field(default_factory=Counter)
    lock: Any = field(default_factory=threading.Lock)

    def can_compare(self) -> bool:
        """Return whether the plain function gives what the graphs give, to the bit."""
        options, captures = self.function.__astrace_options__, self.function.captures
        exact = options.inlines and options.exact and options.backend != "jax"
        return self.compared and exact and bool(captures) and all(map(_gives_the_same, captures))

    def kind_of(self, program: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> CallKind:
        """Return the kind of a call; calls of kinds beyond `MOST_KINDS` are not compared."""
        key = program, *size_of(args, kwargs)
        kind = self.kinds.get(key)
        if kind is None:
            kind = CallKind()
            if len(self.kinds) < MOST_KINDS:
                kind = self.kinds.setdefault(key, kind)
        return kind

    def wants_plain(self, kind: CallKind) -> bool:
        """Return whether it is the plain function's turn."""
        if kind.calls < 2 << len(kind.plain) or self.plain.slowest >= LONG:
            return False
        return self.plain.calls < ALWAYS_COMPARED or self.plain.total < SHARE * self.times.total

    def plain_run(
        self, find: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], kind: CallKind
    ) -> Callable[[], Any]:
        """Return what runs the plain function in place of what is found for a call; a call that none fits is captured."""
        find(*args, **kwargs)
        plain = functools.partial(self.function.__astrace_function__, *args, **kwargs)
        return functools.partial(self.measure, plain, kind, is_plain=True)

    def next_program(self) -> int:
        """Return the number of the program that runs from now on."""
        self.programs += 1
        return self.programs

    def codes(self) -> Iterator[CodeType]:
        """The code objects that run its calls."""
        plain = self.function.__astrace_target__.function
        runs = (
            stages.executable.function for stages in self.function.captures if stages.executable is not None
        )
        for one in (plain, *runs):
            if isinstance(found := getattr(one, "__code__", None), CodeType):
                yield found

    def measure(self, run: Callable[[], Any], kind: CallKind, is_plain: bool = False) -> Any:
        """Run a call."""
        outer, own = OPEN.get(), spent()
        call = OpenCall(self, outer)
        token = OPEN.set(call)
        started, failed = perf_counter_ns(), True
        try:
            found = run()
            failed = False
            return found
        finally:
            took = perf_counter_ns() - started
            OPEN.reset(token)
            if outer is not None:
                outer.inner += took
            with self.lock:
                self.raised += failed
                (self.plain if is_plain else self.times).add(took - call.capturing, took - call.inner)
                own = spent() - own
                if not failed and is_hardly(own, took):
                    _count(kind, took - own, is_plain)
            if outer is None and self.between is not None:
                self.between()


# its frames lie between a caller and its function
FunctionClock.measure = no_caller(FunctionClock.measure)


def _count(kind: CallKind, took: int, is_plain: bool) -> None:
    """Count a call that says what others of its kind take."""
    if is_plain:
        kind.plain.append(took)
    else:
        kind.calls += 1
        kind.total += took


def _gives_the_same(stages: Stages) -> bool:
    executable = stages.executable
    return stages.fallback is None and executable is not None and executable.backend in SAME_RESULTS


class ClockRecorder:
    """Makes clocks, and puts them in front of functions.

    Args:
        compare: some calls run as the plain function, for comparison.
        lines: code objects are noted for whoever samples lines.

    ``between`` is called between calls, ``listener`` with the name of each function that is captured.
    """

    def __init__(self, compare: bool, lines: bool) -> None:
        self._compare, self._lines = compare, lines
        self.between: Callable[[], None] | None = None
        self.listener: Callable[[str], None] | None = None
        self.clocks: dict[int, FunctionClock] = {}
        self.codes: dict[CodeType, FunctionClock] = {}
        self.dropped = 0
        self._lock = threading.RLock()

    def clock_of(self, function: Compiled[..., Any]) -> FunctionClock | None:
        """Return the clock of a function; ``None`` where there are too many."""
        with self._lock:
            clock = self.clocks.get(id(function))
            if clock is None and len(self.clocks) < MOST_FUNCTIONS:
                clock = FunctionClock(function, function.stats, self._compare, self.between)
                self.clocks[id(function)] = clock
            elif clock is None:
                self.dropped += 1
            return clock

    def timed(self, function: Any, dispatch: Callable[..., Any], /) -> Callable[..., Any]:
        """Return what takes the calls of a function in front of its dispatcher."""
        clock = self.clock_of(function)
        if clock is None:
            return dispatch
        self._note(clock)
        find = functools.cache(function.__astrace_finder__)
        compares, program = clock.can_compare(), clock.next_program()

        @no_caller
        def timed(*args: Any, **kwargs: Any) -> Any:
            if _passes(clock):
                return dispatch(*args, **kwargs)
            kind = clock.kind_of(program, args, kwargs)
            if compares and clock.wants_plain(kind):
                return clock.plain_run(find(), args, kwargs, kind)()
            return clock.measure(functools.partial(dispatch, *args, **kwargs), kind)

        return timed

    def timed_entrance(self, function: Any, find: Callable[..., Any], /) -> Callable[..., Any]:
        """Return the same for callers that run what they are given."""
        clock = self.clock_of(function)
        if clock is None:
            return find
        compares, program = clock.can_compare(), clock.next_program()

        @no_caller
        def enter(*args: Any, **kwargs: Any) -> Callable[[], Any]:
            if _passes(clock):
                return find(*args, **kwargs)
            kind = clock.kind_of(program, args, kwargs)
            if compares and clock.wants_plain(kind):
                return clock.plain_run(find, args, kwargs, kind)
            return functools.partial(clock.measure, find(*args, **kwargs), kind)

        return enter

    def specialised(self, function: Any, stages: Any, nanoseconds: int, /) -> None:
        """Take note of a capture and of how long it took."""
        clock, call = self.clocks.get(id(function)), OPEN.get()
        if clock is not None:
            clock.captures.append((stages, nanoseconds))
            if self.listener is not None:
                self.listener(function.__astrace_target__.name)
        if call is not None:
            call.inner += nanoseconds
        while call is not None:  # no call's time has a capture in it
            call.capturing += nanoseconds
            call = call.outer

    def _note(self, clock: FunctionClock) -> None:
        """Note the code objects of a function, which may have a new capture."""
        if self._lines:
            self.codes.update(dict.fromkeys(clock.codes(), clock))


def _passes(clock: FunctionClock) -> bool:
    """Return whether a call is not measured: it is traced, or made in a call of the same function."""
    call = OPEN.get()
    return TRACE.get() is not None or (call is not None and call.is_inside(clock))
