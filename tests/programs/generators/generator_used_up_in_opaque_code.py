"""Opaque functions that walk a generator to its end."""

import collections
import functools
import heapq
import math
import operator

import numpy as np


def fromiter_(n):
    return np.fromiter((v * 2.0 for v in range(n)), float)


def fsum(n):
    return math.fsum(v for v in range(n)), math.prod(v for v in range(n))


def reduce_(n):
    return functools.reduce(operator.add, (v for v in range(n)))


def deque_(n):
    return list(collections.deque(v for v in range(n)))


def counter(n):
    return dict(collections.Counter(v for v in range(n)))


def bytes_(n):
    return bytes(v for v in range(n)), bytearray(v for v in range(n))


def fromkeys(n):
    return dict.fromkeys(v for v in range(n))


def nlargest(n):
    return heapq.nlargest(2, (v for v in range(n)))


def od(n):
    return collections.OrderedDict((v, v) for v in range(n))


def dd(n):
    return collections.defaultdict(int, ((v, v) for v in range(n)))


def in_(n):
    return 3 in (v for v in range(n))


def f(n):
    return (
        fromiter_(n),
        fsum(n),
        reduce_(n),
        deque_(n),
        counter(n),
        bytes_(n),
        fromkeys(n),
        nlargest(n),
        od(n),
        dd(n),
        in_(n),
    )


CALLS = [(1,), (4,)]
