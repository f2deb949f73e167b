"""NumPy scalars, 0-d arrays and Python numbers are told apart."""

import numpy as np

def f(x):
    y = x + 1
    z = np.asarray(x) * 2
    return y, z, np.sqrt(x), x > 0, [x, y], np.float32(x), x.dtype if hasattr(x, "dtype") else None

CALLS = [(np.float64(4.0),), (np.float32(4.0),), (np.array(4.0),), (4.0,), (4,), (np.int8(4),), (np.array([4.0]),)]
