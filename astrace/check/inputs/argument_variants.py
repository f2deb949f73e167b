"""Alternatives to one Python argument: another number, flag, string, function, a container of other items.

`others` is asked for each argument of a call and for what lies in it; a frozen graph has what such a value decided.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

import numpy as np

from astrace.check.inputs.numeric import Array, NumberSource
from astrace.util.trees import is_namedtuple

NUMBERS: Final = (int, float, complex)
UNARY: Final = (np.sin, np.cos, np.abs, np.exp, np.negative)
MOST_WHOLE: Final = 1 << 62
"""Whole numbers beyond it are not tried as numbers of NumPy or as floats."""
MOST_NAMES: Final = 3
"""So many keys of the function's own code are tried in a dict or a set."""


def others(leaf: Any, source: NumberSource, arrays: Sequence[Array]) -> list[Any]:
    """Return values to try in place of one Python argument.

    Args:
        leaf: the argument.
        source: what the function's code names.
        arrays: the arrays of the call, which may stand for ``None``.

    Example:
        >>> from astrace.check.inputs.code_constants import Mined
        >>> others({"w"}, NumberSource(np.random.default_rng(0), Mined(strings=("w", "b"))), ()) == [{"w", "b"}, set()]
        True
    """
    match leaf:
        case bool():
            return [not leaf]
        case None:
            return [*(np.zeros_like(array) for array in arrays[:1]), 2.0, 1]
        case str():
            return [text for text in source.mined.strings if text != leaf][:4] or [leaf + "_"]
        case int():
            return _other_whole(leaf)
        case float():
            return [
                leaf + 1.5,
                0.0,
                -leaf,
                np.float64(leaf),
                np.float32(leaf),
                int(leaf) if math.isfinite(leaf) else 1,
            ]
        case np.floating() | np.integer():
            return [leaf.item(), np.float32(1.5), np.int64(3), np.float64(-2.5)]
        case np.ufunc() if leaf.nin == 1:
            return [one for one in UNARY if one is not leaf][:2]
        case _:
            return _other_containers(leaf, source)


def _other_whole(leaf: int) -> list[Any]:
    if abs(leaf) > MOST_WHOLE:
        return [leaf + 1, 0, 1, -leaf]
    return [leaf + 1, 0, 1, leaf + 3, True, np.int64(leaf + 2), float(leaf), -leaf - 1]


def _other_containers(given: Any, source: NumberSource) -> list[Any]:
    """A container with items more, and with items less."""
    kind: Any = type(given)
    match given:
        case dict():
            return _other_dicts(given, source)
        case set() | frozenset():
            return list(_other_sets(given, source))
        case list() | tuple() if given and not is_namedtuple(given):
            return [kind([*given, given[-1]]), kind(given[:-1])]
        case _:
            return []


def _other_dicts(given: dict[Any, Any], source: NumberSource) -> list[Any]:
    """The dict with items more, under keys that the function's code names, then under any, and with one less."""
    found: list[Any] = []
    if all(isinstance(key, str) for key in given):
        missing = [name for name in source.mined.strings if name not in given]
        items = list(given.values())[-1:]
        found += [{**given, name: item} for name, item in given_by_name(missing, *items)][:MOST_NAMES]
    if not given:
        return found
    key, item = next(reversed(given.items()))
    more = {**given, f"{key}_2": copy.copy(item)} if isinstance(key, str) else dict(given)
    return [more, *found, {name: given[name] for name in list(given)[:-1]}]


def _other_sets(given: AbstractSet[Any], source: NumberSource) -> Iterator[Any]:
    """The set with members more, which the function's code names, with none, and with one less."""
    kind: Any = type(given)
    members = sorted(given, key=repr)
    if all(isinstance(member, str) for member in members):
        yield from (
            kind([*members, name])
            for name in [one for one in source.mined.strings if one not in given][:MOST_NAMES] or ["another"]
        )
    elif all(isinstance(member, int) for member in members):
        yield kind([*members, max(members) + 1])
    if members:
        yield kind()
        if len(members) > 1:
            yield kind(members[:-1])


def given_by_name(names: Sequence[str], *like: Any) -> Iterator[tuple[str, Any]]:
    """Values to give under names that were left out: like some other value, else a flag that is also a number."""
    for value in (*map(copy.copy, like), True, 2.0)[:2]:
        yield from ((name, value) for name in names[:MOST_NAMES])
