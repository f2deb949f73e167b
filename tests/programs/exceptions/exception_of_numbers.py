"""What numbers and containers raise, known while tracing or not."""

import math


def num_errs(x):
    out = []
    for op in (
        lambda: 1 // 0,
        lambda: 1.5 % 0,
        lambda: math.sqrt(-1),
        lambda: int("1.5"),
        lambda: 2 ** "a",
        lambda: float("z"),
        lambda: chr(-1),
        lambda: 1 << -1,
        lambda: math.exp(1000),
    ):
        try:
            op()
        except Exception as e:
            out.append((type(e).__name__, str(e), repr(e.__context__)))
    return out


def num_errs_rt(x):
    out = []
    for op in (
        lambda: 1 // (x - x),
        lambda: 1.5 % (x - x),
        lambda: math.sqrt(-1 - x),
        lambda: 2 ** (str(x)),
        lambda: 1 << (-1 - x),
        lambda: x.nope,
        lambda: x[0],
        lambda: x(),
    ):
        try:
            op()
        except Exception as e:
            out.append((type(e).__name__, str(e), repr(e.__context__)))
    return out


def list_errs(x):
    l = [1]
    out = []
    for op in (lambda: l[4], lambda: l.remove(9), lambda: l.index(8), lambda: l.pop(5), lambda: l["a"]):
        try:
            op()
        except Exception as e:
            out.append((type(e).__name__, str(e), repr(e.__context__)))
    return out


def dict_pop(x):
    d = {"a": 1}
    try:
        d.pop("b")
    except KeyError as e:
        a = e.args
    try:
        d["c"] += 1
    except KeyError as e:
        b = e.args
    try:
        del d["q"]
    except KeyError as e:
        c = e.args
    return a, b, c, d


def f(x):
    return num_errs(x), num_errs_rt(x), list_errs(x), dict_pop(x)


CALLS = [(1,), (0,)]
