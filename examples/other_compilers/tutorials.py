"""Functions from the first pages of Numba's and JAX's documentation, to be checked against those compilers.

    astrace check examples/other_compilers/tutorials.py:go_fast --against numba
    astrace check examples/other_compilers/tutorials.py:impure_uses_globals --against jax

``go_fast`` is from "A ~5 minute guide to Numba", the two others are from "JAX - The Sharp Bits", "Pure functions".
"""

import numpy as np

g = 0.0

ASTRACE_EXAMPLES = {
    "go_fast": [(np.arange(9.0).reshape(3, 3),), (np.arange(6.0).reshape(3, 2),)],
    "impure_uses_globals": [(np.float32(4.0),)],
    "impure_print_side_effect": [(np.float32(4.0),)],
}


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def impure_uses_globals(x):
    return x + g


def impure_print_side_effect(x):
    print("Executing function")
    return x
