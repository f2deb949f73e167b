"""Compile a NumPy function with a loop, a branch and an early exit, and look at what was captured.

    python examples/quickstart.py

The data are Simon Newcomb's 66 measurements of 1882 of the time that light takes over 7442 metres, in
nanoseconds above 24800.  Two of them are plainly wrong.
"""

from __future__ import annotations

import inspect
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import astrace

NEWCOMB = """28 26 33 24 34 -44 27 16 40 -2 29 22 24 21 25 30 23 29 31 19 24 20 36 32 36 28 25 21 28 29 37 25 28
             26 30 32 36 26 30 22 36 23 27 27 28 27 31 27 26 33 26 32 32 24 39 28 24 25 32 25 29 27 28 29 16 23"""


@astrace.compile
def clipped_mean(x: NDArray[np.float64], width: float) -> tuple[np.float64, int, int]:
    """The mean without outliers: the farthest point is dropped until none is too far."""
    keep = np.ones(x.size, dtype=bool)
    low = high = 0
    while keep.sum() > 2:
        mean, deviation = x[keep].mean(), x[keep].std()
        distance = np.where(keep, np.abs(x - mean), 0)
        worst = distance.argmax()
        if distance[worst] <= width * deviation:
            break
        keep[worst] = False
        if x[worst] < mean:
            low += 1
        else:
            high += 1
    return x[keep].mean(), low, high


def bits(result: tuple[Any, ...]) -> list[tuple[type, bytes]]:
    """Types and bytes of a result: they are equal where it is equal to the bit."""
    return [(type(item), np.asarray(item).tobytes()) for item in result]


def time_of(function: Callable[..., Any], *args: Any) -> float:
    """The time of one call in microseconds."""
    start = time.perf_counter_ns()
    function(*args)
    return (time.perf_counter_ns() - start) / 1000


def show(title: str, *content: object) -> None:
    """Print a part under its heading."""
    print(f"\n== {title} {'=' * (95 - len(title))}")
    print(*(str(item).strip("\n") for item in content), sep="\n")


def main() -> None:
    """Show the source, what was captured of it, that the results are equal, and what it costs."""
    plain, x = clipped_mean.__wrapped__, np.array(NEWCOMB.split(), np.float64)
    show("The function", inspect.getsource(plain))

    first = time_of(clipped_mean, x, 3.0)
    stages = clipped_mean.stages(x, 3.0)
    show("The graph: one while_loop, whatever the data", stages.graph)
    show("The generated NumPy source", stages.executable)

    mean, low, high = clipped_mean(x, 3.0)
    found = f"mean {x.mean():.3f} of all points, {mean:.3f} without the outliers ({low} low, {high} high)"
    rng = np.random.default_rng(1882)
    samples = [rng.choice(x, int(rng.integers(3, 200))) for _ in range(1000)]
    equal = sum(bits(clipped_mean(one, 2.5)) == bits(plain(one, 2.5)) for one in samples)
    counts = f"{equal} of {len(samples)} resamples equal, of any length; traces: {clipped_mean.stats.traces}"
    show("The same results as plain Python, to the bit", found, counts)
    show("What became of each line", clipped_mean.explain(x, 3.0))

    pairs = [(time_of(plain, x, 3.0), time_of(clipped_mean, x, 3.0)) for _ in range(500)]
    before, after = map(statistics.median, zip(*pairs, strict=True))
    show(
        "The time of a call (both make the same NumPy calls)",
        f"first call, capture included {first:10.1f} µs",
        f"plain Python, median         {before:10.1f} µs",
        f"compiled, median             {after:10.1f} µs",
    )


if __name__ == "__main__":
    main()
