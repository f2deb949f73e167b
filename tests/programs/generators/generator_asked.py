"""What a generator is asked without being walked: its class, its attributes, its truth."""

import types


def has(n):
    def g():
        yield 1

    x = g()
    return (
        hasattr(x, "throw"),
        hasattr(x, "gi_frame"),
        hasattr(x, "send"),
        hasattr(x, "nope"),
        hasattr(x, "__next__"),
        hasattr(x, "__len__"),
        n,
    )


def has2(n):
    x = (i for i in range(n))
    return hasattr(x, "throw"), hasattr(x, "items"), hasattr(x, "kind"), hasattr(x, "claim")


def type_(n):
    x = (i for i in range(n))
    return (
        type(x) is types.GeneratorType,
        isinstance(x, types.GeneratorType),
        isinstance(x, list),
        callable(x),
        bool(x),
        x is None,
        x is x,
        list(x),
    )


def abc(n):
    import collections.abc as c

    x = (i for i in range(n))
    return isinstance(x, c.Generator), isinstance(x, c.Iterator), isinstance(x, c.Sized)


def class_(n):
    x = (i for i in range(n))
    return x.__class__ is types.GeneratorType


def iter_(n):
    x = (i for i in range(n))
    return iter(x) is x, list(iter(x))


def iter_m(n):
    x = (i for i in range(1, n + 2))
    return x.__iter__() is x, x.__next__()


def f(n):
    return has(n), has2(n), type_(n), abc(n), class_(n), iter_(n), iter_m(n)


CALLS = [(0,), (1,), (4,)]
