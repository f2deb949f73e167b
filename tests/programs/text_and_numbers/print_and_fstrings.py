"""f-strings and `print`, in order, once, only on the path taken."""

import numpy as np

def f(x, n):
    print("start", n)
    for i in range(n):
        if x[i] > 0:
            print(f"{i}: {x[i]:.2f} {x[i]!r} {x[i] > 1}", end=";")
        else:
            print(i, [x[i], i], (x[i],), {"k": i})
    label = f"{x.sum():8.3f}|{n:>4}|{'s':<3}|{x.shape}"
    return label

CALLS = [(np.array([1.0, -2.5, 3.0]), 3), (np.array([1.0]), 0)]
