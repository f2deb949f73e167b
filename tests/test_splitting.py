"""Calls of NumPy's loops in loops over numbers, made for tiles of iterations: results stay those of plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import pytest
import split_programs

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition
from astrace.passes.fusion import split_loops

PROGRAMS = {**split_programs.PROGRAMS, **split_programs.LEFT}


def observed_alike(function: Callable[..., Any], compiled: Any, make: Callable[[], tuple[Any, ...]]) -> None:
    expected, found = (harness.observe(one, make()) for one in (function, compiled))
    assert harness.differences(expected, found) == []
    assert harness.misplaced(expected, found) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_on_small_tiles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles of four iterations, and kernels that Python runs."""
    monkeypatch.setattr(split_loops, "TILE", 4)
    monkeypatch.setattr(
        backend, "Partition", lambda *args, **named: Partition(*args, **{**named, "compiled": False})
    )
    function, calls = PROGRAMS[name]
    for make in calls:
        compiled = astrace.compile(function, backend="native")
        observed_alike(function, compiled, make)
        observed_alike(function, compiled, make)
    (kernel, *_) = compiled.captures[0].kernels
    assert ("tile[place]" in kernel.source.text) == (name in split_programs.PROGRAMS)


@pytest.mark.parametrize("name", split_programs.PROGRAMS)
def test_as_machine_code(name: str) -> None:
    function, calls = split_programs.PROGRAMS[name]
    compiled = astrace.compile(function, backend="native", recompile_limit=100)
    for make in (*calls, *calls[:2]):
        observed_alike(function, compiled, make)
    kernels = [kernel for capture in compiled.captures for kernel in capture.kernels]
    assert any(kernel.runs for kernel in kernels)


def test_what_leads_to_a_call_is_not_computed_again() -> None:
    """The loop that uses the results of a call does not read what only the call needs."""
    function, calls = split_programs.PROGRAMS["sum_of_exponentials"]
    compiled = astrace.compile(function, backend="native")
    compiled(*calls[3]())
    text = compiled.captures[0].kernels[0].source.text
    assert text.count("x[i]") == 1 and text.count("apply_exp(") == 1
