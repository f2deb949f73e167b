"""The function, or opaque code, replaces functions of NumPy and `math`, and calls what was there before, too."""

import math

import numpy as np

exec(
    """def put(owner, name, value):
    setattr(owner, name, value)

def patch(value):
    np.sin = value"""
)


def other(*args):
    return "other", len(args)


def by_itself(x):
    saved = np.sin
    np.sin = other
    result = np.sin(x), saved(x)
    np.sin = saved
    return result


def in_try(x):
    saved = math.floor
    math.floor = other
    try:
        return math.floor(x), saved(x)
    finally:
        math.floor = saved


def cosine(x):
    return np.cos(x)


def in_branch(x):
    saved = np.cos
    if x > 0:
        np.cos = other
    try:
        return cosine(x), saved(x)
    finally:
        np.cos = saved


def of_submodule(x):
    saved = np.linalg.norm
    np.linalg.norm = other
    result = np.linalg.norm(x), saved(x)
    np.linalg.norm = saved
    return result


def deleted(x):
    saved = np.sin
    del np.sin
    try:
        return np.sin(x)
    except AttributeError as error:
        return str(error)
    finally:
        np.sin = saved


def opaque(x):
    saved = np.sin
    put(np, "sin", other)
    result = np.sin(x), saved(x)
    put(np, "sin", saved)
    return result


def by_its_name(x):
    saved = np.sin
    patch(other)
    result = np.sin(x), saved(x)
    patch(saved)
    return result


WAYS = {
    way.__name__: way for way in (by_itself, in_try, in_branch, of_submodule, deleted, opaque, by_its_name)
}


def f(way, x):
    return WAYS[way](x), np.sin(x), np.cos(x), math.floor(x)


CALLS = [(way, x) for way in WAYS for x in (1.5, -0.5)]
PLAIN = "AT213"
