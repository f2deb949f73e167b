"""Generator expressions made in a comprehension are walked when its variables hold the last."""


def gens(n):
    gens = [(v * i for v in [1, 2]) for i in range(3)]
    return [list(g) for g in gens], n


def genexp_in_genexp(n):
    gg = ((i * j + n for j in range(3)) for i in range(3))
    a = [list(g) for g in gg]
    hh = list((i * j + n for j in range(3)) for i in range(3))
    return a, [list(g) for g in hh]


def stored_first(n):
    return [
        [(i, (i * v for v in [1, 2])) for i in range(3)][0][0],
        list([(i, (i * v for v in [1, 2])) for i in range(3)][0][1]),
    ], n


def f(n):
    return gens(n), genexp_in_genexp(n), stored_first(n)


CALLS = [(0,), (4,), (2.5,)]
