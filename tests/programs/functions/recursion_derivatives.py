"""Reverse differentiation walks a graph of objects."""


class Var:
    def __init__(self, v, parents=()):
        self.v = v
        self.g = 0.0
        self.parents = parents

    def __add__(self, o):
        return Var(self.v + o.v, ((self, 1.0), (o, 1.0)))

    def __mul__(self, o):
        return Var(self.v * o.v, ((self, o.v), (o, self.v)))

    def back(self, s=1.0):
        self.g += s
        for p, d in self.parents:
            p.back(s * d)


def f(n):
    x = Var(float(n))
    y = Var(3.0)
    z = x * y + x * x
    z.back()
    return z.v, x.g, y.g


CALLS = [(0,), (1,), (5,)]
