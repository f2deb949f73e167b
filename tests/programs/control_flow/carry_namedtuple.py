"""State carried by a loop: carry namedtuple."""

import numpy as np

import collections
NT = collections.namedtuple('NT', ['a', 'b'])
def f(s, n):
    p = NT(s, s + 1)
    for i in range(n):
        p = NT(p.b, p.a + p.b)
    return p.a

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(4),),
]
