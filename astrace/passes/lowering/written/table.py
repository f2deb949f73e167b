"""The rules of functions that are written in others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from astrace.passes.lowering.rules import Rule
from astrace.passes.lowering.written import algebra, calculus, shapes, signals, statistics
from astrace.passes.lowering.written.terms import Function, written

FUNCTIONS: Final[Mapping[str, Function]] = {
    **calculus.FUNCTIONS,
    **statistics.FUNCTIONS,
    **shapes.FUNCTIONS,
    **algebra.FUNCTIONS,
    **signals.FUNCTIONS,
}


def with_written(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """Return rules, and those of the functions that are written in others.

    Args:
        rules: by op; they come before what is written out only where that says so.
    """
    found = dict(rules)
    found.update(
        {name: written(function, lambda: found, rules.get(name)) for name, function in FUNCTIONS.items()}
    )
    return found
