"""Builtins that a call replaces itself, by a function that it calls, and puts back."""

import builtins

real = builtins.len, builtins.max


def seven(items):
    return 7


def replaces():
    builtins.len = seven



def f(modifier, x):
    found = [len(range(3)), max(x, 1.0)]
    try:
        if x > 0:
            modifier()
        found.append(len(range(3)))
        builtins.max = min
        found.append(max(x, 1.0))
    finally:
        builtins.len, builtins.max = real
    found += [len(range(3)), max(x, 1.0)]
    return found


def nothing():
    pass


CALLS = [(nothing, 2.0), (replaces, 2.0), (replaces, -1.0), (nothing, 2.0)]
AFTER = "(builtins.len, builtins.max) == real"
PLAIN = "AT211"
