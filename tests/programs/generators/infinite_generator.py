"""A generator without an end and a consumer that stops."""

import numpy as np

def naturals():
    n = 0
    while True:
        yield n
        n = n + 1

def f(s):
    total = 0
    for k in naturals():
        if k * k > s:
            break
        total += k
    return total, k

CALLS = [(np.float64(30.0),), (5,), (-1,)]
