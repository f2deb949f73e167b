"""Functions that take something for granted: a frozen graph of each goes wrong when that changes.

What a graph decided stands in the comment of the line that it is told on: how the user calls it.
"""

import collections
import datetime as dt
import decimal
import enum
import re

import numpy as np

TABLE = {"b": 2.0}
OPTIONS = {}
CHOSEN = {1, 2}
FIXED = frozenset({1, 2})
KIND = np.float32
DTYPE = np.dtype("f4")
activation = np.tanh
STEPS = [np.sin]
RECENT = collections.deque([1.0, 2.0])
DAY = dt.date(2020, 1, 1)
CONTEXT = decimal.Context(prec=5)
WORD = re.compile("a+")
WEIGHTS = np.ones(3)
RATE = 2.0
PAIR = (1.0, 2.0)


class Mode(enum.Enum):
    SLOW = 1
    FAST = 2


class Settings:
    def __init__(self):
        self.act = np.tanh
        self.flag = True

    def scale(self, x):
        return x * 2 if self.flag else x  # `self.flag`


SETTINGS = Settings()
MODE = Mode.SLOW


def default_of_get(x):
    return x * OPTIONS.get("k", 2.0)  # `OPTIONS['k']`


def missing_key(x):
    if "k" in OPTIONS:  # `OPTIONS['k']`
        return x * OPTIONS["k"]
    return x


def known_key(x):
    return x * 2 if "b" in TABLE else x  # `TABLE['b']`


def missing_attribute(x):
    return x * 2 if hasattr(SETTINGS, "fast") else x  # `SETTINGS.fast`


def default_of_getattr(x):
    return x * getattr(SETTINGS, "factor", 3.0)  # `SETTINGS.factor`


def member(x):
    return x * 2 if 3 in CHOSEN else x  # `CHOSEN`


def frozen_member(x):
    return x * 2 if 1 in FIXED else x  # `FIXED`


def scalar_type(x):
    return x.astype(KIND)  # `KIND`


def dtype(x):
    return np.zeros(3, dtype=DTYPE) + x  # `DTYPE`


def ufunc(x):
    return activation(x)  # `activation`


def ufunc_in_a_list(x):
    return STEPS[0](x)  # `STEPS[0]`


def ufunc_in_an_instance(x):
    return SETTINGS.act(x)  # `SETTINGS.act`


def instance_of(x):
    return x * 2 if isinstance(SETTINGS, Settings) else x  # `type of SETTINGS`


def enumerated(x):
    return x if MODE is Mode.SLOW else -x  # `MODE`


def held(x):
    return x * RECENT[0]  # `RECENT`


def precision(x):
    return x * CONTEXT.prec  # `CONTEXT`


def day(x):
    return x * DAY.day  # `DAY`


def pattern(x):
    return x * 2 if WORD.match("aaa") else x  # `WORD`


def keyword_only(x, *, factor=3.0):  # `the default of factor`
    return x * factor


def type_only(x):
    return x * 2 if isinstance(RATE, float) else x  # `type of RATE`


def function_of_numpy(x):
    return np.exp(x)  # `np.exp`


def another_function_of_numpy():
    np.exp = np.expm1


def item_of_a_tuple(x):
    return x * PAIR[0]  # `PAIR[0]`


def default_of_a_helper(x):
    return keyword_changed(x)  # `keyword_changed.__kwdefaults__['factor']`


def swapped_defaults():
    keyword_changed.__kwdefaults__["factor"] = 5.0


def keyword_changed(x, *, factor=3.0):  # `the default of factor`
    return x * factor


def identity(x):
    return x * 2 if WEIGHTS is SETTINGS.act else x


def by_name(x):
    return np.abs(x) + default_of_get(x)


def later():
    """What a program may do between two calls."""
    OPTIONS["k"] = 5.0
    del TABLE["b"]
