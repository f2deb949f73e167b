"""Functions of which graphs differ, each in another way: the tests of the check's programs import this file."""

import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import astrace

CONFIG = {"mode": "double", "eps": 0.5}
COUNTS = {"calls": 0}
TABLE = np.array([1.0, 2.0, 3.0])
LOG = []
WRITTEN = "written.txt"


def flag(x, double):
    return x * 2 if double else x


def halve(x):
    return x / 2 if x.dtype.kind == "f" else x // 2


def root(x):
    if x.min() < 0:
        raise ValueError("negative")
    return np.sqrt(x)


def fill(x):
    x[0] = 0.0
    return x.sum()


def fill_a_copy(x):
    return fill(x.copy())


def tail(x):
    return x[1:]


def tail_copied(x):
    return x[1:].copy()


def count(x):
    COUNTS["calls"] += 1
    return x * 2


def twice(x):
    return x * 2


def log(x):
    LOG.append(1)
    return x


def length_of_log(x):
    LOG.append(x.sum())
    return len(LOG)


def length_of_log_wrong(x):
    LOG.append(x.sum())
    return len(LOG) + 1


def says(x):
    print("hello", x.shape)
    return x


def warns(x):
    warnings.warn("careful", stacklevel=1)
    return x


def writes(x):
    Path(WRITTEN).write_text("x")
    return x


def same(x):
    return x


def stamp(x):
    return x.sum() + time.time()


def ticking(x):
    return x.sum() + time.perf_counter()


def total(x):
    return x.sum()


def nearly(x):
    return (x * 3) / 7


def near(x):
    return x * (3 / 7)


def configured(x):
    if CONFIG["mode"] == "double":
        return x * 2
    return x + CONFIG["eps"]


def with_table(x):
    return x * TABLE.sum()


def change():
    TABLE[0] += 1.0


@dataclass
class Pair:
    left: np.ndarray
    up: bool


def of_pair(pair):
    return pair.left * 2 if pair.up else pair.left


class Base:
    def step(self, x):
        return x + 1


class Layer:
    def __init__(self, width, bias):
        self.w = width * 2
        self.bias = bias
        self.calls = 0

    def forward(self, x, up=True):
        return x * self.w + self.bias if up else x

    def step(self, x):
        self.calls += 1
        return x * self.calls

    def __call__(self, x, up=True):
        return x * self.w if up else x

    @classmethod
    def of_class(cls, x, up=True):
        return x if up else x - 1

    @staticmethod
    def static(x, up=True):
        return x if up else x - 1

    @astrace.compile
    def compiled(self, x, up=True):
        return x * self.w if up else x


LAYER = Layer(3.0, np.ones(3))


def make(scale):
    def inner(x, up=True):
        return x * scale if up else twice(x)

    return inner


power = lambda x, up=True: x**2 if up else x  # noqa: E731


def by_name(x, *, up=True):
    return x if up else x - 1


def by_name_wrong(x, *, up=True):
    return x


def nested(parts, up=True):
    return parts["a"][0] + parts["b"] if up else parts["b"]


def aliased(x, y):
    x += 1
    return x + y


def apart(x, y):
    return x + 1 + y


def upper(text):
    return text.upper()


def capital(text):
    return text.capitalize()


def writeable(x):
    return x * 2 if x.flags.writeable else x


def kept_order(x):
    return x.copy(order="K")


def c_order(x):
    return x.copy(order="C")


class Box:
    def __init__(self, value):
        self.value = value


def boxed(x):
    return Box(float(x.sum()))


def boxed_wrong(x):
    return Box(float(x.sum()) + 1)


def leaves(x):
    if x[0] > 2:
        raise SystemExit(3)
    return x


def waits(x):
    while x[0] > 1.0:
        x = x / 2.0
    return x
