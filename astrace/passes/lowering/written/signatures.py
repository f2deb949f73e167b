"""Calls that raise since a function does not take so many arguments, or is given one twice: by position and by name."""

from __future__ import annotations

import inspect
import math
import operator
from functools import cache
from typing import Any, Final

import numpy as np

OWNERS: Final[dict[str, Any]] = {"np": np, "ndarray": np, "math": math}
"""Where the functions of ops are found; the parameters of an array's method are those of the function of its name."""


@cache
def binds(op: str, positional: int, keywords: frozenset[str]) -> bool:
    """Return whether a function of NumPy's or of `math` takes a call, as far as it tells its parameters.

    Args:
        op: the function, or a method of arrays.
        positional: how many arguments are given by position, the array among them.
        keywords: the names of the others.

    Example:
        >>> binds("np.std", 2, frozenset({"axis"})), binds("math.sqrt", 2, frozenset())
        (False, False)
    """
    owner, _, name = op.partition(".")
    try:
        signature = inspect.signature(operator.attrgetter(name)(OWNERS[owner]))
    except (KeyError, AttributeError, ValueError):  # no such function, or one in C that does not tell
        return True
    if owner == "ndarray":  # some take the items of a tuple one by one
        return keywords.isdisjoint([*signature.parameters][:positional])
    try:
        signature.bind(*range(positional), **dict.fromkeys(keywords))
    except TypeError:
        return False
    return True
