"""An error of NumPy's own, caught."""

import numpy as np

def f(x):
    try:
        y = np.linalg.inv(x)
    except np.linalg.LinAlgError as error:
        return str(error)
    else:
        return y.sum()

CALLS = [(np.eye(2) * 2,), (np.zeros((2, 2)),)]
