"""Programs through kernels, beside plain Python: as text that Python runs, and as machine code."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import harness
import pytest

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition

Calls = Callable[[], Iterable[tuple[Any, ...]]]
"""Gives the arguments of calls, made anew each time."""


def observed_alike(function: Callable[..., Any], compiled: Any, calls: Calls) -> None:
    """Compare both at all arguments: results, what is written, warnings and errors."""
    for one, other in zip(calls(), calls(), strict=True):
        assert harness.differences(harness.observe(function, one), harness.observe(compiled, other)) == []


def check_as_python(function: Callable[..., Any], calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare a function with its kernels, whose text Python runs; one of them comes to its end."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    compiled = astrace.compile(function, backend="native", recompile_limit=50)
    observed_alike(function, compiled, calls)
    kernels: list[Any] = [kernel for capture in compiled.captures for kernel in capture.kernels]
    assert any(kernel.runs for kernel in kernels)


def check_as_machine_code(function: Callable[..., Any], calls: Calls) -> None:
    """Compare a function with its kernels as machine code."""
    observed_alike(function, astrace.compile(function, backend="native", recompile_limit=50), calls)
