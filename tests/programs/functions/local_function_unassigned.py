"""A local function that opaque code is given, over a variable that only some paths assign."""

import operator

import numpy as np

ask = operator.call

def told(function):
    try:
        return ask(function)
    except NameError as error:
        return type(error).__name__, str(error)

def by_branch(x):
    if x.sum() > 2:
        found = x * 2
    return told(lambda: found)

def by_loop(x):
    for item in x:
        last = item * 2
    return told(lambda: last)

def by_while(x, n):
    while n > 2:
        n, left = n - 1, n
    return told(lambda: left)

def handled(x):
    if x.sum() > 2:
        found = x * 2
    def read():
        try:
            return found
        except NameError:
            return "unset"
    return ask(read)

def f(x, n):
    return by_branch(x), by_loop(x), by_while(x, n), handled(x)

CALLS = [(np.ones(4), 4), (np.ones(1), 1), (np.ones(0), 2), (np.ones(3), 3)]
