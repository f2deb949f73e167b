"""Kernels that draw from Python's ``random``: numbers, and streams afterwards, are Python's."""

from __future__ import annotations

import functools
import random
from typing import Any

import harness
import pytest
import stream_programs

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition

PROGRAMS = stream_programs.PROGRAMS
MANY = 100


def observed(function: Any, make: Any) -> tuple[Any, Any]:
    """What can be seen of a call, and the streams of modules afterwards."""
    random.seed(99)
    outcome = harness.observe(function, make())
    return outcome, (random.getstate(), stream_programs.SHARED.getstate())


def check(function: Any, calls: Any) -> Any:
    """Compare calls of a function with the native one, in order; gives that."""
    native = astrace.compile(function, backend="native", recompile_limit=MANY)
    for make in calls:
        (expected, streams), (found, others) = (observed(one, make) for one in (function, native))
        assert harness.differences(expected, found) == []
        assert sorted(found.warned) == sorted(expected.warned)
        assert streams == others
    return native


def kernels_of(function: Any) -> list[Any]:
    return [kernel for capture in function.captures for kernel in capture.kernels]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_draws_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    function, calls = PROGRAMS[name]
    check(function, [*calls, *calls[:2]])


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_plain_source(name: str) -> None:
    function, calls = PROGRAMS[name]
    plain = astrace.compile(function, backend="numpy", recompile_limit=MANY)
    for make in calls:
        (expected, streams), (found, others) = (observed(one, make) for one in (function, plain))
        assert harness.differences(expected, found) == []
        assert streams == others


@pytest.mark.parametrize("name", PROGRAMS)
def test_machine_code_draws_alike(name: str) -> None:
    pytest.importorskip("numba")
    function, calls = PROGRAMS[name]
    native = check(function, [*calls, *calls[:2]])
    assert all(kernel.refused is None for kernel in kernels_of(native))
