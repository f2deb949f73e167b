"""Functions that look alike and must not share a capture: each ``case`` makes two of a kind."""

import functools

import numpy as np
from cases import case

ONCE = (np.ones(2),)


def scaled_by(k):
    def scaled(x):
        return x * k

    return scaled


@case(ONCE)
def closures_of_one_factory():
    return scaled_by(2.0), scaled_by(3.0)


@case(ONCE)
def lambdas_on_one_line():
    return (lambda x: x * 1.0), (lambda x: x * 2.0)


def times(k, x):
    return x * k


@case(ONCE)
def partials_of_one_function():
    return functools.partial(times, 2.0), functools.partial(times, 3.0)


@case(ONCE, plain="AT101")
def callers_of_different_helpers():
    """The text of ``f`` is the same, that of what it calls is not."""
    made = []
    for k in (2, 3):
        namespace = {}
        exec(f"def h(x): return x * {k}\ndef f(x): return h(x)", namespace)
        made.append(namespace["f"])
    return tuple(made)


@case(ONCE, plain="AT101")
def templates_with_different_globals():
    code = compile("def f(x): return x * K", "template", "exec")
    made = []
    for k in (2.0, 3.0):
        namespace = {"K": k}
        exec(code, namespace)
        made.append(namespace["f"])
    return tuple(made)
