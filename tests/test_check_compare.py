"""Pictures of values, what tells two of them apart, and one run's outcome against another's."""

from __future__ import annotations

import collections
import warnings
from dataclasses import dataclass, field

import numpy as np
import pytest

from astrace.check.compare.diff import difference
from astrace.check.compare.observe import Call, divergence, observe
from astrace.check.compare.snapshots import Camera, sharing
from astrace.check.inputs.search import Clock, smaller
from astrace.check.sandbox.world import World
from astrace.check.settings import settings_for

Point = collections.namedtuple("Point", "x y")
STRUCTURED = np.dtype([("a", "f8"), ("b", "i4")])


@dataclass
class Box:
    v: object
    more: list = field(default_factory=list)


class Slots:
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v


class Hostile:
    """Says wrong or nothing about itself."""

    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        raise RuntimeError("not to be asked")

    def __repr__(self):
        raise RuntimeError("not to be asked")

    def __getattr__(self, name):
        raise RuntimeError("not to be asked")

    __hash__ = None


def cyclic(v):
    made = [v]
    made.append(made)
    return made


SAME = [
    (1, 1),
    (float("nan"), float("nan")),
    (np.array([np.nan, -0.0]), np.array([-np.nan, -0.0])),
    (np.float32(1.5), np.float32(1.5)),
    ([1, (2, {"a": 3})], [1, (2, {"a": 3})]),
    ({1, 2, 3}, {3, 2, 1}),
    (Box(np.ones(2)), Box(np.ones(2))),
    (Slots(1), Slots(1)),
    (Hostile(1), Hostile(1)),
    (Point(1, 2.0), Point(1, 2.0)),
    (cyclic(1), cyclic(1)),
    (np.zeros(2, STRUCTURED), np.zeros(2, STRUCTURED)),
    (np.array(["a", None], object), np.array(["a", None], object)),
    (np.array(["2020", "NaT"], "M8[D]"), np.array(["2020", "NaT"], "M8[D]")),
    (len, len),
    (slice(1, None), slice(1, None)),
    (np.ma.masked_array([1.0, 2.0], [0, 1]), np.ma.masked_array([1.0, 2.0], [0, 1])),
]
DIFFERENT = [
    (1, 2, "AC101", ""),
    (1, 1.0, "AC102", ""),
    (1, True, "AC102", ""),
    (0.0, -0.0, "AC101", ""),
    (1.0, np.float64(1.0), "AC102", ""),
    (np.float64(1.0), np.float32(1.0), "AC102", ""),
    (np.array([0.0]), np.array([-0.0]), "AC101", "[0]"),
    (np.array([1.0, 2.0]), np.array([1.0, np.nan]), "AC101", "[1]"),
    (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [3, 5]]), "AC101", "[1, 1]"),
    (np.zeros(2), np.zeros(2, "f4"), "AC102", ""),
    (np.zeros((2, 1)), np.zeros((1, 2)), "AC102", ""),
    (np.zeros((2, 2)), np.asfortranarray(np.zeros((2, 2))), "AC102", ""),
    (np.zeros(2), [0.0, 0.0], "AC102", ""),
    ([1, 2], (1, 2), "AC102", ""),
    ([1, 2], [1, 3], "AC101", "[1]"),
    ([1, 2], [1, 2, 3], "AC101", "len()"),
    ({"a": 1}, {"a": 2}, "AC101", "['a']"),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "AC101", ".keys()[0]"),
    ({1}, {2}, "AC101", ".members()[0]"),
    (Box(1), Box(2), "AC101", ".v"),
    (Box(1, [1]), Box(1, [2]), "AC101", ".more[0]"),
    (Slots(1), Slots(2), "AC101", ".v"),
    (Hostile(1), Hostile(2), "AC101", ".v"),
    (Point(1, 2.0), Point(1, 3.0), "AC101", ".y"),
    (cyclic(1), cyclic(2), "AC101", "[0]"),
    (None, 0, "AC102", ""),
    (np.array([(1.0, 2)], STRUCTURED), np.array([(1.0, 3)], STRUCTURED), "AC101", "[0]"),
    (np.array([1, "a"], object), np.array([2, "a"], object), "AC101", "[0]"),
    (ValueError("a"), ValueError("b"), "AC101", ".args[0]"),
    (len, max, "AC101", ""),
]


def picture(value):
    return Camera().picture(value)


@pytest.mark.parametrize(("left", "right"), SAME, ids=lambda value: type(value).__name__)
def test_the_same(left, right):
    assert difference(picture(left), picture(right)) is None


@pytest.mark.parametrize(
    ("left", "right", "code", "where"), DIFFERENT, ids=lambda value: type(value).__name__
)
def test_different(left, right, code, where):
    found = difference(picture(left), picture(right))
    assert (found.code, found.where) == (code, where)
    assert str(found)


def test_pictures_keep_what_was():
    value = [np.zeros(2), {"a": [1]}]
    before = picture(value)
    value[0][0] = 1.0
    value[1]["a"].append(2)
    assert difference(before, picture([np.zeros(2), {"a": [1]}])) is None
    assert difference(before, picture(value)) is not None


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_ulps_are_scaled_by_dtype(dtype):
    one = np.ones(2, dtype)
    near = np.array(one)
    near.real[0] = np.nextafter(one.real[0], one.real.dtype.type(2))
    assert difference(picture(one), picture(near)) is not None
    assert difference(picture(one), picture(near), ulps=1) is None
    near.real[0] = 1.5
    assert difference(picture(one), picture(near), ulps=1000 if dtype not in ("f2",) else 10) is not None


def test_sharing_names_what_is_one_object():
    x = np.arange(4.0)
    inner = [1]
    found = sharing([x, x[1:], [inner, inner], np.arange(2.0)])
    assert ("#0", "#1") in found and ("#2[0]", "#2[1]") in found
    assert not any("#3" in pair for pair in found)


# -- outcomes ----------------------------------------------------------------------------------------------

STATE = {"n": 0}
TOTALS = np.zeros(2)


def outcome(function, *args):
    world = World([function])
    with world.sandbox() as before:
        return observe(function, Call(args), before, 2.0)


def prints(x):
    print("hello")
    return x


def warns(x):
    warnings.warn("careful", UserWarning, stacklevel=1)
    return x


def raises(x):
    raise KeyError("missing")


def leaves(x):
    raise SystemExit(3)


def writes(x):
    x[0] = 9.0
    return x.copy()


def counts(x):
    STATE["n"] += 1
    return x.copy()


def adds(x):
    TOTALS[0] += 1
    return x.copy()


def copies(x):
    return x.copy()


def same(x):
    return x


def loops(x):
    while True:
        pass


@pytest.mark.parametrize(
    ("left", "right", "code", "says"),
    [
        (prints, same, "AC106", "prints '' instead of 'hello"),
        (warns, same, "AC106", "careful"),
        (raises, same, "AC103", "the graph returns, the function raises KeyError: 'missing'"),
        (same, raises, "AC103", "the graph raises KeyError: 'missing', the function returns"),
        (leaves, same, "AC103", "SystemExit"),
        (copies, writes, "AC101", f"the result[0] is {np.float64(9.0)!r}"),
        (copies, counts, "AC106", "the graph changes `STATE['n']`"),
        (counts, copies, "AC106", "the graph does not change `STATE['n']`"),
        (adds, copies, "AC106", "the graph does not change `TOTALS`"),
        (same, copies, "AC105", "argument 1 no longer shares memory with the result"),
        (copies, same, "AC105", "argument 1 shares memory with the result"),
        (same, loops, "AC103", "does not end"),
    ],
)
def test_divergence(left, right, code, says):
    seconds = World([left]), World([right])
    found = divergence(*(observed(function, world) for function, world in zip((left, right), seconds)))
    assert found.code == code and says in found.message


def observed(function, world):
    with world.sandbox() as before:
        return observe(function, Call((np.ones(2),)), before, 0.3)


def test_what_does_not_end_in_the_function_is_no_divergence():
    world = World([loops])
    assert divergence(observed(loops, world), observed(same, world)) is None


@pytest.mark.parametrize("function", [prints, warns, raises, writes, counts, adds, copies, same])
def test_no_divergence_from_itself(function):
    first, second = outcome(function, np.ones(2)), outcome(function, np.ones(2))
    assert divergence(first, second) is None
    assert STATE == {"n": 0} and not TOTALS.any()


def test_a_failing_call_is_made_smaller_within_a_count():
    """The smallest that was found counts, though Hypothesis would go on."""
    tried = []

    def fails(call):
        tried.append(call)
        return call.args[0].sum() > 50

    found = smaller(Call((np.arange(64.0),)), fails, settings_for("quick", shrink=20), Clock(100.0))
    assert len(tried) == 20 and found.args[0].sum() > 50
