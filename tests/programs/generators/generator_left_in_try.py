"""A generator that is left inside `try` ends when its last name goes: the plain function runs."""

import numpy as np

PLAIN = "AT209"

def items(x):
    try:
        for v in x:
            yield v
    finally:
        print("closed")

def f(x):
    g = items(x)
    first = next(g)
    print("taken")
    return first

CALLS = [(np.arange(3.0),)]
