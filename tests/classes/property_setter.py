"""A property with all three accessors."""


class A:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v * 2

    @v.setter
    def v(self, n):
        self._v = n + 1

    @v.deleter
    def v(self):
        del self._v


def use(x):
    a = A(x)
    r = [a.v]
    a.v = 5
    r.append(a.v)
    del a.v
    try:
        a.v
    except AttributeError as e:
        r.append(str(e))
    return r
