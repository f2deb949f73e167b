"""Names of attributes that are read from lists and dicts: what is looked up is fixed by them."""


class Record:
    kind = "record"

    def __init__(self):
        self.count = 2


def asks(names, x):
    found = []
    for name in names:
        if name:
            found.append((hasattr(x, name), getattr(x, name, None)))
    return found


def sets(names):
    record = Record()
    for name in names:
        setattr(record, name, len(name))
    return [getattr(record, name) for name in names], hasattr(record, names[-1] + "_")


def of_keys(table, x):
    return {name: hasattr(x, name) for name in table}


def f(names, table, x):
    return asks(names, x), asks(names, Record()), sets(names), of_keys(table, x)


CALLS = [
    (["real", "imag"], {"real": 1, "": 2}, 2.5),
    (["real", "kind", "count"], {"conjugate": 1}, 3),
    (["real"] * 40, {}, 1 + 2j),
]
