"""`__context__` of what a handler raises, in helpers and several deep."""


def g_1(s):
    try:
        return int(s)
    except ValueError:
        raise KeyError(s)


def ctx(x):
    try:
        return g_1("x")
    except KeyError as e:
        return repr(e.__context__), repr(e.__cause__), e.__suppress_context__


def ctx_deep(x):
    try:
        try:
            try:
                raise KeyError(1)
            except KeyError:
                raise ValueError(2)
        except ValueError:
            raise TypeError(3)
    except TypeError as e:
        return (
            repr(e.__context__),
            repr(e.__context__.__context__),
            repr(e.__context__.__context__.__context__),
        )


def ctx_runtime(x):
    try:
        try:
            [1][x + 5]
        except IndexError:
            {}[x]
    except KeyError as e:
        return repr(e.__context__)


def fail_4():
    raise TypeError("t")


def helper_raises_ctx(x):
    try:
        try:
            int("q")
        except Exception:
            fail_4()
    except TypeError as e:
        return repr(e.__context__)


D_5 = {}


def dict_ctx(x):
    try:
        return D_5["k"]
    except KeyError:
        try:
            return D_5["z"]
        except KeyError as e:
            return e.args, repr(e.__context__)


def cycle(x):
    try:
        try:
            raise KeyError(1)
        except KeyError as e:
            a = e
            try:
                raise ValueError(2)
            except ValueError:
                raise a
    except KeyError as e:
        return repr(e.__context__), repr(e.__context__.__context__)


def else_raise(x):
    try:
        try:
            y = 1
        except KeyError:
            pass
        else:
            raise ValueError("e")
    except ValueError as e:
        return repr(e.__context__)


def assert_ctx(x):
    try:
        try:
            raise KeyError(1)
        except KeyError:
            assert False, "no"
    except AssertionError as e:
        return repr(e.__context__)


def f(x):
    return (
        ctx(x),
        ctx_deep(x),
        ctx_runtime(x),
        helper_raises_ctx(x),
        dict_ctx(x),
        cycle(x),
        else_raise(x),
        assert_ctx(x),
    )


CALLS = [(1,), (0,), (True,)]
