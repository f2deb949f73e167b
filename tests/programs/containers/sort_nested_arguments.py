"""Sorting and extremes of the caller's lists are decided when the program runs; what is picked is the list itself."""

import numpy as np


def f(a, b):
    ordered = [a, b]
    ordered.sort()
    by_length = [b, a]
    by_length.sort(key=len, reverse=True)
    return ordered, by_length, sorted((a, b), reverse=True), max(a, b) is a, min([a, b], key=len), sum([a, b], [])


CALLS = [([1], [2]), ([4], [3]), ([4, 2], [3]), ([], [np.float64(1)])]
