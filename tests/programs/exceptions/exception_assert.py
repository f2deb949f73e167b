"""The message of `assert` is evaluated if it fails."""


def msg_1():
    print("made")
    return "m"


def assert_msg(x):
    assert x >= -5, msg_1()
    try:
        assert x > 100, msg_1()
    except AssertionError as e:
        return e.args


def assert_static(x):
    try:
        assert (), ("a", 1)
    except AssertionError as e:
        return e.args, repr(e), repr(e.__context__)


def f(x):
    return assert_msg(x), assert_static(x)


CALLS = [(1,), (0,), (True,)]
