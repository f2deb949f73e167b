"""Generators in lists, dicts and tuples, walked in their turn."""


def container(n):
    xs = [(i * n for i in range(2)), (i + n for i in range(3))]
    return [list(x) for x in xs]


def dictof(n):
    xs = {"a": (i * n for i in range(2)), "b": (i + n for i in range(3))}
    return {k: sum(x) for k, x in xs.items()}


def gen_of_gens(n):
    def g():
        for i in range(3):
            yield (i * j for j in range(n))

    return [list(x) for x in g()]


def gen_of_gens2(n):
    def g():
        for i in range(3):
            yield (i * j for j in range(n))

    return [list(x) for x in list(g())]


def twice(n):
    x = (i * n for i in range(3))
    return list(x), list(x)


def f(n):
    return container(n), dictof(n), gen_of_gens(n), gen_of_gens2(n), twice(n)


CALLS = [(0,), (1,), (4,)]
