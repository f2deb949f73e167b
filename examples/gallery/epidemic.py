"""An epidemic (SIR), by Runge and Kutta, until fewer than one person is ill."""

import numpy as np


def change(state, spread, recovery):
    ill = spread * state[0] * state[1] / state.sum()
    return np.array([-ill, ill - recovery * state[1], recovery * state[1]])


def epidemic(state, spread, recovery, step, most):
    path = np.zeros((most, 3))
    count = 0
    while state[1] >= 1.0 and count < most:
        path[count] = state
        a = change(state, spread, recovery)
        b = change(state + step / 2 * a, spread, recovery)
        c = change(state + step / 2 * b, spread, recovery)
        d = change(state + step * c, spread, recovery)
        state = state + step / 6 * (a + 2 * b + 2 * c + d)
        count += 1
    return path[:count]


def arguments(large):
    return np.array([9990.0, 10.0, 0.0]), 0.35, 0.1, 0.1 if large else 4.0, 4000


def plot(axes, result, *_):
    axes.plot(result, label=["healthy", "ill", "recovered"])
    axes.legend()
