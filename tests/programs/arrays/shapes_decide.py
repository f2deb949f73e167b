"""Shapes, ranks and dtypes decide what happens."""

import numpy as np

def f(x):
    if x.ndim == 1:
        n = x.shape[0]
        if n > 3:
            return x[:3].sum()
        return x.sum() / n
    if x.dtype == np.float64:
        rows, cols = x.shape
        return x.reshape(cols, rows) @ np.ones(rows)
    return x.T

CALLS = [(np.arange(5.0),), (np.arange(2.0),), (np.arange(6.0).reshape(2, 3),), (np.arange(6).reshape(2, 3),)]
