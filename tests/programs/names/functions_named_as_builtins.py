"""Functions whose names are those of builtins, and which call them: the generated code calls the builtins, too."""

import builtins
import operator as op
from builtins import max as largest


def abs(a):
    from operator import abs

    return abs(a)


def len(a):
    return builtins.len(a)


def pow(a):
    from operator import pow

    return pow(a, 2)


def max(a, b):
    return largest(a, b)


def operator(a, b):
    return op.add(a, b)


def f(a, b):
    return abs(a), len([a, b]), pow(a), max(a, b), operator(a, b)


CALLS = [(-2, 1), (0.5, -3), (3, 3)]
