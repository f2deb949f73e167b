"""Loops over constants that end by raising, in the body or in the test."""


def h_1(b):
    n = b
    while True:
        n += 1
        if n > 4:
            raise ValueError(n)


def static_while_true(x):
    try:
        h_1(True)
    except ValueError as e:
        r = e.args
    try:
        h_1(False)
    except ValueError as e:
        return r, repr(e.__context__)


def more_2(n):
    if n > 2:
        raise ValueError(n)
    return True


def while_test_raises(x):
    n = x
    try:
        while more_2(n):
            n += 1
    except ValueError as e:
        return e.args, repr(e.__context__)



def more_3(n):
    raise ValueError(n)


def while_test_raises2(x):
    try:
        while more_3(4):
            x += 1
    except ValueError as e:
        return e.args, repr(e.__context__)


def static_for(x):
    try:
        for i in range(3):
            if i == 2:
                raise ValueError(i)
    except ValueError as e:
        return e.args, repr(e.__context__)


def static_for_else(x):
    try:
        for i in (1, "a", None):
            if i is None:
                raise ValueError(i)
        else:
            print("else")
    except ValueError as e:
        return e.args, i, repr(e.__context__)


def f(x):
    return (
        static_while_true(x),
        while_test_raises(x),
        while_test_raises2(x),
        static_for(x),
        static_for_else(x),
    )


CALLS = [(1,), (0,), (True,)]
