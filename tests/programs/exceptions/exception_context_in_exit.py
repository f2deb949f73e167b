"""What `__exit__` raises has the exception of the body as its context."""


class M:
    def __enter__(self):
        return self

    def __exit__(self, *a):
        raise ValueError("exit")


def f(x):
    try:
        with M():
            raise KeyError("k")
    except ValueError as e:
        return repr(e), repr(e.__context__)


CALLS = [(1,), (0,), (True,)]
