"""The world is put back whatever happens: exceptions, interruptions, strange objects."""

from __future__ import annotations

import collections
import contextvars
import io
import itertools
import os
import random
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import astrace
from astrace.check.compare.diff import difference
from astrace.check.compare.snapshots import Camera
from astrace.check.inputs.code_constants import mine
from astrace.check.inputs.numeric import NumberSource
from astrace.check.mutate.perturb import content_places, shifts
from astrace.check.sandbox.world import World


class Model:
    rate = 1.0
    table = {"a": [1]}

    def __init__(self):
        self.w = np.ones(2)
        self.deep = {"list": [[1], [2]]}

    def step(self, x):
        return x * self.w * self.rate * Model.table["a"][0]


class Slotted:
    __slots__ = ("n",)

    def __init__(self):
        self.n = 1


class Unfilled:
    __slots__ = ("n",)


class Bare:
    pass


NUMBER = 1.0
ITEMS = [1, [2, 3]]
NAMES = {"a": 1, "b": {"c": 2}}
SEEN = {1, 2}
RECENT = collections.deque([1, 2], maxlen=3)
RAW = bytearray(b"ab")
ARRAY = np.arange(4.0)
MODEL = Model()
SLOTTED = Slotted()
UNFILLED = Unfilled()
BARE = Bare()
STREAM = io.StringIO("text")
GENERATOR = np.random.default_rng(0)
LEGACY = np.random.RandomState(0)
PLAIN = random.Random(0)
VARIABLE = contextvars.ContextVar("VARIABLE", default=1)
LOCAL = threading.local()
LOCAL.value = 1
EMPTY = threading.local()


def helper(x, seen=[]):
    seen.append(x)
    return NUMBER + len(seen)


def other_helper(x, seen=[]):
    return 0


def maker():
    kept = [0]
    count = 0

    def inner(x):
        nonlocal count
        count += 1
        kept.append(x)
        return count

    return inner


INNER = maker()


def names_all(x):
    return (
        NUMBER, ITEMS, NAMES, SEEN, RECENT, RAW, ARRAY, MODEL.step(x), SLOTTED, STREAM, GENERATOR, LEGACY, PLAIN,
        VARIABLE, LOCAL, EMPTY, UNFILLED, BARE, helper(x), INNER(x), os.environ, os.getcwd, np.seterr, sys,
    )  # fmt: skip


def change_everything():
    global NUMBER, ADDED
    NUMBER, ADDED = 2.0, "new"
    ITEMS.append(4), ITEMS[1].clear()
    NAMES.pop("a"), NAMES["b"].update(d=1)
    SEEN.clear(), RECENT.append(9)
    RAW.extend(b"c")
    ARRAY[:] = 7
    MODEL.w = None
    MODEL.deep["list"][0].append(1)
    MODEL.new = 1
    Model.rate = 5.0
    Model.table["a"].append(2)
    SLOTTED.n = 2
    UNFILLED.n = BARE.n = EMPTY.n = helper.n = names_all.n = 2
    helper.__kwdefaults__ = {"x": 1}
    helper.__code__ = other_helper.__code__
    STREAM.write("more")
    GENERATOR.random(), LEGACY.rand(), PLAIN.random(), np.random.rand(), random.random()
    VARIABLE.set(2)
    LOCAL.value = 2
    helper(1)
    INNER(5)
    os.environ["ASTRACE_TEST_WORLD"] = "1"
    np.seterr(over="ignore")
    sys.setrecursionlimit(sys.getrecursionlimit() + 1)
    os.chdir("/")


def state():
    """All of it, as a picture."""
    values = {name: value for name, value in globals().items() if name.isupper()}
    numpy_state = np.random.get_state()
    held = (
        values, vars(Model).get("rate"), Model.table, VARIABLE.get(), LOCAL.value, helper.__defaults__, helper.__kwdefaults__,
        helper.__code__ is other_helper.__code__,
        [cell.cell_contents for cell in INNER.__closure__], GENERATOR.bit_generator.state, LEGACY.get_state(),
        PLAIN.getstate(), numpy_state, random.getstate(), STREAM.getvalue(), STREAM.tell(), dict(os.environ),
        os.getcwd(), np.geterr(), sys.getrecursionlimit(),
    )  # fmt: skip
    return Camera().picture(held)


def assert_as_before(before):
    assert difference(before, state()) is None
    assert "ADDED" not in globals() and not hasattr(MODEL, "new")
    assert not any(hasattr(one, "n") for one in (UNFILLED, BARE, EMPTY, helper, names_all))


def test_everything_is_put_back():
    before, world = state(), World([names_all])
    with world.sandbox(system=True) as snapshot:
        change_everything()
        changed = dict(snapshot.changes())
    assert_as_before(before)
    told = {
        "NUMBER",
        "ITEMS",
        "SEEN",
        "RAW",
        "ARRAY",
        "MODEL.w",
        "Model.rate",
        "SLOTTED.n",
        "BARE.n",
        "UNFILLED.n",
        "helper.n",
        "GENERATOR",
        "os.environ",
    }
    assert told <= set(changed) | {name.replace("type(MODEL)", "Model") for name in changed}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError])
def test_everything_is_put_back_after(error):
    before, world = state(), World([names_all])
    with pytest.raises(error), world.sandbox(system=True):
        change_everything()
        raise error
    assert_as_before(before)


@pytest.mark.parametrize("first", range(0, 60, 7))
def test_an_interruption_while_it_is_put_back_waits(first, monkeypatch):
    """A KeyboardInterrupt at any step of putting back is raised when all is put back."""
    before, world = state(), World([names_all])
    import astrace.check.sandbox.world as module

    real, calls = module._restore, []

    def interrupting(one):
        calls.append(one)
        if len(calls) == first + 1:
            raise KeyboardInterrupt
        real(one)

    monkeypatch.setattr(module, "_restore", interrupting)
    try:
        with world.sandbox(system=True):
            change_everything()
    except KeyboardInterrupt:
        pass
    assert_as_before(before)


@pytest.mark.parametrize("level", ["quick", "default"])
def test_a_check_leaves_everything_as_it_was(level):
    def busy(x):
        change_everything()
        return x * NUMBER

    before = state()
    contextvars.copy_context().run(astrace.check, busy, 1.0, level=level, deadline=1.0)
    graph = astrace.trace(lambda x: x * NUMBER, 1.0)
    astrace.check(graph, 1.0, original=busy, level=level, deadline=1.0)
    assert_as_before(before)


def test_an_interrupted_check_leaves_everything_as_it_was():
    calls = itertools.count()  # which nobody can put back

    def interrupted(x):
        change_everything()
        if next(calls) > 3:
            raise KeyboardInterrupt
        return x

    before = state()
    graph = astrace.trace(lambda x: x, 1.0)
    with pytest.raises(KeyboardInterrupt):
        astrace.check(graph, 1.0, original=interrupted, process=False)
    assert_as_before(before)


def test_every_change_of_the_world_is_undone():
    before, world = state(), World([names_all])
    source = NumberSource(np.random.default_rng(0), mine(names_all))
    places = [*content_places(world.places), *world.places]
    tried = 0
    for shift in shifts(places, source.mined, sorted(world.names), source):
        with world.sandbox(system=True) as snapshot:
            try:
                shift.make()
            except (TypeError, AttributeError):
                continue
            tried += bool(snapshot.changes())
        assert difference(before, state()) is None, shift.suspect
    assert tried >= 15


OPERATIONS = {
    "append": lambda: ITEMS.append(3),
    "pop": lambda: ITEMS and ITEMS.pop(),
    "nested": lambda: NAMES.setdefault("b", {}).update(x=1),
    "del": lambda: NAMES.pop("a", None),
    "array": lambda: ARRAY.__iadd__(1),
    "attribute": lambda: setattr(MODEL, "w", 3),
    "new": lambda: setattr(MODEL, "extra", []),
    "class": lambda: setattr(Model, "rate", 2),
    "set": lambda: SEEN.add(7),
    "draw": lambda: GENERATOR.random(),
    "global": lambda: globals().update(NUMBER=5),
}


def register(name, value):
    if name in NAMES:
        raise KeyError(name)
    NAMES[name] = value


def test_what_is_put_into_the_world_is_put_back_between_runs():
    assert astrace.check(register, "c", 2.0, level="quick").findings == ()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(sorted(OPERATIONS)), max_size=12))
def test_any_sequence_of_changes_is_undone(names):
    before, world = state(), World([names_all])
    with world.sandbox():
        for name in names:
            OPERATIONS[name]()
    assert difference(before, state()) is None


def test_ordered_dicts_keep_their_order():
    """An `OrderedDict` has an order of its own beside the dict that it is."""
    kept = collections.OrderedDict(a=1.0, b=2.0)

    def used(x):
        kept["c"] = x
        kept.move_to_end("a")
        kept.popitem(last=False)
        return x

    report = astrace.check(used, np.ones(3), level="quick")
    assert report.ok and list(kept.items()) == [("a", 1.0), ("b", 2.0)]
    assert repr(kept) == repr(collections.OrderedDict(a=1.0, b=2.0))
