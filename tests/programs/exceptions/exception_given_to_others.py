"""An exception given to opaque code is the real one."""

describe_1 = eval("lambda e: (type(e).__name__, repr(e.__context__), e.__traceback__ is None)")


def pass_to_opaque(x):
    try:
        try:
            {}["a"]
        except KeyError:
            int("zz")
    except ValueError as e:
        return describe_1(e)


class E_2(Exception):
    def __str__(self):
        raise ValueError("str")


def str_raises(x):
    try:
        raise E_2
    except E_2 as e:
        try:
            return str(e)
        except ValueError as v:
            return repr(v.__context__ is e)


def f(x):
    return pass_to_opaque(x), str_raises(x)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT101"
