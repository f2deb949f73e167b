"""Numbers at the ends of their types, and those that are none: what backends get wrong first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

INF, NAN = float("inf"), float("nan")
ROWS: Final[dict[str, tuple[tuple[Any, ...], ...]]] = {
    "f": (
        (5e-324, 1e-310, 0.5),
        (INF, -INF, 1.5),
        (NAN, -0.0, 0.0),
        ("max", "min", "tiny"),
        (-1e-310, -0.0, 3.0),
    ),
    "c": (
        (complex(INF, 0.0), complex(-INF, NAN), complex(1.0, INF)),
        (complex(0.0, -0.0), complex(NAN, 1.0), complex(INF, -INF)),
        (complex(5e-324, 1.0), complex(-0.0, 0.0), complex(-1.0, -0.0)),
    ),
    "i": (("min", "max", 0), (-1, "min", 1), ("max", -1, "max")),
    "u": (("max", 0, 1), ("max", "max", 2)),
    "b": ((True, False, True),),
}
"""Three numbers for each row, by the kind of the type; names stand for its limits."""


def rows(dtype: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Arrays of three such numbers."""
    kind = np.dtype(dtype)
    for row in ROWS[kind.kind]:
        with np.errstate(all="ignore"):
            yield np.array(
                [_limit(kind, one) if isinstance(one, str) else _small(kind, one) for one in row]
            ).astype(kind)


def _limit(kind: np.dtype[Any], name: str) -> Any:
    return getattr(np.finfo(kind) if kind.kind == "f" else np.iinfo(kind), name)


def _small(kind: np.dtype[Any], number: Any) -> Any:
    """A number; the smallest ones of a smaller type instead of those that it does not have."""
    if kind == np.float32 and isinstance(number, float) and 0 < abs(number) < 1e-300:
        return np.copysign(1e-40 if abs(number) > 1e-320 else 1e-45, number)
    return number


def put_in(operands: tuple[Any, ...], row: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    """Operands whose arrays of a row's type hold the row's numbers, each beginning at another one."""
    found: list[Any] = []
    for number, one in enumerate(operands):
        if isinstance(one, np.ndarray) and one.dtype == row.dtype:
            found.append(np.resize(np.roll(row, number), one.shape))
        else:
            found.append(one)
    return tuple(found)
