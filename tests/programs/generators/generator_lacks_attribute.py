"""An attribute that generators do not have."""


def f(n):
    x = (i for i in range(n))
    try:
        x.foo
    except AttributeError as e:
        return str(e)


CALLS = [(0,), (1,), (4,)]
