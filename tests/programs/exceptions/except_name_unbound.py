"""The name of `except … as` is unbound when the handler ends, whatever it held before."""

import numpy as np

def late(x, k):
    e = "start"
    try:
        y = x[k]
    except IndexError as e:
        y = -1.0
    return e, y

def looped(x, k):
    out = []
    e = None
    for i in range(4):
        try:
            if x[i] > k:
                raise ValueError(f"big {i}")
            out.append(x[i])
        except ValueError as e:
            out.append(-1.0)
            if i == 2:
                break
            continue
        except IndexError as e:
            out.append(-2.0)
        out.append(10.0)
    try:
        return out, e
    except UnboundLocalError as e:
        return out, str(e)

def kept(x, k):
    try:
        return x[k]
    except IndexError as e:
        show = lambda: f"<{e}>"
        return show()

def f(x, k):
    return looped(x, k), kept(x, k), late(x, k)

CALLS = [(np.arange(3.0), k) for k in range(4)]
