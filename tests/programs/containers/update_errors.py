"""An update that types do not allow says so by its own operator."""

import numpy as np

def half(n):
    n //= 2
    return n

def f(a, b, n):
    c = a
    if n == 0:
        a //= b
    elif n == 1:
        a += "text"
    elif n == 2:
        a <<= b
        a = a + 1
    elif n == 3:
        b |= a
    elif n == 4:
        c -= None
    elif n == 5:
        one = 1
        one @= a
    elif n == 6:
        for k in range(3):
            a %= b
    elif n == 7:
        return half(b * a)
    elif n == 8:
        pair = (a, b)
        pair += b
    elif n == 9:
        text = f"{a}"
        text += a
    return a, b, c

PAIRS = (np.complex128(1j), np.float64(2)), (2, 3), (1.5, 2j), (np.float64(2), np.float64(3))
CALLS = [(a, b, n) for a, b in PAIRS for n in range(10)]
