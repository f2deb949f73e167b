"""What special methods raise."""


class A_1:
    def __add__(self, o):
        raise KeyError("add")

    def __eq__(self, o):
        raise ValueError("eq")

    def __bool__(self):
        raise TypeError("bool")

    def __len__(self):
        return -1


def add_raises(x):
    a = A_1()
    out = []
    for op in (lambda: a + 1, lambda: a == 1, lambda: not a, lambda: len(a), lambda: 1 + a):
        try:
            op()
        except Exception as e:
            out.append((repr(e), repr(e.__context__)))
    return out


class A_2:
    @staticmethod
    def s(x):
        raise KeyError(x)

    @classmethod
    def c(cls, x):
        try:
            cls.s(x)
        except KeyError:
            raise ValueError(cls.__name__)


def staticm(x):
    try:
        A_2.c(x)
    except ValueError as e:
        return repr(e), repr(e.__context__)


def f(x):
    return add_raises(x), staticm(x)


CALLS = [(1,), (0,), (True,)]
