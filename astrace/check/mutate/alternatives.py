"""Other contents for a place of the world: another number, the other flag, another dtype, one item more.

They are of the same kind as what is there, so that the function most often still runs.  Takes a value, gives a few
others, the most telling first; of what it knows no other it gives none.
"""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import fractions
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.check.inputs.code_constants import Mined
from astrace.check.inputs.numeric import KINDS, NumberSource, array_like

UFUNCS: Final[dict[tuple[int, int], tuple[np.ufunc, ...]]] = {
    (1, 1): (np.cos, np.negative),
    (2, 1): (np.subtract, np.multiply),
}
"""Ufuncs that are put in place of others, by how many arguments and results they have."""
DTYPES: Final = (np.float32, np.float64, np.int64)
NEVER: Final = re.compile(r"(?!)")


def alternatives(value: Any, mined: Mined, source: NumberSource) -> list[Any]:
    """Other contents for a place that holds a value.

    Args:
        value: what is there.
        mined: constants of the code that reads it.
        source: where noise comes from.

    Example:
        >>> alternatives(True, Mined(), NumberSource(np.random.default_rng(0), Mined()))
        [False]
    """
    match value:
        case enum.Enum():
            return [one for one in type(value) if one is not value]
        case bool():
            return [not value]
        case int():
            return [value + 1, -value - 2]
        case float():
            return [value * 1.5 + 1.0, -value - 0.25]
        case complex():
            return [value + (1 + 2j)]
        case str():
            return [*(text for text in mined.strings if text != value), f"{value}_"]
        case bytes():
            return [value + b"_"]
        case None:
            return [2.0]
        case np.generic() | np.ndarray() if value.dtype.kind in "biufc":
            items = array_like(np.asarray(value), KINDS["jitter"], source)
            return [items if isinstance(value, np.ndarray) else items[()]]
        case _:
            return [one for kind, make in OTHERS if isinstance(value, kind) for one in make(value, mined)]


def _sequences(value: Any, mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    """Return a sequence with one item more, and one with one less."""
    kind = type(value)
    if kind is not list and kind is not tuple:
        return ()
    return (kind([*value, value[-1]]), value[:-1]) if value else (kind([1.0]),)


def _dicts(value: dict[Any, Any], mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    if type(value) is not dict or not value or not isinstance(next(reversed(value)), str):
        return ()
    key, item = next(reversed(value.items()))
    return ({**value, f"{key}_2": item},)


def _sets(value: Any, mined: Mined) -> Sequence[Any]:
    """Return sets with members that the code names, and one with a member less."""
    named = next((one for one in (*mined.strings, *mined.sizes) if one not in value), None)
    fewer = [value - {next(iter(value))}] if value else []
    return [value | {named if named is not None else 77}, *fewer]


def _types(value: type, mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    """Other scalar types of NumPy for one, other types of Python for one: they serve as dtypes."""
    choices = DTYPES if issubclass(value, np.generic) else (float, int) if value in (int, float, bool) else ()
    return [one for one in choices if one is not value]


def _dtypes(value: np.dtype[Any], mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    return [np.dtype(one) for one in DTYPES if np.dtype(one) != value]


def _ufuncs(value: np.ufunc, mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    return [one for one in UFUNCS.get((value.nin, value.nout), ()) if one is not value]


def _dates(value: Any, mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    try:
        return (value + dt.timedelta(days=400),)
    except (TypeError, OverflowError):
        return ()


def _exact(value: Any, mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    return (value + 1,)


def _patterns(value: re.Pattern[Any], mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    """Return a pattern that never matches, and one that always does."""
    texts = isinstance(value.pattern, str)
    return (NEVER, re.compile("")) if texts else (re.compile(rb"(?!)"), re.compile(b""))


def _markers(value: object, mined: Mined) -> Sequence[Any]:  # noqa: ARG001
    return (object(),) if type(value) is object else ()


OTHERS: Final[tuple[tuple[type | tuple[type, ...], Callable[[Any, Mined], Sequence[Any]]], ...]] = (
    ((list, tuple), _sequences),
    (dict, _dicts),
    ((set, frozenset), _sets),
    (type, _types),
    (np.dtype, _dtypes),
    (np.ufunc, _ufuncs),
    ((dt.date, dt.timedelta), _dates),
    ((decimal.Decimal, fractions.Fraction), _exact),
    (re.Pattern, _patterns),
    (object, _markers),
)
"""Functions that give other values for a value, by its class."""
