"""Outside state: attr changed."""

import numpy as np

class Cfg:
    pass
cfg = Cfg()
cfg.k = 2.0
def f(s):
    return s * cfg.k

CALLS = [
    (np.float64(3.0),),
    (np.float64(3.0),),
]
BEFORE = {1: 'cfg.k = 5.0'}
