"""What is known of draws from ``np.random.RandomState``, and so from the functions of ``np.random``: single numbers, of equal odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.specs import FLOAT, INT, AnySpec, GenericSpec, ScalarSpec, Spec
from astrace.ops.numpy.draw_results import is_none, is_number

LEGACY: Final = AnySpec(np.random.RandomState)
FLOATS: Final = frozenset({"random", "random_sample", "rand"})
"""The methods that give a float from 0.0 up to 1.0 where they are given nothing."""
BETWEEN: Final = {"low": 0.0, "high": 1.0}
WITHIN: Final = {"low": None, "high": None}


def legacy_call(
    name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[str, tuple[Any, ...]] | None:
    """Return which draw a method makes, ``random``, ``uniform`` or ``randint``, and its parameters; ``None`` for any other.

    Args:
        name: of the method.
        args: behind the object.
        kwargs: the same by name.

    Example:
        >>> legacy_call("rand", (), {}), legacy_call("randint", (3,), {}), legacy_call("uniform", (), {"high": 2.0})
        (('random', ()), ('randint', (0, 3)), ('uniform', (0.0, 2.0)))
        >>> legacy_call("rand", (3,), {}) is None
        True
    """
    if name in FLOATS:
        return None if args or kwargs else ("random", ())
    names = {"uniform": BETWEEN, "randint": WITHIN}.get(name)
    if names is None or len(args) > len(names) or kwargs.keys() - names.keys():
        return None
    given = dict(zip(names, args, strict=False))
    if given.keys() & kwargs.keys():
        return None
    low, high = {**names, **given, **kwargs}.values()
    if name == "uniform":
        return "uniform", (low, high)
    if low is None:
        return None
    return "randint", (0, low) if is_none(high) else (low, high)


def drawn_by_legacy(name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return what a method gives; ``None`` where that is not known.

    Args:
        name: of the method.
        args: behind the object, as rules see them.
        kwargs: the same by name.

    Example:
        >>> print(drawn_by_legacy("rand", (), {}), drawn_by_legacy("randint", (0, INT), {}))
        float int
    """
    call = legacy_call(name, args, kwargs)
    if call is None:
        return None
    method, parameters = call
    if method != "randint":
        return FLOAT if all(map(is_number, parameters)) else None
    return INT if all(map(_is_whole, parameters)) else None


def _is_whole(value: Any) -> bool:
    """Return whether a parameter is an integer, not an array."""
    if isinstance(value, ScalarSpec):
        return value.kind in ("bool", "int")
    if isinstance(value, GenericSpec):
        return value.dtype.kind in "biu"
    return isinstance(value, bool | int | np.bool_ | np.integer)
