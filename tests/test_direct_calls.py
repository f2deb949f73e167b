"""Calls that go from a compiled function to machine code with no Python in between: what they give is what the dispatcher gives."""

from __future__ import annotations

import builtins
import functools
import gc
import importlib
import itertools
import sys
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.backends.native.direct import call
from astrace.backends.native.machine_code import Uncompiled
from astrace.compiler import direct_calls
from astrace.util import events

pytest.importorskip("numba")

import harness  # isort: skip; found through tests/conftest.py


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Machine code is compiled once for all tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ASTRACE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


SCALE = 2.0
SETTINGS = {"shift": 1.0}


class Model:
    """An instance whose attributes a method reads."""

    def __init__(self) -> None:
        self.weights = np.arange(3.0)
        self.rate = 0.5

    def step(self, x: Any) -> Any:
        """Write an argument, read attributes."""
        for i in range(len(x)):
            x[i] = x[i] * self.rate + self.weights[i]
        return x


def nothing(x: Any) -> None:
    for i in range(len(x)):
        x[i] += 1.0


def given(x: Any, y: Any) -> Any:
    for i in range(len(x)):
        x[i] += y[i]
    return y


def made(x: Any) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * x[i]
    return out


def total(x: Any) -> Any:
    found = 0.0
    for i in range(len(x)):
        found += x[i]
    return found


def largest(x: Any) -> Any:
    found = x[0]
    for i in range(len(x)):
        if x[i] > found:
            found = x[i]
    return found


def several(x: Any, n: int) -> Any:
    out, count, found = np.zeros(n), 0, True
    for i in range(n):
        out[i] = x[i] + SCALE
        count += 1
        found = found and x[i] > 0.0
    return (out, (count, x)), found, None, "done"


def handed_on(x: Any, first: float, n: int) -> Any:
    found = first
    for i in range(n):
        if x[i] > 2.5:
            found = 1.5
    return found, n


def grown(x: Any) -> Any:
    found = 1
    for i in range(len(x)):
        found = found * 1.5 if x[i] > 1.0 else found * 3
    return found


def maybe(x: Any, limit: float) -> Any:
    found = None
    for i in range(len(x)):
        if x[i] > limit:
            found = i
            break
    return found


def outside(x: Any) -> Any:
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = x[i] * SCALE + SETTINGS["shift"]
    return out


def with_default(x: Any, factor: float = 3.0, *, shift: float = 1.0) -> Any:
    for i in range(len(x)):
        x[i] = x[i] * factor + shift
    return x


def picked(x: Any, places: Any) -> Any:
    out = np.zeros(len(places))
    for i in range(len(places)):
        out[i] = x[places[i]]
    return out


def last(x: Any, n: int) -> Any:
    for i in range(n):
        x[i] = -x[i]
    return x[n - 1]


X = np.arange(3.0)


def floats(size: int = 3) -> Any:
    return np.arange(float(size)) - 0.5


PROGRAMS: dict[str, tuple[Any, list[Callable[[], tuple[Any, ...]]]]] = {
    "nothing": (nothing, [lambda: (floats(),), lambda: (floats(0),), lambda: (floats(7),)]),
    "given": (given, [lambda: (floats(), floats()), lambda: (floats(2), floats(5))]),
    "made": (made, [lambda: (floats(),), lambda: (floats(0),)]),
    "total": (total, [lambda: (floats(),), lambda: (floats(0),), lambda: (np.array([-0.0]),)]),
    "largest": (largest, [lambda: (floats(),), lambda: (np.array([np.nan, 1.0]),)]),
    "several": (several, [lambda: (floats(), 3), lambda: (floats(), 0), lambda: (floats() + 1.0, 2)]),
    "handed on": (handed_on, [lambda: (floats(9), 7.25, 9), lambda: (floats(9), 7.25, 1)]),
    "maybe": (maybe, [lambda: (floats(), 0.0), lambda: (floats(), 9.0), lambda: (floats(), -1.0)]),
    "grown": (grown, [lambda: (floats(),), lambda: (floats(2),), lambda: (floats(0),)]),
    "outside": (outside, [lambda: (floats(),), lambda: (floats(5),)]),
    "picked": (picked, [lambda: (floats(), np.array([2, 0])), lambda: (floats(), np.array([-1, 1, 1]))]),
    "last": (last, [lambda: (floats(), 3), lambda: (floats(), 1), lambda: (floats(), 2)]),
}
"""Functions and makers of arguments, of which each call goes to machine code."""


def hot(function: Any, *args: Any) -> Any:
    """Return a compiled function whose calls go to machine code."""
    compiled = astrace.compile(function, backend="native", recompile_limit=50)
    compiled(*args)
    assert is_direct(compiled)
    return compiled


def is_direct(compiled: Any) -> bool:
    return isinstance(compiled.__call__, types.BuiltinFunctionType)


def frames_of(call: Callable[[], Any]) -> list[str]:
    """Return the names of the Python functions that a call runs, its own aside."""
    found: list[str] = []

    def watch(frame: types.FrameType, event: str, _: Any) -> None:
        if event == "call":
            found.append(frame.f_code.co_name)

    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found[1:]


def same_as_plain(function: Any, compiled: Any, make: Callable[[], tuple[Any, ...]]) -> None:
    """Compare a call with the plain one, with what it writes and tells."""
    expected, found = harness.observe(function, make()), harness.observe(compiled, make())
    assert harness.differences(expected, found) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_direct_calls_give_what_plain_ones_give_and_run_no_python(name: str) -> None:
    """A direct call runs no Python, and gives, writes and raises what the plain function does."""
    function, makers = PROGRAMS[name]
    compiled = hot(function, *makers[0]())
    before = compiled.stats.calls
    for make in makers:
        arguments = make()
        assert frames_of(lambda given=arguments: compiled(*given)) == []
        same_as_plain(function, compiled, make)
    assert compiled.stats.calls == before + 2 * len(makers)
    assert compiled.stats.traces == 1


def test_parts_of_results_are_the_objects_that_came_in() -> None:
    """Arrays and numbers that a function hands on are the very ones."""
    x, y, number = floats(), floats(), 7.25
    assert hot(given, floats(), floats())(x, y) is y
    (out, (count, same)), *_ = hot(several, floats(), 3)(x, 2)
    assert same is x and type(count) is int and type(out) is np.ndarray
    assert hot(handed_on, floats(), 1.0, 2)(x, number, 1)[0] is number
    assert type(hot(largest, floats())(x)) is np.float64
    assert type(hot(total, floats())(x)) is type(total(x))


OTHERS: dict[str, tuple[Any, Callable[[], tuple[Any, ...]], Callable[[], tuple[Any, ...]]]] = {
    "another dtype": (made, lambda: (floats(),), lambda: (np.arange(3),)),
    "another rank": (nothing, lambda: (floats(),), lambda: (np.ones((2, 2)),)),
    "a list": (nothing, lambda: (floats(),), lambda: ([1.0, 2.0],)),
    "a subclass": (nothing, lambda: (floats(),), lambda: (floats().view(np.ma.MaskedArray),)),
    "another order of bytes": (made, lambda: (floats(),), lambda: (floats().astype(">f8"),)),
    "strides": (nothing, lambda: (floats(),), lambda: (floats(9)[::3],)),
    "backwards": (nothing, lambda: (floats(),), lambda: (floats()[::-1],)),
    "one array twice": (given, lambda: (floats(), floats()), lambda: (X, X)),
    "overlap": (given, lambda: (floats(), floats()), lambda: (lambda a: (a[1:], a[:-1]))(floats(5))),
    "a numpy integer": (last, lambda: (floats(), 3), lambda: (floats(), np.int64(2))),
    "a bool": (last, lambda: (floats(), 3), lambda: (floats(), True)),
    "outside of an array": (picked, lambda: (floats(), np.array([0])), lambda: (floats(), np.array([0, 3]))),
    "no arguments": (nothing, lambda: (floats(),), lambda: ()),
    "too many": (nothing, lambda: (floats(),), lambda: (floats(), 1)),
    "shorter": (given, lambda: (floats(), floats()), lambda: (floats(), floats(2))),
    "an empty one": (largest, lambda: (floats(),), lambda: (floats(0),)),
    "a read-only one": (nothing, lambda: (floats(),), lambda: (np.broadcast_to(np.ones(1), 3),)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_calls_are_left_to_the_dispatcher(name: str) -> None:
    """A call that is not as expected gives what the plain function gives; the one after it is direct again."""
    function, usual, other = OTHERS[name]
    compiled = hot(function, *usual())
    for _ in range(2):
        same_as_plain(function, compiled, other)
        same_as_plain(function, compiled, usual)


def second(x: Any, rows: Any) -> Any:
    found = 0.0
    for i in range(len(x)):
        found += x[i]
    _, last = rows
    return last, found


def test_arrays_that_are_taken_apart_are_not_results_of_the_kernel() -> None:
    """A program that takes something else apart behind its kernel is captured, and gives what that holds."""
    compiled = astrace.compile(second, backend="native")
    for size in (3, 2):
        same_as_plain(second, compiled, lambda size=size: (floats(size), np.full((2, 4), 9.0)))
    assert compiled.stats.kernels and not compiled.stats.fallbacks


def test_keywords_and_defaults() -> None:
    """Arguments by name, and defaults, are the dispatcher's where they have to be bound."""
    compiled = hot(nothing, floats())
    same_as_plain(nothing, compiled, lambda: (floats(),))
    x, y = floats(), floats()
    compiled(x=x)
    nothing(y)
    assert np.array_equal(x, y)
    defaulted = astrace.compile(with_default, backend="native")
    for keywords in ({}, {"factor": 2.0}, {"shift": 5.0}, {"factor": 1.5, "shift": 0.25}, {}):
        for _ in range(2):
            assert np.array_equal(defaulted(floats(), **keywords), with_default(floats(), **keywords))
    with pytest.raises(TypeError, match="unexpected keyword"):
        compiled(floats(), nonsense=1)


def test_changes_outside_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Globals, items, builtins and code that change are noticed at the next call."""
    compiled = hot(outside, floats())
    monkeypatch.setitem(outside.__globals__, "SCALE", 5.0)
    same_as_plain(outside, compiled, lambda: (floats(),))
    monkeypatch.setitem(SETTINGS, "shift", -1.0)
    same_as_plain(outside, compiled, lambda: (floats(),))
    monkeypatch.setitem(outside.__globals__, "len", lambda x: 2)
    same_as_plain(outside, compiled, lambda: (floats(),))
    monkeypatch.delitem(outside.__globals__, "len")
    same_as_plain(outside, compiled, lambda: (floats(),))
    with monkeypatch.context() as patched:
        patched.setattr(builtins, "len", lambda x, real=len: min(real(x), 1))
        found = compiled(floats())
    assert found[0] == outside(floats())[0]


def test_new_code_of_the_function_is_seen() -> None:
    """A function that is given other code runs that."""

    def before(x: Any) -> None:
        for i in range(len(x)):
            x[i] += 1.0

    def after(x: Any) -> None:
        for i in range(len(x)):
            x[i] -= 1.0

    compiled = hot(before, floats())
    before.__code__ = after.__code__
    same_as_plain(after, compiled, lambda: (floats(),))


def test_methods_read_their_instance() -> None:
    """A method is direct for any instance, and reads its attributes at each call."""
    model, other = Model(), Model()
    compiled = astrace.compile(Model.step, backend="native")
    compiled(model, floats())
    assert is_direct(compiled)
    other.weights, other.rate = np.ones(3), 0.25
    for one in (model, other):
        assert np.array_equal(compiled(one, floats()), one.step(floats()))
    model.weights = np.full(3, 9.0)
    assert frames_of(lambda: compiled(model, X.copy())) == []
    assert np.array_equal(compiled(model, floats()), model.step(floats()))
    bound = astrace.compile(model.step, backend="native")
    for _ in range(3):
        assert np.array_equal(bound(floats()), model.step(floats()))
    partial = astrace.compile(functools.partial(Model.step, model), backend="native")
    for _ in range(3):
        assert np.array_equal(partial(floats()), model.step(floats()))


def test_a_second_specialisation_is_direct_too() -> None:
    """Each specialisation has its own instructions; the first that fits runs."""
    compiled = hot(made, floats())
    arguments = [(floats(),), (np.arange(3),), (np.arange(3, dtype=np.float32),)]
    for given_ in arguments:
        compiled(*given_)
    for given_ in arguments:
        assert frames_of(lambda given_=given_: compiled(*given_)) == []
        same_as_plain(made, compiled, lambda given_=given_: given_)
    assert compiled.stats.traces == 3


def test_observers_and_recorders_are_told_of_each_call() -> None:
    """Where somebody is told of calls, none is direct."""

    class Told:
        def __init__(self) -> None:
            self.calls = 0

        def captured(self, function: Any, arguments: Any) -> None:
            self.calls += 1

        def called(self, function: Any, arguments: Any) -> None:
            self.calls += 1

    told = Told()
    token = events.OBSERVER.set(told)
    try:
        compiled = astrace.compile(nothing, backend="native")
        for _ in range(4):
            compiled(floats())
    finally:
        events.OBSERVER.reset(token)
    assert told.calls == 4


def test_nothing_is_kept_and_nothing_is_given_up() -> None:
    """Direct calls hold no reference to what they were given, and give up none that is not theirs."""
    compiled, x, first = hot(several, floats(), 3), floats(), 7.25
    handing, read = hot(handed_on, floats(), 1.0, 2), hot(outside, floats())
    shared = [x, first, SETTINGS, outside, None, "done"]
    while gc.collect():  # what other tests have left, with what that refers to alone
        pass
    before = [sys.getrefcount(one) for one in shared]
    for size in range(200):
        compiled(x, size % 4)
        handing(x, first, size % 4)
        read(x)
        compiled(x, n=size % 4)
    gc.collect()
    changes = [sys.getrefcount(one) - count for one, count in zip(shared, before, strict=True)]
    assert all(abs(change) < 20 for change in changes), changes


def test_threads_call_it_at_once() -> None:
    """Calls from several threads give what they give alone, and all are counted."""
    compiled = hot(made, floats())
    before, failures = compiled.stats.calls, []

    def work(number: int) -> None:
        for size in range(200):
            x = np.full(size % 5, float(number))
            if not np.array_equal(compiled(x), made(x)):
                failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failures
    assert compiled.stats.calls == before + 800


def test_a_kernel_that_gives_up_time_and_again_is_left_alone() -> None:
    """Where machine code gives up, NumPy's program runs, and what the call wrote before is not there twice."""
    compiled = hot(picked, floats(), np.array([0]))
    for _ in range(6):
        same_as_plain(picked, compiled, lambda: (floats(), np.array([0, 7])))
    same_as_plain(picked, compiled, lambda: (floats(), np.array([1])))


def mean(x: Any, n: int) -> Any:
    found = 0.0
    for i in range(len(x)):
        found += x[i]
    return found / n


def test_a_loop_beside_numbers_for_which_its_kernel_gives_up_has_another_one() -> None:
    """Where what stands behind a loop warns at each call, the loop is machine code still; it counts as one."""
    compiled = hot(mean, floats(), 3)
    whole, alone = compiled.captures[0].kernels
    assert (compiled.stats.kernels, alone.is_used) == (1, False)
    assert str(alone).endswith("part of the machine code above, and by itself where that gives up")
    for _ in range(6):
        same_as_plain(mean, compiled, lambda: (floats(), 0))
    assert (compiled.stats.kernels, whole.is_used) == (1, False)
    assert alone.is_used and alone.runs
    assert str(alone).endswith(": machine code")
    for _ in range(20):
        same_as_plain(mean, compiled, lambda: (floats(), 3))
    assert whole.is_used, "it is asked again, now and then"


def test_warnings_and_settings_of_numpy() -> None:
    """What NumPy would warn of is warned of, and its settings are those of the call."""

    def halves(x: Any) -> Any:
        out = np.zeros(len(x))
        for i in range(len(x)):
            out[i] = x[0] / x[i]
        return out

    compiled = hot(halves, np.ones(3))
    same_as_plain(halves, compiled, lambda: (np.array([1.0, 0.0]),))
    with np.errstate(divide="raise"):
        same_as_plain(halves, compiled, lambda: (np.array([1.0, 0.0]),))
        same_as_plain(halves, compiled, lambda: (np.array([1.0, 2.0]),))
    with np.errstate(all="ignore"):
        same_as_plain(halves, compiled, lambda: (np.array([1.0, 0.0]),))


# -- functions that are called often -------------------------------------------------------------------------------


def added(x: Any, y: Any) -> Any:
    return x + y * SCALE


def called_often(function: Any, *args: Any, **options: Any) -> Any:
    """Return a compiled function after so many calls that machine code tests its guards."""
    compiled = astrace.compile(function, **options)
    for _ in range(direct_calls.EARLY + 1):
        compiled(*args)
    assert compiled.stats.calls == direct_calls.EARLY + 1
    return compiled


@pytest.fixture
def loader(monkeypatch: pytest.MonkeyPatch) -> None:
    """What loads machine code is there, and the backend is chosen."""
    monkeypatch.delenv("ASTRACE_BACKEND", raising=False)
    importlib.import_module(direct_calls.LOADER)


@pytest.mark.usefixtures("loader")
def test_a_function_that_is_called_often_is_called_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only its generated source runs as Python; what is read outside is still read, and calls are still counted."""
    compiled = called_often(added, floats(), floats())
    assert is_direct(compiled)
    before = compiled.stats.calls
    x, y = floats(), floats()
    assert frames_of(lambda: compiled(x, y)) == ["added"]
    same_as_plain(added, compiled, lambda: (floats(), floats()))
    same_as_plain(added, compiled, lambda: (np.arange(3), floats()))
    same_as_plain(added, compiled, lambda: (floats(2), floats(3)))
    monkeypatch.setitem(added.__globals__, "SCALE", -1.0)
    same_as_plain(added, compiled, lambda: (floats(), floats()))
    assert compiled.stats.calls == before + 5


@pytest.mark.usefixtures("loader")
def test_exceptions_and_recursion_in_direct_calls() -> None:
    """What generated source raises goes through, with the user's lines; a function may call itself."""

    def divided(x: Any, n: int) -> Any:
        if n == 0:
            raise ValueError("no parts")
        return x / n

    compiled = called_often(divided, floats(), 2)
    for n in (0, 1, 2):
        same_as_plain(divided, compiled, lambda n=n: (floats(), n))

    calls = []

    def counted(x: Any) -> Any:
        calls.append(len(calls))
        return x + 1.0

    counting = called_often(counted, floats())
    assert len(calls) == direct_calls.EARLY + 1
    counting(floats())
    assert len(calls) == direct_calls.EARLY + 2


def tuned(x: Any) -> Any:
    return x * SETTINGS["shift"] if "nonsense" not in SETTINGS else x


def nested(x: Any, go: Callable[[], Any]) -> Any:
    go()
    return x + 1


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("room", [0, 5, 10, 15])
def test_a_call_deep_down_that_has_no_room_for_machine_code_goes_on(
    monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Where calls nest so deep that nothing more fits, the call that is one too many for the dispatcher is made as all others."""

    left = [0]

    def go() -> None:
        left[0] -= 1
        if left[0] > 0:
            compiled(1, go)

    def calls(depth: int) -> None:
        left[0] = depth
        compiled(1, go)

    def deepest() -> int:
        for depth in itertools.count(10, 5):
            try:
                calls(depth)
            except RecursionError:
                return depth - 5
        raise AssertionError

    compiled = astrace.compile(nested)
    most = deepest()
    monkeypatch.setattr(direct_calls, "EARLY", most - room)
    compiled = astrace.compile(nested)
    calls(1)
    calls(most)
    calls(1)
    assert is_direct(compiled)


@pytest.mark.usefixtures("loader")
def test_what_no_look_up_raises_goes_through_from_guards(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that a guard runs into leaves a call to the dispatcher only if it says that nothing is there."""

    class Key:
        looks = 0

        def __hash__(self) -> int:
            return hash("nonsense")

        def __eq__(self, other: object) -> bool:
            self.looks += 1
            if self.looks == 1:
                raise KeyboardInterrupt
            return False

    compiled = called_often(tuned, floats())
    before = compiled.stats.calls
    key: Any = Key()
    monkeypatch.setitem(SETTINGS, key, 1.0)
    key.looks = 0
    with pytest.raises(KeyboardInterrupt):
        compiled(floats())
    same_as_plain(tuned, compiled, lambda: (floats(),))
    assert compiled.stats.calls == before + 2


@pytest.mark.usefixtures("loader")
def test_no_direct_calls_where_machine_code_is_not_asked_for() -> None:
    """With the NumPy backend the dispatcher takes all calls."""
    compiled = called_often(added, floats(), floats(), backend="numpy")
    assert not is_direct(compiled)


def test_what_loads_machine_code_is_not_imported_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it would have to be imported, many more calls are waited for."""
    monkeypatch.setattr(direct_calls, "LOADER", "nobody_has_this")
    monkeypatch.setattr(direct_calls, "LATE", 3 * direct_calls.EARLY)
    monkeypatch.delenv("ASTRACE_BACKEND", raising=False)
    compiled = called_often(added, floats(), floats())
    assert not is_direct(compiled)
    for _ in range(3 * direct_calls.EARLY + 1):
        compiled(floats(), floats())
    assert is_direct(compiled)
    assert compiled.stats.calls == 4 * direct_calls.EARLY + 2


def test_functions_without_machine_code_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where machine code can't be made, the dispatcher goes on, and counts."""

    def unmade(*_: Any) -> int:
        raise Uncompiled("not here")

    monkeypatch.setattr(call, "_address", unmade)
    monkeypatch.delenv("ASTRACE_BACKEND", raising=False)
    importlib.import_module(direct_calls.LOADER)
    compiled = called_often(added, floats(), floats())
    assert not is_direct(compiled)
    same_as_plain(added, compiled, lambda: (floats(), floats()))
