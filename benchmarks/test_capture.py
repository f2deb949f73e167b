"""Capture under pytest-benchmark: first calls, trip counts, growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.ir.walk import nodes
from benchmarks.growth import SMALL
from benchmarks.loops import BOUNDS, TRIPS, block_of, blocks, bounded
from benchmarks.made import made
from benchmarks.programs import harness, ready
from benchmarks.stages import forget

NODES: dict[str, Callable[[int], int]] = {
    "chain": lambda size: size,
    "diamonds": lambda size: size,
    "branches": lambda size: 4 * size,
    "nested loops": lambda size: size + 2,
    "nested tries": lambda size: 6 * size + 1,
}
PROGRAMS = ("bisect_root", "break_while", "elif_chain", "match_structures", "nested_helpers_mutate")


@pytest.mark.parametrize("name", PROGRAMS)
def test_first_call(benchmark: Any, name: str) -> None:
    module = ready(name)
    arguments = module.CALLS[0]

    def setup() -> tuple[tuple[Any, ...], dict[str, Any]]:
        forget()
        return (astrace.compile(module.f), *harness.fresh_arguments(arguments)), {}

    benchmark.group = "first call"
    result = benchmark.pedantic(lambda function, *given: function(*given), setup=setup, rounds=20)
    assert harness.same(result, module.f(*harness.fresh_arguments(arguments)))


@pytest.mark.parametrize("trips", TRIPS)
@pytest.mark.parametrize("bound", BOUNDS)
def test_trip_count(benchmark: Any, bound: str, trips: int) -> None:
    benchmark.group = f"capture of a loop, bound is {bound}"
    benchmark(block_of, *bounded(bound, trips))
    assert len(blocks(bound)) == 1


@pytest.mark.parametrize(
    ("kind", "size"), [(kind, size) for kind, (_, sizes) in SMALL.items() for size in sizes]
)
def test_growth(benchmark: Any, kind: str, size: int) -> None:
    function = made(SMALL[kind][0](size))
    benchmark.group = f"capture of {kind}"

    def fresh() -> tuple[tuple[Any, ...], dict[str, Any]]:
        forget()
        return (astrace.compile(function, fullgraph=True), np.float64(1.0)), {}

    stages = benchmark.pedantic(lambda compiled, x: compiled.stages(x), setup=fresh, rounds=3)
    assert len(list(nodes(stages.graph.block))) == NODES[kind](size)
