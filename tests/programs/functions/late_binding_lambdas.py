"""The variable of a comprehension is one for all turns: what lambdas made in it read is the last."""


def list_(n):
    fs = [lambda v: v * i for i in range(3)]
    return [g(n) for g in fs]


def dict_(n):
    d = {k: (lambda v: v + k) for k in (1, 2)}
    return d[1](n), d[2](n)


def set_(n):
    s = {(lambda: i * n) for i in range(2)}
    return sorted(f() for f in s)


def genexp_one(n):
    return [f() for f in ((lambda: i + n) for i in range(3))]


def genexp_list(n):
    fs = list((lambda: i + n) for i in range(3))
    return [f() for f in fs]


def shadow(n):
    i = 10
    fs = [lambda: i for i in range(3)]
    return fs[0](), i, n


def outer_iter(n):
    i = 2
    fs = [lambda: i + n for i in range(i)]
    return [f() for f in fs], i


def default(n):
    fs = [lambda i=i: i + n for i in range(3)]
    return [f() for f in fs]


def mutable(n):
    fs = [lambda: v.append(n) or v for v in [[1], [2]]]
    return [f() for f in fs]


def f(n):
    return (
        list_(n),
        dict_(n),
        set_(n),
        genexp_one(n),
        genexp_list(n),
        shadow(n),
        outer_iter(n),
        default(n),
        mutable(n),
    )


CALLS = [(0,), (4,), (3,)]
