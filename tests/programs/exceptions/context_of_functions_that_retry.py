"""Functions of NumPy that call an array's method once more where that raises a TypeError; the method itself does not."""

import numpy as np

def told(call, *args):
    try:
        return call(*args)
    except (TypeError, ValueError, IndexError) as error:
        context = error.__context__
        return type(error).__name__, str(error), type(context).__name__, error.__suppress_context__

def clipped(x, low): return np.clip(x, low, 2)
def clipped_by_method(x, low): return x.clip(low, 2)
def clipped_into(x, low): return np.clip(x, low, 2.5, out=np.zeros(x.shape, bool))
def repeated(x, times): return np.repeat(x, times)
def repeated_by_method(x, times): return x.repeat(times)
def reshaped(x, shape): return np.reshape(x, shape)
def reshaped_by_method(x, shape): return x.reshape(shape)
def taken(x, places): return np.take(x, places)
def taken_by_method(x, places): return x.take(places)
def sorted_places(x): return np.argsort(x)
def sorted_places_by_method(x): return x.argsort()
def searched(x, one): return np.searchsorted(x, one)
def searched_by_method(x, one): return x.searchsorted(one)
def swapped(x, axis): return np.swapaxes(x, axis, 0)
def swapped_by_method(x, axis): return x.swapaxes(axis, 0)
def largest(x, axis): return np.argmax(x, axis)
def largest_by_method(x, axis): return x.argmax(axis)

def f(x, one):
    pairs = (clipped, clipped_by_method), (repeated, repeated_by_method), (reshaped, reshaped_by_method)
    more = (taken, taken_by_method), (searched, searched_by_method), (swapped, swapped_by_method), (largest, largest_by_method)
    found = [told(call, x, one) for pair in (*pairs, *more) for call in pair]
    return found, told(sorted_places, x), told(sorted_places_by_method, x), told(clipped_into, x, one)

NUMBERS = np.array([3, 1, 2])
CALLS = [
    (NUMBERS, 1), (NUMBERS, 1.5), (NUMBERS, "x"), (np.array(["a", "b"]), 1), (np.array([1, None, "x"], object), 1),
    (NUMBERS, np.array([1, 2, 0], np.uint64)), (NUMBERS, None),
]
