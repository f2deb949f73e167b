"""NumPy by another name: numpy call on traced."""

import numpy as np

import numpy as _np
def f(s):
    return s + float(_np.sin(_np.asarray(s)))

CALLS = [
    (np.float64(1.0),),
    (np.float64(2.0),),
]
