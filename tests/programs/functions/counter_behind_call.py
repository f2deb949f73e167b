"""Attributes that are missing at entry, set, and read after an opaque call."""

exec("def opaque(x):\n    return x")


class K:
    pass


class Box:
    pass


def helper():
    pass


BOX = Box()


def f(x):
    found = []
    for owner in (K, helper, BOX):
        owner.n = getattr(owner, "n", 0) + 1
        opaque(x)
        owner.n = getattr(owner, "n", 0) + 1
        found.append((owner.n, hasattr(owner, "n"), hasattr(owner, "m")))
    if x > 1:
        del K.n
    opaque(x)
    return found, hasattr(K, "n"), getattr(K(), "n", -1)


PLAIN = "AT101"
CALLS = [(1,), (2,), (1,), (0,)]
BEFORE = {2: "K.m = 5", 3: "del K.m; del helper.n"}
AFTER = "getattr(K, 'n', None), BOX.n, helper.n"
