"""Slots: one that is not set, a name that is none."""


class A:
    __slots__ = ("p", "q")

    def __init__(self, p):
        self.p = p

    def go(self):
        try:
            return self.q
        except AttributeError as e:
            return str(e)


def use(x):
    a = A(x)
    r = [a.p, a.go()]
    a.q = 3
    r.append(a.go())
    try:
        a.z = 1
    except AttributeError as e:
        r.append(str(e))
    return r, hasattr(a, "__dict__")
