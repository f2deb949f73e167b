"""Records of values as text: one line each, with nothing in it that moves a terminal's cursor.

It takes snapshots; values that were not recorded never come here.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from astrace.observe.snapshots.arrays import value_range
from astrace.observe.snapshots.summaries import ArraySummary, element_text
from astrace.util.terminal import printable

FIRST: Final = 8
WIDTH: Final = 160


def value_text(value: Any, width: int = WIDTH) -> str:
    """The text of a recorded value, cut where it is long.

    Example:
        >>> value_text({"x": np.arange(3.0), "n": None})
        "{'x': float64[3] [0, 1, 2], 'n': None}"
    """
    text = printable(_text(value, 0))
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _text(value: Any, depth: int) -> str:
    match value:
        case np.ndarray():
            return array_text(value) if depth == 0 or value.size <= FIRST else array_head(value)
        case ArraySummary():
            return f"<{value.brief()}>" if depth else repr(value)
        case np.generic():
            return f"{value.dtype} {value}" if value.dtype.kind not in "US" else repr(value.item())
        case str():
            return repr(value[:WIDTH]) + "…" * (len(value) > WIDTH)
        case dict() | list() | tuple() | set() | frozenset() if depth > 4:
            return "…"
        case dict():
            return f"{{{_listed([f'{_text(key, depth + 1)}: {_text(one, depth + 1)}' for key, one in [*value.items()][:FIRST]], len(value))}}}"
        case list():
            return f"[{_listed([_text(one, depth + 1) for one in value[:FIRST]], len(value))}]"
        case tuple():
            name = type(value).__name__ if type(value) is not tuple else ""
            return f"{name}({_listed([_text(one, depth + 1) for one in value[:FIRST]], len(value))}{',' * (len(value) == 1)})"
        case _:
            return repr(value)


def _listed(shown: list[str], length: int) -> str:
    more = [f"… {length} in all"] if length > len(shown) else []
    return ", ".join([*shown, *more])


def array_text(array: np.ndarray[Any, Any]) -> str:
    """An array that was kept: its dtype and shape, its range where it has many elements, the first of them."""
    first = ", ".join(map(element_text, array.flat[:FIRST]))
    return f"{array_head(array)} [{first}{', …' * (array.size > FIRST)}]"


def array_head(array: np.ndarray[Any, Any]) -> str:
    """The dtype and shape of an array, and its range where it has many elements."""
    parts = [f"{array.dtype}{list(array.shape)}"]
    if array.size > FIRST:
        low, high, nans = value_range(array)
        parts += [] if low is None else [f"{element_text(low)} to {element_text(high)}"]
        parts += [f"{nans} NaN"] if nans else []
    return ", ".join(parts)


def duration_text(nanoseconds: int | None) -> str:
    """A time with three digits, in the unit that suits it.

    Example:
        >>> duration_text(12_345), duration_text(None)
        ('12.3 µs', '-')
    """
    if nanoseconds is None:
        return "-"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds} ns"
