"""State carried by a loop: carry dataclass."""

import numpy as np

import dataclasses
@dataclasses.dataclass
class P:
    a: object
    b: object
def f(s, n):
    p = P(s, s + 1)
    for i in range(n):
        p = P(p.b, p.a + p.b)
    return p.a

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(4),),
]
