"""Values that are a number of Python on one way and an array on another: types, weak types, shapes."""

import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0])


def best(xs):
    b = 0.0
    for x in xs:
        if x > b:
            b = x
    return b


def branch_num(x):
    if x.sum() > 0:
        y = 1.5
    else:
        y = x
    return y


def branch_then_op(x):
    if x.sum() > 0:
        y = 1
    else:
        y = x
    return y + 1


def branch_int_float(x):
    y = x.sum() if x[0] > 0 else jnp.int32(3)
    return y


def maxed(x):
    return max(x[0], 0.0)


def maxed2(x):
    m = 0
    for v in x:
        m = max(m, v)
    return m


def summed(x):
    return sum(x)


def running(xs, n):
    mean = 0.0
    count = 0
    for i in range(n):
        if xs[i] > 0:
            mean = mean + xs[i]
            count = count + 1
    return mean / max(count, 1), count


def shape_change(x, n):
    t = x[0]
    for _ in range(n):
        t = t + x
    return t


def half(x, n):
    t = 0.1
    for _ in range(n):
        t = t * x
    return t


def early(x):
    r = -1
    for i in range(x.shape[0]):
        if x[i] > 1:
            r = i
            break
    return r


def early2(x):
    for v in x:
        if v > 1:
            return v
    return None


def while_none(x):
    out = None
    while x.sum() > 1:
        out = x
        x = x / 2
    return out


def nested(x, n):
    t = 0
    for i in range(n):
        for j in range(i):
            t = t + x[j]
    return t


def tup(x, n):
    a, b = 0, 1.0
    for i in range(n):
        a, b = b, a + x
    return a, b


CASES = {
    "best": [(X,), (-X,), (-abs(X),)],
    "branch_num": [(X,), (-X,)],
    "branch_then_op": [(X,), (-X,)],
    "branch_int_float": [(X,), (-X,)],
    "maxed": [(X,), (-X,)],
    "maxed2": [(X,), (-abs(X),)],
    "summed": [(X,), (X[:0],)],
    "running": [(X, 3), (X, 0), (-abs(X), 3)],
    "shape_change": [(X, 2), (X, 0)],
    "half": [(X, 0), (X, 1), (jnp.float16(2), 0), (jnp.float16(2), 2)],
    "early": [(X,), (-X,)],
    "early2": [(X,), (-X,)],
    "while_none": [(X,), (-X,)],
    "nested": [(X, 3), (X, 1), (X, 0)],
    "tup": [(X, 0), (X, 1), (X, 2), (X, 3)],
}
