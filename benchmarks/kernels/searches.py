"""Roots, integrals, clusters, orders: loops whose end the data decide."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- roots -----------------------------------------------------------------------------------------------


def kepler(mean_anomaly, eccentricity, tolerance=1e-12):
    """Kepler's equation by Newton's method, for many orbits until the last one has converged."""
    anomaly = mean_anomaly + eccentricity * np.sin(mean_anomaly)
    turns = 0
    while True:
        excess = anomaly - eccentricity * np.sin(anomaly) - mean_anomaly
        step = excess / (1.0 - eccentricity * np.cos(anomaly))
        anomaly = anomaly - step
        turns += 1
        if np.all(np.abs(step) < tolerance) or turns >= 50:
            break
    return anomaly, turns


def orbits(size: int) -> tuple[Any, ...]:
    """Orbits of all shapes."""
    return np.linspace(0.1, 3.0, size), np.linspace(0.0, 0.95, size)


def other_orbits() -> tuple[tuple[Any, ...], ...]:
    """Circles, none at all, never near enough."""
    mean, shape = orbits(3)
    return (mean, 0 * shape), (mean[:0], shape[:0]), (mean, shape, 0.0)


def polynomial(coefficients, x):
    """The value at x, by Horner's rule."""
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def bisect(coefficients, low, high, tolerance):
    """A root between two signs: halves, until the bracket is short; raises where the signs are equal."""
    at_low, at_high = polynomial(coefficients, low), polynomial(coefficients, high)
    if at_low * at_high > 0:
        raise ValueError("no sign changes")
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        value = polynomial(coefficients, middle)
        if value == 0:
            return middle
        if (value < 0) == (at_low < 0):
            low, at_low = middle, value
        else:
            high = middle
    return 0.5 * (low + high)


def coefficients(size: int) -> tuple[Any, ...]:
    """A polynomial of odd degree."""
    return np.concatenate([[1.0], np.linspace(-1.0, 1.0, 2 * size), [-0.3]]), -4.0, 4.0, 1e-12


def other_coefficients() -> tuple[tuple[Any, ...], ...]:
    """Met exactly, no sign change, none at all."""
    return (
        (np.array([1.0, 0.0]), -2.0, 2.0, 1e-6),
        (np.array([1.0, 0.0, 1.0]), -2.0, 2.0, 1e-6),
        (np.array([]), -2.0, 2.0, 1e-6),
    )


# -- integrals -------------------------------------------------------------------------------------------


def peaks(x):
    """A function with a sharp peak and a smooth part."""
    return 1.0 / ((x - 0.3) ** 2 + 0.01) + np.sin(5.0 * x)


def simpson(a, fa, b, fb):
    """Simpson's rule on an interval: its middle, the value there, the integral."""
    m = 0.5 * (a + b)
    fm = peaks(m)
    return m, fm, (b - a) / 6.0 * (fa + 4.0 * fm + fb)


def adaptive_integral(a, b, tolerance):
    """Adaptive Simpson's rule (Kuncir, 1962) with the intervals still to do on a list."""
    fa, fb = peaks(a), peaks(b)
    m, fm, whole = simpson(a, fa, b, fb)
    todo = [(a, fa, m, fm, b, fb, whole, tolerance)]
    total, evaluations = 0.0, 3
    while todo:
        a, fa, m, fm, b, fb, whole, near = todo.pop()
        left_m, left_fm, left = simpson(a, fa, m, fm)
        right_m, right_fm, right = simpson(m, fm, b, fb)
        evaluations += 2
        change = left + right - whole
        if abs(change) <= 15.0 * near:
            total += left + right + change / 15.0
        else:
            todo.append((a, fa, left_m, left_fm, m, fm, left, near / 2))
            todo.append((m, fm, right_m, right_fm, b, fb, right, near / 2))
    return total, evaluations


def interval(size: int) -> tuple[Any, ...]:
    """An interval."""
    return 0.0, float(size), 1e-7


def other_intervals() -> tuple[tuple[Any, ...], ...]:
    """Easy, empty, whole numbers, NumPy's numbers."""
    return (0.0, 0.01, 1e-3), (1.0, 1.0, 1e-3), (0, 1, 1e-3), (np.float32(0), np.float32(1), 1e-3)


def romberg(low, high, levels):
    """The trapezoidal rule with ever more points, extrapolated in a triangular table."""
    table = np.zeros((levels, levels))
    h = high - low
    for i in range(levels):
        if i == 0:
            table[0, 0] = 0.5 * h * (peaks(low) + peaks(high))
        else:
            h = h / 2
            between = low + h * np.arange(1, 2**i, 2)
            table[i, 0] = 0.5 * table[i - 1, 0] + h * peaks(between).sum()
        for j in range(1, i + 1):
            table[i, j] = table[i, j - 1] + (table[i, j - 1] - table[i - 1, j - 1]) / (4**j - 1)
    return table


def levels(size: int) -> tuple[Any, ...]:
    """An interval and a number of levels."""
    return 0.0, 1.0, size


def other_levels() -> tuple[tuple[Any, ...], ...]:
    """None, one, whole ends."""
    return (0.0, 1.0, 0), (0.0, 1.0, 1), (0, 2, 3)


# -- clusters and orders ---------------------------------------------------------------------------------


def k_means(points, count, limit):
    """Points to their nearest centre, centres to the mean of their points, until nothing moves (Lloyd)."""
    centres = points[:count].copy()
    labels = np.full(len(points), -1)
    for turn in range(limit):
        apart = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        nearest = np.argmin(apart, axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        for c in range(count):
            members = points[labels == c]
            if len(members) > 0:
                centres[c] = members.mean(axis=0)
    return centres, labels


def clouds(size: int) -> tuple[Any, ...]:
    """Points around three places."""
    rng = np.random.default_rng(30)
    return rng.normal(size=(3 * size, 2)) + 4 * rng.integers(0, 3, (3 * size, 1)), 3, 50


def other_clouds() -> tuple[tuple[Any, ...], ...]:
    """No turn, one centre, as many as points, equal points."""
    points = clouds(3)[0]
    return (points, 2, 0), (points, 1, 5), (points, 9, 5), (points * 0, 2, 5)


def quicksort(values):
    """Sort in place with the ranges still to do on a list (Hoare, 1961)."""
    todo = [(0, len(values) - 1)]
    while todo:
        low, high = todo.pop()
        if low >= high:
            continue
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        todo.append((low, j))
        todo.append((i, high))


def unsorted(size: int) -> tuple[Any, ...]:
    """Values in no order."""
    return (np.random.default_rng(31).permutation(np.arange(size) // 2),)


def other_unsorted() -> tuple[tuple[Any, ...], ...]:
    """None, one, sorted, reversed, equal, with a stride."""
    values = np.arange(6.0)
    return (values[:0],), (values[:1],), (values,), (values[::-1],), (values * 0,), (unsorted(9)[0][::2],)


KERNELS = (
    Kernel(kepler, orbits, 4, 2_000, other_orbits),
    Kernel(bisect, coefficients, 2, 20, other_coefficients),
    Kernel(adaptive_integral, interval, 1, 20, other_intervals),
    Kernel(romberg, levels, 4, 14, other_levels),
    Kernel(k_means, clouds, 5, 300, other_clouds),
    Kernel(quicksort, unsorted, 8, 500, other_unsorted),
)
