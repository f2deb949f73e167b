"""The calls of a function by kind, so that plain Python and graph are compared for calls that do about the same work.

A kind is the program that ran and the size of what it was given.  Calls that raise, or in which astrace works for itself, are
of no kind.  It knows nothing of clocks: it is given what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final, TypeAlias

import numpy as np

Size: TypeAlias = "tuple[Any, ...]"
MOST_KINDS: Final = 256
"""The number of kinds of one function's calls; what comes later is not compared."""
SIZED: Final = (str, bytes, list, tuple, dict, set, frozenset)


@dataclass(slots=True)
class CallKind:
    """The calls of one kind.

    Args:
        calls: how many ran through a graph.
        total: the nanoseconds of these.
        plain: those of each call that ran as the plain function.
    """

    calls: int = 0
    total: int = 0
    plain: list[int] = field(default_factory=list[int])


@dataclass(frozen=True, slots=True)
class Comparison:
    """The calls of all kinds of which some ran as the plain function.

    Args:
        calls: how many ran through a graph.
        graph: seconds that these took.
        plain: seconds that they would have taken, if each took the median of the plain calls of its kind.
    """

    calls: int
    graph: float
    plain: float


def compared(kinds: Sequence[CallKind]) -> Comparison | None:
    """Return the comparison of a function's calls; ``None`` where none can be compared."""
    both = [kind for kind in kinds if kind.calls and kind.plain]
    if not both:
        return None
    plain = sum(kind.calls * median(kind.plain) for kind in both)
    return Comparison(sum(kind.calls for kind in both), sum(kind.total for kind in both) / 1e9, plain / 1e9)


def size_of(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Size:
    """Return the size of a call's arguments, to a factor of two; sizes that differ are of different kinds.

    Example:
        >>> size_of((np.zeros(1000), 3), {}) == size_of((np.ones(600), 2), {})
        True
        >>> size_of((np.zeros(1000), 3), {}) == size_of((np.zeros(10), 3), {})
        False
    """
    return (*map(_size, args), *((name, _size(value)) for name, value in kwargs.items()))


def _size(value: Any) -> Any:
    kind = type(value)
    if kind is np.ndarray:
        return kind, value.dtype.char, value.ndim, value.size.bit_length()
    if kind is int:
        return kind, value.bit_length()
    if kind is bool:
        return kind, value
    return (kind, len(value).bit_length()) if kind in SIZED else (kind,)
