"""Classes: mandelbrot complex obj."""

import numpy as np

def f(a, b):
    zr = a * 0
    zi = b * 0
    k = 0
    while zr * zr + zi * zi < 4 and k < 20:
        zr, zi = zr * zr - zi * zi + a, 2 * zr * zi + b
        k += 1
    return k

CALLS = [
    (np.float64(0.3), np.float64(0.5),),
    (np.float64(1.0), np.float64(1.0),),
]
