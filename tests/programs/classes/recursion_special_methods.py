"""`__eq__` and `__repr__` that call themselves on parts."""


class N:
    def __init__(self, *c):
        self.c = c

    def __eq__(self, o):
        return len(self.c) == len(o.c) and all(a == b for a, b in zip(self.c, o.c))

    def __repr__(self):
        return "N(" + ",".join(map(repr, self.c)) + ")"


def mk(k):
    return N() if k <= 0 else N(mk(k - 1), mk(k - 2))


def f(n):
    return mk(n) == mk(n), mk(n) == mk(n - 1), repr(mk(n))


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
