"""`out=`, `where=`, `copyto`, `fill`, `sort`, `put` and their like."""

import numpy as np

def f(x):
    y = np.empty_like(x)
    np.multiply(x, 2, out=y)
    np.add(y, 1, out=y, where=x > 0)
    z = np.sqrt(np.abs(y), out=np.zeros_like(y))
    z.sort()
    np.copyto(y, z[::-1])
    np.clip(x, 0, 2, out=x)
    y.fill(3.0)
    np.put(y, [0], [9.0])
    w = np.add.accumulate(x)
    return x, y, z, w, np.add.reduce(x), np.multiply.outer(x, x)

CALLS = [(np.array([1.0, -2.0, 3.0]),), (np.array([4.0, 0.0]),)]

def noise(rng):
    return (rng.normal(size=4),)
