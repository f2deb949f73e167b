"""A loop is one node for any number of iterations, and building a graph takes time in proportion to its size."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.ir.block import block_text


def total(x: Any, n: Any) -> Any:
    """Over a range."""
    s = 0.0
    for i in range(n):
        s = s + x * i
    return s


def halved(x: Any, n: Any) -> Any:
    """Until a counter runs out."""
    while n > 0:
        x = x / 2
        n = n - 1
    return x


def rows(x: Any, n: Any) -> Any:
    """Over the rows of an array whose length is an argument."""
    found = []
    for index, row in enumerate(np.zeros((n, 1)) + x):
        if index % 2:
            found.append(row[0])
    return len(found)


def nested(x: Any, n: Any) -> Any:
    """A loop in a loop, left early."""
    for i in range(n):
        for j in reversed(range(n)):
            if j > i + x:
                break
            x = x + 1
    return x


def keyed(x: Any, n: Any) -> Any:
    """A dict with an item for each iteration."""
    found = {}
    for i in range(n):
        found[i] = x * i
    return found


@pytest.mark.parametrize("make", [int, np.int64], ids=["Python int", "NumPy int"])
@pytest.mark.parametrize("function", [total, halved, rows, nested, keyed], ids=lambda one: one.__name__)
def test_same_block_for_any_trip_count(function: Callable[..., Any], make: Callable[[int], Any]) -> None:
    """3 iterations or 3,000,000: the block is the same, and a capture for one serves the other."""
    texts = []
    for n in (0, 1, 3, 3_000_000):
        stages = astrace.compile(function).stages(np.float64(1.5), make(n))
        assert stages.fallback is None
        texts.append(block_text(stages.graph.block))
    assert len(set(texts)) == 1 and "_loop(" in texts[0]
    compiled = astrace.compile(function)
    for n in (3, 0, 50, 1):
        assert compiled(np.float64(1.5), make(n)) == function(np.float64(1.5), make(n))
    assert compiled.stats.traces == 1


def function_of(source: str) -> Callable[..., Any]:
    """The function ``f`` that a text defines."""
    file = f"<text {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {}
    exec(compile(source, file, "exec"), namespace)
    return namespace["f"]


def all_nodes(function: Callable[..., Any], *args: Any) -> int:
    """Return the number of nodes of a recording, with those of its regions."""
    return sum(1 for _ in astrace.ir.walk.nodes(astrace.compile(function).stages(*args).recording.block))


def nested_ifs(depth: int) -> Iterator[str]:
    """An ``if`` in an ``if`` in an ``if``, each with an ``else``."""
    yield "def f(x):"
    for level in range(depth):
        yield f"{' ' * (level + 1)}if x > {level}:\n{' ' * (level + 2)}x = x + {level}"
    for level in reversed(range(depth)):
        yield f"{' ' * (level + 1)}else:\n{' ' * (level + 2)}x = x - {level}"
    yield " return x"


def test_diamond_is_linear() -> None:
    """Sixty ``if`` statements in a row: each is one node, not twice what follows it."""
    source = "def f(x):\n" + "".join(
        f"    if x > {i}:\n        x = x + {i}\n    else:\n        x = x * 2\n" for i in range(60)
    )
    f = function_of(source + "    return x\n")
    assert all_nodes(f, 1.0) == 60 * 4
    assert astrace.compile(f)(1.5) == f(1.5)


def test_nested_branches_are_linear() -> None:
    """Branches nested as deep as Python lets them be."""
    f = function_of("\n".join(nested_ifs(18)) + "\n")
    assert all_nodes(f, 1.0) == 18 * 4
    for x in (-1.0, 5.5, 100.0):
        assert astrace.compile(f)(x) == f(x)


def test_early_returns_are_linear() -> None:
    """Sixty returns in a row nest what follows them, once each."""
    source = "def f(x):\n" + "".join(f"    if x > {60 - i}:\n        return x + {i}\n" for i in range(60))
    f = function_of(source + "    return x\n")
    assert all_nodes(f, 1.0) <= 60 * 3 + 1
    for x in (100.0, 30.5, -1.0):
        assert astrace.compile(f)(x) == f(x)


def test_long_chain() -> None:
    """Twenty thousand nodes."""
    f = function_of("def f(x):\n" + "    x = x + 1.5\n" * 20_000 + "    return x\n")
    graph = astrace.trace(f, np.zeros(2))  # a call would not wait for as much
    assert sum(1 for _ in astrace.ir.walk.nodes(graph.block)) == 20_000
    assert (graph(np.zeros(2)) == f(np.zeros(2))).all()


def test_nested_loops_are_linear() -> None:
    """Loops nested twelve deep, with a value at each level that nobody uses."""
    lines = ["def f(x):"]
    for level in range(12):
        lines.append(f"{' ' * (level + 1)}for i{level} in range(1):")
        lines.append(f"{' ' * (level + 2)}k = {level}")
    lines.append(f"{' ' * 13}x = x + 1")
    f = function_of("\n".join([*lines, " return x", ""]))
    assert all_nodes(f, 1.0) <= 12 * 2 + 1
    assert astrace.compile(f)(1.0) == 2.0


def test_too_many_items_are_noticed_before_the_first() -> None:
    """A loop over many pairs, which would be unrolled, is left to plain Python at once."""

    def f(pairs: list[tuple[float, float]], x: np.ndarray) -> np.ndarray:
        for weight, shift in pairs:
            x = x * weight + shift
        return x

    pairs = [(0.5, float(number)) for number in range(10_500)]
    compiled = astrace.compile(f)
    assert np.array_equal(compiled(pairs, np.arange(2.0)), f(pairs, np.arange(2.0)))
    fallback = compiled.stages(pairs, np.arange(2.0)).fallback
    assert fallback is not None and fallback.code == "AT207"
