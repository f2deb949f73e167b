"""The text of a traceback names frames, so the function stays plain."""

import traceback


def format_exc(x):
    try:
        int("x")
    except ValueError:
        return traceback.format_exc().splitlines()[-1]


def h_2(x):
    return {}[x]


def format_exc_whole(x):
    try:
        h_2(x)
    except KeyError:
        return traceback.format_exc()


def tb_line(x):
    try:
        raise ValueError("a")
    except ValueError as e:
        return e.__traceback__.tb_lineno, e.__traceback__.tb_next is None


def f(x):
    return format_exc(x), format_exc_whole(x), tb_line(x)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT212"
