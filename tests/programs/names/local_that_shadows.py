"""A name that is bound only inside a loop or branch is local to its function everywhere, not the name further out."""

import numpy as np

PLAIN = "AT202"
y = 5.0


def f(x, way):
    second = x

    def in_a_head(p):
        for _ in zip(second, second):
            second = p
        return p

    def in_a_test(p, n):
        if second[0] > n:
            second = p
            return second
        return p

    def in_a_body(p):
        while p[0] < 9:
            p = p + second
            if p[0] > 99:
                second = p
        return p

    if way == "head":
        return in_a_head(x)
    if way == "test":
        return in_a_test(x, 1)
    if way == "body":
        return in_a_body(x)
    for _ in range(2):
        x = x * y
        if way == "late":
            y = x
    return x


CALLS = [(np.arange(3.0), way) for way in ("head", "test", "body", "late", "never")]
