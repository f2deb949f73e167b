"""Class attributes written through one class, read through another and through instances, asked for before they exist."""

import numpy as np

class A:
    v = 1

class B(A):
    pass

class C(B):
    v = 7

class K:
    pass

def f(b, c, k):
    A.v = k
    first = B.v, b.v, C.v, c.v
    if k > 0:
        B.v = k * 2
    second = A.v, B.v, b.v, c.v
    c.v = 9
    A.fresh = k
    return first, second, c.v, C.v, b.fresh, B.fresh, hasattr(K, "w"), hasattr(K, "late"), hasattr(np, "no_such")

CALLS = [(B(), C(), -1), (B(), C(), 1), (B(), C(), 2.5), (B(), C(), -1)]
BEFORE = {1: "K.w = 3", 3: "del K.w"}
AFTER = "A.v, B.v, vars(C)['v']"
