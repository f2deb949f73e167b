"""A local function that opaque code is given in a tuple, by an exit stack and by itself."""

import contextlib

import numpy as np

namespace = {}
exec("def each(pairs):\n    return [function(value) for function, (value, *_) in pairs]", namespace)
each = namespace["each"]

def by_stack(x):
    out = []
    stack = contextlib.ExitStack()
    stack.callback(lambda: out.append(x))
    stack.close()
    return out

def in_tuples(x):
    def twice(v):
        return v * x
    return each(((twice, (x, twice)), (lambda v: v + 1, (2, "text"))))

def f(x):
    return by_stack(x), in_tuples(x)

CALLS = [(1.5,), (np.arange(3.0),)]
PLAIN = "AT101"
