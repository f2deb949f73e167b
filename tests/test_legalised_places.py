"""Where the nodes of a legalised block stood: what is refused of one is told of the node that a user wrote."""

from __future__ import annotations

from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.passes.common_nodes import merge_common_nodes
from astrace.passes.legalise.places import places
from astrace.passes.legalise.reductions import with_reductions


def repeated(x: Any, n: Any) -> Any:
    """Sums that are the same, which are merged, before and behind a store and a loop."""
    a = np.zeros(3)
    first = (x * 2.0).sum() + (x * 2.0).sum()
    a[0] = first
    for i in range(n):
        a[1] += x[i] * 3.0 + x[i] * 3.0
    return a, first, (x * 2.0 + 1.0).sum(), (x * 2.0 + 1.0).max()


def reduced(x: Any, n: Any) -> Any:
    """Python's sums and extremes, each of which becomes several nodes."""
    values = [x[i] * 0.5 for i in range(n)]
    a = np.zeros(3)
    a[0] = sum(values) + max(values)
    total = min(x) - sum(x)
    a[1] = total
    return a, [total * 2.0 for _ in range(n)], sum(values)


@pytest.mark.parametrize("function", [repeated, reduced])
def test_each_node_is_found(function: Any) -> None:
    recording = astrace.compile(function, backend="numpy").stages(np.ones(4), 3).recording
    assert recording is not None
    block = recording.block
    legal = with_reductions(merge_common_nodes(block, counts_warnings=False))
    assert len(legal.nodes) != len(block.nodes)
    found = places(block, legal)
    assert len(found) == len(legal.nodes)
    assert found == sorted(found)
    for place, node in zip(found, legal.nodes, strict=True):
        stood = block.nodes[place]
        assert stood.location == node.location
        assert not node.outputs or node.outputs == stood.outputs or stood.op in ("sum", "min", "max")
        assert node.outputs or (node.op, node.inputs[1:]) == (stood.op, stood.inputs[1:])


@pytest.mark.parametrize("function", [repeated, reduced])
def test_kernels_stand_around_what_is_refused(function: Any) -> None:
    """A call that is not known is left to Python, and nothing else."""

    def opaque(value: Any) -> None:
        print(value, end="")

    def told(x: Any, n: Any) -> Any:
        found = function(x, n)
        opaque(n)
        total = 0.0
        for i in range(n):
            total += x[i] * x[i]
        return found, total

    native = astrace.compile(told, backend="native")
    given = np.linspace(-1.0, 2.0, 4), 3
    for _ in range(2):
        assert str(native(*given)) == str(told(*given))
    kernels = [kernel for stages in native.captures for kernel in stages.kernels]
    assert len([kernel for kernel in kernels if kernel.runs]) >= 2


REDUCTIONS = {
    "of a list that grows": "kept.append(x[i]); t += sum(kept) - max(kept)",
    "of a list that is changed": "kept[0] = x[i]; t += sum(kept)",
    "of integers": "counts.append(i); t += sum(counts) + min(counts)",
    "of an array": "t += sum(x[:i + 1]) - min(x[i:]) * max(x)",
    "of numbers that are written down": "t += sum([x[i], x[0]]) + sum((i, True), 0)",
    "of negative zeros": "t += sum([-x[i] * 0.0]) * -0.0",
}


@pytest.mark.parametrize("what", REDUCTIONS)
def test_loops_with_reductions_are_one_kernel(what: str) -> None:
    """With the lists that are made in front of them, where another loop around the items is not all that runs as machine code."""
    scope: dict[str, Any] = {}
    text = f"""
def reduced(x):
    kept, counts, t = [x[0]], [1], 0.0
    for i in range(len(x)):
        {REDUCTIONS[what]}
    return t, kept, counts
"""
    harness.run_with_source(text, scope)
    native = astrace.compile(scope["reduced"], backend="native", recompile_limit=10)
    runs = 0
    for x in (
        np.linspace(-1.0, 2.0, 7),
        np.zeros(3),
        np.full(4, -0.0),
        np.arange(5.0, dtype="f4"),
        np.arange(4),
    ):
        for _ in range(2):
            outcomes = [harness.observe(function, (x.copy(),)) for function in (scope["reduced"], native)]
            assert harness.differences(*outcomes) == []
        assert native.stages(x).refused is None
        runs += 2
        kernels = [kernel for stages in native.captures for kernel in stages.kernels]
        assert sum(kernel.runs for kernel in kernels if kernel._before is None) == runs
