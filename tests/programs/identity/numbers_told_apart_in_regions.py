"""Numbers that are equal and not one object stay so: compared in a block inside, and computed at every turn of a loop."""

import numpy as np


def f(s, n):
    a, b = np.float32(n), np.float32(n)
    with np.errstate(all="ignore"):
        one = a is b
    if n > 1:
        one = one, a is b
    seen, found = [], 0
    for _ in range(n):
        new = s - s
        found += new in seen
        seen.append(new)
    last, same = None, 0
    while same < 1 and n > 0:
        new = s * 2.0
        same += new is not last
        last, n = new, n - 1
    return one, found, same


CALLS = [(float("inf"), 3), (1.0, 3), (float("nan"), 1), (2.0, 0)]
