"""Kernels that draw random numbers: when they may, and that nobody else's numbers change."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.backends.native import judge, warm_up
from astrace.backends.native.drawing import generators
from astrace.backends.native.drawing.generators import CLASSES, UnknownGenerator, is_usable, kind_of, state_of
from astrace.backends.native.entry.argument_copies import copies
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.modes.tolerance import are_same
from astrace.ir.specs import ANY, spec_of
from astrace.ops.numpy.draws import GENERATOR, METHODS, drawn, made_generator
from astrace.util.trees import map_tree

pytest.importorskip("numba")

import harness  # isort: skip; found through tests/conftest.py


class OwnGenerator(np.random.Generator):
    """Draws something else."""

    def random(self, *args: Any, **kwargs: Any) -> Any:
        return 0.25


class OwnBits(np.random.PCG64):
    """A class of bits that is not NumPy's."""


def summed(rng: Any, n: int) -> float:
    """Draws numbers."""
    total = 0.0
    for _ in range(n):
        total += rng.random() - rng.normal()
    return total


def compiled(function: Any) -> tuple[Any, Kernel]:
    """Return a compiled function, and its kernel."""
    native = astrace.compile(function, backend="native", recompile_limit=50)
    native(np.random.default_rng(1), 3)
    (kernel,) = native.captures[-1].kernels
    assert kernel.runs == 1
    return native, kernel


def as_plain(native: Any, make: Any) -> None:
    """Compare a call with the plain one, and the generators afterwards."""
    expected, found = harness.observe(summed, make()), harness.observe(native, make())
    assert harness.differences(expected, found) == []


# -- which generators --------------------------------------------------------------------------------------------


def test_each_class_of_bits_has_machine_code_of_its_own() -> None:
    native, kernel = compiled(summed)
    for cls in [*CLASSES.values(), *CLASSES.values()]:
        runs = kernel.runs
        as_plain(native, lambda cls=cls: (np.random.Generator(cls(5)), 9))
        assert kernel.runs == runs + 1
    assert kernel.machine_code is not None
    assert kernel.machine_code.compilations == len(CLASSES)


@pytest.mark.parametrize("cls", [OwnBits, OwnGenerator])
def test_classes_of_users_are_left_to_numpy(cls: Any) -> None:
    native, kernel = compiled(summed)
    runs = kernel.runs
    as_plain(
        native, lambda: (cls(np.random.PCG64(3)) if cls is OwnGenerator else np.random.Generator(cls(3)), 4)
    )
    assert kernel.runs == runs
    assert not any(one.runs for capture in native.captures[1:] for one in capture.kernels)


def test_a_generator_whose_bits_were_replaced_is_left_to_numpy() -> None:
    """It draws from those that it was made of; its lock is theirs, too."""
    native, kernel = compiled(summed)

    kept: list[Any] = []

    def make() -> tuple[Any, int]:
        made: Any = np.random.default_rng(4)
        kept.append(made.bit_generator)  # NumPy draws from its memory
        made._bit_generator = np.random.PCG64(99)
        return made, 3

    found, expected = make(), make()
    assert not is_usable(found[0])
    assert native(*found) == summed(*expected)
    assert found[0].random() == expected[0].random()


def test_nothing_is_drawn_while_another_thread_draws() -> None:
    native, kernel = compiled(summed)
    rng, expected = np.random.default_rng(7), summed(np.random.default_rng(7), 5)
    runs, taken, free = kernel.runs, threading.Event(), threading.Event()

    def hold() -> None:
        with rng.bit_generator.lock:
            taken.set()
            assert free.wait(60)

    def release() -> None:
        assert not is_usable(rng)
        free.set()

    holder, timer = threading.Thread(target=hold), threading.Timer(0.1, release)
    holder.start()
    assert taken.wait(60)
    timer.start()
    assert native(rng, 5) == expected  # NumPy waits for the lock
    holder.join()
    timer.join()
    assert kernel.runs == runs
    assert native(rng, 0) == 0.0
    assert kernel.runs == runs + 1


def test_generators_that_are_not_as_they_are_known_are_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Any:
        raise UnknownGenerator("the C structure differs")

    unknown.cache_clear = lambda: None  # type: ignore[attr-defined]
    monkeypatch.setattr(generators, "layout", unknown)
    assert kind_of(np.random.default_rng(1)) == ""
    native = astrace.compile(summed, backend="native")
    as_plain(native, lambda: (np.random.default_rng(1), 3))
    assert not any(kernel.runs for kernel in native.captures[-1].kernels)


# -- trials --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", CLASSES.values())
def test_copies_for_trials_draw_alike(cls: Any) -> None:
    """What is one stream stays one, and apart from that of the arguments."""
    one = np.random.Generator(cls(3))
    one.integers(5)
    other = np.random.Generator(one.bit_generator)
    before = state_of(one)
    first, again, second, number = copies([one, one, other, 5])
    assert first is again is not one
    assert number == 5
    assert first.bit_generator is second.bit_generator is not one.bit_generator
    drawn_here = [first.normal(), second.integers(7), first.random()]
    assert are_same(state_of(one), before)
    assert not are_same(first, one)
    assert drawn_here == [one.normal(), other.integers(7), one.random()]
    assert are_same(first, one)


@pytest.fixture
def hot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The backend is chosen, and every loop is hot at once."""
    monkeypatch.delenv("ASTRACE_BACKEND", raising=False)
    monkeypatch.setattr(warm_up, "HOT", 0.0)
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0))
    yield


@pytest.mark.usefixtures("hot")
def test_trials_draw_nothing_from_the_generators_of_the_program() -> None:
    chosen = astrace.compile(summed)
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    assert [chosen(one, 6) for _ in range(30)] == [summed(other, 6) for _ in range(30)]
    assert are_same(one, other)
    (kernel,) = chosen.captures[-1].kernels
    assert kernel.runs
    assert kernel.refused is None


# -- the table -----------------------------------------------------------------------------------------------------

PARAMETERS = {"integers": (3, 9), "geometric": (0.5,)}
KNOWN = [
    (name, PARAMETERS.get(name, (1.5, 2.5)[: len(row.parameters)]), size)
    for name, row in METHODS.items()
    for size in ({}, {"size": (2, 3)})
]
KNOWN += [
    ("random", (None,), {}),
    ("random", (2, np.float64), {}),
    ("random", ((),), {}),
    ("random", (), {"size": np.int64(3)}),
    ("uniform", (), {"high": 2, "size": [2, 2]}),
    ("uniform", (np.float32(1.0), True), {}),
    ("integers", (5,), {"endpoint": True}),
    ("integers", (), {"high": 4, "low": 2}),
    ("integers", (2, None, 3), {}),
    ("standard_exponential", (None, np.float64, "zig"), {}),
    ("standard_gamma", (), {"shape": 2.0, "size": (1, 2)}),
    ("choice", (5,), {}),
    ("choice", (5, 3), {"replace": True}),
    ("choice", ((0.5, 1.5),), {"size": (2, 1), "axis": 0}),
    ("choice", (5,), {"replace": False}),
    ("choice", (5, 2), {"p": [0.2] * 5}),
    ("choice", (np.ones((3, 2), "f4"), 2, False), {}),
    ("choice", (np.ones((3, 2)),), {"shuffle": False, "replace": False}),
    ("choice", (np.arange(4), None, False), {}),
    ("permutation", (5,), {}),
    ("permutation", (np.ones((2, 3), "f4"),), {"axis": 1}),
    ("permuted", (np.arange(3),), {}),
    ("shuffle", (np.arange(3),), {}),
    ("normal", (np.zeros((3, 1)), np.ones(2, int)), {}),
    ("normal", (np.zeros(3),), {"size": (2, 3)}),
    ("poisson", (np.ones(2),), {}),
    ("integers", (np.array([3, 4]),), {}),
    ("binomial", (5, 0.5), {}),
    ("binomial", (5, 0.5, 3), {}),
    ("hypergeometric", (5, 4, 3), {}),
    ("negative_binomial", (5, 0.5), {}),
    ("logseries", (0.5,), {}),
    ("zipf", (2.5,), {}),
    ("vonmises", (0, 1), {}),
    ("wald", (1, 1), {"size": 2}),
    ("triangular", (0, 0.5, 1), {}),
    ("f", (1, 2), {}),
    ("noncentral_f", (1, 2, 1), {}),
    ("noncentral_chisquare", (1, 2), {}),
    ("multivariate_normal", (np.zeros(2), np.eye(2)), {}),
    ("multivariate_normal", (np.zeros(2), np.eye(2), (3, 4)), {}),
    ("dirichlet", (np.ones(3),), {"size": 4}),
]
UNKNOWN = [
    ("random", (), {"dtype": np.float32}),
    ("normal", (np.array(1.0),), {}),
    ("normal", ([1.0, 2.0],), {}),
    ("normal", (), {"loc": [1.0]}),
    ("integers", (5,), {"dtype": np.int8}),
    ("integers", (), {"high": 4}),
    ("standard_exponential", (), {"method": "inv"}),
    ("random", (2, 3, 4, 5), {}),
    ("random", (2,), {"size": 3}),
    ("choice", (), {"size": 2}),
    ("choice", (np.ones((2, 2)),), {"axis": 1}),
    ("permutation", ([1, 2],), {}),
    ("permuted", (np.arange(3),), {"out": np.arange(3)}),
    ("shuffle", ([1, 2],), {}),
    ("dirichlet", ([1.0, 2.0],), {}),
]


@pytest.mark.parametrize(("name", "args", "kwargs"), KNOWN)
def test_what_methods_are_said_to_give(name: str, args: Any, kwargs: Any) -> None:
    found = getattr(np.random.default_rng(1), name)(*args, **kwargs)
    told = drawn(
        name, *map_tree(lambda one: spec_of(one) if isinstance(one, np.ndarray) else one, (args, kwargs))
    )
    assert told == spec_of(found)


@pytest.mark.parametrize(("name", "args", "kwargs"), UNKNOWN)
def test_nothing_is_said_of_other_calls(name: str, args: Any, kwargs: Any) -> None:
    assert drawn(name, args, kwargs) is None


@pytest.mark.parametrize(
    "seed", [None, 3, np.int64(3), np.array([1, 2]), np.random.PCG64(1), np.random.default_rng(1)]
)
def test_what_default_rng_is_said_to_give(seed: Any) -> None:
    told = made_generator(np.random.default_rng, (seed,), {})
    assert told in (None, GENERATOR)
    assert type(np.random.default_rng(seed)) is np.random.Generator


def test_default_rng_gives_the_generator_that_it_is_given() -> None:
    own = OwnGenerator(np.random.PCG64(1))
    assert np.random.default_rng(own) is own
    assert made_generator(np.random.default_rng, (spec_of(own),), {}) is None
    assert made_generator(np.random.default_rng, (ANY,), {}) is None
