"""What opaque code raises, with its own attributes."""

import json
import numpy as np


def opaque(x):
    try:
        json.loads("{")
    except ValueError as e:
        return type(e).__name__, e.pos, e.msg, e.doc, repr(e.__context__)


def np_err(x):
    try:
        np.zeros(3) + np.zeros(4)
    except ValueError as e:
        return str(e), repr(e.__context__), e.args


def np_err2(x):
    try:
        np.zeros((2, 2)).reshape(3)
    except ValueError as e:
        return str(e), repr(e.__context__), repr(e.__cause__)


def np_axis(x):
    try:
        np.sum(np.zeros((2, 2)), axis=5)
    except Exception as e:
        return type(e).__name__, str(e), e.axis, e.ndim, repr(e.__context__)


def zero_ctx(x):
    try:
        1 / (x * 0)
    except ZeroDivisionError as e:
        return str(e), repr(e.__context__), e.args


def cb_6(k):
    raise KeyError(k)


def callback(x):
    try:
        return sorted([3, 1], key=cb_6)
    except KeyError as e:
        return repr(e), repr(e.__context__)


def map_exc(x):
    try:
        return list(map(int, ["1", "z"]))
    except ValueError as e:
        return str(e), repr(e.__context__)


def unpack_err(x):
    try:
        a, b = [1]
    except ValueError as e:
        return str(e), repr(e.__context__)


def h_9(a):
    return a


def call_err(x):
    try:
        h_9()
    except TypeError as e:
        return str(e), repr(e.__context__)


def format_err(x):
    try:
        return f"{x:zz}"
    except ValueError as e:
        return str(e), repr(e.__context__)


def f(x):
    return (
        opaque(x),
        np_err(x),
        np_err2(x),
        np_axis(x),
        zero_ctx(x),
        callback(x),
        map_exc(x),
        unpack_err(x),
        call_err(x),
        format_err(x),
    )


CALLS = [(1,), (0,), (True,)]
