"""`ExceptionGroup` objects."""


def group(x):
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
    except ExceptionGroup as e:
        return e.message, [repr(i) for i in e.exceptions], repr(e.split(ValueError)), str(e)


def group2(x):
    try:
        raise BaseExceptionGroup("g", [ValueError(1), KeyboardInterrupt(2)])
    except BaseException as e:
        return type(e).__name__, repr(e.derive([ValueError(3)]))


def group_bad(x):
    try:
        ExceptionGroup("g", [])
    except ValueError as e:
        return str(e)


def f(x):
    return group(x), group2(x), group_bad(x)


CALLS = [(1,), (0,), (True,)]
