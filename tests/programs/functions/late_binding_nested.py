"""Closures in closures, comprehensions in comprehensions."""


def nested(n):
    fs = [[lambda: (i, j, n) for j in range(2)] for i in range(2)]
    return [[f() for f in g] for g in fs]


def lambda_in(n):
    mk = lambda k: [lambda: i * k for i in range(3)]
    return [f() for f in mk(n)]


def lambda_in_lambda(n):
    fs = [lambda: lambda: i + n for i in range(3)]
    return [f()() for f in fs]


def dictcomp_val(n):
    d = {i: [lambda: (i, j) for j in range(2)] for i in range(2)}
    return {k: [f() for f in v] for k, v in d.items()}, n


def local_def(n):
    def outer():
        return [lambda: i + n for i in range(3)]

    a = outer()
    b = outer()
    return [f() for f in a + b]


def def_in_gen(n):
    def make(k):
        def inner():
            return k + n

        return inner

    return [f() for f in [make(i) for i in range(3)]]


def f(n):
    return nested(n), lambda_in(n), lambda_in_lambda(n), dictcomp_val(n), local_def(n), def_in_gen(n)


CALLS = [(0,), (4,), (2.5,)]
