"""The choice of a backend: NumPy source first, kernels for loops that are hot, and only where they are faster."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import harness
import loop_programs
import numpy as np
import pytest

import astrace
from astrace.backends.base import EXACT, Mode
from astrace.backends.native import backend, hints, judge, warm_up
from astrace.backends.native.entry import frame
from astrace.backends.native.judge import Contestant, Judge
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.modes import agreement
from astrace.backends.native.modes.agreement import Agreement, LoopResults
from astrace.backends.native.signature import order_of
from astrace.ir.block import Block, Value
from astrace.ir.interpret import interpret
from astrace.ops import OPS
from astrace.util.disk_cache import store as stores
from astrace.util.disk_cache.entries import pack
from astrace.util.disk_cache.store import DiskCache

PROGRAMS = loop_programs.PROGRAMS
CALLS = 8


@pytest.fixture(autouse=True)
def _auto(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend is chosen, and every loop is hot at once."""
    monkeypatch.delenv("ASTRACE_BACKEND")
    monkeypatch.setattr(warm_up, "HOT", 0.0)


@pytest.fixture
def faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are the faster ones, whatever they take."""
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0))


@pytest.fixture
def slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are the slower ones, whatever they take."""
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 0.5))


def scaled(a: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        a[i] = a[i] * 2.0
        total += a[i]
    return total


def halved(a: Any) -> None:
    for i in range(len(a)):
        a[i] = a[i] * 0.5


def arguments(size: int = 6) -> tuple[Any, int]:
    return np.arange(float(size)), size


def called(function: Any, times: int = CALLS, size: int = 6) -> None:
    """Call a function, and compare each call with the plain one's."""
    for _ in range(times):
        given, expected = arguments(size), arguments(size)
        assert harness.same(function(*given), scaled(*expected))
        assert harness.same(given, expected)


def kernels(function: Any) -> Sequence[Kernel]:
    return function.captures[-1].kernels


def that_a_kernel_finishes(function: Any, calls: Sequence[Any]) -> Any:
    """Return the first call in which a kernel does not give up."""
    native = astrace.compile(function, backend="native", recompile_limit=50)
    for make in calls:
        harness.observe(native, make())
        if any(kernel.runs for capture in native.captures for kernel in capture.kernels):
            return make
    raise AssertionError("each call gives the kernel up")


# -- choosing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*PROGRAMS][::4])  # each takes Numba a second
@pytest.mark.usefixtures("faster")
def test_programs_give_the_same_before_and_after_they_are_compiled(name: str) -> None:
    function, calls = PROGRAMS[name]
    compiled = astrace.compile(function, recompile_limit=50)
    for make in [*[that_a_kernel_finishes(function, calls)] * CALLS, *calls, *calls]:
        assert harness.differences(harness.observe(function, make()), harness.observe(compiled, make())) == []
    found = [kernel for capture in compiled.captures for kernel in capture.kernels]
    assert sum(kernel.runs for kernel in found)
    assert all(kernel.refused is None for kernel in found)


def test_a_trial_times_the_objects_that_a_kernel_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are made of what machine code returns, which may take longer than the loop."""

    def halves(a: Any, n: Any) -> Any:
        return [a[i] * 0.5 for i in range(n)]

    made = frame.list_maker

    def made_slowly(*given: Any) -> Any:
        make = made(*given)
        return lambda *args: time.sleep(0.1) or make(*args)

    monkeypatch.setattr(frame, "list_maker", made_slowly)
    function = astrace.compile(halves)
    for _ in range(CALLS):
        assert harness.same(function(*arguments(20_000)), halves(*arguments(20_000)))
    (kernel,) = kernels(function)
    assert kernel.runs
    assert not kernel.is_used


@pytest.mark.usefixtures("faster")
def test_a_hot_loop_is_compiled_and_kept_where_it_is_faster(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "astrace.backends")
    function = astrace.compile(scaled)
    called(function)
    assert "in loops, which become kernels" in caplog.text
    assert all(one.getMessage().count("\n") == 0 for one in caplog.records)
    (kernel,) = kernels(function)
    runs = kernel.runs
    called(function, 3)
    assert kernel.runs == runs + 3
    assert function.stats.kernels == 1
    assert "machine code for 4 to 31 items (machine code is 2.0 times as fast)" in function.explain(
        *arguments()
    )


@pytest.mark.usefixtures("slower")
def test_a_kernel_that_is_slower_is_not_used() -> None:
    function = astrace.compile(scaled)
    called(function)
    (kernel,) = kernels(function)
    runs = kernel.runs
    called(function, 3)
    assert kernel.runs == runs
    assert function.stats.kernels == 0
    assert "NumPy for 4 to 31 items (machine code is 0.5 times as fast)" in function.explain(*arguments())


@pytest.mark.usefixtures("slower")
def test_other_sizes_are_judged_anew() -> None:
    function = astrace.compile(scaled)
    called(function)
    runs = kernels(function)[0].runs
    called(function, 1, size=5000)
    assert kernels(function)[0].runs > runs


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be lost with asking a kernel."""
    monkeypatch.setattr(judge, "LOSS", 0.0)
    monkeypatch.setattr(judge, "LONG", 60.0)  # whatever else the machine does, there are as many trials


def calls_kernel(function: Any) -> bool:
    """Return whether the program asks a kernel."""
    return "scaled_kernel(" in str(function.captures[0].executable).partition("def scaled(")[2]


@pytest.mark.usefixtures("slower", "impatient")
def test_a_program_whose_kernels_are_slower_becomes_numpy_s_again() -> None:
    function = astrace.compile(scaled)
    called(function, judge.TRIALS)
    assert calls_kernel(function)
    called(function)
    assert not calls_kernel(function) and "perf_counter" not in str(function.captures[0].executable)
    assert function.stats.kernels == 0
    assert "NumPy for 4 to 31 items" in function.explain(*arguments())


@pytest.mark.usefixtures("impatient")
def test_kernels_are_tried_again_where_arguments_have_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 0.5))
    function = astrace.compile(scaled)
    called(function, 20)
    assert not calls_kernel(function)
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0))
    called(function, 2, size=30)
    assert not calls_kernel(function)
    called(function, 2, size=500)
    assert calls_kernel(function)
    called(function, 20, size=500)
    assert calls_kernel(function) and function.stats.kernels == 1
    called(function, 20)
    assert calls_kernel(function)


@pytest.mark.usefixtures("faster")
def test_a_kernel_that_has_given_up_too_often_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "_run", property(lambda kernel: lambda *args: None))
    function = astrace.compile(scaled)
    called(function, 20)
    assert not calls_kernel(function)
    called(function, 2, size=500)
    assert not calls_kernel(function)
    assert "machine code gives up" in function.explain(*arguments())


def test_times_are_added_up_without_the_longest() -> None:
    times = judge.TrialTimes()
    for kernel, numpy in [(1, 2), (1, 2), (1, 2), (1, 2), (900, 1)]:
        assert not times.prefers_kernel
        times.add(kernel * 1e-6, numpy * 1e-6)
    assert times.prefers_kernel and times.speedup == pytest.approx(2)
    assert times.gain == pytest.approx(0.8e-6)
    assert times.due == 25  # ten times the slower one, in runs of the faster one


@pytest.mark.parametrize(("kernel", "numpy"), [(1e-3, 1.0), (1.0, 1e-3), (0.1, 0.15), (2e-6, 1e-3)])
def test_trials_take_a_tenth_of_the_time_at_most(kernel: float, numpy: float) -> None:
    """A long loop is timed twice; after that, what a trial costs is small beside the runs until the next one."""
    times, spent, trials = judge.TrialTimes(), 0.0, 0.0
    for call in range(200_000):
        if call >= times.due:
            times.add(kernel, numpy)
            trials += max(kernel, numpy) if call > judge.LATER else 0.0
        else:
            times.calls += 1
        spent += min(kernel, numpy)
    assert 0 < trials < spent / 8


def test_one_long_loop_is_enough() -> None:
    times = judge.TrialTimes()
    times.add(1e-3, 9e-3)
    assert times.are_enough and times.prefers_kernel and times.due == judge.LATER


def test_a_close_first_trial_does_not_count() -> None:
    """NumPy's program runs for the first time, on memory that is not there yet; so is the kernel's own, if it has any."""
    times = judge.TrialTimes()
    times.add(9e-3, 33e-3)
    assert not times.are_enough and times.due == 1
    times.add(9e-3, 6e-3)
    assert times.are_enough and not times.prefers_kernel and times.due > 2
    slower = judge.TrialTimes()
    slower.add(9e-3, 6e-3)
    assert not slower.are_enough and slower.due == 1
    slower.add(4e-3, 6e-3)
    assert slower.are_enough and slower.prefers_kernel
    for kernel, numpy in ((50e-3, 6e-3), (3.0, 2.0)):  # by far, or for long: that is not tried again at once
        slowest = judge.TrialTimes()
        slowest.add(kernel, numpy)
        assert slowest.are_enough and not slowest.prefers_kernel and slowest.due > 2


def test_the_loop_is_timed_until_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "HOT", 1e6)
    function = astrace.compile(scaled)
    called(function)
    lines = [line.partition("  #@")[0].strip() for line in str(function.captures[0].executable).splitlines()]
    assert lines[1] == "started = stopwatch_next()" and lines[-3:-1] == ["if started:", "ended(started)"], (
        lines
    )
    assert function.captures[0].executable.backend == "numpy"


def test_later_runs_of_a_loop_are_timed_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first runs are; of the later ones each eighth, which counts for as many."""
    clock = iter(range(10_000))
    monkeypatch.setattr(warm_up.time, "perf_counter", lambda: next(clock) + 1.0)
    taken: list[float] = []
    monkeypatch.setattr(warm_up.WarmUp, "loops_took", lambda self, seconds: taken.append(seconds))
    timer = warm_up.LoopTimer(warm_up.WarmUp.__new__(warm_up.WarmUp))
    runs = warm_up.FIRST + 5 * warm_up.EACH
    for _ in range(runs):
        if started := timer.begin():
            timer.ended(started)
    assert sum(taken) == runs
    assert taken == [1.0] * warm_up.FIRST + [float(warm_up.EACH)] * 5


def test_a_cold_loop_is_never_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "HOT", 1e6)
    function = astrace.compile(scaled)
    called(function)
    assert not kernels(function)


def opaque(a: Any) -> Any:
    for one in a:
        print(one)


@pytest.mark.parametrize(("function", "given"), [(opaque, (np.arange(2.0),)), (np.sin, (np.arange(2.0),))])
def test_a_program_without_a_loop_for_a_kernel_is_not_timed(function: Any, given: Any) -> None:
    assert "perf_counter" not in str(astrace.compile(function).stages(*given).executable)


def test_without_numba_nothing_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "is_available", lambda: False)
    function = astrace.compile(scaled)
    called(function)
    assert "perf_counter" not in str(function.captures[0].executable)


@pytest.mark.usefixtures("faster")
def test_each_specialisation_is_compiled() -> None:
    function = astrace.compile(halved)
    for dtype in ["f8", "f4"] * CALLS:
        given, expected = np.arange(6, dtype=dtype), np.arange(6, dtype=dtype)
        assert harness.same((function(given), given), (halved(expected), expected))
    assert [len(capture.kernels) for capture in function.captures] == [1, 1]


# -- faults -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("faster")
def test_a_kernel_whose_results_differ_is_never_used(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = Kernel._kept

    def wrong(self: Kernel, args: Sequence[Any]) -> Any:
        done, *numbers = keep(self, args)
        return (done, *(np.nextafter(number, 1e9) if type(number) is float else number for number in numbers))

    monkeypatch.setattr(Kernel, "_kept", wrong)
    function = astrace.compile(scaled)
    called(function)
    (kernel,) = kernels(function)
    assert kernel.refused is not None and kernel.refused.message == "its results were not NumPy's"
    told = f"the loop in line {scaled.__code__.co_firstlineno + 2}: NumPy; its results were not NumPy's"
    assert told in function.explain(*arguments())


def first_half(a: Any) -> Any:
    out, last = np.empty(len(a)), np.empty_like(a)
    for i in range(len(a) // 2):
        out[i] = a[i] * 2.0
        last[i] = a[i]
    return out, last


def results_of_first_half(rest: Sequence[float], off: float = 0.0) -> LoopResults:
    """What a run leaves where the memory of both arrays held numbers before, with an item that is ``off``."""
    a = np.arange(8.0)
    out, last = (
        np.concatenate([known, np.full(4, before)])
        for known, before in zip((2 * a[:4], a[:4]), rest, strict=True)
    )
    out[3] += off
    return LoopResults([out, last], [a])


@pytest.mark.parametrize("mode", [EXACT, Mode(exact=False)])
def test_memory_that_is_never_written_need_not_be_the_same(mode: Mode) -> None:
    a = np.arange(8.0)
    block = astrace.compile(first_half).stages(a).graph.block

    def by_numpy(block: Block, args: Sequence[Any]) -> Sequence[Any]:
        return interpret(block, args, OPS.implementation)

    found = Agreement(block, by_numpy, mode)
    assert found.needs_arguments
    assert found.holds(results_of_first_half([5.0, -1.0]), results_of_first_half([np.nan, 7.0]), [a])
    assert not found.holds(results_of_first_half([5.0, -1.0], 0.5), results_of_first_half([5.0, 7.0]), [a])


def test_what_goes_wrong_in_compiling_leaves_the_program_as_it_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*args: Any, **kwargs: Any) -> Any:
        raise ZeroDivisionError("a fault")

    monkeypatch.delenv("ASTRACE_DEBUG")
    monkeypatch.setattr(backend, "Partition", fails)
    caplog.set_level(logging.DEBUG, "astrace.backends")
    function = astrace.compile(scaled)
    called(function)
    assert function.captures[0].executable.backend == "numpy"
    assert "scaled can't be compiled" in caplog.text and "a fault" in caplog.text


def test_faults_are_raised_for_who_looks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: Any, **kwargs: Any) -> Any:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(backend, "Partition", fails)
    with pytest.raises(ZeroDivisionError, match="a fault"):
        called(astrace.compile(scaled))


def test_nothing_is_compiled_while_a_builtin_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    function = astrace.compile(scaled)
    function.stages(*arguments())
    monkeypatch.setattr("builtins.abs", lambda value: value)
    called(function, 1)
    assert not kernels(function)
    monkeypatch.undo()
    monkeypatch.setattr(warm_up, "HOT", 0.0)
    called(function, 1)
    assert kernels(function)


# -- what is asked for --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["numpy", "native"])
def test_the_environment_chooses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_BACKEND", name)
    function = astrace.compile(scaled)
    called(function)
    executable = function.captures[0].executable
    assert executable.backend == name and "perf_counter" not in str(executable)


def test_an_option_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_BACKEND", "native")
    assert astrace.compile(scaled, backend="numpy").stages(*arguments()).executable.backend == "numpy"


def test_an_unknown_backend_in_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_BACKEND", "fortran")
    message = "ASTRACE_BACKEND: no backend 'fortran'; the backends are auto, numpy, native, jax"
    with pytest.raises(astrace.InvalidArgument, match=message):
        astrace.compile(scaled)


# -- the judge ------------------------------------------------------------------------------------------------------


def a_judge() -> tuple[Judge, Any]:
    """The judge of the loop of `scaled`, and a function that does as that."""
    graph = astrace.compile(scaled, backend="numpy").stages(*arguments()).graph
    (node,) = [node for node in graph.block.nodes if node.op == "for_loop"]
    inputs = tuple(dict.fromkeys(one for one in node.inputs if isinstance(one, Value)))
    made = Judge(Block(inputs, (node,), node.outputs[:1]), "scaled", __file__, {})

    def run(args: Sequence[Any]) -> Any:
        by_type = {type(one): one for one in args}
        return [scaled(by_type[np.ndarray], by_type[int])]

    given = [1000, np.arange(1000.0)] if inputs[0].name == "n" else [np.arange(1000.0), 1000]
    return made, (run, given)


def test_the_faster_one_is_preferred() -> None:
    made, (run, given) = a_judge()

    def slow(args: Sequence[Any]) -> Any:
        time.sleep(0.01)
        return run(args)

    for _ in range(judge.TRIALS):
        assert made.compare(Contestant(slow), given, 3) is not None
    assert made.times[3].prefers_kernel is False
    assert made.choose(4) is None
    assert not made.prefers_kernel and made.choose(3) is False


def test_a_trial_finds_both_programs_warm() -> None:
    """What runs for the first time takes longer: both have run before they are timed."""
    made, (run, given) = a_judge()
    before = np.copy(next(one for one in given if isinstance(one, np.ndarray)))
    ran: list[str] = []
    by_numpy = made._by_numpy

    def watched(args: Sequence[Any]) -> Any:
        ran.append("the arguments" if args is given else "copies")
        return by_numpy(args)

    made._by_numpy = watched
    for _ in range(2):
        made.compare(Contestant(lambda args: ran.append("kernel") or run(args)), given, 3)
    assert ran == ["kernel", "kernel", "copies", "the arguments", "kernel", "the arguments"]
    (array,) = (one for one in given if isinstance(one, np.ndarray))
    assert np.array_equal(array, before * 4)
    assert all(kernel > judge.ASKING for kernel in made.times[3].kernel)


def test_what_numpy_s_program_raises_is_left_to_the_arguments() -> None:
    """The run on copies tells of nothing, and the loop runs as it does without a kernel."""
    made, (run, given) = a_judge()
    before = [np.copy(one) for one in given]

    def fails(args: Sequence[Any]) -> Any:
        np.log(np.zeros(1))
        raise IndexError("on copies")

    made._by_numpy = fails
    assert made.compare(Contestant(run), given, 3) is None
    assert all(np.array_equal(one, other) for one, other in zip(before, given, strict=True))


def test_a_trial_that_gives_up_changes_nothing() -> None:
    made, (_, given) = a_judge()
    before = [np.copy(one) for one in given]
    assert made.compare(Contestant(lambda args: None), given, 3) is None
    assert all(np.array_equal(one, other) for one, other in zip(before, given, strict=True))
    assert not made.times


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (True, 1, False),
        (0.0, -0.0, False),
        (float("nan"), float("nan"), True),
        (np.float64(1), 1.0, False),
        (np.arange(3), np.arange(3), True),
        (np.arange(3), np.arange(4), False),
        (np.arange(3), np.arange(3.0), False),
        (np.zeros(2), -np.zeros(2), False),
    ],
)
def test_results_are_compared_to_the_bit(found: Any, expected: Any, same: bool) -> None:
    assert agreement.are_same(found, expected) is same


def test_copies_keep_what_is_one_array_one_array() -> None:
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    first, number, second = judge.copies([array, 3, array])
    assert first is second and first is not array and number == 3
    assert first.strides == array.strides and np.array_equal(first, array)


# -- other processes ------------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(tmp_path / "cache"))
    found = stores.current()
    assert found is not None
    return found


@pytest.mark.usefixtures("faster", "cache")
def test_what_was_hot_is_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that finds in the cache what an earlier one has found out runs kernels from the first call on."""
    called(astrace.compile(scaled))
    monkeypatch.setattr(warm_up, "HOT", 1e9)
    function = astrace.compile(scaled)
    called(function, 1)
    (kernel,) = kernels(function)
    assert (kernel.runs, function.stats.kernels) == (1, 1)
    assert kernel.machine_code is not None
    assert kernel.machine_code.compilations == 0
    called(function)
    called(function, 3, size=6000)  # nothing is known of these: there are trials
    assert function.stats.kernels == 1
    other = astrace.compile(halved)
    other(np.arange(3.0))
    assert other.stats.kernels == 0


@pytest.mark.usefixtures("slower", "cache")
def test_what_was_slower_is_not_compiled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "LOSS", 0.0)
    monkeypatch.setattr(judge, "LONG", 60.0)  # whatever else the machine does, there are as many trials
    function = astrace.compile(scaled)
    called(function)
    assert kernels(function)[0].is_retired
    monkeypatch.setattr(warm_up, "HOT", 1e9)
    again = astrace.compile(scaled)
    called(again)
    assert not kernels(again)


@pytest.mark.usefixtures("faster")
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'"x"',
        b"true",
        b'{"a": 1}',
        b'{"3": [[1], ["x"]]}',
        b'{"1": [[NaN], [-1]]}',
        b"\xff",
    ],
)
def test_hints_that_make_no_sense_are_none(text: bytes, cache: DiskCache) -> None:
    function = astrace.compile(scaled)
    called(function)
    for file in cache.files():
        if file.kind == hints.KIND:
            file.path.write_bytes(pack(bytes.fromhex(file.path.name), text))
    again = astrace.compile(scaled)
    called(again)
    assert kernels(again)[0].runs


def test_hints_do_not_hide_other_results(cache: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier process has measured is measured again."""
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0))
    called(astrace.compile(scaled))
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 0.5))
    function = astrace.compile(scaled)
    called(function, 40)
    assert function.stats.kernels == 0


@pytest.mark.usefixtures("faster")
def test_a_difference_is_no_hint(cache: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process has found right is forgotten where it turns out to be wrong."""
    called(astrace.compile(scaled))
    with monkeypatch.context() as changed:
        changed.setattr(agreement, "are_same", lambda *_: False)
        changed.setattr(judge, "_restored", lambda known: {})
        called(astrace.compile(scaled))
    compared: list[int] = []
    compare = Judge.compare
    monkeypatch.setattr(Judge, "compare", lambda *args: compared.append(1) or compare(*args))
    called(astrace.compile(scaled), 2)
    assert compared


def test_copies_are_laid_out_as_their_arrays() -> None:
    whole = np.arange(60.0).reshape(3, 4, 5)
    arrays = [
        whole,
        whole[:, :, ::2],
        whole[:, :2],
        whole.T,
        whole[0, 0, ::2],
        whole[..., 0],
        whole[:0, ::2],
        whole[0, 0, 0:1],
    ]
    for array, copy in zip(arrays, judge.copies(arrays), strict=True):
        assert copy.tobytes() == array.tobytes() and not np.shares_memory(copy, array)
        assert order_of(copy) == order_of(array)
