"""A variable that a loop or a ``with`` body assigns, and that the generator or the manager reads by a nested function."""

import contextlib

import numpy as np

LOG = []


@contextlib.contextmanager
def logged(get):
    try:
        yield get()
    finally:
        LOG.append(get())


def asking(get, x):
    for v in x:
        yield get(), v


def three(step):
    yield step()
    yield step()
    yield step() * 2


def constants(x):
    c, seen = 1.0, []
    for given, v in asking(lambda: c, x):
        seen.append(given)
        c = True if v > 1 else None
    return c, seen


def counting(x, n):
    c = 0

    def gen():
        for v in x:
            yield v + c

    for v in gen():
        c = c + 1
        if v > n:
            break
    return c


def mapped(x, n):
    c, seen = 1.0, []
    for v in map(lambda v: v * c, x):
        c = n
        seen.append(v)
    for v in (w * c for w in x):
        c = n + v
        seen.append(v)
    return seen, c


def largest(x):
    best = None

    def better(v):
        return best is None or v > best

    for v in filter(better, x):
        best = v
    return best


def until(n):
    done = False

    def ask():
        i = 0
        while not done and i < 6:
            i += 1
            yield i

    for i in ask():
        if i > n:
            done = True
    return done


def nested(n):
    state = 0
    for _ in range(n):
        for v in three(lambda: state + 1):
            state = v
    return state


def managed(x, n):
    c = 1.0
    with logged(lambda: c) as m:
        c = m + 1 if n > 2 else None
    return c


def f(x, n):
    return constants(x), counting(x, n), mapped(x, n), largest(x), until(n), nested(n), managed(x, n)


def noise(rng):
    return rng.normal(size=int(rng.integers(0, 4))), int(rng.integers(0, 5))


CALLS = [(np.arange(4.0), 1), (np.array([2.0, 0.0, 3.0]), 3), (np.zeros(0), 0), (np.ones(1), 7)]
