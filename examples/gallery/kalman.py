"""Kalman filter: where a noisy measured object is, and how fast it moves."""

import numpy as np


def kalman(measured, step, noise):
    move = np.array([[1.0, step], [0.0, 1.0]])
    seen = np.array([[1.0, 0.0]])
    drift = noise * np.array([[step**4 / 4, step**3 / 2], [step**3 / 2, step**2]])
    state, spread = np.zeros((2, 1)), 10.0 * np.eye(2)
    found = np.zeros((len(measured), 2))
    for i in range(len(measured)):
        state = move @ state
        spread = move @ spread @ move.T + drift
        if not np.isnan(measured[i]):  # a gap: nothing was measured
            gain = spread @ seen.T / (seen @ spread @ seen.T + 1.0)
            state = state + gain * (measured[i] - (seen @ state)[0, 0])
            spread = spread - gain @ seen @ spread
        found[i] = state[:, 0]
    return found


def arguments(large):
    count = 600 if large else 12
    times = np.arange(count) * 0.1
    measured = 4 * np.sin(times / 3) + np.random.default_rng(1).normal(0, 1.0, count)
    measured[count // 2 : count // 2 + count // 10] = np.nan
    return measured, 0.1, 0.5


def plot(axes, result, measured, *_):
    axes.plot(measured, ".", ms=2, color="0.7")
    axes.plot(result[:, 0])
