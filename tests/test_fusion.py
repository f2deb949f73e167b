"""Elementwise statements that run together: results stay those of plain Python, and arrays between them go."""

from __future__ import annotations

import cProfile
import linecache
from collections.abc import Callable
from typing import Any

import chain_programs
import harness
import numpy as np
import pytest
import tiled_programs

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition
from astrace.ir.interpret import interpret
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.passes.fusion import fuse, tiles
from astrace.passes.lowering.lower import lower
from fuzz import chains

PROGRAMS = {**tiled_programs.PROGRAMS, **chain_programs.PROGRAMS}


@pytest.fixture
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles of four elements, and kernels that Python runs."""
    monkeypatch.setattr(tiles, "TILE", 4)
    monkeypatch.setattr(
        backend, "Partition", lambda *args, **named: Partition(*args, **{**named, "compiled": False})
    )


def observed_alike(function: Callable[..., Any], compiled: Any, make: Callable[[], tuple[Any, ...]]) -> None:
    expected, found = (harness.observe(one, make()) for one in (function, compiled))
    assert harness.differences(expected, found) == []
    assert harness.misplaced(expected, found) == []


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_small_tiles(name: str) -> None:
    function, calls = PROGRAMS[name]
    for make in calls:
        compiled = astrace.compile(function, backend="native")
        observed_alike(function, compiled, make)
        observed_alike(function, compiled, make)


@pytest.mark.parametrize("name", tiled_programs.PROGRAMS)
def test_as_machine_code(name: str) -> None:
    function, calls = tiled_programs.PROGRAMS[name]
    compiled = astrace.compile(function, backend="native", recompile_limit=100)
    for make in (*calls, *calls[:2]):
        observed_alike(function, compiled, make)
    kernels = [kernel for capture in compiled.captures for kernel in capture.kernels]
    assert any(kernel.runs for kernel in kernels)


@pytest.mark.parametrize("seed", range(12))
def test_random_statements(seed: int) -> None:
    found, _ = chains.compare(chains.program(seed), seed, None, through_numba=False)
    assert found == []


def test_statements_are_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The random programs above have groups of many statements, on tiles and as one nest."""
    tiled, merged = [], []

    def on_tiles(statements: Any, *rest: Any) -> Any:
        tiled.append(len(statements))
        return tiles.tiled(statements, *rest)

    def as_one(statements: Any, temporaries: Any) -> Any:
        found = fuse_merged(statements, temporaries)
        merged.append(len(statements) - len(found))
        return found

    fuse_merged = fuse.merged
    monkeypatch.setattr(fuse, "tiled", on_tiles)
    monkeypatch.setattr(fuse, "merged", as_one)
    for seed in range(8):
        chains.compare(chains.program(seed), seed, None, through_numba=False)
    assert max(tiled) >= 3 and sum(merged) >= 1


# -- what becomes of the arrays between statements -------------------------------------------------------------


def text_of(function: Callable[..., Any], *args: Any) -> str:
    compiled = astrace.compile(function, backend="native", fullgraph=True)
    (kernel, *_) = compiled.stages(*args).kernels
    return kernel.source.text


X = np.arange(9.0)


def several_uses(x: Any, y: Any) -> Any:
    a = x * y
    b = a + x
    return a * b - b


def through_a_function(x: Any, y: Any) -> Any:
    a = x * y
    return np.exp(a) * a


def at_other_places(x: Any, y: Any) -> Any:
    a = x * y
    return a[1:] * a[:-1]


def in_place_of_another(x: Any, y: Any) -> Any:
    x *= 2.0
    y += x
    return y * 0.5 + x


def test_a_name_used_several_times_is_a_number() -> None:
    text = text_of(several_uses, X, X)
    assert text.count("for ") == 1 and "np.empty" not in text


def test_beside_a_function_arrays_are_as_large_as_a_tile() -> None:
    text = text_of(through_a_function, X, X)
    assert "for start in range(0, " in text and ", 512):" in text
    assert text.count("array_of_numpy((") == 1  # what comes out; the others have the size of a tile
    assert all("np.empty((t1,)" in line for line in text.splitlines() if "np.empty" in line)


def test_items_that_are_read_beside_are_there_before() -> None:
    text = text_of(at_other_places, X, X)
    assert text.count("for ") == 2 and "for start" not in text


def test_statements_whose_names_all_end_in_one_nest_are_one() -> None:
    """Some of them together would touch too many arrays to be fast; all of them store two."""
    _, (make, *_) = tiled_programs.PROGRAMS["eliminates_along_columns"]
    text = text_of(tiled_programs.eliminates_along_columns, *make())
    assert text.count("for column in") == 1 and "np.empty" not in text


def test_arrays_that_are_written_together_have_to_be_apart() -> None:
    """One array given twice is left to NumPy: a statement would read what a later one has written."""
    compiled = astrace.compile(in_place_of_another, backend="native")
    for make in (
        lambda: (X.copy(), X.copy()),
        lambda: (one := X.copy(), one),
        lambda: ((w := np.arange(10.0))[1:], w[:-1]),
    ):
        for _ in range(2):
            observed_alike(in_place_of_another, compiled, make)
    (kernel, *_) = [one for capture in compiled.captures for one in capture.kernels]
    assert kernel.runs


def test_the_text_is_the_same_in_every_process() -> None:
    """Machine code is found on disk by the text: arrays stand in the order of their use."""
    texts = {text_of(tiled_programs.moved_on_in_place, X.copy(), X.copy()) for _ in range(4)}
    assert len(texts) == 1


def test_the_bits_of_what_nothing_needs_are_put_together() -> None:
    """What ``np.maximum`` may not take is computed, and LLVM computes several elements at once."""

    def kept(x: Any, y: Any) -> Any:
        return np.maximum(x / y, 0.25)

    compiled = astrace.compile(kept, backend="native")
    observed_alike(kept, compiled, lambda: (X, X + 1.0))
    for y in (X, np.zeros(9)):
        observed_alike(kept, compiled, lambda y=y: (X, y))


def test_bits_are_not_put_together_where_all_turns_store_to_one_place() -> None:
    """LLVM takes such turns one by one; what they compute is needed all the same."""

    def pulled(x: Any, y: Any) -> Any:
        for i in range(len(x)):
            for j in range(len(x)):
                y[i, 0] -= x[j] / (x[j] + 2.0)
                y[j, 1] += x[i] * x[j]
        return y

    compiled = astrace.compile(pulled, backend="native")
    for x in (X, X - 3.0):  # the second divides by zero
        observed_alike(pulled, compiled, lambda x=x: (x.copy(), np.ones((len(X), 2))))
    (kernel,) = [one for capture in compiled.captures for one in capture.kernels]
    assert "bits_of(" not in kernel.source.text and kernel.runs == 1


def test_divisions_under_a_condition_are_made_where_it_holds() -> None:
    """LLVM computes ``a / select(c, b, 1.0)`` as ``select(c, a / b, a)`` where it knows the one: all ``b`` divide then, zeros too."""

    def guarded(a: Any, b: Any) -> Any:
        quotient = np.where(b > 0.0, a / np.where(b > 0.0, b, 1.0), 0.0)
        return np.maximum(quotient, 0.0) - np.where(a > 0.0, np.where(b < 9.0, b, 0.0), 1.0)

    a, b = np.arange(70.0) % 7 - 3, np.arange(70.0) % 5
    compiled = astrace.compile(guarded, backend="native")
    for _ in range(3):
        observed_alike(guarded, compiled, lambda: (a, b))
    (kernel,) = [one for capture in compiled.captures for one in capture.kernels]
    assert kernel.runs == 3


def test_the_meaning_of_bits() -> None:
    bits = OPS["bits_of"].function
    assert bits(1.0) == 0x3FF0 << 48 and bits(np.float32(1.0)) == 0x3F80 << 16
    assert bits(complex(1.0, 2.0)) == bits(1.0) | bits(2.0) and bits(np.float64(0.0)) == 0
    assert OPS["settled"].function(1) is None


@pytest.mark.parametrize("function", [several_uses, through_a_function])
def test_a_fused_block_means_what_the_other_one_does(function: Callable[..., Any]) -> None:
    """The interpreter runs both."""
    graph = astrace.compile(function, fullgraph=True).stages(X, X).graph
    assert graph is not None
    apart, together = (lower(graph.block, fuse=fuse) for fuse in (False, True))
    assert sum(1 for _ in nodes(together.block)) != sum(1 for _ in nodes(apart.block))
    given = [X + place for place in range(len(apart.block.inputs))]
    (one,), (other,) = (interpret(lowered.block, given, OPS.implementation) for lowered in (apart, together))
    assert one.tobytes() == other.tobytes()


def chain(count: int) -> Callable[..., Any]:
    """A function of so many array statements, of which each reads what others have made."""
    lines = ["def chained(x, y):"]
    for number in range(count // 2):
        lines += [f"    x += y * {number + 0.5}", f"    y -= x * {number + 0.25}"]
    text = "\n".join([*lines, "    return x - y", ""])
    file = f"<chain of {count}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    found: dict[str, Any] = {}
    exec(compile(text, file, "exec"), found)
    return found["chained"]


def test_the_pass_takes_as_long_as_there_are_statements() -> None:
    """Four times as many statements are four times as many calls, not sixteen times."""
    counts = []
    for count in (40, 160):
        graph = astrace.compile(chain(count), fullgraph=True).stages(X, X + 1.0).graph
        assert graph is not None
        profile = cProfile.Profile()
        profile.runcall(lower, graph.block)
        counts.append(sum(one.callcount for one in profile.getstats()))
    assert counts[1] < 6 * counts[0]
