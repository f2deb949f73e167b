"""Names of arrays and numbers that a loop, or a branch of it, may leave without a value."""

import numpy as np

def last_made(x, n):
    for step in range(n):
        made = x * step
    return made

def made_by_a_turn(x, n):
    for step in range(n):
        if step == 2:
            found, size = x + step, x.size
    return found, size

def told(call, *args):
    try:
        return call(*args)
    except UnboundLocalError as error:
        return str(error)

def f(x, n):
    return told(last_made, x, n), told(made_by_a_turn, x, n)

CALLS = [(np.arange(3.0), 0), (np.arange(3.0), 1), (np.arange(3.0), 4), (np.arange(4), 0), (np.arange(4), 3)]
