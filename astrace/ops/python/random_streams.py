"""What is known of draws from Python's ``random.Random``: the two methods in C, on which all others are built.

Those others are Python code of the standard library, which is called as it is.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.specs import FLOAT, INT, AnySpec, ScalarSpec, Spec

RANDOM: Final = AnySpec(random.Random)
"""Objects that draw; `random.random` is a method of one."""
FLOATS: Final = "random"
"""The method that gives a float from 0.0 up to 1.0."""
BITS: Final = "getrandbits"
"""The method that gives an integer of so many random bits."""


def drawn_by_python(name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return what a method of such an object gives; ``None`` where that is not known.

    Args:
        name: of the method.
        args: behind the object, as rules see them.
        kwargs: the same by name.

    Example:
        >>> print(drawn_by_python("random", (), {}), drawn_by_python("getrandbits", (3,), {}))
        float int
    """
    if name == FLOATS and not args and not kwargs:
        return FLOAT
    counts = len(args) == 1 and not kwargs and (type(args[0]) is int or isinstance(args[0], ScalarSpec))
    return INT if name == BITS and counts else None
