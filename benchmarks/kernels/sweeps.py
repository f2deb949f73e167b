"""Tridiagonal systems and iterations for linear systems: forward and backward sweeps."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- tridiagonal systems ---------------------------------------------------------------------------------


def tridiagonal(below, diagonal, above, right):
    """Solve with three diagonals by elimination (Thomas, 1949): down, then up with a negative step."""
    n = len(diagonal)
    c, d = np.zeros(n), np.zeros(n)
    c[0] = above[0] / diagonal[0]
    d[0] = right[0] / diagonal[0]
    for i in range(1, n):
        pivot = diagonal[i] - below[i] * c[i - 1]
        if i < n - 1:
            c[i] = above[i] / pivot
        d[i] = (right[i] - below[i] * d[i - 1]) / pivot
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return x


def alternating_directions(u, steps, ratio):
    """Heat in a plate: each half step is implicit along one axis, for all lines of the other at once."""
    n = u.shape[0]
    factors = np.zeros(n)
    for i in range(1, n - 1):
        factors[i] = ratio / (1.0 + 2.0 * ratio - ratio * factors[i - 1])
    for half_step in range(2 * steps):
        v = u.T if half_step % 2 else u
        sweep = np.zeros_like(v)
        explicit = ratio * (v[1:-1, :-2] - 2.0 * v[1:-1, 1:-1] + v[1:-1, 2:])
        for i in range(1, n - 1):
            known = v[i, 1:-1] + explicit[i - 1]
            sweep[i, 1:-1] = (known + ratio * sweep[i - 1, 1:-1]) * factors[i] / ratio
        for i in range(n - 2, 0, -1):
            sweep[i] += factors[i] * sweep[i + 1]
        v[1:-1, 1:-1] = sweep[1:-1, 1:-1]
    return u


def diagonals(size: int) -> tuple[Any, ...]:
    """Three diagonals and a right-hand side."""
    rng = np.random.default_rng(23)
    below, above, right = rng.random((3, size))
    return below, 3.0 + above, above, right


def other_diagonals() -> tuple[tuple[Any, ...], ...]:
    """One unknown, two, none, whole numbers, zeros."""
    system = diagonals(4)
    whole = (np.ones(4, int), np.arange(3, 7), np.ones(4, int), np.arange(4))
    empty, single, pair = ([one[:n] for one in system] for n in (0, 1, 2))
    return tuple(single), tuple(pair), tuple(empty), whole, tuple(one * 0 for one in system)


def square(size: int) -> tuple[Any, ...]:
    """A plate with a hot corner."""
    u = np.zeros((size, size))
    u[: size // 2, : size // 2] = 1.0
    return u, 3, 0.4


def other_squares() -> tuple[tuple[Any, ...], ...]:
    """No step, one step, nothing inside."""
    u = square(5)[0]
    return (u, 0, 0.4), (u, 1, 0.4), (u[:2, :2], 1, 0.4)


# -- iterations ------------------------------------------------------------------------------------------


def conjugate_gradients(a, b, tolerance=1e-10):
    """Solve with a positive matrix (Hestenes and Stiefel, 1952); gives the answer and the number of turns."""
    x = np.zeros_like(b)
    residual = b - a @ x
    direction = residual.copy()
    size = residual @ residual
    for turn in range(10 * len(b)):
        if np.sqrt(size) < tolerance:
            break
        along = a @ direction
        step = size / (direction @ along)
        x += step * direction
        residual -= step * along
        last, size = size, residual @ residual
        direction *= size / last
        direction += residual
    else:
        turn = -1
    return x, turn


def power_iteration(a, tolerance, limit):
    """The largest eigenvalue and its vector, by repeated products."""
    v = np.ones(len(a)) / np.sqrt(len(a))
    value = 0.0
    for _ in range(limit):
        w = a @ v
        last, value = value, np.dot(v, w)
        v = w / np.linalg.norm(w)
        if abs(value - last) <= tolerance * abs(value):
            return value, v, True
    return value, v, False


def definite(size: int) -> tuple[Any, ...]:
    """A positive matrix and a right-hand side."""
    rng = np.random.default_rng(24)
    a = rng.random((size, size))
    return a @ a.T + np.eye(size), rng.random(size)


def other_definite() -> tuple[tuple[Any, ...], ...]:
    """Solved at once, nothing to solve, never solved."""
    a, b = definite(4)
    return (a, b * 0), (a[:0, :0], b[:0]), (a, b, 0.0)


def spectra(size: int) -> tuple[Any, ...]:
    """A positive matrix."""
    return definite(size)[0], 1e-9, 200


def other_spectra() -> tuple[tuple[Any, ...], ...]:
    """No turn, one, zeros."""
    a = definite(4)[0]
    return (a, 1e-9, 0), (a, 1e-9, 1), (a * 0, 1e-9, 3)


KERNELS = (
    Kernel(tridiagonal, diagonals, 5, 3_000, other_diagonals),
    Kernel(alternating_directions, square, 5, 60, other_squares),
    Kernel(conjugate_gradients, definite, 5, 100, other_definite),
    Kernel(power_iteration, spectra, 5, 200, other_spectra),
)
