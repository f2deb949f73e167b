"""Operator overloading with reflected and in-place methods and branches."""

import numpy as np

class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        if isinstance(o, Vec):
            return Vec(self.x + o.x, self.y + o.y)
        return NotImplemented

    def __rmul__(self, k):
        return Vec(k * self.x, k * self.y)

    def __iadd__(self, o):
        self.x = self.x + o.x
        return self

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __eq__(self, o):
        return self.x == o.x and self.y == o.y

    def __lt__(self, o):
        return self.norm() < o.norm()

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __len__(self):
        return 2

    def __call__(self, s):
        return s * self.x

    def __contains__(self, v):
        return v == self.x or v == self.y

    def __iter__(self):
        yield self.x
        yield self.y

    def norm(self):
        n = self.x * self.x + self.y * self.y
        return n if n > 0 else n * 0

def f(s):
    a = Vec(s, 1)
    b = -(2 * a)
    b += a
    c = a + b
    total = 0
    for v in c:
        total = total + v
    return c.x, c.y, a == b, a < b, c[0], c[1], len(c), c(s), s in a, total

CALLS = [(np.float64(3.0),), (2,), (np.float64(0.0),)]
