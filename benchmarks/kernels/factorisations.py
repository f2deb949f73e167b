"""Factorisations of matrices, written row by row with slices that grow or shrink.

The algorithms are those of Golub and Van Loan, *Matrix Computations*, chapters 3 to 5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- LU --------------------------------------------------------------------------------------------------


def lu(a):
    """Doolittle's LU in place: the lower factor below the diagonal, the upper one on and above it."""
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            a[i, j] -= a[i, :i] @ a[:i, j]


def lu_pivoted(a):
    """Gaussian elimination with partial pivoting; gives the factors in one matrix, the rows' order and its sign."""
    a = a.copy()
    n = len(a)
    order = np.arange(n)
    sign = 1
    for k in range(n - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        if a[p, k] == 0:
            continue
        if p != k:
            a[[k, p]] = a[[p, k]]
            order[k], order[p] = order[p], order[k]
            sign = -sign
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, order, sign


def matrix(size: int) -> tuple[Any, ...]:
    """A matrix that needs no pivoting, yet is better off with it."""
    rng = np.random.default_rng(2)
    return (rng.random((size, size)) + np.diag(np.linspace(1.0, size, size)),)


def other_matrices() -> tuple[tuple[Any, ...], ...]:
    """None, one element, singular, rows to be exchanged, not square, columns in memory order."""
    a = matrix(4)[0]
    flipped = a[::-1].copy()
    return (a[:0, :0],), (a[:1, :1],), (np.ones((3, 3)),), (flipped,), (a[:2],), (np.asfortranarray(a),)


# -- Cholesky --------------------------------------------------------------------------------------------


def cholesky(a):
    """The lower Cholesky factor, element by element, in place; zeros above it."""
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] = (a[i, j] - np.dot(a[i, :j], a[j, :j])) / a[j, j]
        a[i, i] = np.sqrt(a[i, i] - np.dot(a[i, :i], a[i, :i]))
        a[i, i + 1 :] = 0.0
    return a


def cholesky_by_columns(a):
    """The same by columns, on a copy; gives None where the matrix is not positive definite."""
    factor = np.zeros_like(a)
    for j in range(len(a)):
        row = factor[j, :j]
        pivot = a[j, j] - row @ row
        if pivot <= 0:
            return None
        factor[j, j] = np.sqrt(pivot)
        factor[j + 1 :, j] = (a[j + 1 :, j] - factor[j + 1 :, :j] @ row) / factor[j, j]
    return factor


def positive(size: int) -> tuple[Any, ...]:
    """A positive definite matrix."""
    rng = np.random.default_rng(3)
    a = rng.random((size, size))
    return (a @ a.T + size * np.eye(size),)


def other_positives() -> tuple[tuple[Any, ...], ...]:
    """None, one element, not positive."""
    a = positive(3)[0]
    return (a[:0, :0],), (a[:1, :1],), (-a,), (np.ones((2, 2)),)


# -- QR --------------------------------------------------------------------------------------------------


def gram_schmidt(a):
    """Modified Gram-Schmidt: an orthonormal basis of the columns, and the coefficients."""
    n = a.shape[1]
    q = a.copy()
    r = np.zeros((n, n), dtype=a.dtype)
    for k in range(n):
        r[k, k] = np.sqrt(np.sum(q[:, k] ** 2))
        q[:, k] /= r[k, k]
        for j in range(k + 1, n):
            r[k, j] = q[:, k] @ q[:, j]
            q[:, j] -= r[k, j] * q[:, k]
    return q, r


def reflector(x):
    """Householder's vector that sends a column to its first axis, and the column's new first element."""
    v = x.copy()
    length = np.linalg.norm(x)
    head = -length if x[0] > 0 else length
    v[0] -= head
    scale = np.linalg.norm(v)
    if scale > 0:
        v /= scale
    return v, head


def householder(a):
    """QR by reflections; the upper factor and the reflectors, which are kept in a list."""
    r = np.array(a, copy=True)
    vectors = []
    for k in range(min(r.shape)):
        v, r[k, k] = reflector(r[k:, k])
        r[k + 1 :, k] = 0.0
        r[k:, k + 1 :] -= 2.0 * np.outer(v, v @ r[k:, k + 1 :])
        vectors.append(v)
    return r, vectors


def rotation(a, b):
    """Cosine and sine of the rotation that turns (a, b) into (r, 0)."""
    if b == 0:
        return 1.0, 0.0
    if abs(b) > abs(a):
        t = a / b
        s = 1.0 / np.sqrt(1.0 + t * t)
        return s * t, s
    t = b / a
    c = 1.0 / np.sqrt(1.0 + t * t)
    return c, c * t


def givens(a):
    """QR by rotations of two rows, from the bottom up; the upper factor replaces the matrix."""
    rows, columns = a.shape
    for j in range(columns):
        for i in range(rows - 1, j, -1):
            c, s = rotation(a[i - 1, j], a[i, j])
            upper, lower = a[i - 1, j:].copy(), a[i, j:].copy()
            a[i - 1, j:] = c * upper + s * lower
            a[i, j:] = c * lower - s * upper
    return a


def tall(size: int) -> tuple[Any, ...]:
    """More rows than columns."""
    return (np.random.default_rng(4).normal(size=(size + 2, size)),)


def other_tall() -> tuple[tuple[Any, ...], ...]:
    """None, one column, zeros, a column that is an axis already, wide."""
    a = tall(3)[0]
    return (a[:, :0],), (a[:, :1],), (np.zeros((3, 2)),), (np.eye(4)[:, :2],), (a.T.copy(),)


KERNELS = (
    Kernel(lu, matrix, 5, 40, other_matrices),
    Kernel(lu_pivoted, matrix, 5, 100, other_matrices),
    Kernel(cholesky, positive, 4, 40, other_positives),
    Kernel(cholesky_by_columns, positive, 4, 200, other_positives),
    Kernel(gram_schmidt, tall, 4, 40, other_tall),
    Kernel(householder, tall, 4, 60, other_tall),
    Kernel(givens, tall, 4, 25, other_tall),
)
