"""Loops that call functions of NumPy which machine code has in other functions, with the backend that is chosen, beside plain calls.

    python -m benchmarks.written_times          print the table
    python -m benchmarks.written_times median   print the rows of some names

Loops count as hot at once here, and results are compared to the bit before they are timed.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import astrace
from benchmarks.native_times import CALLS, hot_at_once
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians

RNG: Final = np.random.default_rng(0)
SAMPLES: Final = 31
TAPS: Final = np.array([0.1, 0.2, 0.4, 0.2, 0.1])


def smooths(x: Any, weights: Any, turns: int) -> Any:
    """A filter of few weights."""
    for _ in range(turns):
        x = 0.5 * x + 0.5 * np.convolve(x, weights, "same")
    return x


def correlates(x: Any, weights: Any, turns: int) -> Any:
    """A filter of many weights."""
    for _ in range(turns):
        x = 0.5 * x + 0.01 * np.correlate(x, weights, "same")
    return x


def suppresses_noise(rows: Any, level: float) -> Any:
    """A filter in the frequency domain, for each row."""
    found = np.zeros(rows.shape[1])
    for i in range(len(rows)):
        spectrum = np.fft.rfft(rows[i])
        power = (spectrum * np.conj(spectrum)).real
        found = 0.9 * found + 0.1 * np.fft.irfft(spectrum * (power / (power + level)), len(rows[i]))
    return found


def burgers(u: Any, dx: float, dt: float, turns: int) -> Any:
    """A flow in one dimension."""
    for _ in range(turns):
        slope = np.gradient(u, dx)
        u = u - dt * u * slope + 0.01 * dt * np.gradient(slope, dx)
    return u


def shallow_water(h: Any, dt: float, turns: int) -> Any:
    """A flow in two dimensions."""
    u = v = np.zeros_like(h)
    for _ in range(turns):
        down, across = np.gradient(h)
        u = u - dt * across
        v = v - dt * down
        h = h - dt * (np.gradient(u, axis=1) + np.gradient(v, axis=0))
    return h


def spins(w: Any, inertia: Any, torque: Any, dt: float, turns: int) -> Any:
    """A rigid body."""
    for _ in range(turns):
        w = w + dt * (torque - np.cross(w, inertia * w)) / inertia
    return w


def normalises(psi: Any, x: Any, turns: int) -> Any:
    """A wave function."""
    for _ in range(turns):
        psi = psi + 0.01 * np.exp(-psi)
        psi = psi / np.sqrt(np.trapezoid(psi * psi, x))
    return psi


def descends(p: Any, x: Any, turns: int) -> Any:
    """A polynomial at many places."""
    for _ in range(turns):
        x = x - 0.01 * np.polyval(p, x)
    return x


def median_filter(x: Any, width: int) -> Any:
    """The middle of a window."""
    y = x.copy()
    for i in range(width, len(x) - width):
        y[i] = np.median(x[i - width : i + width + 1])
    return y


def low_envelope(x: Any, width: int) -> Any:
    """A quantile of a window."""
    y = x.copy()
    for i in range(width, len(x) - width):
        y[i] = np.percentile(x[i - width : i + width + 1], 25)
    return y


def entropies(x: Any, turns: int) -> float:
    """What a histogram tells."""
    total = 0.0
    for i in range(turns):
        counts, _ = np.histogram(x * (1.0 + 0.01 * i), bins=16, range=(-4.0, 4.0))
        share = counts / len(x)
        total += np.sum(share * share)
    return total


def rolling_covariance(x: Any, y: Any, width: int) -> float:
    """A window over two series."""
    total = 0.0
    for i in range(width, len(x)):
        total += np.cov(x[i - width : i], y[i - width : i])[0, 1]
    return total


def means_of_rows(rows: Any, weights: Any) -> float:
    """Rows with gaps, and rows with weights."""
    total = 0.0
    for i in range(len(rows)):
        total += np.nanmean(rows[i]) + np.average(np.nan_to_num(rows[i]), weights=weights)
    return total


def phases(rows: Any) -> float:
    """The last phase of each row."""
    total = 0.0
    for i in range(len(rows)):
        total += np.unwrap(rows[i])[-1]
    return total


def rotates(turned: Any, by: Any, turns: int) -> Any:
    """Many small matrices."""
    for _ in range(turns):
        turned = 0.1 * (turned @ by) + 0.5 * by
    return turned


def contracts(a: Any, v: Any, turns: int) -> Any:
    """Sums of products by subscripts."""
    for _ in range(turns):
        v = 0.1 * np.einsum("ij,j->i", a, v)
    return v


def limits(x: Any, turns: int) -> Any:
    """Cases, and bounds."""
    for _ in range(turns):
        x = np.clip(np.select([x > 1.0, x < -1.0], [0.9 * x, 1.1 * x], x * 0.999), a_min=-2.0, a_max=None)
    return x


PROGRAMS: Final[Sequence[tuple[Callable[..., Any], tuple[Any, ...]]]] = (
    (smooths, (RNG.normal(size=64), TAPS, 50)),
    (smooths, (RNG.normal(size=4096), TAPS, 50)),
    (correlates, (RNG.normal(size=256), RNG.normal(size=32), 50)),
    (suppresses_noise, (RNG.normal(size=(40, 256)), 1.0)),
    (burgers, (0.1 * RNG.normal(size=64), 0.1, 0.001, 50)),
    (burgers, (0.1 * RNG.normal(size=4096), 0.1, 0.001, 50)),
    (shallow_water, (RNG.normal(size=(32, 32)), 0.01, 20)),
    (spins, (RNG.normal(size=3), np.array([1.0, 2.0, 3.0]), RNG.normal(size=3), 0.01, 100)),
    (normalises, (RNG.random(101), np.linspace(0.0, 1.0, 101), 50)),
    (descends, (TAPS, RNG.normal(size=64), 50)),
    (median_filter, (RNG.normal(size=200), 4)),
    (low_envelope, (RNG.normal(size=100), 10)),
    (entropies, (RNG.normal(size=200), 30)),
    (rolling_covariance, (RNG.normal(size=100), RNG.normal(size=100), 16)),
    (means_of_rows, (np.where(RNG.random((100, 24)) < 0.1, np.nan, 1.0), RNG.random(24))),
    (phases, (3.0 * RNG.normal(size=(100, 32)),)),
    (rotates, (0.3 * RNG.normal(size=(16, 3, 3)), RNG.normal(size=(16, 3, 3)), 50)),
    (contracts, (RNG.normal(size=(4, 4)), RNG.normal(size=4), 50)),
    (limits, (RNG.normal(size=64), 50)),
)
"""The programs, and their arguments, which none of them changes."""


def row(function: Callable[..., Any], given: tuple[Any, ...]) -> list[Cell]:
    """Time a program, after calls that compile and judge."""
    chosen = astrace.compile(function)
    expected = np.asarray(function(*given))
    for _ in range(CALLS):
        found = np.asarray(chosen(*given))
        assert found.tobytes() == expected.tobytes(), function.__name__
    plain, hot = cpu_medians((function, chosen), lambda: given, SAMPLES)
    first = next(one for one in given if isinstance(one, np.ndarray))
    shape = " x ".join(map(str, first.shape))
    return [f"`{function.__name__}`", shape, 1e6 * plain, 1e6 * hot, plain / hot]


def main(names: Sequence[str]) -> None:
    """Print the table of the programs of some names, or of all."""
    with hot_at_once():
        rows = [row(*one) for one in PROGRAMS if not names or one[0].__name__ in names]
    print(Table(("Program", "size", "plain, µs", "chosen, µs", "plain to chosen"), rows))
    print(f"\ngeometric mean: {statistics.geometric_mean(float(one[-1]) for one in rows):.3g}")


if __name__ == "__main__":
    main(sys.argv[1:])
