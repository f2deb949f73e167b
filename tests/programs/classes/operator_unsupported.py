"""Operators between classes that do not know each other raise Python's error."""

import numpy as np

class A:
    pass

def f(s):
    return A() + s

CALLS = [(np.float64(3.0),)]

