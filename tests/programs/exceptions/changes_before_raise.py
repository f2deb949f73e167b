"""What a branch or a loop changes before it raises is seen by who catches the exception."""

import numpy as np

class Config:
    limit = 1.0

class Box:
    def __init__(self):
        self.v = 0.0

def f(x):
    box, seen, count = Box(), [], 0

    def bump():
        nonlocal count
        count = 1

    try:
        for v in x:
            if v > 2:
                box.v = v
                seen.append(v)
                Config.limit = 5.0
                raise ValueError("big")
    except ValueError:
        pass
    try:
        if x.size > 3:
            bump()
            raise KeyError(count)
    except KeyError:
        count += 1
    return box.v, seen, Config.limit, count

CALLS = [(np.arange(2.0),), (np.arange(5.0),), (np.arange(1.0),)]
