"""A generator is kept by an opaque object, and its variable is assigned later."""

import collections


def f(n):
    d = collections.deque()
    k = n
    d.append((v * k for v in [1, 2]))
    k = 5
    return list(d.pop())


CALLS = [(0,), (1,), (4,)]
PLAIN = "AT204"
