"""``np.minimum`` and ``np.maximum`` of two numbers as compiled code."""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from astrace.backends.native.callees import callee
from astrace.backends.native.symbols import NoLoop

# pyright: basic


def _least(a: Any, b: Any) -> Any:
    return a if (a < b) | (a != a) else b  # noqa: PLR0124


def _least_of_ties(a: Any, b: Any) -> Any:
    return a if (a <= b) | (a != a) else b  # noqa: PLR0124


def _most(a: Any, b: Any) -> Any:
    return a if (a > b) | (a != a) else b  # noqa: PLR0124


def _most_of_ties(a: Any, b: Any) -> Any:
    return a if (a >= b) | (a != a) else b  # noqa: PLR0124


CANDIDATES: Final = {"minimum": (_least, _least_of_ties), "maximum": (_most, _most_of_ties)}


@functools.cache
def extreme(name: str) -> Any:
    """Return the function that gives the bits of a ufunc: which zero of two it takes depends on the processor.

    Args:
        name: ``minimum`` or ``maximum``.

    Raises:
        NoLoop: none does.
    """
    ufunc = getattr(np, name)
    pairs = np.array(
        [(0.0, -0.0), (-0.0, 0.0), (np.nan, 1.0), (1.0, np.nan), (-np.nan, np.nan), (np.nan, -np.nan)] * 9
    )
    expected = ufunc(pairs[:, 0], pairs[:, 1])
    for candidate in CANDIDATES[name]:
        found = np.array([candidate(a, b) for a, b in pairs])
        if found.tobytes() == expected.tobytes():
            return callee(candidate)
    raise NoLoop(f"np.{name} gives other bits than are known")
