"""Operators in place on views of dicts: the name is bound to another object, and what refuses names the operator in place."""


def refused(view, other):
    try:
        view += other
    except TypeError as error:
        return str(error)
    return view


def repeated(view, number):
    try:
        view *= number
    except TypeError as error:
        return str(error)
    return view


def f(x, n):
    table = dict(a=x, b=n)
    keys, items = table.keys(), {"c": x}.items()
    both = keys
    both |= [n]
    items &= [("c", x)]
    return (
        refused(dict(a=lambda: x).values(), [n]),
        refused(keys, keys),
        repeated(table.items(), n),
        repeated({x: n}.keys(), x),
        sorted(map(str, both)),
        len(keys),
        items,
        both is keys,
    )


CALLS = [(1, 2), (2.5, 3), ("x", 1), ((1,), 2)]
