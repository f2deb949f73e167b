"""Exceptions that leave the function, with all that hangs on them."""


def leaves_ctx(x):
    try:
        raise KeyError("k")
    except KeyError as e:
        raise ValueError("gave up")


def leaves_none(x):
    try:
        raise KeyError("k")
    except KeyError as e:
        raise ValueError("gave up") from None


def leaves_from(x):
    try:
        raise KeyError("k")
    except KeyError as e:
        raise ValueError("gave up") from e


def h_4(x):
    try:
        raise KeyError("k")
    except KeyError as e:
        raise ValueError("gave up") from e


def leaves_helper(x):
    try:
        h_4(x)
    except ValueError as e:
        raise TypeError(str(e))


def leaves_finally(x):
    try:
        raise KeyError("k")
    finally:
        raise ValueError("v")


def leaves_static(x):
    try:
        return [1, 2][5]
    except IndexError:
        return {}["z"]


class E_7(Exception):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b


def leaves_own(x):
    try:
        raise KeyError("k")
    except KeyError as k:
        raise E_7(x, b=2) from k


def leaves_nonexc(x):
    try:
        raise KeyError
    except KeyError:
        raise 3


class M_9:
    def __enter__(self):
        return self

    def __exit__(self, *a):
        raise ValueError("exit")


def leaves_with(x):
    with M_9():
        raise KeyError("k")


def leaves_bare(x):
    raise


def f(x):
    if x == 0:
        leaves_ctx(x)
    if x == 1:
        leaves_none(x)
    if x == 2:
        leaves_from(x)
    if x == 3:
        leaves_helper(x)
    if x == 4:
        leaves_finally(x)
    if x == 5:
        leaves_static(x)
    if x == 6:
        leaves_own(x)
    if x == 7:
        leaves_nonexc(x)
    if x == 8:
        leaves_with(x)
    if x == 9:
        leaves_bare(x)
    return x


CALLS = [(i,) for i in range(11)]
