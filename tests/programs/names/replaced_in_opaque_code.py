"""Opaque code puts other objects in the places of those that the function has met, or has not met yet."""

import numpy as np


class Owner:
    def __init__(self, v):
        self.v = v

    def get(self, d):
        return self.v + d


owner, box, D = Owner(1.0), Owner(0.0), {"l": [1.0, 2.0], "a": np.zeros(2)}
box.inner = Owner(2.0)
exec(
    """def renew(n):
    global owner
    owner = Owner(7.0 + n)
    box.inner = Owner(9.0 - n)
    D['l'] = [5.0, 6.0, n]
    D['a'] = np.ones(3)
"""
)


def f(s, n):
    old, inner, numbers, a = owner, box.inner, D["l"], D["a"]
    renew(n)
    old.v += s
    a += s
    numbers.append(s)
    for i in range(n):
        if s > i:
            renew(i)
            box.inner.v += i
            D["a"][0] = i
            s = s + owner.get(i) + len(D["l"])
    new = owner.v, owner.get(s), box.inner.v, D["l"][0], len(D["l"]), D["a"]
    return old.v, old is owner, old.get(1), inner.v, numbers, a, new, inner is box.inner


CALLS = [(2.0, 3), (-1.0, 2), (0.5, 0)]
AFTER = "owner.v, box.inner.v, D"
PLAIN = "AT101"
