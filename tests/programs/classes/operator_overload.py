"""Classes: operator overload."""

import numpy as np

class C2:
    def __init__(self, re, im):
        self.re = re
        self.im = im
    def __mul__(self, o):
        return C2(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
def f(a, b):
    z = C2(a, b)
    k = 0
    while k < 3:
        z = z * z
        k = k + 1
    return z.re

CALLS = [
    (np.float64(0.5), np.float64(0.5),),
    (np.float64(0.5), np.float64(0.1),),
]
