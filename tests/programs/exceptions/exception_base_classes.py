"""Exceptions derived from `BaseException` pass by `except Exception`."""


class Stop_1(BaseException):
    pass


def basesub(x):
    try:
        if x > 0:
            raise Stop_1("a")
        raise Stop_1("b")
    except Exception:
        return "no"
    except Stop_1 as e:
        return str(e)


class Stop_2(BaseException):
    def __init__(self, a, b=2):
        super().__init__(a)
        self.b = b

    def __str__(self):
        return f"Stop_2 {self.b}"


def baseown(x):
    try:
        raise Stop_2(5, b=x)
    except Stop_2 as e:
        return str(e), e.b, e.args


def f(x):
    return basesub(x), baseown(x)


CALLS = [(1,), (0,), (True,)]
