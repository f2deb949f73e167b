"""The text of exceptions, in every way to ask for it."""


class E_1(Exception):
    pass


def str_errors(x):
    out = []
    for e in (
        E_1(),
        E_1("a"),
        E_1("a", 1),
        KeyError("k"),
        KeyError(),
        OSError(1, "x"),
        ValueError(None),
        E_1(x),
    ):
        out.append((str(e), repr(e), f"{e}", f"{e!r}", "%s" % e))
    return out


def str_in_handler(x):
    try:
        int("zz")
    except ValueError as e:
        return str(e), f"got {e}", "%r" % e, "{}".format(e), print(e)


def describe_3(e):
    return type(e).__name__ + ":" + ",".join(map(str, e.args))


def pass_to(x):
    try:
        int("zz")
    except ValueError as e:
        return describe_3(e)


def type_of(x):
    try:
        int("zz")
    except Exception as e:
        return (
            type(e) is ValueError,
            type(e).__name__,
            e.__class__.__name__,
            type(e).__module__,
            type(e).__mro__[1].__name__,
            e.__doc__,
        )


def f(x):
    return str_errors(x), str_in_handler(x), pass_to(x), type_of(x)


CALLS = [(1,), (0,), (True,)]
