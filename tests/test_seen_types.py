"""Loops behind code that is not captured: they become kernels for the types that they are entered with."""

from __future__ import annotations

import functools
import operator
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.backends.native import backend, judge, warm_up
from astrace.backends.native.entry.seen_types import SeenTypes, type_of
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.partition import Partition
from astrace.util.disk_cache import store as stores
from astrace.util.disk_cache.store import DiskCache
from benchmarks.hidden import hidden as behind_a_call
from benchmarks.kernels import KERNELS

pytest.importorskip("numba")

hidden = operator.itemgetter(slice(None))
"""Gives its argument again; a capture knows nothing of what it gives."""


@pytest.fixture(autouse=True)
def _hot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend is chosen, every loop is hot at once, and Python runs the text of kernels."""
    monkeypatch.delenv("ASTRACE_BACKEND")
    monkeypatch.setattr(warm_up, "HOT", 0.0)
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0))  # kernels go on to run
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))


@pytest.fixture
def machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are compiled."""
    monkeypatch.setattr(backend, "Partition", Partition)


def kernels_of(function: Any) -> list[Kernel]:
    """The kernels of all captures."""
    return [kernel for stages in function.captures for kernel in stages.kernels]


def check(function: Callable[..., Any], *calls: Callable[[], tuple[Any, ...]], turns: int = 3) -> Any:
    """Compare calls with those of plain Python, each some times in a row; gives the compiled function."""
    compiled = astrace.compile(function)
    for make in calls:
        for _ in range(turns):
            expected, found = harness.observe(function, make()), harness.observe(compiled, make())
            assert harness.differences(expected, found) == []
    return compiled


# -- kernels ---------------------------------------------------------------------------------------------------

NAMES = (
    *("gauss_seidel_2d", "tridiagonal", "csr_product", "lu", "cholesky", "kalman", "edit_distance", "n_body"),
    *("mandelbrot", "warping", "heap_sort", "smooth", "neighbours", "substitutions", "k_means"),
    *("conjugate_gradients", "mix_turbulence", "viterbi", "bisect", "ising_by_noise", "percentiles"),
)


@pytest.mark.parametrize("kernel", [one for one in KERNELS if one.name in NAMES], ids=lambda one: one.name)
def test_kernels_with_hidden_arguments(kernel: Any, tmp_path: Path) -> None:
    function = behind_a_call(kernel.function, tmp_path)
    sizes = [functools.partial(kernel.make, size) for size in (kernel.small, kernel.small + 1)]
    others = [functools.partial(harness.fresh_arguments, one) for one in kernel.others()]
    compiled = check(function, *sizes, *others, sizes[0])
    assert kernels_of(compiled)


def test_all_names_are_kernels() -> None:
    assert set(NAMES) <= {one.name for one in KERNELS}


# -- what is another node once the types are known ----------------------------------------------------------------


def sizes(x: Any) -> Any:
    (w,) = hidden([x])
    total = 0.0
    for i in range(len(w)):
        rows, columns = w.shape
        total += w[i, 0] * rows + columns + w.ndim + w.size + len(w[i]) + w.shape[1]
    return total


def methods(x: Any) -> Any:
    (w,) = hidden([x])
    total = 0.0
    for i in range(3):
        row = w[i].copy()
        total += row.sum() + w[i].mean(axis=0) + w.T[0, i] + row.dot(row) + w.reshape(-1)[i]
        total = max(total, row.max(), np.sqrt(abs(row.min())))
    return total


def rows_and_items(x: Any) -> Any:
    (w,) = hidden([x])
    total = 0.0
    for row in w:
        for place, item in enumerate(row):
            total += item * place
    for one, other in zip(w[0], w[1]):  # noqa: B905
        total -= one * other
    for item in reversed(w[:, 0]):
        total = total * 0.5 + item
    return total


def in_place(x: Any) -> Any:
    w, count, factor = hidden([x, 3, 0.5])
    total = count
    for i in range(count):
        w += 1
        w[i] *= factor
        w[i:] -= w[i, 0]
        count += 1
        total += count
    return w, count, total


def until(x: Any) -> Any:
    w, limit = hidden([x, 40.0])
    i = 0
    while w.sum() < limit:
        w = w * 1.5
        i += 1
        if i > 20:
            break
    else:
        i = -i
    return w, i


def bounds_of_numpy(x: Any) -> Any:
    w, starts = hidden([x, np.array([0, 1, 3])])
    total = 0.0
    for i in range(len(starts) - 1):
        for j in range(starts[i], starts[i + 1]):
            total += w[j % 3, i] * j
    return total, j


def helper(w: Any, i: Any) -> Any:
    return w[i] * 2 if i % 2 else w[i]


def helpers(x: Any) -> Any:
    (w,) = hidden([x])
    out = np.zeros(w.shape)
    for i in range(w.shape[0]):
        out[i] = helper(w, i)
    return out


NUMBER = 2.0


def globals_behind_methods(x: Any) -> Any:
    (w,) = hidden([x])
    w = w.copy()  # code that is not known: globals are looked at again behind it
    total = 0.0
    for i in range(3):
        total += np.exp(w[i].mean()) + abs(w[i].min())
    return total


def iterators_used_twice(x: Any) -> Any:
    (w,) = hidden([x])
    total = 0.0
    for i in range(len(w)):
        items = iter(w[i])
        for item in items:
            total += item
            if item > 0.2:
                break
        for item in items:
            total += item * 100
        total += w[i, 0]
    return total


FUNCTIONS = (
    *(sizes, methods, rows_and_items, in_place, until, bounds_of_numpy, helpers),
    globals_behind_methods,
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_runs_as_a_kernel(function: Callable[..., Any]) -> None:
    def square(dtype: str = "float64") -> tuple[Any, ...]:
        return (np.arange(9).astype(dtype).reshape(3, 3) / np.asarray(8, dtype),)

    compiled = check(function, square, lambda: (square()[0].T + 1,), lambda: (square()[0][::-1],), square)
    assert any(kernel.runs for kernel in kernels_of(compiled))
    check(function, functools.partial(square, "float32"), functools.partial(square, "complex64"))


def test_iterators_go_on_where_they_were() -> None:
    check(iterators_used_twice, lambda: (np.arange(9.0).reshape(3, 3) / 8,))


@pytest.mark.usefixtures("machine_code")
@pytest.mark.parametrize("function", [in_place, globals_behind_methods])
def test_runs_as_machine_code(function: Callable[..., Any]) -> None:
    compiled = check(function, lambda: (np.arange(9.0).reshape(3, 3),), turns=5)
    assert any(kernel.has_machine_code for kernel in kernels_of(compiled))


# -- other types, and a world that changes ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        lambda: np.arange(9, dtype="float32").reshape(3, 3),
        lambda: np.arange(9).reshape(3, 3),
        lambda: np.arange(9.0).reshape(3, 3).astype(object),
        lambda: np.ma.masked_less(np.arange(9.0).reshape(3, 3), 4),
        lambda: np.arange(9.0).reshape(3, 3).view(type("Own", (np.ndarray,), {})),
        lambda: np.arange(9.0, dtype=">f8").reshape(3, 3),
        lambda: np.arange(27.0).reshape(3, 3, 3),
        lambda: np.zeros((0, 3)),
        lambda: [[1.0, 2.0, 3.0]] * 3,
        lambda: None,
    ],
)
@pytest.mark.parametrize("function", [methods, in_place, helpers])
def test_other_types_later(function: Callable[..., Any], other: Callable[[], Any]) -> None:
    """The type of the argument is hidden here, too, so that one capture sees all of them."""

    def first() -> tuple[Any, ...]:
        return (np.arange(9.0).reshape(3, 3),)

    def by_item(box: Any) -> Any:
        return function(box[0])

    held: list[Any] = []

    def boxed(given: Callable[[], Any]) -> tuple[Any, ...]:
        held[:] = [given()]
        return (Box(held[0]),)

    check(by_item, lambda: boxed(lambda: first()[0]), lambda: boxed(other), lambda: boxed(lambda: first()[0]))


class Box:
    """Something whose item may be anything."""

    def __init__(self, item: Any) -> None:
        self.item = item

    def __getitem__(self, place: int) -> Any:
        return hidden([self.item])[0]

    def __repr__(self) -> str:
        return "Box"


def test_a_function_that_is_replaced_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = check(globals_behind_methods, lambda: (np.arange(9.0).reshape(3, 3),))
    monkeypatch.setitem(globals(), "np", NumPyWithAnotherExp())
    given = np.arange(9.0).reshape(3, 3)
    assert compiled(given) == globals_behind_methods(given) == 9.0


class NumPyWithAnotherExp:
    """NumPy but for one function."""

    numpy = np

    def __getattr__(self, name: str) -> Any:
        return (lambda _: 0.0) if name == "exp" else getattr(self.numpy, name)


def replacing(x: Any, replace: Any) -> Any:
    (w,) = hidden([x])
    replace()
    total = 0.0
    for i in range(3):
        total += np.exp(w[i].mean()) + abs(w[i].min())
    return total


def test_what_is_replaced_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop is the same one, and a check in front of it fails."""
    given = np.arange(9.0).reshape(3, 3)
    compiled = astrace.compile(replacing)
    for _ in range(3):
        assert compiled(given, lambda: None) == replacing(given, lambda: None)
    assert kernels_of(compiled)
    with pytest.raises(astrace.StateChanged, match="was changed by a call in the middle"):
        compiled(given, lambda: monkeypatch.setitem(globals(), "np", NumPyWithAnotherExp()))


def changing_inside(x: Any, changes: Any) -> Any:
    w, count, called = hidden([x, 6, changes])
    for i in range(3):
        if i == 1:
            called[0](w)
        for j in range(len(w)):
            w[j] = w[j] * 2
    return w


def keep(w: Any) -> None:
    """Change nothing."""


def narrow(w: Any) -> None:
    w.dtype = "i1"


def reshape(w: Any) -> None:
    w.shape = (2, 3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("change", [narrow, reshape])
def test_calls_in_a_loop_may_change_what_was_tested_in_front_of_it(change: Callable[[Any], None]) -> None:
    box: deque[Any] = deque([keep])

    def make(one: Callable[[Any], None]) -> Callable[[], tuple[Any, ...]]:
        def arguments() -> tuple[Any, ...]:
            box[0] = one
            return np.arange(6.0), box

        return arguments

    compiled = check(changing_inside, make(keep), turns=5)
    assert kernels_of(compiled)
    for _ in range(3):
        expected, found = changing_inside(*make(change)()), compiled(*make(change)())
        assert found.tobytes() == expected.tobytes() and found.shape == expected.shape


def test_errors_come_where_they_do_in_plain_python() -> None:
    def outside(x: Any, count: Any) -> Any:
        w, limit = hidden([x, count])
        for i in range(limit):
            w[i] = w[i + 1] * 2.0
        return w

    compiled = check(
        outside, lambda: (np.arange(5.0), 4), lambda: (np.arange(5.0), 5), lambda: (np.arange(5.0), 0)
    )
    assert any(kernel.runs for kernel in kernels_of(compiled))


def test_arrays_that_share_memory() -> None:
    def shifted(x: Any) -> Any:
        one, other = hidden([x[1:], x[:-1]])
        for i in range(len(one)):
            one[i] = one[i] + other[i]
        return x

    check(shifted, lambda: (np.arange(6.0),))


def test_types_that_change_are_not_taken_for_known() -> None:
    def total(x: Any) -> Any:
        found = 0.0
        for turn in range(4):
            w, start = hidden([x, [0, 1.5, np.float32(2), True][turn]])
            for i in range(len(w)):
                start = start + w[i]
            found += start
        return found

    check(total, lambda: (np.arange(4.0),))


# -- what is looked at -----------------------------------------------------------------------------------------------


def test_what_is_known_of_objects() -> None:
    assert str(type_of(np.zeros((2, 3), "int8"))) == "int8[?, ?]"
    assert str(type_of((1, np.float32(2), True))) == "(int, float32, bool)"
    for unknown in (np.str_("text"), np.datetime64("2020"), np.array(["a"]), np.array([None])):
        assert str(type_of(unknown)) == "any"
    for unknown in ("text", None, [1.0], np.zeros(2).view(np.recarray), (1,) * 9, print):
        assert (
            str(type_of(unknown)) == "any" if type(unknown) is not tuple else type_of(unknown) == type_of("")
        )


def test_hidden_loops_are_not_said_to_be_refused() -> None:
    compiled = astrace.compile(sizes)
    compiled(np.ones((3, 3)))
    assert "AT307" not in str(compiled.explain(np.ones((3, 3))))


def test_looking_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "HOT", 1e9)
    looked: list[SeenTypes] = []
    plain = SeenTypes.look
    monkeypatch.setattr(SeenTypes, "look", lambda self, *given: (looked.append(self), plain(self, *given))[1])
    compiled = astrace.compile(sizes)
    for size in range(1, 30):
        compiled(np.ones((size, size)))
    assert len(looked) == 29
    assert sorted(map(str, looked[0].known.values())) == ["float64[?, ?]", "int"]
    assert looked[0]._left == 0


def two_loops(x: Any, also: Any) -> Any:
    w, other = hidden([x, x + 1.0])
    total = 0.0
    for i in range(len(w)):
        total += w[i] * 2.0
    if also:
        for i in range(len(other)):
            total -= other[i] * w[i]
    return total


def test_loops_that_are_entered_later_are_compiled_then() -> None:
    """The first loop is hot before the second one is entered: in the same call, and in none of the first three."""
    compiled = check(two_loops, lambda: (np.arange(4.0), True))
    assert len({kernel.source.name for kernel in kernels_of(compiled)}) == 2
    compiled = check(two_loops, lambda: (np.arange(4.0), False), lambda: (np.arange(4.0), True))
    assert len({kernel.source.name for kernel in kernels_of(compiled)}) == 2


# -- the next process ------------------------------------------------------------------------------------------------


def test_another_process_compiles_after_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "current", lambda: DiskCache(tmp_path))
    monkeypatch.setattr("astrace.backends.native.hints.current", lambda: DiskCache(tmp_path))
    given = np.ones((3, 3))
    first = astrace.compile(sizes)
    first(given)
    assert kernels_of(first)
    monkeypatch.setattr(warm_up, "HOT", 1e9)
    later, unknown = astrace.compile(sizes), astrace.compile(methods)
    assert later(given) == sizes(given) and unknown(given) == methods(given)
    assert kernels_of(later) and not kernels_of(unknown)
