"""Loops that are left in a branch of a branch, by names that are taken, with and without `else`."""

import numpy as np

def f(left, item, n):
    t1, t2 = 0.0, 1.0
    for one in left:
        t1, t2 = t2, t1 + one
        if one > n:
            if t1 > 3:
                break
            t2 = t1
        item = t1
    else:
        item = -1.0
    for k, one in enumerate(left):
        for left_1 in left:
            if left_1 * one > n:
                t2 = left_1
                break
        else:
            t1 += k
            continue
        if t2 > t1:
            break
    while True:
        n += 1
        if n > 5:
            t1, t2 = t2, t1
            break
        t1 += n
    return t1, t2, item, n, k, one

CALLS = [(np.array([1.0, 2.0, 4.0, 3.0]), 0.5, 2), (np.array([1.0, 5.0, 6.0, 0.0]), 0, 1), (np.ones(2), 7, 9)]
