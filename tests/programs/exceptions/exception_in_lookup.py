"""Exceptions out of properties and `__getattr__`."""


class A_1:
    @property
    def p(self):
        try:
            return self.q
        except AttributeError as e:
            raise ValueError("p") from e


def prop(x):
    a = A_1()
    try:
        return a.p
    except ValueError as e:
        return repr(e.__cause__), e.__cause__.name, e.__cause__.obj is a


def getattr_default(x):
    r = getattr(x, "nope", None)
    try:
        getattr(x, "nope")
    except AttributeError as e:
        return r, e.name, e.obj is x


class D_3(dict):
    def __missing__(self, k):
        raise LookupError(k) from None


def dict_missing(x):
    try:
        return D_3()["a"]
    except LookupError as e:
        return repr(e), repr(e.__context__)


def f(x):
    return prop(x), getattr_default(x), dict_missing(x)


CALLS = [(1,), (0,), (True,)]
