"""Filters of warnings that raise: a handler of `RuntimeWarning` is reached."""

import warnings

import numpy as np


def caught(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            y = np.log(x)
        except RuntimeWarning:
            y = -x
    return y


def by_action(x):
    with warnings.catch_warnings(action="error"):
        try:
            y = 1.0 / x
        except RuntimeWarning:
            y = x
    return y


def under_warn(x):
    with np.errstate(all="warn"):
        try:
            return np.log(x)
        except RuntimeWarning as warning:
            return str(warning)


def around(x):
    y = x
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", category=RuntimeWarning)
            y = np.log(x)
            y = y + 1
    except RuntimeWarning as warning:
        return str(warning), y
    return y


def counted(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        y = np.log(x)
    return y, [str(one.message) for one in seen]


def f(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        quiet = np.log(x)
    return quiet, caught(x), by_action(x), under_warn(x), around(x), counted(x)


CALLS = [(np.array([1.0, 2.0]),), (np.array([1.0, 0.0]),), (np.array([0.0, 2.0]),)]
WARNS = True
