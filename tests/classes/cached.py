"""`cached_property`, `lru_cache`, `singledispatchmethod`, `partialmethod`."""

import functools


class A:
    calls = 0

    def __init__(self, v):
        self.v = v

    @functools.cached_property
    def slow(self):
        A.calls += 1
        return self.v * 10

    @functools.cache
    def fib(self, n):
        return n if n < 2 else self.fib(n - 1) + self.fib(n - 2)

    @functools.singledispatchmethod
    def show(self, x):
        return "any"

    @show.register
    def _(self, x: int):
        return "int"

    part = functools.partialmethod(lambda self, k, v: (self.v, k, v), 5)


def use(x):
    a = A(x)
    A.calls = 0
    return a.slow, a.slow, A.calls, a.fib(10), a.show("s"), a.show(1), a.part(2), "slow" in a.__dict__
