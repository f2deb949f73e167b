"""`super()` along a diamond."""


class A:
    def m(self, x):
        return [("A", x)]


class B(A):
    def m(self, x):
        return [("B", x)] + super().m(x + 1)


class C(A):
    def m(self, x):
        return [("C", x)] + super().m(x * 2)


class D(B, C):
    def m(self, x):
        return [("D", x)] + super().m(x) + B.m(self, 9)


def use(x):
    return D().m(x), [c.__name__ for c in D.__mro__], isinstance(D(), A), issubclass(D, C)
