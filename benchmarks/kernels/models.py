"""Models of data: probabilities by rows, mixtures, regressions, densities, axes of ellipsoids."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- rows ------------------------------------------------------------------------------------------------


def log_sum_exp(x):
    """The logarithm of the sum of exponentials, row by row."""
    most = np.max(x, axis=1, keepdims=True)
    return most + np.log(np.sum(np.exp(x - most), axis=1, keepdims=True))


def cross_entropy(x, labels):
    """The loss of a classifier and its gradient, for all rows at once."""
    logs = x - log_sum_exp(x)
    rows = np.arange(len(x))
    loss = -np.mean(logs[rows, labels])
    gradient = np.exp(logs)
    gradient[rows, labels] -= 1.0
    return loss, gradient / len(x)


def standardised(x, scale, shift, tolerance=1e-5):
    """Rows with mean zero and variance one, then scaled and shifted."""
    mean = x.mean(axis=1, keepdims=True)
    centred = x - mean
    variance = np.mean(centred * centred, axis=1, keepdims=True)
    return centred / np.sqrt(variance + tolerance) * scale + shift


def guesses(size: int) -> tuple[Any, ...]:
    """Ten numbers for each of some rows, and a label."""
    rng = np.random.default_rng(54)
    return rng.normal(size=(size, 10)), rng.integers(0, 10, size)


def other_guesses() -> tuple[tuple[Any, ...], ...]:
    """One row, sure ones, a label that there is not."""
    x, labels = guesses(3)
    return (x[:1], labels[:1]), (800 * x, labels), (x, labels + 9)


def with_scale(size: int) -> tuple[Any, ...]:
    """Rows, a scale and a shift for each column."""
    rng = np.random.default_rng(55)
    return rng.normal(size=(size, 32)), rng.random(32), rng.random(32)


def other_scales() -> tuple[tuple[Any, ...], ...]:
    """One row, constant rows, no rows."""
    x, scale, shift = with_scale(3)
    return (x[:1], scale, shift), (0 * x, scale, shift, 1e-3), (x[:0], scale, shift)


# -- fits ------------------------------------------------------------------------------------------------


def mixture(values, means, widths, shares, turns):
    """Normal distributions that together explain some values (expectation and maximisation), in place."""
    for _ in range(turns):
        apart = (values[:, None] - means[None, :]) / widths[None, :]
        likely = shares * np.exp(-0.5 * apart * apart) / widths
        likely /= likely.sum(axis=1)[:, None]
        for k in range(len(means)):
            weight = likely[:, k].sum()
            means[k] = (likely[:, k] * values).sum() / weight
            centred = values - means[k]
            widths[k] = np.sqrt((likely[:, k] * centred * centred).sum() / weight)
            shares[k] = weight / len(values)
    return means, widths, shares


def logistic_fit(x, labels, rate, turns):
    """Logistic regression by gradient descent; gives the weights and the losses."""
    weights = np.zeros(x.shape[1])
    losses = np.zeros(turns)
    for turn in range(turns):
        p = 1.0 / (1.0 + np.exp(-(x @ weights)))
        losses[turn] = -np.mean(labels * np.log(p) + (1.0 - labels) * np.log(1.0 - p))
        weights -= rate * (x.T @ (p - labels)) / len(labels)
    return weights, losses


def coordinate_descent(x, y, penalty, turns):
    """Least squares with few weights (the lasso), one weight after the other."""
    n, count = x.shape
    weights = np.zeros(count)
    left = y.copy()
    for _ in range(turns):
        for j in range(count):
            column = x[:, j]
            size = np.dot(column, column)
            along = np.dot(column, left) + size * weights[j]
            fresh = np.sign(along) * max(abs(along) - penalty * n, 0.0) / size
            left += (weights[j] - fresh) * column
            weights[j] = fresh
    return weights


def densities(places, values, width):
    """How dense values lie at some places: a sum of bells, place by place."""
    found = np.zeros(len(places))
    for i in range(len(places)):
        for j in range(len(values)):
            apart = (places[i] - values[j]) / width
            found[i] += np.exp(-0.5 * apart * apart)
    return found / (len(values) * width * np.sqrt(2.0 * np.pi))


def eigenvalues(a, sweeps):
    """The eigenvalues of a symmetric matrix by rotations (Jacobi, 1846), in place."""
    n = len(a)
    for _ in range(sweeps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if a[p, q] == 0.0:
                    continue
                theta = (a[q, q] - a[p, p]) / (2.0 * a[p, q])
                t = 1.0 / (abs(theta) + np.sqrt(theta * theta + 1.0))
                if theta < 0.0:
                    t = -t
                c = 1.0 / np.sqrt(t * t + 1.0)
                s = t * c
                for k in range(n):
                    a[k, p], a[k, q] = c * a[k, p] - s * a[k, q], s * a[k, p] + c * a[k, q]
                for k in range(n):
                    a[p, k], a[q, k] = c * a[p, k] - s * a[q, k], s * a[p, k] + c * a[q, k]
    return np.sort(np.diag(a))


def samples(size: int) -> tuple[Any, ...]:
    """Values of two kinds, and a first guess."""
    rng = np.random.default_rng(56)
    values = rng.normal(size=size) + 5.0 * rng.integers(0, 2, size)
    return values, np.array([0.0, 4.0]), np.ones(2), np.full(2, 0.5), 10


def other_samples() -> tuple[tuple[Any, ...], ...]:
    """No turn, one kind, all values equal."""
    values, means, widths, shares, _ = samples(8)
    return (
        (values, means, widths, shares, 0),
        (values, means[:1], widths[:1], shares[:1] * 2, 2),
        (0 * values, means, widths, shares, 2),
    )


def answers(size: int) -> tuple[Any, ...]:
    """Features, labels, a rate, a number of turns."""
    rng = np.random.default_rng(57)
    x = rng.normal(size=(size, 4))
    return x, (x.sum(axis=1) + rng.normal(size=size) > 0).astype(float), 0.5, 20


def other_answers() -> tuple[tuple[Any, ...], ...]:
    """No turn, one row, all alike."""
    x, labels, rate, _ = answers(4)
    return (x, labels, rate, 0), (x[:1], labels[:1], rate, 2), (x, 0 * labels, rate, 3)


def lassos(size: int) -> tuple[Any, ...]:
    """Features, values, a penalty, a number of turns."""
    rng = np.random.default_rng(58)
    x = rng.normal(size=(size, 6))
    return x, x[:, 0] - 2.0 * x[:, 1] + 0.1 * rng.normal(size=size), 0.1, 10


def other_lassos() -> tuple[tuple[Any, ...], ...]:
    """No turn, no penalty, nothing but zeros."""
    x, y, penalty, _ = lassos(8)
    return (x, y, penalty, 0), (x, y, 0.0, 2), (0 * x, y, penalty, 1)


def bells(size: int) -> tuple[Any, ...]:
    """Places, values and a width."""
    return np.linspace(-3.0, 3.0, size), np.random.default_rng(59).normal(size=2 * size), 0.3


def other_bells() -> tuple[tuple[Any, ...], ...]:
    """No places, one value, no values, far away."""
    places, values, width = bells(4)
    return (
        (places[:0], values, width),
        (places, values[:1], width),
        (places, values[:0], width),
        (places + 99, values, 0.1),
    )


def symmetric(size: int) -> tuple[Any, ...]:
    """A symmetric matrix and a number of sweeps."""
    a = np.random.default_rng(60).normal(size=(size, size))
    return a + a.T, 6


def other_symmetric() -> tuple[tuple[Any, ...], ...]:
    """No sweep, one element, diagonal already."""
    a, _ = symmetric(3)
    return (a, 0), (a[:1, :1], 2), (np.diag([1.0, 2.0, 3.0]), 2), (a[:2], 1)


KERNELS = (
    Kernel(cross_entropy, guesses, 8, 2_000, other_guesses),
    Kernel(standardised, with_scale, 4, 1_000, other_scales),
    Kernel(mixture, samples, 20, 2_000, other_samples),
    Kernel(logistic_fit, answers, 20, 1_000, other_answers),
    Kernel(coordinate_descent, lassos, 16, 300, other_lassos),
    Kernel(densities, bells, 6, 80, other_bells),
    Kernel(eigenvalues, symmetric, 4, 20, other_symmetric),
)
