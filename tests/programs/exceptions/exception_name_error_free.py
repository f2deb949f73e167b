"""The attributes of the `NameError` for a variable of a function around."""


def f(x):
    def inner():
        return later

    try:
        return inner()
    except NameError as e:
        return e.name, str(e), type(e).__name__
    later = 1


CALLS = [(1,), (0,), (True,)]
