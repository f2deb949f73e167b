"""`assert` whose message raises, or is an object."""


def assert_msg_raises(x):
    try:
        assert x > 100, {}["m"]
    except KeyError as e:
        return repr(e.__context__)


def assert_obj(x):
    try:
        assert x > 100, ValueError("inner")
    except AssertionError as e:
        return repr(e.args[0]), type(e.args[0]).__name__


def not_impl(x):
    try:
        raise NotImplementedError
    except RuntimeError as e:
        return repr(e)


def raise_notimplemented(x):
    try:
        raise NotImplemented
    except TypeError as e:
        return str(e)


def f(x):
    return assert_msg_raises(x), assert_obj(x), not_impl(x), raise_notimplemented(x)


CALLS = [(1,), (0,), (True,)]
