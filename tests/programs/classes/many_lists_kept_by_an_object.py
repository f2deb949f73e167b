"""An object that opaque code is given holds forty lists: all are found to be real ones in a few attempts."""

import numpy as np

KEPT = []

exec("def keep(x): KEPT.append(x)\ndef fill(x): x.first.append(1.0); x.last = [x.first]")


class Result:
    pass


def filled(x):
    result = Result()
    keep(result)
    result.first = [x]
    result.names = {"x": x, "y": [x]}
    result.seen = {1, 2}
    result.a, result.b, result.c, result.d = [], [1], ["a"], [x * 2]
    result.e, result.f, result.g, result.h = [[]], [[1], [x]], [()], [None]
    result.i, result.j, result.k, result.l = {}, {"a": {}}, {"b": {"c": [x]}}, [{}]
    result.m, result.n, result.o, result.p = [1, 2.0], [x, 1], [x, "x"], [[x], x]
    result.q, result.r, result.s, result.t = [0], [0], [0], [0]
    result.u, result.v, result.w, result.y = [1], [1], [1], [1]
    result.aa, result.ab, result.ac, result.ad = [2], [2], [2], [2]
    result.ae, result.af, result.ag, result.ah = [3], [3], [3], [3]
    result.ai, result.aj, result.ak, result.al = [4], [4], [4], [4]
    fill(result)
    result.q.append(result.first)
    result.r += [x]
    result.names["z"] = len(result.first)
    KEPT.clear()
    return result


def in_a_loop(xs):
    found = []
    for value in xs:
        result = Result()
        keep(result)
        result.parts = [value]
        result.table = {"value": [value, value * 2]}
        if value > 1:
            result.parts.append(len(KEPT))
        found.append(result)
    KEPT.clear()
    return [(one.parts, one.table) for one in found]


def in_branches(x):
    result = Result()
    keep(result)
    one, other = [], [0]
    if x > 1:
        one.append(x)
        result.held = one
    else:
        other.append(x)
        result.held = [one, other]
    one.append(2)
    KEPT.clear()
    return result.held, one, other


def f(x, xs):
    return vars(filled(x)), in_a_loop(xs), in_branches(x)


CALLS = [
    (2.0, np.arange(3.0)),
    (0.5, np.zeros(0)),
    (3, [1, 5]),
    (np.float64(1.5), range(40)),
]
PLAIN = "AT101"
