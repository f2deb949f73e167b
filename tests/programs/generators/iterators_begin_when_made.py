"""An iterator looks at what it walks when it is made, and again at each item: what lies between may change it."""

import itertools

import numpy as np


def backwards(p):
    q = [v for v in p]
    j, k = reversed(p), reversed(q)
    p.append(p[0])
    q.pop()
    seen = [*j], next(k, None), q
    for v in reversed(p):
        seen[0].append(v)
        if len(p) < 7:
            p.insert(0, v * 10)
    for v in reversed(p):
        seen[0].append(v)
        p.clear()
    return seen


def forwards(p):
    q = [v for v in p]
    counted, paired, plain = enumerate(q), zip(q, p), iter(q)
    first = next(counted), next(paired), next(plain)
    q.append(7)
    return first, list(counted), list(paired), list(plain)


def keyed(p, make):
    held = {v: 1 for v in p}
    j = make(held)
    held["later"] = 2
    try:
        return list(j)
    except RuntimeError as error:
        return str(error)


def refused(make):
    try:
        make()
    except TypeError as error:
        return str(error)
    return "made"


def before_a_loop(p, x):
    d = {v: 0 for v in p}
    j, total = zip(p, itertools.islice(iter(d.items()), 2)), 0
    for v in x:
        total += v
    return next(j, total)


def f(p, x):
    n = len(p)
    found = [
        refused(lambda: zip(p, n)),
        refused(lambda: enumerate(x.sum())),
        refused(lambda: map(str, None)),
        refused(lambda: filter(None, 3)),
        refused(lambda: (v for v in x[0])),
        refused(lambda: reversed(set(p))),
        refused(lambda: reversed(n)),
        refused(lambda: reversed(p)),
    ]
    makes = enumerate, reversed, iter, lambda held: zip(held, held.items())
    found += [keyed(p, make) for make in makes]
    return found, before_a_loop(p, x), forwards(p), backwards(p), p


CALLS = [([1, 2, 3], np.arange(3.0)), ([1.5, 2.5], np.arange(3)), ([4], np.arange(2.0)), ([3, 2, 1, 5], np.arange(3.0))]
