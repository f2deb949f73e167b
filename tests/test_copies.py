"""Compiled copies of modules, classes and instances: they pass for their originals and share their state."""

from __future__ import annotations

import abc
import copy
import dataclasses
import functools
import gc
import inspect
import pickle
import sys
import threading
import tracemalloc
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import harness
import numpy as np
import pytest
from made_packages import importable, load, write_package

import astrace
from tests.test_import_hook import CALLS

X = np.array([1.0, -2.0, 3.0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("copies")
    write_package(found, "figures")
    return found


@pytest.fixture
def figures(folder: Path) -> Iterator[Any]:
    with importable(folder, "figures"):
        yield load("figures")


# -- modules -------------------------------------------------------------------------------------------------


def test_the_copy_of_a_module(figures: Any) -> None:
    """Functions are lazy, each once, under whatever name; modules below are copies; the rest is the module's."""
    before = dict(vars(figures))
    lib = astrace.compile(figures)
    assert isinstance(lib, types.ModuleType) and lib is not figures and dict(vars(figures)) == before
    assert isinstance(lib.area, astrace.LazyGraph) and not lib.area.initialized
    assert lib.area is lib.core.area is lib.sub.deep.surface
    assert lib.cycle_a.cycle_b is lib.cycle_b and lib.cycle_b.a is lib.cycle_a is not figures.cycle_a
    assert isinstance(lib.cycle_b.odd, astrace.LazyGraph)
    assert lib.SOLVERS is figures.SOLVERS and lib.lazy_rate == 20.0 and lib.__all__ is figures.__all__
    assert lib.ShapeError is figures.ShapeError and lib.core.stream is figures.core.stream
    assert (lib.__name__, lib.__doc__, lib.__file__) == (figures.__name__, figures.__doc__, figures.__file__)
    assert dir(lib) == dir(figures) and "compiled" in repr(lib)
    with pytest.raises(AttributeError, match="nothing"):
        lib.nothing
    assert astrace.original(lib) is figures and astrace.original(lib.area) is figures.area
    assert astrace.original(3) == 3


@pytest.mark.parametrize("name", CALLS)
def test_a_copy_does_what_the_library_does(figures: Any, name: str) -> None:
    call = CALLS[name]
    plain = [harness.observe(call, (figures,)) for _ in range(3)]
    lib = astrace.compile(figures)
    for expected in plain:
        found = harness.observe(call, (lib,))
        assert (found.error, harness.shape_of(found.result)) == (
            expected.error,
            harness.shape_of(expected.result),
        )


def test_functions_keep_what_is_known_of_them(figures: Any) -> None:
    lib = astrace.compile(figures)
    for name in ("area", "doubled", "counted", "rated"):
        one, original = getattr(lib, name), getattr(figures, name)
        assert inspect.signature(one) == inspect.signature(original) and one.__doc__ == original.__doc__
        assert one.__name__ == original.__name__ and inspect.getsource(one) == inspect.getsource(original)
        assert astrace.original(pickle.loads(pickle.dumps(one))) is original


def test_state_is_the_library_s_own(figures: Any) -> None:
    """The module sees values that a function of the copy sets, and the other way round."""
    lib = astrace.compile(figures)
    lib.counted(X)
    assert figures.core.COUNT == lib.core.COUNT == 1
    figures.counted(X)
    assert (lib.counted(X) == X + 3).all()
    lib.RATE = 5.0
    assert figures.RATE == 5.0 and (lib.rated(X) == X * 5).all()
    figures.RATE = 2.0
    assert (lib.rated(X) == X * 2).all()


def test_what_is_patched_on_a_copy(figures: Any) -> None:
    lib, area = astrace.compile(figures), figures.sub.deep.surface
    with mock.patch.object(lib.sub.deep, "surface", lambda x: 100.0):
        assert lib.deep(X) == 101.0 == figures.deep(X)
    assert lib.deep(X) == 11.0 and figures.sub.deep.surface is area
    lib.extra = 1
    assert figures.extra == 1
    del lib.extra
    assert not hasattr(figures, "extra")


def test_copies_by_trace_graph(figures: Any) -> None:
    lib = astrace.trace_graph(figures, effects="drop")
    assert isinstance(lib.sub.deep.deep, astrace.LazyGraph) and lib.deep(X) == 11.0
    assert lib.deep.initialized and "area" in lib.deep.explain(X)
    with pytest.raises(astrace.InvalidArgument, match="args and kwargs given with a module"):
        astrace.trace_graph(figures, args=(X,))


def test_skipped_and_opted_out(figures: Any) -> None:
    skipped, alone = load("figures.skipped"), load("figures.opted_out")
    load("figures.tests.test_core")
    lib = astrace.compile(figures)
    assert lib.skipped.seeded is skipped.seeded and lib.skipped.Left is skipped.Left
    assert lib.opted_out is alone and lib.tests.test_core is sys.modules["figures.tests.test_core"]


@pytest.mark.parametrize("target", [np, sys, astrace, 5, "text", dict, ValueError, object()])
def test_what_is_not_copied(target: Any) -> None:
    with pytest.raises(astrace.InvalidArgument, match="compile: "):
        astrace.compile(target)


def test_names_of_a_copy(figures: Any) -> None:
    """``vars``, ``dir``, ``inspect`` and a star import see what the module holds now, compiled."""
    core, found = figures.core, {}
    lib = astrace.compile(core)
    sys.modules["copied_core"] = lib
    try:
        exec("from copied_core import *", found)
    finally:
        del sys.modules["copied_core"]
    public = {name for name in vars(core) if not name.startswith("_")}
    assert public == {name for name in found if not name.startswith("_")}
    assert found["area"] is lib.area and found["Figure"] is lib.Figure and found["np"] is np
    assert set(vars(lib)) == set(vars(core)) and vars(lib)["area"] is lib.area
    members = dict(inspect.getmembers(lib))
    assert members["area"] is lib.area and set(members) >= public
    core.later = lambda x: x + 1
    assert vars(lib)["later"](1) == 2
    del core.later
    assert "later" not in vars(lib)
    with pytest.raises(TypeError, match="does not support item assignment"):
        vars(lib)["later"] = 1


def test_attributes_of_functions(figures: Any) -> None:
    """Those of a function of a copy are the function's own, read and written, those of every function included."""
    lib, area = astrace.compile(figures), figures.area
    for name in (
        "__code__",
        "__defaults__",
        "__kwdefaults__",
        "__globals__",
        "__closure__",
        "__annotations__",
    ):
        assert getattr(lib.area, name) == getattr(area, name), name
    assert inspect.getfullargspec(lib.area) == inspect.getfullargspec(area)
    area.tag = 1
    assert lib.area.tag == 1
    lib.area.tag = 2
    assert area.tag == 2
    del lib.area.tag
    assert not hasattr(area, "tag") and not hasattr(lib.area, "tag")
    assert lib.area(X) == 10.0
    lib.area.__defaults__ = (2.0,)
    assert lib.area(X) == area(X) == 20.0


def test_what_is_replaced_in_the_library(figures: Any) -> None:
    """A name that is bound to another function in the module is so in the copy; functions that were taken stay."""
    lib, taken = astrace.compile(figures), astrace.compile(figures).deep
    assert lib.deep(X) == taken(X) == 11.0
    with mock.patch.object(figures, "deep", lambda x: 5.0), mock.patch.object(figures.core, "COUNT", 10):
        assert lib.deep(X) == 5.0 and taken(X) == 11.0 and (lib.counted(X) == X + 11).all()
    with mock.patch.object(sys.modules["figures.sub.deep"], "surface", lambda x: 1.0):
        assert lib.deep(X) == taken(X) == 2.0
    assert lib.deep(X) == taken(X) == 11.0


def test_compiling_a_copy(figures: Any) -> None:
    """Nothing is copied twice: with the same options a copy is itself, with others it is made anew of the original."""
    lib = astrace.compile(figures)
    assert astrace.compile(lib) is lib and astrace.compile(lib.sub) is lib.sub
    assert astrace.compile(lib.Figure) is lib.Figure
    figure = astrace.compile(figures.Figure(2.0))
    assert astrace.compile(figure) is figure
    for one in (
        astrace.compile(lib, fullgraph=True),
        astrace.trace_graph(lib),
        astrace.trace_graph(lib, to="numpy"),
    ):
        assert one is not lib and astrace.original(one) is figures and one.deep(X) == 11.0
        assert astrace.original(one.deep) is figures.deep and one.Figure(2.0).scaled(X)[0] == 2.0
    for one in (astrace.compile(lib.Figure, fullgraph=True), astrace.trace_graph(lib.Figure)):
        assert one is not lib.Figure and astrace.original(one) is figures.Figure
        assert (one(2.0).scaled(X) == X * 2).all() and one.__mro__[2] is figures.Figure
    again = astrace.trace_graph(figure, args=(X,))
    assert again is not figure and (again(X) == X * 3).all() and vars(again) is vars(figure)
    area = astrace.compile(lib.area)
    assert area(X) == 10.0 and astrace.compile(area)(X) == 10.0


# -- classes -------------------------------------------------------------------------------------------------


class Meta(type):
    """A metaclass of the user's."""


class Made(metaclass=Meta):
    pass


class Model:
    """A model."""

    made = 0
    registry: list[type] = []

    def __init_subclass__(cls) -> None:
        Model.registry.append(cls)

    def __init__(self, weight: Any) -> None:
        self.weight = weight
        type(self).made += 1

    def apply(self, x: Any, scale: float = 1.0) -> Any:
        """The result."""
        return x @ self.weight * scale if x.sum() > 0 else x

    def __call__(self, x: Any) -> Any:
        self.last = x
        return self.apply(x)

    def __add__(self, other: Any) -> Any:
        return Model(self.weight + other.weight)

    @property
    def norm(self) -> Any:
        return abs(self.weight).sum()

    @classmethod
    def zeros(cls, n: int) -> Any:
        return cls(np.zeros((n, n)))

    @staticmethod
    def plain(x: Any) -> Any:
        return x + 1


class Deep(Model):
    """A model on top of another."""

    def apply(self, x: Any, scale: float = 2.0) -> Any:
        return super().apply(x, scale) + 1


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any

    def total(self) -> Any:
        return self.left + self.right


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self, x: Any) -> Any: ...

    def twice(self, x: Any) -> Any:
        return self.area(x) * 2


class Registered:
    """A class that its subclasses are known to."""

    known: list[type] = []

    def __init_subclass__(cls) -> None:
        Registered.known.append(cls)


class Square(Shape):
    def area(self, x: Any) -> Any:
        return x * x


W = np.eye(3)


def test_the_copy_of_a_class_passes_for_it() -> None:
    before = list(Model.registry)
    copied = astrace.compile(Model)
    assert isinstance(copied, type) and copied is not Model and Model.registry == before
    assert (copied.__name__, copied.__qualname__, copied.__module__, copied.__doc__) == (
        Model.__name__,
        Model.__qualname__,
        Model.__module__,
        Model.__doc__,
    )
    assert inspect.signature(copied) == inspect.signature(Model) and astrace.original(copied) is Model
    model = copied(W)
    assert isinstance(model, Model) and isinstance(Model(W), copied) and model.__class__ is Model
    assert issubclass(copied, Model) and issubclass(Model, copied) and not isinstance(3, copied)
    assert isinstance(copied.apply, astrace.LazyGraph) and not isinstance(Model.apply, astrace.LazyGraph)
    for one in (copied, Model):
        found = one(W * 2)
        assert (found.apply(X, scale=3.0) == X * 6).all() and found.norm == 6 and (found(X) == X * 2).all()
        assert found.last is X and (one.plain(X) == X + 1).all() and one.zeros(2).norm == 0
        assert isinstance(found + found, one)
    assert copied.apply.stats.traces == 1


def test_inheritance() -> None:
    """Methods that are inherited are compiled too; `super` and subclasses are Python's."""
    copied = astrace.compile(Deep)
    assert (copied(W).apply(X) == X * 2 + 1).all() and isinstance(copied.__call__, astrace.LazyGraph)
    assert (copied(W)(X) == Deep(W)(X)).all()

    class Further(copied):  # type: ignore[misc, valid-type]
        def apply(self, x: Any, scale: float = 3.0) -> Any:
            return super().apply(x, scale) - 1

    assert Further.__mro__ == (Further, Deep, Model, copied, object) and isinstance(Further(W), copied)
    assert (Further(W)(X) == X * 3).all()


class Left:
    def __init__(self, size: Any = 1) -> None:
        self.size = size

    def __add__(self, other: Any) -> Any:
        return "left"

    def __call__(self, x: Any) -> Any:
        return x


CopyOfLeft = astrace.compile(Left)


class Right(CopyOfLeft):
    def __radd__(self, other: Any) -> Any:
        return "right"


class FurtherRight(Right):
    pass


def test_what_derives_from_a_copy_is_asked_first() -> None:
    """C code knows a subclass of a copy for one, as it does one of a copy of it."""
    below = astrace.compile(FurtherRight)
    for made in (Right, FurtherRight, below):
        for left in (CopyOfLeft, Left):
            assert left() + made() == "right" and made() + left() == "left"
        again = pickle.loads(pickle.dumps(made(3)))
        assert type(again) is astrace.original(made) and copy.deepcopy(again).size == 3
        assert isinstance(again, CopyOfLeft) and made()(5) == 5
    assert not hasattr(Right(), "stats") and below().stats.calls == 1
    assert pickle.loads(pickle.dumps(Right)) is Right and type(Right) is not type(CopyOfLeft)
    Right.extra = 3  # type: ignore[attr-defined]
    assert not hasattr(Left, "extra")


def test_the_module_of_a_subclass() -> None:
    """Made by ``type`` or by a statement, of the copy or of the class."""
    copied = astrace.compile(Registered)
    made = type("Made", (copied,), {})
    assert made.__module__ == __name__ and Registered.known == [made] and made.__mro__[1] is Registered


def test_class_state_is_shared() -> None:
    copied, made = astrace.compile(Model), Model.made
    copied(W), Model(W)
    assert Model.made == copied.made == made + 2
    with mock.patch.object(copied, "apply", lambda self, x: "patched"):
        assert copied(W)(X) == Model(W)(X) == "patched"
    assert isinstance(copied.apply, astrace.LazyGraph) and isinstance(Model.apply, types.FunctionType)
    assert (copied(W)(X) == X).all()


def test_pickling_and_copying() -> None:
    copied = astrace.compile(Model)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        found = pickle.loads(pickle.dumps(copied(W), protocol))
        assert type(found) is Model and (found.weight == W).all()
    assert pickle.loads(pickle.dumps(copied)) is Model
    assert (copy.deepcopy(copied(W)).weight == W).all()


def test_dataclasses_and_abstract_classes() -> None:
    pair, shape = astrace.compile(Pair), astrace.compile(Shape)
    assert pair(1, 2) == Pair(1, 2) == pair(1, 2) and (pair(X, X).total() == X * 2).all()
    assert repr(pair(1, 2)) == repr(Pair(1, 2)) and dataclasses.replace(pair(1, 2), left=3) == Pair(3, 2)
    with pytest.raises(TypeError, match="abstract"):
        shape()
    assert isinstance(Square(), shape) and (astrace.compile(Square)().twice(X) == X * X * 2).all()


def test_classes_that_stay_what_they_are() -> None:
    for cls in (Made, ValueError, int):
        with pytest.raises(astrace.InvalidArgument, match="is no class whose methods can be compiled"):
            astrace.compile(cls)


def test_made_by_the_library_s_own_functions(figures: Any) -> None:
    """The copies of classes know the objects that functions of the copy make."""
    lib = astrace.compile(figures)
    made = lib.core.make(2.0)
    assert isinstance(made, lib.Figure) and made == lib.Figure(2.0) and type(made) is figures.Figure
    assert lib.Scaled(1.0) == figures.Scaled(1.0)


# -- instances -----------------------------------------------------------------------------------------------


def test_the_copy_of_an_instance_shares_its_attributes() -> None:
    model = Model(W)
    copied = astrace.compile(model)
    assert isinstance(copied, Model) and copied.__class__ is Model and copied is not model
    assert (copied(X) == X).all() and model.last is X
    model.weight = W * 3
    assert (copied.apply(X) == X * 3).all() and copied.norm == 9
    assert copied.stages(X).fallback is None and copied.stats.calls == 1
    plain = astrace.original(copied)
    assert type(plain) is Model and vars(plain) is vars(model)
    assert type(pickle.loads(pickle.dumps(copied))) is Model


def test_an_instance_captured_eagerly() -> None:
    model = Model(W)
    copied = astrace.trace_graph(model, args=(X,))
    assert isinstance(copied, Model) and not hasattr(model, "last")
    assert type(copied).__call__.initialized and (copied(X) == X).all() and model.last is X


def test_an_instance_with_slots(figures: Any) -> None:
    copied = astrace.compile(figures.core.Slotted(2.0))
    assert (copied.apply(X) == X / 2).all() and copied.size == 2.0


# -- threads and memory ----------------------------------------------------------------------------------------


def test_eight_threads_make_first_calls(figures: Any) -> None:
    """One capture for each key, whichever thread comes first."""
    dtypes = ["f8", "f4", "i8", "c16"]
    for _ in range(3):
        lib, start, results = astrace.compile(figures), threading.Barrier(8), {}

        def work(number: int) -> None:
            start.wait()  # noqa: B023
            x = np.arange(1, 4).astype(dtypes[number % 4])
            results[number] = [lib.deep(x.real), lib.Figure(2.0).scaled(x.real), lib.rated(x)]  # noqa: B023

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number, found in results.items():
            x = np.arange(1, 4).astype(dtypes[number % 4])
            expected = [figures.deep(x.real), figures.Figure(2.0).scaled(x.real), figures.rated(x)]
            assert harness.same(found, expected)
        assert lib.rated.stats.traces == 4 and lib.rated.stats.fallbacks == 0


def closure(number: int) -> Any:
    """A function of its own, now and then one with a loop."""

    def scaled(x: Any) -> Any:
        return x * number

    def cubed(x: Any) -> Any:
        for _ in range(3):
            x = x * number
        return x

    return scaled if number % 10 else cubed


def test_functions_that_are_compiled_and_dropped_leave_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand of them, each captured and called."""
    monkeypatch.delenv("ASTRACE_DEBUG", raising=False)  # it makes captures slower

    def some(count: int) -> None:
        for number in range(count):
            assert astrace.compile(closure(number))(2) == 2 * (number if number % 10 else number**3)
        gc.collect()

    some(50)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        some(1000)
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert (after - before) / 1000 < 2048


def test_callables_over_bases_in_c() -> None:
    """An object that ``object.__new__`` can't make, such as a function that Numba compiled, is called as it is."""

    class Dispatcher(functools.partial):
        def __init__(self, function: Any) -> None:
            self.py_func = function

    class Table(dict):
        def __call__(self, x: Any) -> Any:
            return self["scale"] * x

    def twice(x: Any, by: int = 2) -> Any:
        return x * by

    dispatcher, table = Dispatcher(twice), Table(scale=3)
    assert astrace.compile(dispatcher)(4) == 8
    assert astrace.compile(dispatcher)(X, by=3).tolist() == (X * 3).tolist()
    assert astrace.compile(table)(4) == 12
    assert astrace.compile(lambda x: dispatcher(x) + table(x))(4) == 20
