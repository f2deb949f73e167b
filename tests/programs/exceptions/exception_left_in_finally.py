"""`return` and `break` in `finally` drop the exception."""


def h_1(x):
    try:
        raise KeyError(1)
    finally:
        return 5


def return_finally(x):
    return h_1(x)


def break_finally(x):
    for i in range(3):
        try:
            raise KeyError(i)
        finally:
            break
    return i


def f(x):
    return return_finally(x), break_finally(x)


CALLS = [(1,), (0,), (True,)]
