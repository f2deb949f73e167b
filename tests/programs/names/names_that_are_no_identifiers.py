"""Attributes and keywords may be named by any text: with spaces, as a keyword of Python's, empty, not normalised."""


class Holder:
    pass


def keywords(**given):
    return given


exec("def opaque(**given): return given")


def stored(holder):
    setattr(holder, "a b", 1)
    setattr(holder, "class", 2)
    found = getattr(holder, "a b"), getattr(holder, "class"), hasattr(holder, "a-b"), getattr(holder, "\ufb01", None)
    delattr(holder, "a b")
    return found, sorted(vars(holder))


def missing(x, name):
    try:
        return getattr(x, name)
    except AttributeError as error:
        return str(error)


def given(x):
    return (
        keywords(**{"a b": x, "if": 2}), dict(**{"\ufb01": x}, c=3), opaque(**{"a b": x, "class": 3}, d=4),
        "{a b} {if}".format(**{"a b": x, "if": 2}),
    )


def no_text(x, name):
    told = []
    for ask in (getattr, hasattr, delattr):
        try:
            told.append(ask(x, name))
        except TypeError as error:
            told.append(str(error))
    return told


def f(x):
    return (
        stored(Holder()), missing(x, ""), missing(x, "a-b"), missing(x, "real part"), given(x), no_text(x, 3), no_text(x, 2.5),
        no_text(x, None),
    )


PLAIN = "AT101"
CALLS = [(1,), (2.5,)]
