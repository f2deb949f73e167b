"""A short run of random programs; `python -m fuzz.run` makes long ones."""

from __future__ import annotations

import pytest

from fuzz import run


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_random_programs(first: int) -> None:
    """Plain and captured agree, and nearly all programs are captured whole."""
    outcomes = []
    for seed in range(first, first + 20):
        differences, outcome = run.check(seed)
        assert differences == [], run.program(seed)
        outcomes.append(outcome)
    assert outcomes.count("whole") >= 16, outcomes
