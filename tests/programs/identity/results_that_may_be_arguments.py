"""Whether a result is an argument, another result or a new array depends on data: the object itself comes out."""

import numpy as np


def doubled(u, n):
    for _ in range(n):
        u = u * 2
    return u


def halved(u, limit):
    turns = 0
    while np.abs(u).max() > limit and turns < 10:
        u = u / 2
        turns += 1
    return u, turns


def left_early(u, limit):
    for _ in range(5):
        if u.sum() > limit:
            return u
        u = u + 1
    return u


def one_of(u, v, n):
    return u if n > 0 else v


def exchanged(u, v, n):
    for _ in range(n):
        u, v = v, u
    return u, v


def in_tuples(u, v, n):
    pair = (u, v)
    for _ in range(n):
        pair = (pair[1], pair[0] + pair[1])
    return pair


def nested(u, n):
    w = u
    for i in range(n):
        w = u if i % 3 == 1 else w + 1
        for _ in range(i):
            if w[0] > 5:
                w = u
    return w


def from_outside_the_loop(u, n):
    zeros, kept = np.zeros(len(u)), u + 1
    for _ in range(n):
        kept = zeros
    return kept, zeros


def under_two_names(u, n):
    a = b = u + 1
    for _ in range(n):
        a = a * 2
    if n > 2:
        b = b * 3
    return a, b


def f(u, v, n):
    halves = halved(u, n + 1.5)
    kept = one_of(u, v, n), exchanged(u, v, n), in_tuples(u, v, n), from_outside_the_loop(u, n)
    return doubled(u, n), doubled(v, n)[1:], halves, left_early(u, n), kept, nested(u, n), under_two_names(u, n)


CALLS = [(np.arange(4.0) + 1, np.arange(4.0), n) for n in (0, 1, 2, 3, 9)]


def noise(rng):
    return rng.normal(size=4), rng.normal(size=4), int(rng.integers(0, 6))
