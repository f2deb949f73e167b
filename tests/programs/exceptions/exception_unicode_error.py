"""The attributes of `UnicodeError`."""


def unicode(x):
    try:
        b"\xff".decode("utf-8")
    except UnicodeDecodeError as e:
        return e.encoding, e.object, e.start, e.end, e.reason


def unicode2(x):
    try:
        "\u1234".encode("ascii")
    except UnicodeError as e:
        return e.encoding, e.object, e.start, e.end, e.reason, str(e)


def f(x):
    return unicode(x), unicode2(x)


CALLS = [(1,), (0,), (True,)]
