"""What models and filters of other authors are written with: it runs as machine code, with NumPy's bits."""

from __future__ import annotations

import functools
import itertools
import linecache
import resource
from typing import Any

import algorithm_programs
import estimation_programs
import harness
import idiom_programs
import numpy as np
import pytest
import signal_programs
import varied_programs
import word_programs

import astrace
from astrace.backends.native import backend
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.machine_code import KernelCode
from astrace.backends.native.partition import Partition
from astrace.ops.numpy.reductions import parts_are_copied

pytest.importorskip("numba")

PROGRAMS = {
    **idiom_programs.PROGRAMS,
    **signal_programs.PROGRAMS,
    **varied_programs.PROGRAMS,
    **estimation_programs.PROGRAMS,
    **algorithm_programs.PROGRAMS,
    **word_programs.PROGRAMS,
}
LEFT_TO_NUMPY: dict[str, set[int]] = {
    "filters_with_dot": {4, 5},
    "multiplies": {3, 7, 9},
    "adapts_with_columns": {3},
    "adds_axes": {5},
    "joins": {5},
    "multiplies_rows_and_columns": {1},
    "medians_of_windows": {2, 3, 5},
    "keeps_symmetric": {2, 4},
    "multiplies_what_runs_backwards": {4},
    "multiplies_several_dtypes": {0, 2, 4},
    "steps_a_system": {4},
    "medians_of_patches": {2},
    "pulls_in_pairs": {1},
    "stores_what_was_whole_at_first": {2},
    "pads_an_image": {3, 4, 6},
    "finds_places": {2},
    "makes_rows_of_arrays": {5},
    "begins_without_the_last_state": {2},
    "adds_up_along_axes": {1, 2},
    "joins_and_splits_axes": {2, 3},
    "takes_rows_of_new_arrays": {1, 3},
    "takes_rows_of_items": {1, 2},
    "counts": {1},
    "multiplies_nothing": {0, 2},
    "transforms_in_place": {3, 4},
    "limits_of_three_types": {5},
    "scrambles": {1, 2},
    "predicted_and_corrected": {9},
    "raises_negative_items": {13, 20},
    "reduces_windows": {3, 4, 5, 6, 7},
    "averages_windows": {4, 5, 6, 7},
    "takes_extremes_of_columns": {1, 2, 3},
    "takes_extremes_of_every_second_item": {1, 2, 3},
    "reduces_large_parts": {3},
    "slides_filters": {3, 6, 7, 8},
    "mixes_last_axes": {4, 5, 7},
    "turns_degrees": {4},
    "without_outliers": {1},
    "rows_in_order": {2},
    "distances": {3, 4},
    "whole_numbers": {1},
    **varied_programs.LEFT_TO_NUMPY,
    **algorithm_programs.LEFT_TO_NUMPY,
    **word_programs.LEFT_TO_NUMPY,
    "tracks": {4},
    "multiplies_with_itself": {2},
    "smooths_backwards": {3},
    "gates": {3},
    "resamples": {3},
    "regulates": {5},
}
"""The calls of programs, by number, that no kernel takes, or that make it give up, though they neither raise nor warn."""


@pytest.fixture
def by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are run as Python, not compiled."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))


def kernels_of(native: Any) -> list[Kernel]:
    """Return the kernels of a compiled function."""
    return [kernel for stages in native.captures for kernel in stages.kernels]


def check(function: Any, native: Any, make: Any) -> harness.Outcome:
    """Compare a call with the plain function: results, changed arguments, warnings, exceptions; return what it gave."""
    expected, found = harness.observe(function, make()), harness.observe(native, make())
    assert harness.differences(expected, found) == []
    assert found.warned == expected.warned
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_as_machine_code(name: str) -> None:
    function, calls = PROGRAMS[name]
    native = astrace.compile(function, backend="native", recompile_limit=50)
    for make in [*calls[:3], calls[0]]:  # each layout is compiled anew; Python runs the text of all
        check(function, native, make)
    assert any(kernel.runs for kernel in kernels_of(native))
    assert not [kernel.refused for kernel in kernels_of(native) if kernel.refused]


@pytest.mark.usefixtures("by_python")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_runs_without_numba(name: str) -> None:
    function, calls = PROGRAMS[name]
    for number, make in enumerate(calls):
        native = astrace.compile(function, backend="native")
        outcome = check(function, native, make)
        check(function, native, make)
        kernels = kernels_of(native)
        assert kernels
        is_left = number in LEFT_TO_NUMPY.get(name, ())
        if not (outcome.error or outcome.warned):
            assert any(kernel.runs for kernel in kernels) is not is_left, f"call {number}"


@pytest.mark.usefixtures("by_python")
def test_a_kernel_takes_the_form_for_axes_of_one_item() -> None:
    """It runs at the first call, and again after arguments have other axes of one item, without having given up for good."""
    function, calls = PROGRAMS["repeats_axes_of_arguments"]
    native = astrace.compile(function, backend="native")
    runs = 0
    for make in (*calls[:2], calls[2]):
        check(function, native, make)
        check(function, native, make)
        (kernel,) = kernels_of(native)
        assert kernel.runs > runs
        runs = kernel.runs
    for size in range(2, 20):  # the forms that a kernel takes are not without number
        given = np.ones((size % 2 + 1, 2, 3)), np.ones((2, 2, 3)), np.ones((1, 1, 3))
        check(function, native, lambda given=given: given)
    assert kernel.fitting.forms <= 4


def test_machine_code_for_each_order_tests_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays that lie in one piece and parts of them take turns: what a kernel is compiled for is looked up at first only."""

    def scaled(x: Any) -> Any:
        return np.exp(x) * x + 0.5 * x

    native = astrace.compile(scaled, backend="native")
    x = np.linspace(0, 1, 12).reshape(3, 4)
    given = [x, x[:, 1:]]
    for one in given * 2:
        native(one)
    monkeypatch.setattr(KernelCode, "_piece", lambda *_: pytest.fail("looked up"))
    for one in given * 100:
        check(scaled, native, lambda one=one: (one,))
    (kernel,) = kernels_of(native)
    assert kernel.runs >= 200


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16"])
def test_dot_gives_numpys_bits(dtype: str) -> None:
    """For each number of rows, columns and products, of which the C library treats some as it does vectors."""

    def multiplied(a: Any, b: Any) -> Any:
        found = np.empty((len(a), b.shape[1]), a.dtype)
        for _ in range(1):
            found[...] = a.dot(b)
        return found

    native = astrace.compile(multiplied, backend="native")
    rng = np.random.default_rng(5)
    for rows, columns, inner in itertools.product((2, 1, 3, 5, 8), repeat=3):
        a, b = rng.normal(size=(rows, inner)).astype(dtype), rng.normal(size=(inner, columns)).astype(dtype)
        a[rng.random(a.shape) < 0.3] = -0.0
        check(multiplied, native, lambda a=a, b=b: (a, b))
    assert max(kernel.runs for kernel in kernels_of(native)) >= 90


def test_parts_are_left_to_numpy_where_it_copies_fewer_items_at_a_time() -> None:
    """Sums depend on that: `np.setbufsize`."""

    def sums(x: Any) -> Any:
        return np.array([np.sum(x[i:, 1:]) for i in range(len(x))])

    native = astrace.compile(sums, backend="native")
    rng = np.random.default_rng(9)
    x = rng.normal(size=(12, 40)) * 10.0 ** rng.uniform(-5, 5, (12, 40))
    check(sums, native, lambda: (x,))
    usual = sums(x)
    (kernel,) = kernels_of(native)
    runs = kernel.runs
    assert runs
    size = np.setbufsize(32)
    try:
        check(sums, native, lambda: (x,))
        assert not np.array_equal(sums(x), usual)
    finally:
        np.setbufsize(size)
    assert kernel.runs == runs
    check(sums, native, lambda: (x,))
    assert kernel.runs == runs + 1


def test_how_parts_are_reduced_is_tried_with_numpys_own_settings() -> None:
    """A program may have chosen others before its first kernel, and choose the usual ones later on."""

    def sums(x: Any) -> Any:
        return np.array([np.sum(x[i:, 1:]) for i in range(len(x))])

    parts_are_copied.cache_clear()
    native = astrace.compile(sums, backend="native")
    x = np.random.default_rng(9).normal(size=(12, 40))
    size = np.setbufsize(32)
    try:
        check(sums, native, lambda: (x,))
    finally:
        np.setbufsize(size)
    check(sums, native, lambda: (x,))
    (kernel,) = kernels_of(native)
    assert kernel.runs == 1


def test_searches_take_numpys_steps() -> None:
    """So that they find what NumPy finds among items that are in no order, and beside NaN, too."""

    def found(items: Any, keys: Any, values: Any) -> Any:
        for _ in range(1):
            between = np.interp(keys, items, values)
        return between, np.searchsorted(items, keys), np.searchsorted(items, keys, side="right")

    def with_nan(items: Any) -> Any:
        return np.where(rng.random(len(items)) < 0.2, np.nan, items)

    native = astrace.compile(found, backend="native")
    rng = np.random.default_rng(3)
    for size in (*range(1, 24), 200):
        for sorts in (np.sort, rng.permutation, with_nan):
            items, keys = rng.integers(0, 30, size) / 4, rng.integers(-4, 130, 40) / 16
            given = sorts(items), rng.permutation(np.append(keys, np.nan)), rng.normal(size=size)
            check(found, native, lambda given=given: given)
            check(found, native, lambda given=given: (given[0], np.sort(given[1]), given[2]))
    assert max(kernel.runs for kernel in kernels_of(native)) >= 90


def out_of_a_branch(x: Any, a: Any, n: int) -> Any:
    """A view that runs backwards where a test holds."""
    total = np.zeros(len(x))
    for i in range(n):
        y = x[::-1] if i % 2 else x
        total += np.exp(y) * np.log(np.abs(y))
    return total


def out_of_a_list(x: Any, a: Any, n: int) -> Any:
    """The items of a list, of which NumPy multiplies some that are not in one piece."""
    kept = [x]
    total = 0.0
    for _ in range(n):
        total += kept[0] @ kept[-1] + np.exp(kept[0]).sum()
        kept.append(kept[-1] @ a)
    return total, np.array(kept)


@pytest.mark.parametrize("function", [out_of_a_branch, out_of_a_list])
def test_bits_are_those_of_views_as_they_are_in_memory(function: Any) -> None:
    """NumPy's loops take another way where they run backwards, or are not in one piece."""
    native = astrace.compile(function, backend="native", recompile_limit=50)
    rng = np.random.default_rng(4)
    for size in (5, 37, 300):
        x, a = rng.normal(size=2 * size), rng.normal(size=(size, size)) / size
        for given in (x[:size], x[::2], x[::-2]):
            check(function, native, lambda given=given, a=a: (given, a, 4))


LISTS = {
    "changed in place": "x += 1.0; kept.append(x)",
    "changed behind": "y = x * 2.0; kept.append(y); y[1:] += x[1:]",
    "changed in the list": "x = x + 1.0; kept.append(x); kept[0][0] = i",
    "of several sizes": "kept.append(np.arange(i % 3 + 1.0) * 2.0)",
    "transposed": "kept.append(np.outer(x, x).T * 2.0)",
    "in two lists": "x = x * 2.0; kept.append(x); other.append(x); other[-1][0] = i",
    "seen": "x = x * 2.0; kept.append(x); y = kept[-1]; other.append(y is x)",
}


@pytest.mark.usefixtures("by_python")
@pytest.mark.parametrize("what", LISTS)
def test_lists_of_arrays_are_pythons_where_it_shows(what: str) -> None:
    """Where items are changed, or have several shapes, or are given back."""
    scope: dict[str, Any] = {"np": np}
    for result in ("np.array(kept)", "np.stack(kept)", "kept", "(kept[-1], x, y)"):
        code = f"def f(x, n):\n    kept, other, y = [], [], x\n    for i in range(n):\n        {LISTS[what]}\n    return {result}\n"
        linecache.cache["<lists>"] = (len(code), None, code.splitlines(True), "<lists>")
        exec(compile(code, "<lists>", "exec"), scope)
        native = astrace.compile(scope["f"], backend="native")
        for n in (3, 1, 0, 4):
            check(scope["f"], native, lambda n=n: (np.linspace(0.0, 1.0, 3), n))


@pytest.mark.usefixtures("by_python")
def test_a_kernel_whose_arguments_are_never_as_it_takes_for_granted_is_seldom_asked() -> None:
    """And runs again once they are."""

    def added(a: Any, b: Any) -> Any:
        for _ in range(2):
            a[...] = a * 0.25 + b * 0.5
        return a

    native = astrace.compile(added, backend="native")
    a = np.arange(6.0)
    asked: list[Any] = []
    native(a[:5], a[1:])
    (kernel,) = kernels_of(native)
    admit = kernel._admit
    kernel._admit = lambda *args: asked.append(args) or admit(*args)
    for _ in range(1000):
        native(a[:5], a[1:])
    assert 10 < len(asked) < 20 and kernel.runs == 0
    for _ in range(2000):
        check(added, native, lambda: (np.ones(5), a[1:]))
    assert kernel.runs > 500


FITTING = {
    "np.dot(a, np.zeros((2, 1)))": "float64[?, ?]",
    "np.dot(np.zeros((3, 2)), a)": "float64[?, ?]",
    "a.dot(np.zeros(2))": "float64[?]",
    "a @ np.zeros((2, 1))": "float64[?, ?]",
    "np.inner(a[0], np.zeros(2))": "float64",
    "np.tensordot(a, np.zeros((2, 2), np.complex64), axes=1)": "complex128[?, ?]",
    "np.concatenate([a, np.zeros((2, 2))])": "float64[?, ?]",
    "np.vstack((a[0], np.zeros(2)))": "float64[?, ?]",
    "np.hstack([a, np.zeros((2, 2), np.float32)])": "float64[?, ?]",
    "np.stack([a, np.zeros((2, 2))], axis=1)": "float64[?, ?, ?]",
    "np.column_stack((a[0], np.zeros(2)))": "float64[?, ?]",
    "np.interp(a[0], a[1], np.arange(2))": "float64[?]",
    "np.linalg.solve(a, np.zeros((2, 1)))": "float64[?, ?]",
}


@pytest.mark.parametrize("text", FITTING)
def test_types_are_known_where_sizes_that_are_known_may_not_fit(text: str) -> None:
    """Such as those of a matrix that is given, and of a column that is made."""
    scope: dict[str, Any] = {"np": np}
    code = f"def f(a):\n    return {text}\n"
    linecache.cache["<fitting>"] = (len(code), None, code.splitlines(True), "<fitting>")
    exec(compile(code, "<fitting>", "exec"), scope)
    native = astrace.compile(scope["f"], backend="numpy")
    graph = native.stages(np.eye(2)).graph
    (output,) = graph.block.outputs
    assert str(output.spec) == FITTING[text]
    for given in (np.eye(2), np.eye(3), np.eye(2)[:1]):
        check(scope["f"], native, lambda given=given: (given,))


def test_arrays_that_come_out_have_the_order_of_axes_that_numpy_gives_them() -> None:
    function, calls = PROGRAMS["keeps_symmetric"]
    native = astrace.compile(function, backend="native", recompile_limit=50)
    for make in [*calls, *calls]:
        expected, found = function(*make()), native(*make())
        assert [one.strides for one in found] == [one.strides for one in expected]


def with_other_axes(a: Any, x: Any, n: int) -> Any:
    """A loop puts a matrix in the place of an array of one axis."""
    y = x * 2.0
    for _ in range(n):
        y = a[:1] * x
    return y


@pytest.mark.usefixtures("by_python")
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_an_array_with_other_axes_is_left_to_numpy(turns: int) -> None:
    native = astrace.compile(with_other_axes, backend="native")
    check(with_other_axes, native, lambda: (np.eye(3) + 0.5, np.arange(3.0), turns))
    assert [stages.fallback for stages in native.captures] == [None]


def states_in_turn(x: Any, turns: int) -> Any:
    """Two arrays that take turns, and a number that may not be one: then the kernel gives up in the middle."""
    last, now = x * 1.0, x * 2.0
    for _ in range(turns):
        last, now = now, np.cumsum(last) * 1e-6 - now
    return last, now


@pytest.mark.parametrize("parallel", [False, True])
def test_arrays_that_take_turns_are_freed(parallel: bool) -> None:
    """Once each, whichever of them come out, and where a kernel gives up, too."""
    native = astrace.compile(states_in_turn, backend="native", parallel=parallel)
    x = np.linspace(0, 1, 1 << 17)
    native(x, 5)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for turns in range(100):
        found = native(x, turns % 4)
    assert np.array_equal(found, states_in_turn(x, 3))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024  # of 200 MB and more
    assert sum(kernel.runs for kernel in kernels_of(native)) > 100
