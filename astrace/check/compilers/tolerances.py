"""How far apart two floats may be, for each dtype: relative to what is expected, and absolute.

Takes numbers, or numbers by the name of a dtype; gives both for a dtype.  Knows nothing of arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.errors import InvalidArgument

Given: TypeAlias = float | tuple[tuple[str, float], ...] | None
"""One number for all dtypes, or one for each of some, or none."""

RELATIVE: Final[Mapping[str, float]] = {
    "float16": 1e-3,
    "float32": 1.3e-6,
    "float64": 1e-7,
    "longdouble": 1e-7,
}
ABSOLUTE: Final[Mapping[str, float]] = {
    "float16": 1e-5,
    "float32": 1e-5,
    "float64": 1e-7,
    "longdouble": 1e-7,
}
"""The defaults of ``torch.testing.assert_close``; a complex dtype has those of its parts."""


@dataclass(frozen=True, slots=True)
class Tolerances:
    """How far apart a float and the expected one may be: ``atol + rtol * abs(expected)``.

    Args:
        relative: ``rtol`` by the name of a dtype.
        absolute: ``atol`` likewise.

    Example:
        >>> COMPILED.of(np.dtype("complex64"))
        (1.3e-06, 1e-05)
    """

    relative: tuple[tuple[str, float], ...] = ()
    absolute: tuple[tuple[str, float], ...] = ()

    def of(self, dtype: np.dtype[Any]) -> tuple[float, float]:
        """Return ``rtol`` and ``atol`` for a dtype; zeros for one that has none."""
        name = part_of(dtype)
        return dict(self.relative).get(name, 0.0), dict(self.absolute).get(name, 0.0)

    def with_given(self, rtol: Given, atol: Given) -> Tolerances:
        """The tolerances with what the user gave in their place."""
        return Tolerances(_with(self.relative, rtol), _with(self.absolute, atol))

    def __str__(self) -> str:
        absolute = dict(self.absolute)
        relative = dict(self.relative)
        names = [name for name in RELATIVE if name in {*relative, *absolute} and name != "longdouble"]
        shown = (f"{name} {relative.get(name, 0.0):g}/{absolute.get(name, 0.0):g}" for name in names)
        return f"floats may differ by rtol/atol: {', '.join(shown)}" if names else ""


def _with(known: tuple[tuple[str, float], ...], given: Given) -> tuple[tuple[str, float], ...]:
    match given:
        case None:
            return known
        case tuple():
            return tuple({**dict(known), **dict(given)}.items())
        case _:
            return tuple((name, float(given)) for name in RELATIVE)


COMPILED: Final = Tolerances(tuple(RELATIVE.items()), tuple(ABSOLUTE.items()))
"""For what other compilers make: they add in another order, and have other functions of mathematics."""
NONE: Final = Tolerances()


def part_of(dtype: np.dtype[Any]) -> str:
    """The name of the dtype of the floats that an item consists of."""
    if dtype.kind == "c":
        dtype = np.real(np.empty(0, dtype)).dtype
    return "longdouble" if dtype.char == "g" else dtype.name


def accepted(name: str, given: Any) -> Given:
    """A setting as it is kept.

    Args:
        name: of the setting, for the message.
        given: a number, a mapping from dtypes to numbers, or None.

    Raises:
        InvalidArgument: it is something else.
    """
    match given:
        case None:
            return None
        case tuple() | Mapping():
            pairs: list[tuple[Any, Any]] = list(dict(given).items())
            return tuple((_dtype(name, key), _number(name, one)) for key, one in pairs)
        case _:
            return _number(name, given)


def _number(name: str, given: Any) -> float:
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given < float("inf"):
        return float(given)
    raise InvalidArgument(
        f"check: {name} is {given!r}; it must be a number of at least 0, or a mapping from dtypes to such"
    )


def _dtype(name: str, given: Any) -> str:
    try:
        dtype = np.dtype(given)
    except TypeError:
        dtype = None
    if dtype is None or dtype.kind not in "fc":
        raise InvalidArgument(f"check: {name} has {given!r}; its keys must be dtypes of floats")
    return part_of(dtype)
