"""What generators raise in handlers and behind them."""


def g_1():
    try:
        yield 1 / 0
    except ZeroDivisionError:
        yield 2
    raise KeyError("end")


def gen_ctx(x):
    try:
        return [i for i in g_1()]
    except KeyError as e:
        return repr(e.__context__)


def g_2():
    yield 1
    raise KeyError("end")


def gen_in_handler(x):
    try:
        try:
            raise ValueError("v")
        except ValueError:
            for i in g_2():
                pass
    except KeyError as e:
        return repr(e.__context__)


def f(x):
    return gen_ctx(x), gen_in_handler(x)


CALLS = [(1,), (0,), (True,)]
