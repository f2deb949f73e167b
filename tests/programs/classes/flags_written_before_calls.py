"""A flag that the function writes is what it wrote, or what opaque code made of it, not what it was before the call."""

import numpy as np

FLAG, KIND = True, "a"
SEEN = []

note = eval("lambda value: SEEN.append(value)")


class Part:
    given = {"k": 3.0}


def f(x, n):
    global FLAG, KIND
    try:
        FLAG = Part.given["k"]
        if n == 0:
            SEEN.pop(5)
    except LookupError:
        KIND = "b" if n == 0 else KIND
    note(n)
    return FLAG.real * x, KIND, FLAG


PLAIN = "AT101"

CALLS = [(np.ones(2), 0), (np.ones(2), 1), (np.ones(3), 0)]
BEFORE = {1: "FLAG = False; KIND = 'c'", 2: "FLAG = 2.5"}
