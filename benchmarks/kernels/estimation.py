"""States that are tracked: Kalman filters, attitudes, recurrent cells; small matrices in long loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- filters with small matrices -------------------------------------------------------------------------


def kalman(observed, moves, sees, noise, error, state, spread):
    """Track a state through noisy observations (Kalman, 1960); gives the states and the likelihood's exponent."""
    states = np.zeros((len(observed), len(state)))
    surprise = 0.0
    for i in range(len(observed)):
        state = moves @ state
        spread = moves @ spread @ moves.T + noise
        innovation = observed[i] - sees @ state
        inverse = np.linalg.inv(sees @ spread @ sees.T + error)
        gain = spread @ sees.T @ inverse
        state = state + gain @ innovation
        spread = spread - gain @ sees @ spread
        surprise += innovation @ inverse @ innovation
        states[i] = state
    return states, surprise


def smoother(observed, moves, sees, noise, error, state, spread):
    """Kalman's filter by ``dot``, then backwards over what it has kept (Rauch, Tung and Striebel, 1965)."""
    n, size = len(observed), len(state)
    states, spreads = np.zeros((n, size)), np.zeros((n, size, size))
    expected, uncertain = np.zeros((n, size)), np.zeros((n, size, size))
    for t in range(n):
        state = moves.dot(state)
        spread = moves.dot(spread).dot(moves.T) + noise
        expected[t], uncertain[t] = state, spread
        crossed = sees.dot(spread)
        gain = np.linalg.solve(crossed.dot(sees.T) + error, crossed).T
        state = state + gain.dot(observed[t] - sees.dot(state))
        spread = (np.eye(size) - gain.dot(sees)).dot(spread)
        spread = 0.5 * (spread + spread.T)
        states[t], spreads[t] = state, spread
    for t in range(n - 2, -1, -1):
        back = spreads[t].dot(moves.T).dot(np.linalg.inv(uncertain[t + 1]))
        states[t] += back.dot(states[t + 1] - expected[t + 1])
        spreads[t] += back.dot(spreads[t + 1] - uncertain[t + 1]).dot(back.T)
    return states, spreads


def one_by_one(observed, sees, error, state, spread):
    """Kalman's update by one number at a time, without an inverse; the state and its spread change in place."""
    n = len(state)
    for i in range(len(observed)):
        row = sees[i % len(sees)]
        gain = np.zeros(n)
        variance = error
        for j in range(n):
            for k in range(n):
                gain[j] += spread[j, k] * row[k]
            variance += row[j] * gain[j]
        left = observed[i]
        for j in range(n):
            left -= row[j] * state[j]
        for j in range(n):
            state[j] += gain[j] / variance * left
            for k in range(n):
                spread[j, k] -= gain[j] * gain[k] / variance
    return state, spread


def track(size: int) -> tuple[Any, ...]:
    """Noisy places of something that moves in a plane."""
    rng = np.random.default_rng(41)
    moves = np.eye(4)
    moves[0, 2] = moves[1, 3] = 0.1
    observed = np.cumsum(rng.normal(size=(size, 2)), axis=0)
    return observed, moves, np.eye(4)[:2], 0.01 * np.eye(4), 0.5 * np.eye(2), np.zeros(4), np.eye(4)


def other_tracks() -> tuple[tuple[Any, ...], ...]:
    """Nothing observed, once, nothing known for certain, sizes that differ."""
    observed, moves, sees, noise, error, state, spread = track(4)
    return (
        (observed[:0], moves, sees, noise, error, state, spread),
        (observed[:1], moves, sees, noise, error, state, spread),
        (observed, moves, sees, noise, 0 * error, state, 0 * spread + 1e-9),
        (observed[:, :1], moves, sees[:1], noise, error[:1, :1], state, spread),
    )


def numbers(size: int) -> tuple[Any, ...]:
    """Numbers observed of three unknown ones."""
    rng = np.random.default_rng(42)
    return rng.normal(size=size), rng.normal(size=(5, 3)), 0.1, np.zeros(3), np.eye(3)


def other_numbers() -> tuple[tuple[Any, ...], ...]:
    """Nothing observed, one number, one unknown."""
    observed, sees, error, state, spread = numbers(4)
    return (
        (observed[:0], sees, error, state, spread),
        (observed[:1], sees, error, state, spread),
        (observed, sees[:, :1], error, state[:1], spread[:1, :1]),
    )


# -- attitudes -------------------------------------------------------------------------------------------


def turned(q, p):
    """The product of two quaternions."""
    a, b, c, d = q
    e, f, g, h = p
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def attitude(rates, dt):
    """The attitude of a body from its rates of turn, as a quaternion that is kept at length one."""
    q = (1.0, 0.0, 0.0, 0.0)
    path = np.empty((len(rates), 4))
    for i in range(len(rates)):
        x, y, z = 0.5 * dt * rates[i, 0], 0.5 * dt * rates[i, 1], 0.5 * dt * rates[i, 2]
        q = turned(q, (1.0, x, y, z))
        length = np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        q = (q[0] / length, q[1] / length, q[2] / length, q[3] / length)
        path[i] = q
    return path, q


def rates(size: int) -> tuple[Any, ...]:
    """Rates of turn and a step of time."""
    return np.random.default_rng(43).normal(size=(size, 3)), 0.01


def other_rates() -> tuple[tuple[Any, ...], ...]:
    """None, one, at rest."""
    given, dt = rates(3)
    return (given[:0], dt), (given[:1], dt), (0 * given, dt)


# -- recurrent cells -------------------------------------------------------------------------------------


def recurrent(inputs, state, into, around, bias):
    """A recurrent layer (Elman, 1990): each state follows from the last one and an input."""
    states = np.zeros((inputs.shape[0], state.shape[0]))
    for i in range(inputs.shape[0]):
        state = np.tanh(into @ inputs[i] + around @ state + bias)
        states[i, :] = state
    return states


def gated(inputs, state, update, reset, candidate):
    """Gated recurrent units (Cho et al., 2014)."""
    for x in inputs:
        both = np.concatenate([x, state])
        z = 1.0 / (1.0 + np.exp(-(update @ both)))
        r = 1.0 / (1.0 + np.exp(-(reset @ both)))
        fresh = np.tanh(candidate @ np.concatenate([x, r * state]))
        state = (1.0 - z) * state + z * fresh
    return state


def cells(size: int) -> tuple[Any, ...]:
    """Inputs, a state, the weights of a layer."""
    rng = np.random.default_rng(44)
    return (
        rng.normal(size=(size, 4)),
        np.zeros(8),
        rng.normal(size=(8, 4)),
        rng.normal(size=(8, 8)) / 4,
        rng.normal(size=8),
    )


def other_cells() -> tuple[tuple[Any, ...], ...]:
    """No input, one, sizes that differ."""
    inputs, *others = cells(3)
    return (inputs[:0], *others), (inputs[:1], *others), (inputs[:, :3], *others)


def gates(size: int) -> tuple[Any, ...]:
    """Inputs, a state, the weights of three gates."""
    rng = np.random.default_rng(45)
    return rng.normal(size=(size, 4)), np.zeros(8), *(rng.normal(size=(3, 8, 12)) / 3)


def other_gates() -> tuple[tuple[Any, ...], ...]:
    """No input, one, sizes that differ."""
    inputs, *others = gates(3)
    return (inputs[:0], *others), (inputs[:1], *others), (inputs[:, :3], *others)


KERNELS = (
    Kernel(kalman, track, 6, 400, other_tracks),
    Kernel(smoother, track, 6, 400, other_tracks),
    Kernel(one_by_one, numbers, 8, 400, other_numbers),
    Kernel(attitude, rates, 8, 1_000, other_rates),
    Kernel(recurrent, cells, 6, 500, other_cells),
    Kernel(gated, gates, 6, 300, other_gates),
)
