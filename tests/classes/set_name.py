"""Descriptors that learn their names."""


class D:
    def __set_name__(self, owner, name):
        self.n = name

    def __get__(self, o, t=None):
        return self if o is None else o.__dict__.get("_" + self.n, 0)

    def __set__(self, o, v):
        o.__dict__["_" + self.n] = v * 2


class A:
    f = D()
    g = D()

    def go(self, x):
        self.f = x
        self.g += 1
        return self.f, self.g


def use(x):
    a = A()
    return a.go(x), a.go(x), sorted(a.__dict__)
