"""`raise` of a class that gives something else."""


class E(Exception):
    def __new__(cls):
        return 3


def f(x):
    try:
        raise E
    except TypeError as e:
        return "should have returned" in str(e)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT202"
