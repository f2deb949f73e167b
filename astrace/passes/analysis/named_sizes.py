"""Sizes that have names: a number, a name, or a name with a difference (``n-1``); equal names are equal sizes.

Takes sizes of specs, and integers of which such a limit is known; knows nothing of what computes with them.
"""

from __future__ import annotations

import re
from typing import Final

from astrace.ir.specs import Dim
from astrace.passes.analysis.int_ranges import Bounded

SUM: Final = re.compile(r"(.*?)([+-]\d+)?")


def taken_apart(dim: Dim) -> tuple[str, int] | None:
    """Return the name and the difference of a size.

    Example:
        >>> taken_apart("n-1"), taken_apart("n"), taken_apart(3)
        (('n', -1), ('n', 0), ('', 3))
    """
    if dim is None:
        return None
    if isinstance(dim, int):
        return "", dim
    match = SUM.fullmatch(dim)
    assert match is not None
    return match[1], int(match[2] or 0)


def put_together(name: str, difference: int) -> Dim:
    """Return a size from its name and difference.

    Example:
        >>> put_together("n", -1), put_together("n", 0), put_together("", 3)
        ('n-1', 'n', 3)
    """
    if not name:
        return difference
    return f"{name}{difference:+}" if difference else name


def is_inside(number: Bounded, dim: Dim) -> bool:
    """Return whether an index is certainly at least zero and below a size."""
    limit = taken_apart(dim)
    if number.bounds[0] < 0 or limit is None:
        return False
    if not limit[0] and number.bounds[1] < limit[1]:
        return True
    return number.most is not None and number.most[0] == limit[0] and number.most[1] < limit[1]


def below(stop: Bounded) -> tuple[str, int] | None:
    """Return the limit of the numbers below another one."""
    return None if stop.most is None else (stop.most[0], stop.most[1] - 1)
