"""An array that is changed in place by an instance of a class which says itself what comes out of that."""

import numpy as np

class Wrapped(np.lib.mixins.NDArrayOperatorsMixin):
    def __init__(self, value): self.value = value
    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
        return Wrapped([getattr(one, "value", one) for one in inputs])

class Refused:
    __array_ufunc__ = None

class Preferred:
    __array_priority__ = 10
    def __radd__(self, other): return "reflected", other.shape

class Scaled(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords): return "scaled", type(out)

def told(array, other):
    before = array
    try:
        array += other
    except TypeError as error:
        return type(error).__name__
    return type(array).__name__, array is before, isinstance(array, np.ndarray)

def in_loop(array, others):
    kinds = []
    for other in others:
        x = array.copy()
        x += other
        kinds.append(type(x).__name__)
    return kinds

def f(array, other):
    made = told(array, Wrapped(1.0)), told(array, Refused()), told(array, Preferred())
    return told(array, other), made, in_loop(array, [1.0, other])

ONES = np.ones(2)
CALLS = [
    (ONES, Wrapped(2.0)), (ONES, Refused()), (ONES, Preferred()), (ONES, ONES.view(Scaled)), (ONES, ONES + 1), (ONES, np.float32(2)),
    (ONES, np.ma.array([1.0, 2.0], mask=[True, False])), (ONES, [1, 2]),
]
