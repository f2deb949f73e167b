"""`match` on sequences, mappings and classes, with guards and captures."""

import numpy as np

class Shape:
    __match_args__ = ("w", "h")

    def __init__(self, w, h):
        self.w = w
        self.h = h

def area(v):
    match v:
        case []:
            return 0
        case [a]:
            return a
        case [a, b] if a > b:
            return a - b
        case (a, *rest):
            return a + len(rest)
        case {"w": w, "h": h, **others}:
            return w * h + len(others)
        case Shape(w, h=h):
            return w * h
        case int() | float() as number:
            return number
        case _:
            return None

def f(s):
    return [area(v) for v in ([], [s], [s, s - 1], (s, s + 1), (s, 1, 2), {"w": s, "h": 2, "x": 1}, Shape(s, 3), 5, "text")]

CALLS = [(np.float64(2.0),), (4,)]
