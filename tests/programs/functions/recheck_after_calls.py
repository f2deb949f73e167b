"""Outside state whose size, keys or members decide, read after a call that is left to plain Python."""

import numpy as np

WEIGHTS = [0.5, 0.25]
TABLE = {"a": 1.0, "b": 2.0}
KINDS = {1, 2}

class Config:
    mode = "sum"
    scale = 2.0

CONFIG = Config()

def fact(n):
    return 1 if n <= 0 else n * fact(n - 1)

def f(n, rows):
    found = [fact(n) / len(WEIGHTS)]
    for w in WEIGHTS:
        found.append(w * n)
    found.append({key: value + n for key, value in TABLE.items()})
    found.append([kind for kind in KINDS])
    for row in rows:
        found.append(sum(row))
    if CONFIG.mode == "sum":
        found.append(CONFIG.scale + n)
    return found

CALLS = [(np.int64(3), [[1.0, 2.0], [3.0]]), (np.int64(4), [[1.0, 2.0], [3.0]]), (np.int64(2), [[1.0]])]
BEFORE = {2: "WEIGHTS.append(9.0); TABLE['c'] = 5.0; KINDS.add(7); CONFIG.scale = 3.0"}
PLAIN = "AT203"

def noise(rng):
    return (np.int64(rng.integers(0, 6)), [[1.0, float(rng.integers(3))], [2.0]])
