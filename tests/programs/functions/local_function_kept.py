"""Local functions that stay behind, in a list, an attribute and a global: they must be the plain ones."""

import numpy as np

HOOK = None
AFTER = "HOOK(3.0), LAST[0][0](3.0)"

def f(hooks, x):
    global HOOK
    def scaled(v):
        return v * x
    HOOK = lambda v: v + x
    hooks.append(scaled)
    return HOOK(1.0)

CALLS = [([], 2.0)]
