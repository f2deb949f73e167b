"""What may be kept: each of these is captured once, whatever array it is called with, and never warns."""

import functools

import numpy as np
from cases import case

ARRAYS = ((np.array([1.0, 2.0, 3.0]),), (np.array([4.0, 5.0, 6.0]),), (np.array([-1.0, 0.5, 2.0]),))
always = case(*ARRAYS)


@always
def literal(x):
    return x * 2.5 + 1


WEIGHTS = np.arange(3.0)


@always
def fixed_weights(x):
    return x * WEIGHTS


@functools.lru_cache
def square(n):
    return n * n


@always
def pure_cached_helper(x):
    return x * square(3)


@always
def clipped(x):
    return np.clip(x, -1, 1)


@always
def converted(x):
    return x.astype("float32")


STEPS = [1.0, 2.0, 3.0]


@always
def constant_list(x):
    for k in STEPS:
        x = x + k
    return x


@always
def constant_result(x):
    return x * 0 + 7.0


@always
def fixed_shape(x):
    return x.reshape(3, 1).sum(1)


FLAG = True


@always
def constant_flag(x):
    return x if FLAG else -x


@always
def sorted_array(x):
    return np.sort(x)


@always
def rounded(x):
    return np.round(x, 3)


@always
def same_result_for_all(x):
    return np.isfinite(x).astype(float)
