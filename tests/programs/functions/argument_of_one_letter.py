"""Texts of one letter, equal to the names of attributes and keys that the function uses."""


class Holder:
    pass


def f(a, b, c=None):
    held = Holder()
    held.a = a
    held.b = b
    held.c = c
    found = {"a": a, "b": b}
    return held.a, held.b, held.c, found["a"], found["b"], vars(held) == {"a": a, "b": b, "c": c}


CALLS = [("a", "b"), ("b", "a"), ("c", "a", "b"), (b"a", "x"), ("", b"")]
