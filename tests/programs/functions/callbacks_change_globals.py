"""Opaque code that calls back into the module: what it changed is read afterwards."""

import numpy as np

import functools
import re

N = 0

@functools.lru_cache
def cached(n):
    global N
    N += 1
    return n * 2

def count(v):
    global N
    N += 1
    return v

class Made:
    total = 0

    def __new__(cls):
        cls.total += 1
        return super().__new__(cls)

class Shown:
    def __repr__(self):
        global N
        N += 100
        return "Shown"

def f(x, shown):
    cached(3)
    first = x + N
    np.vectorize(count)(x)
    second = N
    np.apply_along_axis(count, 0, x)
    third = N
    re.sub("a", replaced, "banana")
    fourth = N
    Made()
    print(shown)
    np.frompyfunc(count, 1, 1)(x)
    return first, second, third, fourth, N, Made.total

def replaced(found):
    return str(count(1))

CALLS = [(np.ones(2), Shown()), (np.ones(3), Shown())]
AFTER = "N, Made.total, cached.cache_info().hits"
