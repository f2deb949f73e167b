"""Keys, values and items of dicts that the function makes, given to opaque code and kept: views of a real dict."""

from itertools import chain

exec("def opaque(view): return list(view), type(view).__name__")


def every(*args, **kwargs):
    return [v for v in chain(args, kwargs.values())]


def later(x):
    d = {"a": x, "b": 2}
    v = d.values()
    d["c"] = 3
    return sorted(v), list(chain(v)), list(v)


def given(x):
    d = {"a": x, "b": 2}
    v, k = d.values(), d.keys()
    d["a"] = x + 1
    return opaque(v), opaque(d.items()), opaque(k), v


def grows(x):
    d = {}
    seen = chain(d.items())
    for i in range(int(x)):
        d[i] = x
    return list(seen), opaque(d.keys())


def f(x):
    return every(x, k=x), later(x), given(x), grows(x)


CALLS = [(3,), (2.5,), (0,)]
PLAIN = "AT101"
