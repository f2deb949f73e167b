"""Calls and closures: global write loop."""

import numpy as np

G = 0
def f(s, n):
    global G
    G = 0
    for i in range(n):
        G = G + 1
    return s + G

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(5),),
]
