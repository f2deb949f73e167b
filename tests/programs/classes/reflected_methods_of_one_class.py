"""Two operands of one class ask no reflected method; a derived class is asked first if its method is another one."""


class Base:
    def __init__(self, n):
        self.n = n

    def __radd__(self, other):
        return ("radd", self.n)

    def __sub__(self, other):
        return ("sub", self.n)

    def __rsub__(self, other):
        return ("rsub", self.n)

    def __lt__(self, other):
        return NotImplemented

    def __divmod__(self, other):
        return NotImplemented

    def __rdivmod__(self, other):
        return ("rdivmod", self.n)

    def __iadd__(self, other):
        return NotImplemented if other == 7 else self

    def __add__(self, other):
        return NotImplemented if isinstance(other, Base) else ("add", self.n)


class Same(Base):
    pass


class Other(Base):
    def __rsub__(self, other):
        return ("other", self.n)

    def __gt__(self, other):
        return ("gt", self.n)


def asked(action):
    try:
        return action()
    except TypeError as error:
        return str(error)


def f(n):
    base, same, other = Base(n), Same(n + 1), Other(n + 2)
    kept = base
    kept += 7
    again = Base(n)
    again += 8
    return (
        asked(lambda: base + base),
        asked(lambda: base + other),
        base - same,
        base - other,
        asked(lambda: base < base),
        base < other,
        asked(lambda: divmod(base, base)),
        divmod(3, base),
        divmod(base, same),
        kept,
        again.n,
    )


CALLS = [(1,), (2,)]
