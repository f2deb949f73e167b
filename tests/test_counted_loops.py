"""Loops over arrays, lists, pairs and the like as loops over ranges: what a block does stays the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drafts import interpreted

import astrace
from astrace.ir.control import ForLoop
from astrace.ir.iteration import Range
from astrace.ir.verify import verify
from astrace.ir.walk import nodes
from astrace.passes.legalise.counted_loops import over_ranges
from astrace.passes.pipeline import inferred

X, Y = np.arange(12.0).reshape(4, 3), np.arange(5) * 10


def items(x: Any, y: Any) -> Any:
    total = np.zeros(3)
    for row in x:
        total = total + row
    return total


def pairs(x: Any, y: Any) -> Any:
    total = 0.0
    for row, number in zip(x, y):
        total = total * 2 + row[0] * number
    return total


def numbered(x: Any, y: Any) -> Any:
    total = 0
    for place, number in enumerate(y, 3):
        total += place * number
    return total


def backwards(x: Any, y: Any) -> Any:
    total = 0
    for number in reversed(y):
        total = total * 3 + number
    for place in reversed(range(1, len(y))):
        total = total * 3 + place
    for place in reversed(range(len(y), 0, -2)):
        total = total * 3 + place
    return total


def together(x: Any, y: Any) -> Any:
    total = 0.0
    for place, (number, (index, row)) in zip(range(2, 11, 3), zip(reversed(y), enumerate(x))):
        total = total * 2 + place * number + index + row[1]
    return total


def left_early(x: Any, y: Any) -> Any:
    seen = 0
    for number in y:
        if number > 15:
            break
        seen += number
    return seen


def written_while_read(x: Any, y: Any) -> Any:
    for place, number in enumerate(y):
        y[-1 - place] = number + 1
    return y.sum()


def of_a_list(x: Any, y: Any) -> Any:
    seen = []
    for number in y:
        seen.append(number * 2)
    total = 0
    for place, number in enumerate(seen):
        total += place * number
    return total


CASES: list[Callable[[Any, Any], Any]] = [
    *(items, pairs, numbered, backwards, together, left_early, written_while_read, of_a_list)
]


def lowered(function: Callable[..., Any], *given: Any) -> Any:
    """Return a captured block, and that with loops over ranges."""
    graph = astrace.compile(function).stages(*given).graph
    assert graph is not None
    return graph.block, over_ranges(graph.block)


@pytest.mark.parametrize("function", CASES, ids=lambda one: one.__name__)
def test_the_same_with_loops_over_ranges(function: Callable[[Any, Any], Any]) -> None:
    before, after = lowered(function, X.copy(), Y.copy())
    # Types of lowered ops are not inferred: those that are written hold.
    verify(after, lambda node: inferred(node) or tuple(output.spec for output in node.outputs))
    assert all(isinstance(ForLoop(node).over, Range) for node in nodes(after) if node.op == "for_loop")
    for x, y in ((X, Y), (X[:0], Y[:0]), (X[:1], Y)):
        given, same = [x.copy(), y.copy()], [x.copy(), y.copy()]
        taken = [given[index] for index in places_of(before)], [same[index] for index in places_of(after)]
        expected, found = interpreted(before, *taken[0]), interpreted(after, *taken[1])
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(same[1], given[1])


def places_of(block: Any) -> list[int]:
    """Which of the two arguments the inputs are."""
    return [("x", "y").index(value.name) for value in block.inputs]


def test_strict_pairs_give_up() -> None:
    def strict(x: Any, y: Any) -> Any:
        total = 0.0
        for row, number in zip(x, y, strict=True):
            total += row[0] * number
        return total

    _, after = lowered(strict, X, Y[:4])
    assert [node.op for node in after.nodes].count("deopt") == 1


def test_what_has_no_number_of_items_stays() -> None:
    def grows(x: Any, y: Any) -> Any:
        seen = [1.0]
        for one in seen:
            if len(seen) < 4:
                seen.append(one + y[0])
        return seen

    before, after = lowered(grows, X, Y)
    assert after is before
