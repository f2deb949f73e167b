"""Texts and numbers that are computed from constants are objects of their own, for opaque code, too."""

import operator

PLAIN = "AT101"

opaque = {}
exec("def same(a, b): return a is b\ndef which(items): return [[one is other for other in items] for one in items]", opaque)


class Asserts:
    operators = operator

    def same(self, found):
        return opaque["same"](found, True)


def texts():
    a = b = "xyzpdq"
    c = a[:3] + b[3:]
    d = f"xyz{'pdq'}"
    e = "xyz" + "pdq"
    return [a, b, c, d, e, "".join([a]), a.replace("pdq", "PDQ").lower(), a.strip(), a[:], b"".join([b"ab", b"c"]), b"abc"]


def numbers():
    k, n = 2.0, 500
    return [3.0, 1.0 + 2.0, k * 1.5, k * 1.5, 1000, n + n, 500 + 500, -k, -2.0, 7, 3 + 4, n - 493, 2j * 3, 6j]


def called(asserts):
    operator = asserts.operators
    a = b = "xyzpdq"
    c = a[:3] + b[3:]
    seen = asserts.same(operator.is_(a, c)), asserts.same(operator.is_(a, b)), asserts.same(operator.is_not(a, c))
    return seen, operator.is_(a, c), a is c, c == a


def first(made):
    c = "ab".upper()
    return opaque["same"](c, "AB"), opaque["same"]("AB", c), opaque["same"](c, c), c is "AB".upper(), made is c


def chosen(x):
    out = []
    for i in range(3):
        c = "ab" * len("xy")
        if x > i:
            out.append(opaque["same"](c, "abab"))
            out.append(opaque["same"](c, c))
        else:
            out.append(opaque["which"]([c, "abab", c]))
    return out


def f(asserts, x, text):
    alike = opaque["which"](texts()), opaque["which"](numbers())
    return alike, called(asserts), first(text), chosen(x), opaque["which"]([text, "AB", "a".upper() + "B"])


CALLS = [(Asserts(), 1.5, "AB"), (Asserts(), 0.0, "abc"), (Asserts(), 5.0, "x")]
