"""The value of a `StopIteration`."""


def f(x):
    try:
        raise StopIteration(x)
    except StopIteration as e:
        return e.value, e.args


CALLS = [(1,), (0,), (True,)]
