"""State carried by a loop: carry dict."""

import numpy as np

def f(s, n):
    d = {'a': s, 'b': s + 1}
    for i in range(n):
        d['a'] = d['a'] + d['b']
    return d['a']

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(4),),
]
