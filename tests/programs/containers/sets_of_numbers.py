"""Sets of constants and of traced values."""

import numpy as np

def f(s, n):
    seen = set()
    for i in [1, 2, 2, 3]:
        seen.add(i)
    values = {s, s + 1, 3}
    return len(seen), 2 in seen, len(values), sorted(seen | {9})

CALLS = [(2, 1), (np.float64(2.0), 1)]
