"""Boolean masks: escape times, sets that shrink while a loop runs, histograms, sieves."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- escape times ----------------------------------------------------------------------------------------


def plane(left, right, bottom, top, columns, rows, dtype=np.complex128):
    """The points of a rectangle in the complex plane."""
    x = np.linspace(left, right, columns)
    y = np.linspace(bottom, top, rows)
    return (x + y[:, np.newaxis] * 1j).astype(dtype)


def mandelbrot(left, right, bottom, top, size, limit):
    """After how many turns ``z * z + c`` leaves a circle; a mask says who is still inside."""
    c = plane(left, right, bottom, top, size, size)
    turns = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros_like(c)
    for turn in range(limit):
        inside = np.less(abs(z), 2.0)
        turns[inside] = turn
        z[inside] = z[inside] ** 2 + c[inside]
    turns[turns == limit - 1] = 0
    return z, turns


def mandelbrot_shrinking(left, right, bottom, top, size, limit):
    """The same with arrays of those that are left, which get shorter as points escape."""
    c = plane(left, right, bottom, top, size, size)
    turns = np.zeros(c.shape, dtype=np.int32)
    row, column = np.indices(c.shape)
    row, column, c = row.ravel(), column.ravel(), c.ravel()
    z = c.copy()
    for turn in range(1, limit + 1):
        if not len(z):
            break
        np.multiply(z, z, out=z)
        np.add(z, c, out=z)
        escaped = abs(z) > 2.0
        turns[row[escaped], column[escaped]] = turn
        left_over = ~escaped
        row, column = row[left_over], column[left_over]
        z, c = z[left_over], c[left_over]
    return turns


def window(size: int) -> tuple[Any, ...]:
    """A window on the set."""
    return -2.0, 0.5, -1.25, 1.25, size, 30


def other_windows() -> tuple[tuple[Any, ...], ...]:
    """No turn, one turn, all inside, all outside, no points."""
    return (
        (-2.0, 0.5, -1.25, 1.25, 4, 0),
        (-2.0, 0.5, -1.25, 1.25, 4, 1),
        (-0.1, 0.1, -0.1, 0.1, 3, 5),
        (3, 4, 3, 4, 3, 5),
        (3, 4, 3, 4, 0, 5),
    )


# -- sets that shrink ------------------------------------------------------------------------------------


def sieve(limit):
    """Primes below a limit: the smallest number left is prime, its multiples go (Eratosthenes)."""
    primes = []
    left = np.arange(2, limit)
    while left.size and left[0] * left[0] < limit:
        primes.append(left[0])
        left = left[left % left[0] != 0]
    return np.concatenate([np.array(primes, dtype=left.dtype), left])


def limits(size: int) -> tuple[Any, ...]:
    """A limit."""
    return (size,)


def other_limits() -> tuple[tuple[Any, ...], ...]:
    """No primes, one prime."""
    return (0,), (3,), (5,)


def convex_hull(points):
    """The hull of points by gift wrapping (Jarvis, 1973): the next corner has all others on its left."""
    corner = np.lexsort((points[:, 1], points[:, 0]))[0]
    hull = [corner]
    while True:
        ahead = points - points[corner]
        best = 0 if corner != 0 else 1
        for i in range(len(points)):
            cross = ahead[best, 0] * ahead[i, 1] - ahead[best, 1] * ahead[i, 0]
            if i != corner and cross < 0:
                best = i
        if best == hull[0]:
            return points[hull]
        hull.append(best)
        corner = best


def cloud(size: int) -> tuple[Any, ...]:
    """Points in a square."""
    return (np.random.default_rng(13).random((size, 2)),)


def other_clouds() -> tuple[tuple[Any, ...], ...]:
    """A triangle, and a square with its centre."""
    square = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1]])
    return (square[:3],), (square,), (square[::-1] * 0.5,)


# -- histograms ------------------------------------------------------------------------------------------


def histogram(values, weights, bins):
    """Sum the weights in equal bins; the last one holds its upper end."""
    low, high = values.min(), values.max()
    edges = np.linspace(low, high, bins + 1)
    totals = np.empty(bins)
    for i in range(bins):
        inside = (values >= edges[i]) & (values < edges[i + 1])
        if i == bins - 1:
            inside |= values == high
        totals[i] = weights[inside].sum()
    return totals, edges


def radial_profile(values, radius, rings):
    """The mean of values over rings; an empty ring is not a number."""
    outermost = radius.max()
    profile = np.zeros(rings)
    for i in range(rings):
        inner, outer = outermost * i / rings, outermost * (i + 1) / rings
        ring = values[np.logical_and(inner <= radius, radius < outer)]
        profile[i] = ring.mean() if ring.size > 0 else np.nan
    return profile


def weighted(size: int) -> tuple[Any, ...]:
    """Values, their weights, and a number of bins."""
    rng = np.random.default_rng(14)
    return rng.normal(size=10 * size), rng.random(10 * size), size


def rings(size: int) -> tuple[Any, ...]:
    """Values, their distances from a centre, and a number of rings."""
    values, weights, count = weighted(size)
    return values, weights, count


def other_weighted() -> tuple[tuple[Any, ...], ...]:
    """One bin, none, whole numbers, nothing at all, one value."""
    values, weights, _ = weighted(3)
    whole = np.arange(12) % 5
    return (
        (values, weights, 1),
        (values, weights, 0),
        (whole, whole, 4),
        (values[:0], weights[:0], 3),
        (values[:1], weights[:1], 2),
    )


KERNELS = (
    Kernel(mandelbrot, window, 5, 100, other_windows),
    Kernel(mandelbrot_shrinking, window, 5, 100, other_windows),
    Kernel(sieve, limits, 30, 20_000, other_limits),
    Kernel(convex_hull, cloud, 8, 200, other_clouds),
    Kernel(histogram, weighted, 4, 200, other_weighted),
    Kernel(radial_profile, rings, 4, 200, other_weighted),
)
