"""Outside state: np random baked."""

import numpy as np

import numpy as _np
def f(s):
    return s + float(_np.random.rand())

CALLS = [
    (np.float64(1.0),),
    (np.float64(1.0),),
]
VARIES = True
