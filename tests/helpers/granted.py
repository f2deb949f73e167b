"""Functions that take something for granted: a frozen graph of each goes wrong when that changes.

What a graph decided stands in the comment of the line that it is told on: how the user calls it.
"""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import functools
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
LIMITS = (1.0, 2.0)
HELD = functools.partial(np.multiply, np.ones(3))


class Mode(enum.Enum):
    SLOW = 1
    FAST = 2


Mode.FAST.rate = 2.5


class Table(enum.Enum):
    SHORT = [1.0, 2.0]  # noqa: RUF012 - that it can be changed is the point


@dataclasses.dataclass(frozen=True)
class Point:
    x: float = 1.0


POINT, MOVED = Point(), Point()


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


def item_of_a_changed_tuple(x):
    return x * LIMITS[0]  # `LIMITS[0]`


def field_of_frozen(x):
    return x * POINT.x  # `POINT.x`


def field_changed_from_outside(x):
    return x * MOVED.x  # `MOVED.x`


def moved():
    global MOVED, LIMITS
    MOVED, LIMITS = Point(3.0), (5.0, 6.0)


def value_of_member(x):
    return x * 2 if MODE is Mode.SLOW else x * Mode.FAST.value  # `MODE`


def choice_by_member(x, mode=Mode.FAST):  # `the default of mode`
    return x * 2 if mode is Mode.FAST else x


def attribute_of_member(x):
    return x * Mode.FAST.rate  # `Mode.FAST.rate`


def value_of_member_changed(x):
    return x * Table.SHORT.value[0]  # `Table.SHORT.value[0]`


def doubled(function):
    @functools.wraps(function)
    def inner(x):
        return function(x) * 2

    return inner


@doubled
def default_of_a_decorated(x, k=2.0):
    return x * k


def weighted(weights, x):
    return x * weights


bound_by_place = functools.partial(weighted, np.ones(3))
bound_by_name = functools.partial(lambda x, weights: x * weights, weights=np.ones(3))


def array_in_a_partial(x):
    return HELD(x)  # `HELD.args[0]`


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
    """Return the changes that a program may make between two calls."""
    OPTIONS["k"] = 5.0
    del TABLE["b"]
