"""Arguments as a program's calls have them, but for one: of another type, dtype, rank, length, or another value."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np


def changed(arguments: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The arguments of a call with one of them changed, added or left out, or one array in place of another."""
    for index, value in enumerate(arguments):
        for other in others(value):
            yield (*arguments[:index], other, *arguments[index + 1 :])
    for one, other in itertools.permutations(range(len(arguments)), 2):
        if type(arguments[one]) is type(arguments[other]) and not isinstance(arguments[one], int | str):
            yield (*arguments[:other], arguments[one], *arguments[other + 1 :])
    if arguments:
        yield arguments[:-1]
    yield (*arguments, 1)


def others(value: Any) -> Iterator[Any]:
    """Other values in place of one."""
    match value:
        case bool() | int() | float() | np.generic() | enum.Enum():
            yield from _other_numbers(value)
        case np.ndarray():
            yield from _other_arrays(value)
        case str():
            yield from (value + "a", value.encode(), "", None)
        case None:
            yield from (np.ones(3), 0, False, "a")
        case list() | tuple():
            yield from _other_sequences(value)
        case dict():
            yield from _other_dicts(value)
        case _:
            yield from (None, {}, 1)


def _other_numbers(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield from (not value, int(value), None)
        case enum.Enum():
            yield from (one for one in type(value) if one is not value)
        case int():
            yield from (value + 1, float(value), bool(value), np.int64(value), str(value))
        case float() if type(value) is float:
            whole = int(value) if np.isfinite(value) else 1
            yield from (whole, np.float64(value), -value, complex(value), np.full(2, value))
        case _:
            yield from (value.item(), np.full(2, value), np.float32(1.5))


def _other_arrays(value: Any) -> Iterator[Any]:
    with np.errstate(all="ignore"):
        yield from (
            value.astype(kind)
            for kind in ("float32", "int64", "bool", "complex64")
            if value.dtype.kind in "fiub"
        )
    yield value[None]
    yield value[..., None]
    yield value[:0] if value.ndim else value[None][:0]
    yield from (value.tolist(), None, np.ma.masked_array(value))


def _other_sequences(value: Any) -> Iterator[Any]:
    if type(value) not in (list, tuple):
        yield tuple(value)
        return
    yield tuple(value) if type(value) is list else list(value)
    yield value[:-1]
    yield value + value[-1:]
    for index, item in enumerate(value[:2]):
        yield from (type(value)((*value[:index], other, *value[index + 1 :])) for other in others(item))


def _other_dicts(value: dict[Any, Any]) -> Iterator[Any]:
    yield {**value, "more": 1.0}
    yield dict(reversed(value.items()))
    if value:
        yield dict(list(value.items())[1:])
    for key, item in list(value.items())[:2]:
        yield from ({**value, key: other} for other in itertools.islice(others(item), 4))
