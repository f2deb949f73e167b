"""`except*`."""


def f(x):
    out = []
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
    except* ValueError as e:
        out.append(repr(e))
    except* KeyError as e:
        out.append(repr(e))
    return out


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT106"
