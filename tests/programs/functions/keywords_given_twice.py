"""A keyword that `**` gives a second time is refused in Python's words, before the call is made."""

CALLED = []


def every(*args, **named):
    CALLED.append(named)
    return args, named


class Holder:
    def method(self, **named):
        return named


def told(call):
    try:
        return call()
    except TypeError as error:
        return str(error).replace(__name__, "")


def f(x, named):
    CALLED.clear()
    made = {"a": x}
    return (
        told(lambda: every(a=1, **made)), told(lambda: every(**made, **named)), told(lambda: every(**made, b=2, **named)),
        told(lambda: every(1, **made, **{"b": 2})), told(lambda: dict(**made, **named)), told(lambda: Holder().method(**made, a=3)),
        told(lambda: every(**named, **made, **{"c": 2})), told(lambda: max(*[x, 2], **{"key": abs}, **{"key": abs})), CALLED[:],
    )


CALLS = [(1, {"a": 2}), (2.5, {"b": 3}), (1, {})]
