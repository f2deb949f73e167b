"""The choice between a kernel and NumPy's program of the same loop: both run on real arguments, and the faster one is taken.

The kernel runs on copies, NumPy's program on the arguments themselves, so that a trial does what the call would have
done.  Results that differ in a bit end the kernel's use for good.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from astrace.backends.base import EXACT, Executable, Mode
from astrace.backends.native.entry.argument_copies import copies
from astrace.backends.native.hints import Hints
from astrace.backends.native.modes.agreement import Agreement, LoopResults
from astrace.backends.numpy import backend as numpy_backend
from astrace.ir.block import Block
from astrace.util.trees import Hole

TRIALS: Final = 5
"""The number of times that short loops are timed; for a long one, once is enough."""
LONG: Final = 2e-3
"""Seconds."""
LATER: Final = 8
"""The number of the call at which loops are timed again, and then whenever there were twice as many calls."""
REPAID: Final = 10
"""How much longer than the slower one's part in a trial the runs until the next one take, once two trials agree."""
CLEAR: Final = 8.0
"""The factor from which on the first trial of a long loop counts: what either runs on is memory that is not there yet."""
BRIEF: Final = 0.2
"""Seconds: a kernel that takes more, and longer than NumPy's program, is not tried at once again."""
LATEST: Final = 8
"""The number of trials that count: a program's first loops are often not like the later ones."""
MARGIN: Final = 1.1
"""The factor by which a kernel has to be faster: what is timed is never the same twice."""
DECLINING: Final = 0.2e-6
"""Seconds that a call takes in which machine code leaves the loop to NumPy."""
ASKING: Final = 0.1e-6
"""Seconds that it takes to ask a kernel: machine code tests its arguments."""
AT_LENGTH: Final = 3e-6
"""Seconds that it takes where they do not pass, and somebody is asked."""
LEAST: Final = 1e-9
"""Seconds: nothing takes less."""
LOSS: Final = 2e-4
"""Seconds that may be lost with declining before a kernel is not asked any more."""
SAVINGS: Final = 0.1
"""Seconds of earlier gains, at most, that are set against later losses."""


class ResultsDiffer(Exception):
    """A kernel has computed something else than NumPy.

    Args:
        expected: the outputs of the loop.
    """

    def __init__(self, expected: Sequence[Any]) -> None:
        super().__init__()
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Contestant:
    """A kernel in a trial.

    Args:
        run: runs it; ``None`` comes out where it gives up.  Nothing else is timed.
        admits: returns whether it runs with arguments.
        outputs: gives all outputs of the loop, of what ``run`` has given, and the arguments.
        asking: returns the seconds that it takes to ask it, for arguments.
    """

    run: Callable[[Sequence[Any]], Any]
    admits: Callable[[Sequence[Any]], bool] = lambda _: True
    outputs: Callable[[Any, Sequence[Any]], Sequence[Any]] = lambda found, _: found
    asking: Callable[[Sequence[Any]], float] = lambda _: ASKING


@dataclass(slots=True)
class TrialTimes:
    """The seconds that a kernel and NumPy's program took for arguments of about one size.

    Args:
        kernel: of each trial.
        numpy: the same.
        calls: the number of calls so far.
        due: the number of the next call that is a trial.
        prefers_kernel: true where the kernel is the faster one; false while nothing is known.
        gain: seconds that a call of the kernel saves.
        is_warm: NumPy's program has run on such arguments.
        took: seconds of the kernel in the last trial.
    """

    kernel: list[float] = field(default_factory=list[float])
    numpy: list[float] = field(default_factory=list[float])
    calls: int = 0
    due: int = 0
    prefers_kernel: bool = False
    gain: float = 0.0
    is_warm: bool = False
    took: float = 0.0

    def add(self, kernel: float, numpy: float) -> None:
        """Add a trial; the first one of a long loop counts where it leaves no doubt.

        Args:
            kernel: seconds.
            numpy: seconds.
        """
        self.calls += 1
        self.took = kernel
        was_warm, self.is_warm = self.is_warm, True
        if not was_warm and numpy > LONG and _is_in_doubt(kernel, numpy):
            self.due = self.calls
            return
        self.kernel.append(kernel)
        self.numpy.append(numpy)
        if not self.are_enough:
            self.due = self.calls
            return
        self.due = self._next()
        del self.kernel[:-LATEST], self.numpy[:-LATEST]
        self.prefers_kernel = self.speedup > MARGIN
        by_kernel, by_numpy = self._seconds()
        self.gain = (by_numpy - by_kernel) / len(self.kernel)

    @property
    def speedup(self) -> float:
        """The factor by which the kernel is faster."""
        by_kernel, by_numpy = self._seconds()
        return by_numpy / by_kernel

    @property
    def needs_memory(self) -> bool:
        """Return whether the kernel is to run once before it is timed: NumPy's program finds the memory that it has used, after it."""
        return self.took < BRIEF and (not self.numpy or self.numpy[-1] > LONG)

    @property
    def are_enough(self) -> bool:
        """Return whether the kernel can be judged."""
        return len(self.kernel) >= TRIALS or (bool(self.kernel) and self.numpy[-1] > LONG)

    def _next(self) -> int:
        """Return the number of the call that is the next trial: trials get rarer, and cost little of the whole time."""
        doubled = max(LATER, 2 * self.calls)
        if len(self.kernel) == 1:
            return doubled
        speedup = self.speedup
        return max(doubled, self.calls + int(REPAID * max(speedup, 1 / speedup)))

    def _seconds(self) -> tuple[float, float]:
        """Return the sums, for the kernel and for NumPy; the longest trial, if there are several, may be an accident.

        Sums, because one loop often has few iterations and at times many, and the latter are what counts.
        """
        pairs = sorted(zip(self.kernel, self.numpy, strict=True), key=sum)
        kept = pairs[:-1] if len(pairs) >= TRIALS else pairs
        return sum(kernel for kernel, _ in kept), sum(numpy for _, numpy in kept)


def _is_in_doubt(kernel: float, numpy: float) -> bool:
    """Return whether the seconds of the first trial of a long loop say little of later calls, of either."""
    if kernel < numpy:
        return numpy < CLEAR * kernel
    return kernel < min(CLEAR * numpy, BRIEF)


class Judge:
    """Judges one kernel, for each order of magnitude of its arguments' sizes.

    ``saved`` is the seconds that the kernel has saved lately, less those that were lost with asking it.

    Args:
        loop: a block that holds the loop alone.
        name: the name of the kernel.
        file: the user's file.
        module: what Python's warnings look for in the globals of the code that warns.
        mode: whether results have to be the same to the bit, or to be within the tolerance.
    """

    def __init__(
        self, loop: Block, name: str, file: str, module: Mapping[str, Any], mode: Mode = EXACT
    ) -> None:
        outputs = tuple(Hole(index) for index in range(len(loop.outputs)))

        def program(block: Block) -> Executable:
            return numpy_backend.compile_block(block, outputs, f"{name}_by_numpy", file, module)

        self._program = program(loop)
        self._agreement = Agreement(loop, lambda block, args: _run(program(block), args), mode)
        self._hints = Hints("loop", self._program.source, [value.spec for value in loop.inputs], mode)
        self.times = _restored(self._hints.read())
        self.saved = 0.0

    @property
    def knows(self) -> bool:
        """True once there are enough trials for arguments of some size."""
        return any(times.are_enough for times in self.times.values())

    @property
    def prefers_kernel(self) -> bool:
        """True where the kernel is the faster one for arguments of some size."""
        return any(times.prefers_kernel for times in self.times.values())

    def __str__(self) -> str:
        known = [
            (_sizes_of(magnitude), times)
            for magnitude, times in sorted(self.times.items())
            if times.are_enough
        ]
        if not known:
            return "NumPy; machine code is not timed yet"
        return "; ".join(
            f"{'machine code' if times.prefers_kernel else 'NumPy'} for {sizes} items "
            f"(machine code is {times.speedup:.1f} times as fast)"
            for sizes, times in known
        )

    def choose(self, magnitude: int) -> bool | None:
        """Return whether the kernel runs in a call; ``None`` for a trial of both.

        Args:
            magnitude: of the arguments' sizes, as `admission` gives it.
        """
        times = self.times.get(magnitude)
        if times is None or times.calls >= times.due:
            return None
        times.calls += 1
        if times.prefers_kernel:
            self.saved = min(self.saved + times.gain, SAVINGS)
            return True
        self.saved -= DECLINING
        return False

    def grant(self, magnitude: int) -> int:
        """Return the number of calls that may run the kernel before the next trial; below zero, those that NumPy runs.

        Args:
            magnitude: of their arguments' sizes.
        """
        times = self.times.get(magnitude)
        if times is None or times.calls >= times.due:
            return 0
        left = times.due - times.calls
        if times.prefers_kernel:
            return left
        return -min(left, max(int((self.saved + LOSS) / DECLINING) + 1, 1))

    def count(self, magnitude: int, calls: int) -> None:
        """Count calls that were granted.

        Args:
            magnitude: of their arguments' sizes.
            calls: their number.
        """
        times = self.times[magnitude]
        times.calls += calls
        if times.prefers_kernel:
            self.saved = min(self.saved + times.gain * calls, SAVINGS)
        else:
            self.saved -= DECLINING * calls

    @property
    def loses(self) -> bool:
        """True where asking the kernel has cost more than it has saved."""
        return self.saved < -LOSS

    def forgive(self) -> None:
        """Forget the losses: the kernel is given another chance."""
        self.saved = 0.0

    def compare(self, kernel: Contestant, args: Sequence[Any], magnitude: int) -> Any:
        """Run both; return the outputs of the loop, or ``None`` where the kernel has given up and nothing has changed.

        Args:
            kernel: the kernel.
            args: the arguments of the call; NumPy's program writes to them.
            magnitude: of their sizes.

        Raises:
            ResultsDiffer: the kernel has computed something else.
        """
        is_new = magnitude not in self.times
        given = copies(args)
        before = copies(args) if self._agreement.needs_arguments else ()
        runs_before = is_new or self.times[magnitude].needs_memory
        if runs_before and not self._runs(kernel, copies(args)):  # may compile: it is not timed
            return None
        if not kernel.admits(given):
            return None
        started = time.perf_counter()
        made = kernel.run(given)
        took = time.perf_counter() - started
        if made is None or (is_new and took < LONG and not self._warmed(copies(args))):
            return None
        took += kernel.asking(args)
        started = time.perf_counter()
        expected = self._by_numpy(args)
        numpy = time.perf_counter() - started
        found = LoopResults(kernel.outputs(made, given), given)
        if not self._agreement.holds(found, LoopResults(expected, args), before):
            self._hints.write({})  # the next process looks for itself
            raise ResultsDiffer(expected)
        self._add(magnitude, took, numpy)
        return expected

    def _runs(self, kernel: Contestant, args: Sequence[Any]) -> bool:
        """Run the kernel; return whether it comes to its end."""
        return kernel.admits(args) and kernel.run(args) is not None

    def _by_numpy(self, args: Sequence[Any]) -> Any:
        """Run NumPy's program; return its outputs."""
        return _run(self._program, args)

    def _warmed(self, args: Sequence[Any]) -> bool:
        """Run NumPy's program on copies, so that it is as warm as the kernel when it is timed; return whether it can be.

        Where the kernel has come to its end, nothing is raised or warned of; if something is, the program tells of it on the
        arguments themselves.
        """
        try:
            with np.errstate(all="ignore"):
                self._by_numpy(args)
        except Exception:
            return False
        return True

    def _add(self, magnitude: int, kernel: float, numpy: float) -> None:
        """Add a trial; what it decides is kept for the next process."""
        times = self.times.setdefault(magnitude, TrialTimes())
        before = times.are_enough, times.prefers_kernel
        times.add(kernel, numpy)
        if times.are_enough and before != (True, times.prefers_kernel):
            known = {one: [own.kernel, own.numpy] for one, own in self.times.items() if own.are_enough}
            self._hints.write(known)


def _run(program: Executable, args: Sequence[Any]) -> Any:
    """Run NumPy's program; return its outputs."""
    return program.function(*(args[index] for index in program.used))


def _restored(known: Any) -> dict[int, TrialTimes]:
    """Return the trials of earlier processes, if what was kept are such."""
    found: dict[int, TrialTimes] = {}
    try:
        for magnitude, pairs in (known or {}).items():
            times = found[int(magnitude)] = TrialTimes(is_warm=True)
            for kernel, numpy in zip(*pairs, strict=True):
                times.add(max(float(kernel), LEAST), max(float(numpy), LEAST))
    except (AttributeError, TypeError, ValueError):
        return {}
    return found


def _sizes_of(magnitude: int) -> str:
    """Return the sizes of arguments of an order of magnitude, as `admission` tells it."""
    return f"{1 << 3 * magnitude - 1 if magnitude else 0:,} to {(1 << 3 * magnitude + 2) - 1:,}"
