"""``eval`` without a namespace sees the names of its caller, so that function runs as plain Python."""

import numpy as np

run = eval


def f(x, text):
    return run(text)


CALLS = [
    (1.0, "x + 1"),
    (np.arange(2.0), "x.sum() * len(text)"),
]
PLAIN = "AT106"
