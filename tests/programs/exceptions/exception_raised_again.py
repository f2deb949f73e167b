"""`raise` alone: in the handler, in a helper, behind another handler, and with nothing to raise."""


def again_1():
    raise


def bare_helper(x):
    try:
        try:
            raise KeyError("k")
        except KeyError:
            again_1()
    except KeyError as e:
        return repr(e), repr(e.__context__)


def again_2():
    raise


def bare_none(x):
    try:
        again_2()
    except RuntimeError as e:
        return str(e), repr(e.__context__)


def bare_nested(x):
    try:
        try:
            raise KeyError("k")
        except KeyError:
            try:
                raise ValueError("v")
            except ValueError as v:
                pass
            raise
    except KeyError as e:
        return repr(e), repr(e.__context__)


def ctx_reraise_same(x):
    try:
        try:
            raise KeyError(1)
        except KeyError as e:
            raise e
    except KeyError as e:
        return repr(e.__context__)


def f(x):
    return bare_helper(x), bare_none(x), bare_nested(x), ctx_reraise_same(x)


CALLS = [(1,), (0,), (True,)]
