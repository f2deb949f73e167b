"""What `except` names is no class, or fails itself."""


def exc_nonclass(x):
    try:
        try:
            raise ValueError(1)
        except 3:
            return 1
    except TypeError as e:
        return str(e), repr(e.__context__)


def exc_nonclass2(x):
    try:
        try:
            raise ValueError(1)
        except (KeyError, "a"):
            return 1
    except TypeError as e:
        return str(e), repr(e.__context__)


def exc_raising_expr(x):
    try:
        try:
            raise ValueError(1)
        except undefined_name:
            return 1
    except NameError as e:
        return str(e), repr(e.__context__)


KINDS_4 = (KeyError, (ValueError, TypeError))


def exc_nested_tuple(x):
    try:
        raise ValueError(1)
    except KINDS_4 as e:
        return repr(e)


def f(x):
    return exc_nonclass(x), exc_nonclass2(x), exc_raising_expr(x), exc_nested_tuple(x)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT209"
