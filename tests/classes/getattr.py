"""`__getattr__` and `__setattr__`."""


class A:
    def __init__(self):
        self.log = []

    def __getattr__(self, n):
        if n.startswith("no"):
            raise AttributeError(n)
        return lambda *a: (n, a)

    def __setattr__(self, n, v):
        object.__setattr__(self, n, v if n == "log" else (n, v))


def use(x):
    a = A()
    a.z = x
    return a.foo(x), a.z, hasattr(a, "nope"), getattr(a, "nothing", 7), a.bar.__name__
