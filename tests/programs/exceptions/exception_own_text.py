"""Exception classes with text and properties of their own."""


class E_1(Exception):
    def __str__(self):
        return "mine"

    def __repr__(self):
        return "rmine"


def own_str(x):
    try:
        raise E_1("a")
    except E_1 as e:
        return str(e), repr(e), f"{e}", e.args


class E_2(Exception):
    kind = "k"

    @property
    def first(self):
        return self.args[0]


def own_attr(x):
    try:
        raise E_2("a", x)
    except E_2 as e:
        return e.kind, e.first


def f(x):
    return own_str(x), own_attr(x)


CALLS = [(1,), (0,), (True,)]
