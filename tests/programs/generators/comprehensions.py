"""List, set, dict comprehensions and generator expressions."""

import numpy as np

def f(x, n):
    a = [v * 2 for v in x if v > 0]
    b = {i: x[i] for i in range(n)}
    c = sum(v * v for v in x)
    d = max(abs(v) for v in x)
    e = any(v > 2 for v in x), all(v > -9 for v in x)
    g = [[i * j for j in range(i)] for i in range(n)]
    h = {i % 2 for i in range(5)}
    k = tuple(v for v in x)
    m = [a + b for a in x for b in x if a < b]
    return a, b, c, d, e, g, h, k, m

CALLS = [(np.array([1.0, -2.0, 3.0]), 3), (np.array([5.0, 1.0]), 2), (np.array([0.5]), 0)]
