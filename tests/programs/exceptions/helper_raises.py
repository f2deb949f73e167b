"""A helper does something and raises, in a branch, a conditional expression, a loop, a `try`."""

import numpy as np

LOG = []

def check(x, limit):
    LOG.append(limit)
    if limit > 2:
        raise KeyError("too much")
    return x

def in_branch(x, limit):
    if x > 0:
        return check(x, limit)
    return -x

def in_expression(x, limit):
    return check(x, limit) if x > 0 else -x

def in_logic(x, limit):
    return x > 0 and check(x, limit)

def in_loop(x, limit):
    for i in range(3):
        if x > i:
            x = x - check(i, limit)
    return x

def in_try(x, limit):
    try:
        return check(x, limit) if x > 0 else -x
    except KeyError as error:
        return str(error)

def f(x, limit):
    results = []
    for function in (in_branch, in_expression, in_logic, in_loop, in_try):
        try:
            results.append(function(x, limit))
        except KeyError as error:
            results.append(error.args)
    return results

CALLS = [(np.float64(1.5), 1), (np.float64(1.5), 3), (np.float64(-1.5), 3), (np.float64(1.0), True)]
AFTER = "LOG"
