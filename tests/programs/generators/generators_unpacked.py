"""A generator that is unpacked is asked for one item more than there are names, and for no other."""

import numpy as np

LOG = []


def walk(p):
    for v in p:
        LOG.append("turn")
        yield v
    LOG.append("end")


def two():
    yield 1
    LOG.append("mid")
    yield 2
    LOG.append("end")


def of_an_array(x, n):
    try:
        a, b = walk(x)
    except ValueError as e:
        return str(e)
    return a + b


def of_two(x, n):
    a, b = two()
    try:
        (c,) = two()
    except ValueError as e:
        return str(e), a, b


def expression(x, n):
    try:
        a, b, c = (v * n for v in x)
        return a, b, c
    except ValueError as e:
        return str(e)


def mapped(x, n):
    try:
        a, (b, c) = map(lambda v: (v, v + 1), x[:2])
        return a, b, c
    except ValueError as e:
        return str(e)


def exactly(x, n):
    [a, b] = [v for v in walk((1, 2))]
    c, d = (w for w in two())
    return a, b, c, d


def in_a_loop(x, n):
    out = []
    for i in range(n):
        try:
            a, b = walk(x[:i])
            out.append((a, b))
        except ValueError as e:
            out.append(str(e))
    return out


def f(x, n):
    found = of_an_array(x, n), of_two(x, n), expression(x, n), mapped(x, n), exactly(x, n), in_a_loop(x, n)
    return found


CALLS = [(np.arange(2.0), 2), (np.arange(4.0), 3), (np.zeros(0), 1), (np.ones(3), 0)]
