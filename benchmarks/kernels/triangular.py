"""Triangular systems, symmetric products and recursions whose slices depend on the loop's variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- substitution ----------------------------------------------------------------------------------------


def forward(lower, b):
    """Solve with a lower triangle, first row first."""
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def backward(upper, b):
    """Solve with an upper triangle, last row first."""
    n = b.shape[0]
    x = np.zeros(n, dtype=b.dtype)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(upper[i, i + 1 :], x[i + 1 :])) / upper[i, i]
    return x


def substitutions(lower, b):
    """Solve with a triangle and its transpose, as after a Cholesky factorisation."""
    return backward(lower.T, forward(lower, b))


def system(size: int) -> tuple[Any, ...]:
    """A lower triangle and a right-hand side."""
    rng = np.random.default_rng(5)
    return np.tril(rng.random((size, size))) + np.eye(size), rng.random(size)


def other_systems() -> tuple[tuple[Any, ...], ...]:
    """Empty, one unknown, singular, several right-hand sides, sizes that differ."""
    a, b = system(4)
    wide = np.stack([b, 2 * b], axis=1)
    return (a[:0, :0], b[:0]), (a[:1, :1], b[:1]), (a * 0, b), (a, wide), (a, b[:3]), (a[:2], b)


# -- products --------------------------------------------------------------------------------------------


def symmetric_update(c, a, alpha, beta):
    """``beta * C + alpha * A @ A.T`` on the lower triangle of C alone."""
    for i in range(c.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]


def update(size: int) -> tuple[Any, ...]:
    """A square matrix and one with fewer columns."""
    rng = np.random.default_rng(6)
    return rng.random((size, size)), rng.random((size, size // 2)), 1.5, 0.5


def other_updates() -> tuple[tuple[Any, ...], ...]:
    """Nothing to add, one row, C itself on both sides."""
    c, a, _, _ = update(4)
    return (c, a[:, :0], 1.5, 0.5), (c[:1, :1], a[:1], 2, 3), (c, c, 1.0, 0.5)


# -- Toeplitz --------------------------------------------------------------------------------------------


def levinson(r):
    """Levinson and Durbin: the linear prediction that belongs to an autocorrelation, and its error."""
    a = np.zeros(len(r) - 1)
    error = r[0]
    for k in range(len(r) - 1):
        reflection = -(r[k + 1] + np.dot(a[:k], r[k:0:-1])) / error
        a[:k] += reflection * a[:k][::-1]
        a[k] = reflection
        error = error * (1.0 - reflection * reflection)
    return a, error


def autocorrelation(size: int) -> tuple[Any, ...]:
    """One that falls off."""
    return (0.8 ** np.arange(size) * np.cos(np.arange(size) / 4),)


def other_autocorrelations() -> tuple[tuple[Any, ...], ...]:
    """One value, two, none, silence."""
    r = autocorrelation(3)[0]
    return (r[:1],), (r[:2],), (r[:0],), (np.zeros(3),)


KERNELS = (
    Kernel(substitutions, system, 5, 300, other_systems),
    Kernel(symmetric_update, update, 5, 60, other_updates),
    Kernel(levinson, autocorrelation, 5, 300, other_autocorrelations),
)
