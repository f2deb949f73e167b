"""The target of a comprehension is an item or an attribute."""


class O:
    pass


def sub_target(n):
    d = {}
    r = [d["k"] * 2 for d["k"] in [1, 2, n]]
    return r, d


def attr_target(n):
    class_ = type("C", (), {}) if False else O()
    r = [class_.k * 2 for class_.k in [1, 2, n]]
    return r, class_.k


def f(n):
    return sub_target(n), attr_target(n)


CALLS = [(0,), (4,), (2.5,)]
