"""Complex arithmetic and attributes."""

import numpy as np

def f(z, n):
    w = z
    k = 0
    while abs(w) < 10 and k < n:
        w = w * w + z
        k += 1
    return w, k, w.real, w.imag, np.conj(w), abs(w)

CALLS = [(np.complex128(0.5 + 0.5j), 20), (1 + 1j, 5), (0j, 3)]
