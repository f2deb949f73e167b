"""Integers of all widths: compared with numbers that they can't hold, converted, summed to Python's own."""

import numpy as np


def compared(x, n):
    out = np.zeros((len(x), 8), bool)
    for i in range(len(x)):
        out[i, 0] = x[i] < 1000
        out[i, 1] = x[i] > -1
        out[i, 2] = x[i] == 100000
        out[i, 3] = x[i] >= -(2**40)
        out[i, 4] = x[i] != 2**63 - 1
        out[i, 5] = -129 <= x[i]
        out[i, 6] = x[i] <= 2**64 - 1
        out[i, 7] = x[i] < n
    return out, x < 300, x > -1, x == 2**40, x != -1, x <= 2**63, 256 > x, (x < n) | (x > n)


def converted(x):
    n = 0
    for v in x:
        n = n + int(np.int8(v)) + int(np.uint16(v)) + int(np.int32(v)) + int(np.int32(np.float64(v % 7) / 2))
    return n, np.int8(x), np.uint32(x), np.int16(x[1] / 3)


def quantised(x):
    step, last = np.int16(16), np.int16(0)
    for v in x:
        off = np.clip((np.int32(np.int8(v)) - np.int32(last)) // step, -8, 7)
        last = np.int16(last + off * step)
        step = np.int16(max(1, min(2048, int(step) * (2 if abs(int(off)) > 5 else 1))))
    return last, step


def counted(x):
    small = (x % 5).astype(np.uint8)
    total = int(small.sum())
    for one in small:
        total += int(one) * 2
    return total, int(np.uint64(total)), float(small.sum()), total if small.sum() > 3 else -total


def f(x, n):
    return compared(x, n), converted(x), quantised(x), counted(x)


LIMITS = [np.iinfo(kind) for kind in "bBhHiIQ"]
CALLS = [(np.array([0, 1, one.max, one.min, 37], one.dtype), n) for one in LIMITS for n in (100, 5000)]


def noise(rng):
    kind = np.iinfo(rng.choice(list("bBhHiI")))
    return rng.integers(kind.min, kind.max, 5, kind.dtype, endpoint=True), int(rng.integers(0, 1000))
