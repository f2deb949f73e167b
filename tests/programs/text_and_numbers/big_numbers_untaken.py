"""Constants of a branch that is not taken, too large to be computed while tracing."""

import math

import numpy as np


def f(x, n):
    if x.sum() > 1e9:
        k = 9
        k **= k
        big = 3
        for _ in range(40):
            big = big * big
        return k**k, 1 << k, big, pow(9, k), round(k, -k), math.factorial(k), math.comb(k * k, k), "a" * k**9
    if n > 100:
        return n ** (10**9)
    small = 12345678901234567890
    return x, 3 ** 9**2, small * small, small**3, small << 70, "ab" * 5, [0, 1] * 3, round(1234, -2), 2**n


CALLS = [(np.ones(3), 3), (np.zeros(2), 2)]


def noise(rng):
    return rng.normal(size=3), int(rng.integers(0, 50))
