"""Kernels that draw from Python's ``random``: numbers, and streams afterwards, are Python's."""

from __future__ import annotations

import functools
import random
import sys
import threading
from collections.abc import Iterator
from typing import Any

import harness
import numpy as np
import pytest
import stream_programs

import astrace
from astrace.backends.native import backend, judge, warm_up
from astrace.backends.native.drawing import streams
from astrace.backends.native.drawing.generators import is_usable, kind_of
from astrace.backends.native.entry.argument_copies import copies
from astrace.backends.native.modes.tolerance import are_same
from astrace.backends.native.partition import Partition

PROGRAMS = stream_programs.PROGRAMS
MANY = 100


def observed(function: Any, make: Any) -> tuple[Any, Any]:
    """What can be seen of a call, and the streams of modules afterwards."""
    random.seed(99)
    np.random.seed(99)
    outcome = harness.observe(function, make())
    numpys = harness.shape_of(np.random.get_state(legacy=False))
    return outcome, (random.getstate(), stream_programs.SHARED.getstate(), numpys)


def check(function: Any, calls: Any) -> Any:
    """Compare calls of a function with the native one, in order; gives that."""
    native = astrace.compile(function, backend="native", recompile_limit=MANY)
    for make in calls:
        (expected, streams), (found, others) = (observed(one, make) for one in (function, native))
        assert harness.differences(expected, found) == []
        assert sorted(found.warned) == sorted(expected.warned)
        assert streams == others
    return native


def kernels_of(function: Any) -> list[Any]:
    return [kernel for capture in function.captures for kernel in capture.kernels]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_draws_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    function, calls = PROGRAMS[name]
    check(function, [*calls, *calls[:2]])


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_plain_source(name: str) -> None:
    function, calls = PROGRAMS[name]
    plain = astrace.compile(function, backend="numpy", recompile_limit=MANY)
    for make in calls:
        (expected, streams), (found, others) = (observed(one, make) for one in (function, plain))
        assert harness.differences(expected, found) == []
        assert streams == others


@pytest.mark.parametrize("name", PROGRAMS)
def test_machine_code_draws_alike(name: str) -> None:
    pytest.importorskip("numba")
    function, calls = PROGRAMS[name]
    native = check(function, [*calls, *calls[:2]])
    assert all(kernel.refused is None for kernel in kernels_of(native))


# -- what is outside of the loop ----------------------------------------------------------------------------------


def summed(n: int) -> Any:
    """Draws by the module's functions."""
    total = 0.0
    for _ in range(n):
        total += random.random() + random.randrange(3) - random.uniform(0.0, 1.0)
    return total


def of_stream(stream: Any, n: int) -> Any:
    """Draws from a stream."""
    total = 0.0
    for _ in range(n):
        total += stream.random() + stream.getrandbits(40)
    return total


@pytest.fixture
def native() -> Any:
    """A kernel that has run."""
    pytest.importorskip("numba")
    made = astrace.compile(summed, backend="native", recompile_limit=MANY)
    as_plain(made)
    assert [kernel.runs for kernel in kernels_of(made)] == [1]
    return made


def as_plain(native: Any, seed: Any = 3, n: int = 20) -> None:
    """Compare a call with the plain one, and the stream afterwards."""
    found = []
    for function in (summed, native):
        random.seed(seed)
        found.append((harness.observe(function, (n,)), random.getstate()))
    assert harness.differences(found[0][0], found[1][0]) == []
    assert found[0][1] == found[1][1]


@pytest.mark.parametrize("name", ["random", "randrange", "uniform", "getrandbits", "seed", "_inst", "_ONE"])
def test_functions_of_the_module_may_be_replaced(
    native: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = random.Random(8) if name == "_inst" else True if name == "_ONE" else lambda *args: 7
    with monkeypatch.context() as patch:
        patch.setattr(random, name, other)
        if name != "seed":
            as_plain(native)
    as_plain(native, 4)


@pytest.mark.parametrize("name", ["random", "randrange", "uniform", "getrandbits", "_randbelow"])
def test_methods_of_the_class_and_of_the_stream_may_be_replaced(
    native: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner in (random.Random, random.random.__self__):  # type: ignore[attr-defined]
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, lambda *args: 1, raising=False)
            as_plain(native)
        as_plain(native, 4)


def test_the_code_of_a_method_may_be_replaced(native: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def uniform(self: Any, a: float, b: float) -> float:
        return a - b

    with monkeypatch.context() as patch:
        patch.setattr(random.Random.uniform, "__code__", uniform.__code__)
        as_plain(native)
    as_plain(native, 4)


def test_draws_between_calls_are_seen(native: Any) -> None:
    random.seed(5)
    expected = [
        summed(4),
        random.random(),
        summed(700),
        random.gauss(0.0, 1.0),
        summed(1),
        random.gauss(0.0, 1.0),
    ]
    random.seed(5)
    assert expected == [
        native(4),
        random.random(),
        native(700),
        random.gauss(0.0, 1.0),
        native(1),
        random.gauss(0.0, 1.0),
    ]


def test_streams_that_are_not_as_they_are_known_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(streams, "is_known", lambda: False)
    assert not is_usable(random.Random(1))
    native = astrace.compile(of_stream, backend="native")
    one, other = random.Random(3), random.Random(3)
    assert native(one, 9) == of_stream(other, 9)
    assert one.getstate() == other.getstate()
    assert not any(kernel.runs for kernel in kernels_of(native))


def test_where_the_words_are() -> None:
    assert streams.is_known()
    assert kind_of(random.Random(1)) == streams.KIND
    assert kind_of(stream_programs.Doubled(1)) == kind_of(random.SystemRandom()) == ""


def test_copies_for_trials_draw_alike() -> None:
    stream = random.Random(3)
    stream.gauss(0.0, 1.0)
    before = stream.getstate()
    first, again, number = copies([stream, stream, 5])
    assert first is again is not stream
    assert number == 5
    drawn = [first.gauss(0.0, 1.0), first.random(), first.getrandbits(40)]
    assert stream.getstate() == before
    assert not are_same(first, stream)
    assert drawn == [stream.gauss(0.0, 1.0), stream.random(), stream.getrandbits(40)]
    assert are_same(first, stream)


@pytest.fixture
def hot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The backend is chosen, and every loop is hot at once."""
    monkeypatch.delenv("ASTRACE_BACKEND", raising=False)
    monkeypatch.setattr(warm_up, "HOT", 0.0)
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0))
    yield


@pytest.mark.usefixtures("hot")
def test_trials_draw_nothing_from_the_streams_of_the_program() -> None:
    pytest.importorskip("numba")
    chosen = astrace.compile(of_stream)
    one, other = random.Random(3), random.Random(3)
    assert [chosen(one, 6) for _ in range(30)] == [of_stream(other, 6) for _ in range(30)]
    assert are_same(one, other)
    (kernel,) = chosen.captures[-1].kernels
    assert kernel.runs
    assert kernel.refused is None


def test_threads_that_draw_from_one_stream_draw_each_number_once() -> None:
    pytest.importorskip("numba")
    native = astrace.compile(of_stream, backend="native")
    shared, alone = random.Random(11), random.Random(11)
    native(shared, 1)
    of_stream(alone, 1)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=native, args=(shared, 20_000)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    of_stream(alone, 40_000)
    assert shared.getstate() == alone.getstate()
