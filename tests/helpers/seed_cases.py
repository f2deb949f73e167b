"""Functions that tracers are compared on: each is captured for one call and run for others.

`COMPARED` are those that are captured wrongly where one run is recorded: the branch that was taken, the number of
turns, a length, an object that was baked in.  `PORTED` are what a tracer of libraries has to get right besides.
"""

from __future__ import annotations

import collections
import enum
import functools
import math
from collections import UserDict, namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy import sin

TABLE = np.array([1.0, 2.0])
Point = namedtuple("Point", "x y")


class Size(enum.IntEnum):
    SMALL = 3
    LARGE = 4


class Scaler:
    """A callable object with state."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, x: Any) -> Any:
        return x * self.factor if x.sum() > 0 else x


class Case(NamedTuple):
    """A function, the arguments it is captured for, and those of further calls."""

    function: Callable[..., Any]
    captured: tuple[Any, ...]
    calls: tuple[tuple[Any, ...], ...]


CASES: dict[str, list[Case]] = {"compared": [], "ported": []}


def case(kind: str, captured: tuple[Any, ...], *calls: tuple[Any, ...]) -> Callable[..., Any]:
    """Add a function to the cases."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES[kind].append(Case(function, captured, calls))
        return function

    return add


compared = functools.partial(case, "compared")
ported = functools.partial(case, "ported")
UP, DOWN, LONG = np.array([1.0, 2.0, 3.0]), np.array([-1.0, -2.0, -3.0]), np.arange(5.0) + 2

# -- compared ------------------------------------------------------------------------------------------------


@compared((UP,), (DOWN,))
def branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


@compared((UP,), (LONG,), (np.array([60.0]),))
def while_on_data(x):
    while x.sum() < 100:
        x = x * 2
    return x


@compared((UP,), (LONG,))
def range_of_shape(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * i
    return total


@compared((UP,), (LONG,), (np.zeros(0),))
def over_items(x):
    total = 0.0
    for value in x:
        total = total * 2 + value
    return total


@compared((UP,), (DOWN,), (LONG,))
def break_and_continue(x):
    total = 0.0
    for value in x:
        if value < 0:
            continue
        if value > 4:
            break
        total += value
    return total


@compared((UP,), (LONG,))
def length(x):
    return x / len(x)


@compared((UP,), (LONG,))
def to_float(x):
    return x * float(x.sum())


@compared((np.array([1.0, 5.0, 6.0]),), (np.array([2.0, 5.0, 6.0]),))
def int_as_slice(x):
    return x[: int(x[0])]


@compared((UP,), (LONG,))
def write_through_view(x):
    x = x.copy()
    y = x[:2]
    y[0] = 100
    return x


@compared((UP,), (LONG,))
def from_import(x):
    return sin(x) + 1


@compared((UP,), (LONG,))
def over_tolist(x):
    return [v * 2 for v in x.tolist()]


@compared((np.eye(2),), (np.zeros((2, 2)),))
def handler(x):
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return -x


@compared((UP,), (DOWN,))
def assertion(x):
    assert x.min() > 0, "not positive"
    return x


@compared((UP,), (DOWN,))
def item(x):
    return x[0].item() + 1


@compared((UP,), (LONG,))
def math_function(x):
    return math.sqrt(x[0])


@compared((UP,), (LONG,))
def arithmetic_on_shapes(x):
    return x.reshape(x.shape[0] // 1, 1) * (x.shape[0] + 1)


@compared((np.ones((1, 2)),), (np.ones((3, 4)),))
def largest_of_shape(x):
    return max(x.shape)


@compared((UP,), (np.array([10.0, 20.0, 30.0]),))
def mask(x):
    x = x.copy()
    x[x > 2] = 0
    return x[x < 15], np.where(x > 1, x, -x)


@compared((UP,), (LONG,))
def einsum_and_ufuncs(x):
    return np.einsum("i,i->", x, x), np.add.reduce(x), np.multiply.accumulate(x)


@compared((UP, np.zeros(3)), (DOWN, np.zeros(3)))
def out(x, y):
    return np.add(x, 1, out=y)


@compared(({"a": UP, "b": 2.0},), ({"a": LONG, "b": 3.0},))
def of_dict(values):
    return values["a"] * values["b"]


@compared((UP, 3), (LONG, 3))
def local_import_and_recursion(x, n):
    import math as m

    return x if n == 0 else local_import_and_recursion(x * m.pi, n - 1)


@compared((UP,), (LONG,))
def mixed_outputs(x):
    return x, 5, "text", None


CASES["compared"].append(Case(Scaler(2.0), (UP,), ((DOWN,), (LONG,))))

# -- ported --------------------------------------------------------------------------------------------------


@ported((np.array([1.0, 2.0]),), (np.array([[4.0], [9.0]]),))
def after_an_empty_loop(x):
    for _ in range(100_000):
        pass
    return (x + 10) ** 0.5 - 5


@ported((UP,), (LONG,))
def detached_divide(x):
    half = np.array([1.0]) / np.array([2.0])
    return x + half


@ported((np.array([1, 2, 3]),), (np.array([10, 20, 30]),))
def item_to_item(x):
    x[1] = x[2]
    return x


@ported((UP, DOWN), (LONG, LONG))
def input_in_output(x, y):
    return x + 2, y


@ported((np.ones(3), UP), (np.zeros(3), LONG[:3]))
def weight_in_place(weight, gradient):
    weight -= gradient
    return weight


@ported((np.array([0, 1, 2]),), (np.array([[3.0]]),))
def reversed_power(x):
    return 10.0**x


@ported((UP,), (LONG,))
def nested_tuples(x):
    a = x + 1
    return a, (a, a)


@ported((UP,), (LONG,))
def failing_in_try(x):
    try:
        return np.reshape(x, (7, 7))
    except ValueError:
        return x * 2


@ported((np.array([1.0, 2.0]),), (np.array([3.0, 4.0]),))
def views_and_in_place(x):
    y = x.copy()
    v = y[:]
    v += 1
    v *= 1
    y[0] += v[1] - v[1]
    return y


@ported((UserDict(x=UP, n=2),), (UserDict(x=LONG, n=3),))
def user_dict(values):
    return values["x"] * values["n"]


@ported((np.zeros(3), UP), (np.ones(3), DOWN))
def copyto(target, source):
    np.copyto(target, source)
    return target


@ported((np.array([3.0, 1.0, 2.0]),), (np.array([[9.0, 7.0], [4.0, 8.0]]),))
def methods_in_place(x):
    y = x.copy()
    y.sort()
    z = x.copy()
    z.partition(1)
    w = np.empty_like(x)
    w.fill(2.0)
    w.setflags(write=False)
    return y, z, w


@ported(([1.0, 2.0], 3.0), ([5.0], 6.0))
def appends_to_argument(values, x):
    values.append(x)
    return sum(values)


@ported(({"a": UP, "b": [UP]},), ({"a": LONG, "b": [DOWN]},))
def container_as_it_is(values):
    return values


class Row(list):
    """A list of its own class."""


@ported((np.ones((2, 3)),), (np.ones((4, 3)),))
def subclass_of_list(x):
    return Row([x, x + 1])


@ported((UP,), (LONG,))
def local_list(x):
    found = []
    found.append(x)
    found.append(x + 1)
    return found


@ported((np.ones((2, 3)),), (np.ones((4, 3)),))
def containers_out(x):
    return [x, x + 1], (x,), Point(x, x * 2), {"a": x, "b": [x]}


@ported(("a", 1), ("b", 10))
def raw_dict(key, value):
    return {key: value}


@ported((np.sin, UP), (np.cos, LONG))
def function_as_argument(function, x):
    return function(x) + 1


@ported((np.ones((5, 2)),), (np.ones((10, 2)),))
def splits(x):
    return np.split(x, x.shape[0])


@ported((np.ones((2, 3)), np.ones((2, 3))), (np.ones((4, 5)), np.ones((4, 5))))
def zipped_shapes(x, y):
    return [a * b for a, b in zip(x.shape, y.shape)]


@ported((np.arange(6.0),), (np.arange(9.0),))
def slices_of_shapes(x):
    half = slice(0, x.shape[0] // 2)
    return x[half], x.tolist()[-1], f"{x.shape}"


@functools.cache
def recipe(pattern, shape):
    return tuple(reversed(shape)) if pattern == "reverse" else shape


@ported((np.ones(3),), (np.ones(2),), (np.ones((2, 4)),))
def cached_recipe(x):
    return x.reshape(recipe("same", x.shape))


@ported((UP,), (DOWN,))
def constants_written(x):
    ones = np.ones(3)
    np.add(ones, x, out=ones)
    return ones * x


@ported((3,), (10,), (0,))
def simple_while(n):
    i = total = 0
    while i < n:
        total += i
        i += 1
    return total


@ported((10,), (3,))
def while_with_if(x):
    while x > -5:
        x = x - 2 if x % 2 == 0 else x - 3
    return x


@ported((3, 4), (2, 7))
def nested_while(rows, columns):
    total, i = 0, 0
    while i < rows:
        j = 0
        while j < columns:
            total += i * j
            j += 1
        i += 1
    return total


@ported((4,), (10,))
def even_numbers(n):
    return [i for i in range(1, n + 1) if i % 2 == 0]


@ported((6,), (15,))
def sum_subarray(target):
    found, total, i = [], 0, 1
    while total < target:
        found.append(i)
        total += i
        i += 1
    return found


def is_prime(n):
    if n < 2:
        return False
    for divisor in range(2, n):
        if n % divisor == 0:
            return False
    return True


@ported((5,), (10,))
def largest_prime(n):
    found = 0
    for i in range(1, n + 1):
        if is_prime(i):
            found = i
    return found


@ported(([1, 2],), ([1, 2, 3],))
def by_length(values):
    return "even" if len(values) % 2 == 0 else "odd"


@ported((UP,), (DOWN,), (LONG * 9,))
def layered(x):
    i = 0
    while i < 3:
        if x.sum() > 20:
            x = x / 2
        elif x.sum() > 0:
            x = x + 1
        else:
            x = -x
        i += 1
    return x


@ported((2, 1.5, "ab"), (7, 2.5, "xyz"))
def python_values(n, x, text):
    return n + 1, x / 2, text.upper(), "-".join([text, *text]), n // 2, -x


@ported(([3, 4], (1.0, 2.0), "ab", {"k": 1}), ([5, 6], (7.0, 8.0), "cd", {"k": 2}))
def unpacking(values, pair, text, table):
    a, b = values
    c, d = pair
    e, f = text
    (k,) = table
    return a + b, c * d, f + e, table[k]


@ported(({"a": 1},), ({"a": 5},))
def mutates_dict(table):
    table["b"] = table["a"] + 1


@ported(({"a": UP, "b": UP},), ({"a": LONG, "b": DOWN},))
def keys_values_items(table):
    return list(table.keys()), [value.sum() for value in table.values()], {k: v * 2 for k, v in table.items()}


@ported((3, 5), (13, 4))
def int_enum(a, b):
    return (a + Size.SMALL if b > Size.LARGE else a - Size.LARGE), Size.SMALL.name, int(Size.LARGE)


@ported((collections.OrderedDict(a=UP),), (collections.OrderedDict(a=LONG),))
def ordered_dict(table):
    return table["a"] + len(table)
