"""The attributes of a `NameError`."""


def f(x):
    try:
        return bluch
    except NameError as e:
        return e.name, str(e)


CALLS = [(1,), (0,), (True,)]
