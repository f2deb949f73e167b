"""What arrays raise in handlers."""

import numpy as np


def np_seterr(x):
    with np.errstate(divide="raise"):
        try:
            return np.ones(2) / np.zeros(2)
        except FloatingPointError as e:
            return str(e), repr(e.__context__)


def np_seterr_handler(x):
    try:
        try:
            {}["k"]
        except KeyError:
            with np.errstate(divide="raise"):
                np.ones(2) / np.zeros(2)
    except FloatingPointError as e:
        return str(e), repr(e.__context__)


def linalg(x):
    try:
        np.linalg.inv(np.zeros((2, 2)))
    except np.linalg.LinAlgError as e:
        return str(e), repr(e.__context__)


def array_handler(x):
    a = np.arange(3.0)
    try:
        a[x + 7]
    except IndexError as e:
        try:
            return a.reshape(2, 2)
        except ValueError as v:
            return repr(v.__context__), str(v)


def f(x):
    return np_seterr(x), np_seterr_handler(x), linalg(x), array_handler(x)


CALLS = [(1,), (0,), (True,)]
