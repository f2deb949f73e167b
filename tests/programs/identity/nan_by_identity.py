"""A NaN is found in a container that holds this very object: two conversions of one item are two objects."""

import numpy as np


def f(x):
    number, other = float(x[0]), float(x[0])
    told = (number is other, x[0] is x[0], number is number)
    found = (x[0] in (x[0],), float(x[0]) in [float(x[0])], number in [other], number in [number])
    alike = ([float(x[0])] == [float(x[0])], [number] == [number])
    for v in x[:1]:
        looped, again = float(v), float(v)
    told = *told, looped is again, max(looped, -2.0) is looped, max(number, -2.0) is max(other, -2.0)
    return told, found, alike, len({x.sum(): 1, x.sum(): 2}), number in {other: 1}


CALLS = [(np.array([np.nan, 1.0]),), (np.array([2.0, 1.0]),), (np.array([np.nan]),)]
