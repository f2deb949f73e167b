"""Functions of NumPy as arguments, in globals, in closures: another one is another program."""

import numpy as np

CHOSEN = np.sort

def maker():
    held = np.cumsum

    def call(x):
        return held(x)

    def put(function):
        nonlocal held
        held = function

    return call, put

call, put = maker()

def f(x, function, table):
    return function(x), CHOSEN(x), call(x), table["f"](x), np.apply_along_axis(function, 0, x)

CALLS = [
    (np.array([3.0, 1.0, 2.0]), np.sort, {"f": np.sum}),
    (np.array([3.0, 1.0, 2.0]), np.cumsum, {"f": np.prod}),
    (np.array([3.0, 1.0, 2.0]), np.negative, {"f": np.flip}),
    (np.array([3.0, 1.0, 2.0]), sorted, {"f": len}),
]
BEFORE = {1: "CHOSEN = np.argsort", 2: "put(np.argsort)"}
