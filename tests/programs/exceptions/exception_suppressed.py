"""Managers that swallow exceptions."""

import contextlib


def suppress(x):
    r = 1
    with contextlib.suppress(KeyError):
        r = 2
        {}[x]
        r = 3
    return r


def suppress_static(x):
    with contextlib.suppress(KeyError):
        raise KeyError
    return 5


class M_3:
    def __enter__(self):
        return 1

    def __exit__(self, *a):
        return True


def mgr_true(x):
    r = 0
    with M_3():
        r = 1
        raise ValueError
    return r


class M_4:
    def __enter__(self):
        return 1

    def __exit__(self, t, v, tb):
        return t is KeyError


def mgr_cond(x):
    r = 0
    with M_4():
        r = 1
        {}[x]
    return r


def f(x):
    return suppress(x), suppress_static(x), mgr_true(x), mgr_cond(x)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT209"
