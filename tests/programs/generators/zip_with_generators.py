"""Generators inside `zip` and `enumerate` run item by item: what they print and read comes at its time."""

import numpy as np

def steps(x):
    print("start")
    for v in x:
        print("made", v)
        yield v
    print("end")

def f(x, y, limit):
    total = 0.0
    for i, v in enumerate(steps(x), 1):
        total += i * v
        if total > limit:
            break
    sums = [a + b for a, b in zip(steps(x), y)]
    products = [a * b for a, b in zip(y, steps(x))]
    both = [(a, b, c) for a, b, c in zip(range(2), (v + total for v in x), y)]
    return total, sums, products, both

CALLS = [(np.arange(3.0), np.arange(2.0), 1.0), (np.arange(2.0), np.arange(3.0), 9.0), (np.arange(1.0), np.arange(0.0), 0.0)]
