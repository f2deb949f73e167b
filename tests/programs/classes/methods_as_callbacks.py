"""Bound methods, the user's and those of compiled code, given to opaque code."""

import numpy as np


class Scale:
    def __init__(self, k):
        self.k = k
        self.calls = 0

    def of(self, v):
        self.calls += 1
        return v * self.k


rng = np.random.default_rng(3)
outside = Scale(2.0)


def f(x, n):
    made = Scale(3.0)
    draws = [v for v, _ in zip(iter(rng.random, 2.0), range(n))]
    noise = np.vectorize(rng.normal)(x)
    scaled = np.vectorize(outside.of, otypes=[float])(x)
    again = np.apply_along_axis(made.of, 0, x)
    rows = sorted([3.0, -1.0, 2.0], key=outside.of)
    return draws, noise, scaled, again, rows, made.calls, outside.calls, rng.random()


CALLS = [(np.arange(3.0), 2), (np.arange(4.0), 0)]
AFTER = "outside.calls, rng.bit_generator.state"
