"""Python numbers are weak, NumPy scalars are not."""

import numpy as np

def f(x, k, s):
    return x * k, x + s, k * x, x / k, x ** 2, np.add(x, k), np.maximum(x, s), k + s

CALLS = [(np.float32([1, 2]), 2.5, np.float64(1.5)), (np.int8([1, 2]), 3, np.int16(4)), (np.uint8([250]), 5, np.uint8(3)), (np.complex64([1j]), 2, np.float32(1))]
