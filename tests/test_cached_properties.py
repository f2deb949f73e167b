"""Cached properties of objects that hook assignments, or have none of their own: as in plain Python, called again and again."""

from __future__ import annotations

from typing import Any

import cached_programs
import harness
import numpy as np
import pytest

import astrace


def outcomes(function: Any, cls: Any, made: bool) -> list[Any]:
    """What two calls with one object give, raise and leave, for two inputs."""
    found = []
    for x in (np.arange(3.0), np.ones(2)):
        one = cls(x)
        for _ in range(2):
            seen = harness.observe(function, (one, x, made))
            found.append((harness.shape_of(seen.result), seen.error, seen.warned))
        found.append(harness.shape_of(getattr(one, "__dict__", None)))
    return found


@pytest.mark.parametrize("made", [False, True], ids=["outside", "made"])
def test_as_plain_python(made: bool) -> None:
    """One captured function is called with instances of all classes, in turn and back."""
    captured = astrace.compile(cached_programs.f, recompile_limit=200)
    for cls in (*cached_programs.MAKERS, *reversed(cached_programs.MAKERS)):
        assert outcomes(captured, cls, made) == outcomes(cached_programs.f, cls, made)
    assert captured.stats.calls > captured.stats.fallbacks
