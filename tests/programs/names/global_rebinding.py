"""`global` names written, read and deleted."""

import numpy as np

COUNT = 0
TOTAL = 0.0

def f(x):
    global COUNT, TOTAL
    COUNT += 1
    for v in x:
        TOTAL += v
    if TOTAL > 5:
        COUNT = 100
    return COUNT, TOTAL

CALLS = [(np.array([1.0, 2.0]),), (np.array([1.0, 2.0]),), (np.array([]),)]
AFTER = "COUNT, TOTAL"
