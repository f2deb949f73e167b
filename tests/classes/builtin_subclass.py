"""Subclasses of `list`, `dict`, `str` and `int`."""


class L(list):
    def append(self, v):
        super().append(v * 2)

    def total(self):
        return sum(self)


class D(dict):
    def __missing__(self, k):
        self[k] = k * 2
        return self[k]

    def __getitem__(self, k):
        return ("got", super().__getitem__(k))


class S(str):
    def __add__(self, o):
        return S(str.__add__(self, o).upper())


class I(int):
    def __new__(cls, v):
        return super().__new__(cls, v + 1)

    def __mul__(self, o):
        return I(int(self) * o)


def use(x):
    l = L([1])
    l.append(x)
    d = D()
    d[1] = 2
    return (
        l,
        l.total(),
        d[x],
        d[1],
        d.get(5),
        S("a") + "b",
        type(S("a") + "b").__name__,
        I(x) * 2,
        repr(I(3)),
        type(I(1) + 1).__name__,
        l + [1],
        type(l + [1]).__name__,
    )
