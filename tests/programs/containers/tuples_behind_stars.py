"""An object written in C is given the very tuple behind a ``*``; a Python function one of its own."""

opaque = {}
exec("def same(a, b): return a is b\ndef took(*args): return args\ndef fails(*args): raise KeyError(*args)", opaque)
try:
    from _testcapi import MethodDescriptorNopGet  # gives the tuple of its arguments
except ImportError:
    exec("class MethodDescriptorNopGet:\n    def __call__(self, *args): return args", opaque)
    MethodDescriptorNopGet = opaque["MethodDescriptorNopGet"]

whole = MethodDescriptorNopGet()
OWNERS = {"held": whole}


class Owner:
    def __init__(self, *args):
        self.args = args

    def __call__(self, *args):
        return self.args, args


def known(a, b):
    t = (a, b)
    return whole(*t) is t, whole(*(a, b)), whole(a, b), whole(*t, b), whole(*t, **{}), opaque["same"](whole(*t), t)


def made(n):
    f = MethodDescriptorNopGet()
    t, u = tuple(range(5)), tuple(range(3)) + (n,)
    found = [f(*u) is u for _ in range(n)]
    return f(*t) is t, f(*u) is u, found, f(*()), f(*[1, n]), f(*"ab"), f(*range(n)), opaque["same"](f(*t), t)


def others(*args):
    owner = Owner(*args)
    took = opaque["took"]
    return owner.args, owner(*args), took(*args), took(*args) is args, OWNERS["held"](*args) is args


def failed(t):
    try:
        opaque["fails"](*t)
    except KeyError as error:
        return error.args, str(error)


def f(a, b, n):
    t = (a, b)
    return known(a, b), made(n), others(a, b), others(), failed(t), "{} {}".format(*t), max(*t)


CALLS = [(1, 2, 0), (1.5, 2.5, 1), ("a", "b", 3)]
