"""The choice between a kernel and NumPy's program of the same loop: both run on real arguments, and the faster one is taken.

The kernel runs on copies, NumPy's program on the arguments themselves, so that a trial does what the call would have
done.  Results that differ in a bit end the kernel's use for good.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from astrace.backends.numpy import backend as numpy_backend
from astrace.ir.block import Block
from astrace.ir.constants import UNSET
from astrace.util.trees import Hole

TRIALS: Final = 5
"""The number of times that short loops are timed; for a long one, once is enough."""
LONG: Final = 2e-3
"""Seconds."""


class ResultsDiffer(Exception):
    """A kernel has computed something else than NumPy.

    Args:
        expected: the outputs of the loop.
    """

    def __init__(self, expected: Sequence[Any]) -> None:
        super().__init__()
        self.expected = expected


@dataclass(slots=True)
class TrialTimes:
    """The seconds that a kernel and NumPy's program took for arguments of about one size."""

    kernel: list[float] = field(default_factory=list[float])
    numpy: list[float] = field(default_factory=list[float])

    @property
    def speedup(self) -> float:
        """The factor by which the kernel is faster."""
        return statistics.median(self.numpy) / statistics.median(self.kernel)

    @property
    def are_enough(self) -> bool:
        """Return whether the kernel can be judged."""
        return len(self.kernel) >= TRIALS or (bool(self.kernel) and self.numpy[-1] > LONG)


class Judge:
    """Judges one kernel, for each order of magnitude of its arguments' sizes.

    Args:
        loop: a block that holds the loop alone.
        name: the name of the kernel.
        file: the user's file.
        module: what Python's warnings look for in the globals of the code that warns.
    """

    def __init__(self, loop: Block, name: str, file: str, module: Mapping[str, Any]) -> None:
        outputs = tuple(Hole(index) for index in range(len(loop.outputs)))
        self._program = numpy_backend.compile_block(loop, outputs, f"{name}_by_numpy", file, module)
        self.times: dict[int, TrialTimes] = {}

    @property
    def best_speedup(self) -> float:
        """The factor by which the kernel is faster, for the arguments that suit it most; 0 while nothing is known."""
        return max((times.speedup for times in self.times.values() if times.are_enough), default=0.0)

    def __str__(self) -> str:
        known = [
            (1 << (3 * magnitude), times)
            for magnitude, times in sorted(self.times.items())
            if times.are_enough
        ]
        if not known:
            return "NumPy; machine code is not timed yet"
        return "; ".join(
            f"{'machine code' if times.speedup > 1 else 'NumPy'} for about {size} items "
            f"(machine code is {times.speedup:.1f} times as fast)"
            for size, times in known
        )

    def prefers_kernel(self, magnitude: int) -> bool | None:
        """Return whether the kernel is the faster one; ``None`` where that is not known yet.

        Args:
            magnitude: of the arguments' sizes, as `magnitude_of` gives it.
        """
        times = self.times.get(magnitude)
        return times.speedup > 1 if times is not None and times.are_enough else None

    def compare(self, run: Callable[[Sequence[Any]], Any], args: Sequence[Any], magnitude: int) -> Any:
        """Run both; return the outputs of the loop, or ``None`` where the kernel has given up and nothing has changed.

        Args:
            run: runs the kernel; ``None`` comes out where it gives up.
            args: the arguments of the call; NumPy's program writes to them.
            magnitude: of their sizes.

        Raises:
            ResultsDiffer: the kernel has computed something else.
        """
        if magnitude not in self.times and run(copies(args)) is None:  # may compile: it is not timed
            return None
        given = copies(args)
        started = time.perf_counter()
        found = run(given)
        between = time.perf_counter()
        if found is None:
            return None
        expected = self._program.function(*(args[index] for index in self._program.used))
        ended = time.perf_counter()
        same = (
            one is UNSET or are_same(other, one)  # nothing reads the number in the place of what has no value
            for one, other in zip((*expected, *args), (*found, *given), strict=True)
        )
        if not all(same):
            raise ResultsDiffer(expected)
        times = self.times.setdefault(magnitude, TrialTimes())
        times.kernel.append(between - started)
        times.numpy.append(ended - between)
        return expected


def magnitude_of(args: Sequence[Any]) -> int:
    """Return the order of magnitude of the arguments: it changes where sizes grow or shrink eightfold.

    Example:
        >>> magnitude_of([np.zeros(1000), 5]) == magnitude_of([np.zeros(1010), 5])
        True
    """
    total = sum(
        one.size if isinstance(one, np.ndarray) else abs(one) if type(one) is int else 0 for one in args
    )
    return total.bit_length() // 3


def copies(args: Sequence[Any]) -> list[Any]:
    """Return the arguments with copies of the arrays; one array that is given twice stays one."""
    made: dict[int, Any] = {}
    for one in args:
        if isinstance(one, np.ndarray) and id(one) not in made:
            made[id(one)] = one.copy(order="K")
    return [made.get(id(one), one) for one in args]


def are_same(found: Any, expected: Any) -> bool:
    """Return whether two numbers or arrays have one type and the same bits."""
    if type(found) is not type(expected):
        return False
    if isinstance(found, np.ndarray | np.generic):
        same_type = found.dtype == expected.dtype and found.shape == expected.shape
        return same_type and found.tobytes() == expected.tobytes()
    if isinstance(found, float):
        return np.float64(found).tobytes() == np.float64(expected).tobytes()
    return bool(found == expected)
