"""`return`, `break` and `continue` in `finally` take the place of an exception, or of a jump, that was on its way."""

import numpy as np

def swallowed(x, k):
    try:
        if k > 1:
            return x[k]
        y = x[k + 1]
    finally:
        if k == 0:
            return "zero"
        if k == 5:
            return "five"
    return y

def left(x, k):
    n = 0
    while n < 5:
        n += 1
        try:
            if x[n] > k:
                return "found", n
            if x[n] == k:
                continue
        except IndexError:
            if k > 3:
                raise
            n += 10
        finally:
            if n % 2 == 0:
                break
        n += 1
    return n

def again(x, k):
    r = 0
    while True:
        try:
            return x[r]
        finally:
            r += 1
            if r < k:
                continue

def f(x, k):
    return left(x, k), again(x, min(k, 2)), swallowed(x, k)

CALLS = [(np.arange(4.0), k) for k in range(7)] + [(np.arange(1.0), 0), (np.arange(1.0), 5)]
