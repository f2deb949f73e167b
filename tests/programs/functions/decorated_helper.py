"""Helpers behind decorators."""

import numpy as np

import functools

def twice(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(fn(*args, **kwargs))
    return wrapper

def scaled(k):
    def deco(fn):
        def inner(v):
            if v > 100:
                return v
            return fn(v) * k
        return inner
    return deco

@twice
@scaled(3)
def h(v):
    return v + 1

def f(s):
    return h(s)

CALLS = [(np.float64(1.0),), (np.float64(90.0),)]
