"""Exception classes with an `__init__` of their own."""


class E_1(Exception):
    def __init__(self, code, *, why=None):
        self.code = code
        self.why = why

    def __str__(self):
        return f"{self.code}/{self.why}"


def own_init(x):
    try:
        raise E_1(x, why="w")
    except E_1 as e:
        return e.code, e.why, str(e), e.args, repr(e)


class E_2(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


def own_init_super(x):
    try:
        raise E_2(4)
    except ValueError as e:
        return e.code, str(e), e.args


def f(x):
    return own_init(x), own_init_super(x)


CALLS = [(1,), (0,), (True,)]
