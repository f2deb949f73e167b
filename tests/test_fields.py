"""Fields that are written in place: what is put back where a kernel gives up, and statements that go through rows together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import column_programs
import field_programs
import harness
import line_programs
import numpy as np
import pytest
import rolled_programs
import stepped_programs

import astrace
from astrace.backends.native import backend
from astrace.backends.native.entry import item_logs
from astrace.backends.native.entry.keeping import keeping
from astrace.backends.native.partition import Partition
from astrace.passes.fusion import lines, rows, tiles
from fuzz import fields

PROGRAMS = {
    **field_programs.PROGRAMS,
    **rolled_programs.PROGRAMS,
    **line_programs.PROGRAMS,
    **column_programs.PROGRAMS,
    **stepped_programs.PROGRAMS,
}


def observed_alike(function: Callable[..., Any], compiled: Any, make: Callable[[], tuple[Any, ...]]) -> None:
    expected, found = (harness.observe(one, make()) for one in (function, compiled))
    assert harness.differences(expected, found) == []
    assert harness.misplaced(expected, found) == []


def kernels_of(compiled: Any) -> list[Any]:
    return [kernel for capture in compiled.captures for kernel in capture.kernels]


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_machine_code(name: str) -> None:
    function, calls = PROGRAMS[name]
    compiled = astrace.compile(function, backend="native", recompile_limit=100)
    for make in (*calls, *calls[:2]):
        observed_alike(function, compiled, make)
    assert kernels_of(compiled)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_few_rows_at_a_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ELEMENTS", 4)
    monkeypatch.setattr(lines, "ELEMENTS", 4)
    monkeypatch.setattr(tiles, "TILE", 4)
    monkeypatch.setattr(
        backend, "Partition", lambda *args, **named: Partition(*args, **{**named, "compiled": False})
    )
    function, calls = PROGRAMS[name]
    for make in calls:
        compiled = astrace.compile(function, backend="native")
        observed_alike(function, compiled, make)
        observed_alike(function, compiled, make)


@pytest.mark.parametrize("kind", ["warn", "raise", "ignore", "call"])
@pytest.mark.parametrize("name", ["next_time", "warned_late", "edges", "solved", "tracer_step"])
def test_settings_of_numpy(name: str, kind: Any) -> None:
    function, calls = PROGRAMS[name]
    told: list[Any] = []
    compiled = astrace.compile(function, backend="native", recompile_limit=100)
    with np.errstate(divide=kind, invalid=kind, over=kind, call=lambda *given: told.append(given)):
        for make in calls[:4]:
            for _ in range(2):
                observed_alike(function, compiled, make)
    assert told[::2] == told[1::2] or kind == "call"


def test_warnings_that_raise_leave_what_was_written(recwarn: pytest.WarningsRecorder) -> None:
    function, calls = PROGRAMS["warned_late"]
    compiled = astrace.compile(function, backend="native")
    compiled(*calls[0]())
    with np.errstate(all="raise"):
        for _ in range(2):
            observed_alike(function, compiled, calls[0])
    assert len(recwarn) > 0


# -- what is copied ----------------------------------------------------------------------------------------------


def parts_of(function: Callable[..., Any], *args: Any) -> list[str]:
    compiled = astrace.compile(function, backend="native", fullgraph=True)
    (kernel, *_) = compiled.stages(*args).kernels
    _, kept = keeping(kernel._lowered, logs=True)
    return [part.axes + " log" * part.is_logged for part in kept]


def one_time(a: Any, b: Any, tau: Any) -> None:
    a[1:-1, :, tau] = b[1:-1] * 2.0
    a[:, :, tau] += b


def two_times(a: Any, b: Any, tau: Any) -> None:
    a[:, :, tau] = b * 2.0
    a[:, :, 0] = b / 3.0


def all_around(a: Any, b: Any, tau: Any) -> None:
    a[0, 1:-1] = b[0, 0] * 2.0
    a[1:, 0] = b[0, 0] / 3.0
    a[0] = b[0, 0] - 1.0


def by_level(a: Any, b: Any, tau: Any) -> None:
    for k in range(a.shape[2]):
        a[:, :, k] = b * 0.5


def backwards(a: Any, b: Any, tau: Any) -> None:
    for i in range(a.shape[0]):
        for j in range(a.shape[1] - 1, -1, -1):
            a[i, j, tau] += b[i, j] * 0.5 + a[i, j, i % 2]


def sorted_rows(a: Any, b: Any, tau: Any) -> None:
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j].sort()
        a[i, 0, 0] += b[i, 0] / 3.0


def in_branches(a: Any, b: Any, tau: Any) -> None:
    c = a[0].copy()
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                if b[i, j] > a[i, j, k]:
                    a[i, j, k] = b[i, j] / 3.0
    a[0] -= c


def swapped(a: Any, b: Any, tau: Any) -> Any:
    """Arrays that a loop exchanges are stored into by other names."""
    a[...] = a * 0.5
    for _ in range(tau):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                for k in range(a.shape[2]):
                    a[i, j, k] = b[i, j, k] * 1e200 + a[i, j, k] * 2.0
        a, b = b, a
    return a


@pytest.mark.parametrize(
    ("function", "parts"),
    [
        (one_time, ["::i log"]),
        (two_times, ["::i", "::i"]),
        (all_around, ["i::", ":i:"]),
        (by_level, ["::: log"]),
        (backwards, [":::"]),
        (sorted_rows, [":::"]),
        (in_branches, ["::: log"]),
    ],
)
def test_parts_that_are_copied(function: Callable[..., Any], parts: list[str]) -> None:
    assert parts_of(function, np.ones((4, 5, 3)), np.ones((4, 5)), 1) == parts


# -- items that are copied right before they are overwritten --------------------------------------------------------


def beyond(a: Any, b: Any, stop: Any) -> None:
    """An index that may lie outside is met when much is written."""
    for i in range(stop):
        for j in range(a.shape[1]):
            for k in range(stop):
                a[i, j, k] = a[i, j, k] * 0.5 + b[i, j, k]


def downwards(a: Any, b: Any, tau: Any) -> None:
    """Rows are overwritten from the last one to the first, and twice."""
    for k in range(a.shape[0] - 1, -1, -1):
        a[k, 1:, :, tau] += b[k, 1:] / b[k, :-1]
    a[:, :, 1:, tau] -= b[:, :, 1:] * a[:, :, :-1, tau]


def whole_fields(a: Any, b: Any, tau: Any) -> None:
    """All of a field, then one level of it."""
    a[...] = a / b
    a[:, :, tau] = a[:, :, tau] * b[:, :, 0]
    a[tau] += b[tau] * 1e308


def field_with(value: float, place: tuple[int, ...], *shape: int) -> Any:
    found = field_programs.field(*shape, seed=1, low=0.5)
    found[place] = value
    return found


Made = Callable[[], tuple[Any, ...]]


def times(*places: tuple[int, ...]) -> Iterator[Made]:
    for place in places:
        for value in (0.7, 0.0, 1e308, np.inf):
            yield lambda place=place, value=value: (
                *(field_programs.field(11, 6, 5, 3), field_with(value, place, 11, 6, 5)),
                1,
            )


def levels(*places: tuple[int, ...]) -> Iterator[Made]:
    for place in places:
        for value in (1e-3, 0.0):
            yield lambda place=place, value=value: (
                *(field_programs.field(11, 6, 5), field_with(value, place, 11, 6, 5)),
                2,
            )


def stops(*ends: int) -> Iterator[Made]:
    for end in ends:
        yield lambda end=end: (field_programs.field(6, 5, 6), np.ones((9, 5, 9)), end)


PLACES = (0, 0, 0), (10, 5, 4), (5, 3, 2), (2, 0, 4)


@pytest.mark.parametrize("kind", ["raise", "warn"])
@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (downwards, [*times(*PLACES)]),
        (whole_fields, [*levels(*PLACES)]),
        (beyond, [*stops(6, 7, 0, 9)]),
        PROGRAMS["tracer_step"],
    ],
)
def test_items_are_put_back(
    function: Callable[..., Any], calls: Sequence[Made], kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a kernel gives up in the middle, and NumPy raises at once, or goes on."""
    monkeypatch.setattr(item_logs, "SMALL", 0)
    monkeypatch.setattr(item_logs, "AHEAD", 8)
    compiled = astrace.compile(function, backend="native", recompile_limit=100)
    with np.errstate(all=kind, under="ignore"):
        for make in calls:
            observed_alike(function, compiled, calls[0])  # a kernel that gives up again and again is left
            observed_alike(function, compiled, make)
    (kernel, *_) = kernels_of(compiled)
    assert any(part.is_logged for part in kernel.machine_code._text.copied)


def test_exchanged_arrays_are_copied_whole() -> None:
    fields_of = (
        lambda size=size: (*(field_programs.field(4, 5, 6, seed=one) for one in range(2)), size)
        for size in (1, 0, 2, 3, 1)
    )
    compiled = astrace.compile(swapped, backend="native", fullgraph=True)
    with np.errstate(all="raise", under="ignore"):
        for make in fields_of:
            observed_alike(swapped, compiled, make)
    (kernel, *_) = kernels_of(compiled)
    assert {part.is_logged for part in kernel.machine_code._text.copied} == {False}


def overlapping(a: Any, b: Any, c: Any) -> None:
    """Two arrays are stored into, which may share memory, and then one of them again."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j, :] = a[i, j, :] * 2.0 + 1.0
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j, :] = b[i, j, :] * 3.0 + 0.5
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j, :] = a[i, j, :] / c[i, j, :]


@pytest.mark.parametrize("distance", [0, 1, 3, 8])
def test_arrays_that_share_memory_are_put_back(distance: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_logs, "SMALL", 0)
    compiled = astrace.compile(overlapping, backend="native", recompile_limit=100)

    def made(last: float) -> Made:
        whole, divisor = (
            field_programs.field(16, 5, 6, low=0.5),
            field_programs.field(8, 5, 6, seed=1, low=0.5),
        )
        divisor[-1, -1, -1] = last
        return lambda: ((base := whole.copy())[:8], base[distance : distance + 8], divisor.copy())

    with np.errstate(all="raise", under="ignore"):
        for last in (1.0, 0.0, 1.0):
            observed_alike(overlapping, compiled, made(last))


# -- rows --------------------------------------------------------------------------------------------------------


def text_of(function: Callable[..., Any], *args: Any) -> str:
    compiled = astrace.compile(function, backend="native", fullgraph=True)
    (kernel, *_) = compiled.stages(*args).kernels
    return kernel.source.text


def test_levels_go_through_some_rows() -> None:
    function, calls = PROGRAMS["solved"]
    text = text_of(function, *calls[0]())
    assert text.index("for start in") < text.index("for k_1 in range(1, k)")
    assert "made[row - start, column" in text


def test_rows_between_statements_take_turns() -> None:
    function, calls = PROGRAMS["upwind"]
    text = text_of(function, *calls[6]())
    assert text.count("= ring(") == 2 and "made[row & t" in text


@pytest.mark.parametrize("name", line_programs.PROGRAMS)
def test_lines_go_together(name: str) -> None:
    function, calls = line_programs.PROGRAMS[name]
    text = text_of(function, *calls[-1]())
    assert ("for line in" in text) == (name != "not_beside_each_other"), text


def levels_apart(a: Any, b: Any) -> Any:
    found = np.zeros_like(a)
    found[:, :, 1:] = a[:, :, 1:] * b
    return found + a


def test_memory_for_the_lines_of_a_turn() -> None:
    text = text_of(levels_apart, np.ones((5, 4, 3)), 2.0)
    assert (
        "made = np.empty((1, rows, m,)" in text.replace("rows_1", "rows")
        or "[row - turn, column - line," in text
    )


def in_turns(a: Any, b: Any) -> Any:
    found = np.zeros_like(a)
    found[1:] = a[1:] * b
    return found[1:] - found[:-1]


def comes_out(a: Any, b: Any) -> Any:
    found = np.zeros_like(a)
    found[1:] = a[1:] * b
    return found[1:] - found[:-1], found


@pytest.mark.parametrize(
    ("function", "a", "turns"),
    [(in_turns, np.ones((9, 4)), True), (in_turns, np.ones(9), False), (comes_out, np.ones((9, 4)), False)],
)
def test_rows_that_take_turns(function: Callable[..., Any], a: Any, turns: bool) -> None:
    """Items of one axis do not, and what comes out does not."""
    assert ("ring(" in text_of(function, a, 2.0)) == turns


def test_no_copy_of_one_item_at_other_places() -> None:
    """An item is stored beside the one that is read: nothing is computed in front."""

    def shifted(a: Any, now: Any, new: Any) -> None:
        a[:, :, new] = a[:, :, now] * 2.0 + a[:, :, 0]

    assert "np.empty" not in text_of(shifted, np.ones((4, 5, 3)), 1, 2)


def paths(noise: Any, start: Any) -> Any:
    """The number of days is no part of a row: what a day takes lies side by side."""
    price, total = np.full(noise.shape[1], start), np.zeros(noise.shape[1])
    for day in range(len(noise)):
        price = price * np.exp(noise[day])
        total += price
    return np.maximum(total / len(noise) - start, 0.0)


def centred(x: Any, y: Any) -> Any:
    """A number for each row, of which all are kept: that is little beside the rows."""
    top = np.log(y + 1.0)[:, np.newaxis] + 1.0
    return (x - top) * 2.0, np.arange(len(x))


def test_rows_that_are_taken_together() -> None:
    noise = np.random.default_rng(3).normal(size=(7, 40))
    text = text_of(paths, noise, 2.0)
    assert "rows = extent" not in text and "range(0, " in text and ", 4096)" in text, text
    assert "range(select(0 < start" not in text_of(centred, noise, noise[:, 0] ** 2)
    for function, args in ((paths, (noise, 2.0)), (centred, (noise, noise[:, 0] ** 2))):
        observed_alike(function, astrace.compile(function, backend="native"), lambda args=args: args)


@pytest.mark.parametrize("seed", [205, 300])
def test_random_loops_over_levels(seed: int) -> None:
    assert fields.compare(fields.program(seed), seed, None, through_numba=False)[0] == []
