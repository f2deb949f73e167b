"""Arguments that a call gives twice, by position and by name, which raises."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np

POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def is_given_twice(op: str, positional: int, keywords: Iterable[str]) -> bool:
    """Return whether an argument of a function of NumPy's is given by position and by name.

    Args:
        op: the function, or the method of arrays, whose parameters are the function's.
        positional: how many arguments are given by position, the array among them.
        keywords: the names of the others.

    Example:
        >>> is_given_twice("np.std", 2, ["axis"]), is_given_twice("ndarray.std", 1, ["axis"])
        (True, False)
    """
    return not set(keywords).isdisjoint(_parameters(op)[:positional])


@cache
def _parameters(op: str) -> tuple[str, ...]:
    """The names of a function's parameters in their order; none where they are not known."""
    owner, _, name = op.partition(".")
    if owner not in ("np", "ndarray"):
        return ()
    try:
        found = inspect.signature(operator.attrgetter(name)(np)).parameters.values()
    except (AttributeError, ValueError):  # a method alone, or a function in C that does not tell
        return ()
    return tuple(one.name for one in found if one.kind in POSITIONAL)
