"""The name of the operators is bound here though nothing reads it: the function stays plain."""

import numpy as np

PLAIN = "AT106"


def f(x, k):
    import math as ag

    if k > 1:
        x = x + k
    return x[k]


CALLS = [(np.ones(3), 0), (np.ones(3), 2)]
