"""Hot calls and iterations of loops under pytest-benchmark: plain, generated alone, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import astrace
from benchmarks.calls import COUNTS, call_of
from benchmarks.guards import COMPILERS, installed
from benchmarks.guards import COUNTS as COUNTS_OF_GUARDS
from benchmarks.loops import LOOPS
from benchmarks.made import made


@pytest.mark.parametrize("form", ["plain", "generated", "compiled"])
@pytest.mark.parametrize("count", COUNTS)
def test_hot_call(benchmark: Any, count: int, form: str) -> None:
    call = call_of(count)
    benchmark.group = f"hot call, arrays: {count}"
    result = benchmark(getattr(call, form), *call.arguments)
    assert result.tobytes() == call.plain(*call.arguments).tobytes()


@pytest.mark.parametrize("name", installed())
@pytest.mark.parametrize("count", COUNTS_OF_GUARDS)
def test_guards(benchmark: Any, count: int, name: str) -> None:
    function, x = COMPILERS[name](count)
    benchmark.group = f"hot call, guards: {count}"
    assert np.asarray(benchmark(function, x)).tobytes() == np.asarray(x).tobytes()


@pytest.mark.parametrize("form", ["plain", "compiled"])
@pytest.mark.parametrize("kind", LOOPS)
def test_iterations(benchmark: Any, kind: str, form: str) -> None:
    loop = LOOPS[kind]
    plain = made(loop.text)
    function = plain if form == "plain" else astrace.compile(plain, fullgraph=True)
    expected = plain(loop.x, 1000)
    function(loop.x, 1000)
    benchmark.group = f"1000 iterations, {kind}"
    result = benchmark(function, loop.x, 1000)
    assert type(result) is type(expected)
    assert np.asarray(result).tobytes() == np.asarray(expected).tobytes()
