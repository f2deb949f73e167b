"""Long chains of causes and contexts."""


def r_1(n):
    try:
        if n == 0:
            raise ValueError("bottom")
        return r_1(n - 1)
    except ValueError as e:
        raise RuntimeError(n) from e


def recursive(x):
    try:
        r_1(3)
    except RuntimeError as e:
        out = []
        while e is not None:
            out.append(repr(e))
            e = e.__cause__
        return out


def chain_long(x):
    err = None
    for i in range(4):
        try:
            try:
                raise ValueError(i) from err
            except ValueError as e:
                err = e
        finally:
            pass
    out = []
    while err:
        out.append(err.args[0])
        err = err.__cause__
    return out


def ctx_auto_cleared(x):
    try:
        {}["a"]
    except KeyError:
        pass
    try:
        raise ValueError
    except ValueError as e:
        return repr(e.__context__)


def from_same(x):
    e = ValueError("a")
    try:
        raise e from e
    except ValueError as c:
        return c.__cause__ is c, c.__suppress_context__


def h_5(x):
    try:
        y = [1][x - x]
    except IndexError:
        return "i"
    else:
        raise KeyError("else")
    finally:
        print("fin")


def raise_in_else_finally(x):
    try:
        h_5(x)
    except KeyError as e:
        return repr(e.__context__)


def f(x):
    return recursive(x), chain_long(x), ctx_auto_cleared(x), from_same(x), raise_in_else_finally(x)


CALLS = [(1,), (0,), (True,)]
