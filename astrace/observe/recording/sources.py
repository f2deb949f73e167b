"""Sources of items under the limit of a trace: with a limit of n, a source is its first n items.

That holds for its length, for iterating over it and for positions in it.  It takes what the functions of a source return, and
knows nothing of how calls are recorded.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Final

from astrace.util import validation

NAMES: Final = ("__len__", "__getitem__", "__iter__", "__aiter__")
"""The methods by which a source gives its items."""


def is_source(name: str, said: bool | None) -> bool:
    """Return whether a function of this name gives items, unless the user says."""
    return name in NAMES if said is None else said


def check_position(
    name: str, method: bool, args: tuple[Any, ...], kwargs: Mapping[str, Any], limit: int
) -> None:
    """Refuse a position behind the first items, as a sequence of that length does.

    Raises:
        IndexError: it is behind them.
    """
    given = [*args[1 if method else 0 :], *kwargs.values()]
    if name != "__getitem__" or not given or not validation.is_whole(given[0]) or given[0] < limit:
        return
    raise IndexError(f"position {given[0]}: the trace lets only the first {limit} items flow")


def first_of(value: Any, name: str, limit: int) -> Any:
    """What a source returns, for its first items: a smaller length, an iterator that ends."""
    if name == "__len__":
        return min(value, limit)
    if hasattr(type(value), "__next__"):
        return FirstItems(value, limit)
    if hasattr(type(value), "__anext__"):
        return FirstAsyncItems(value, limit)
    return value


class FirstItems:
    """An iterator over the first items of another one."""

    def __init__(self, iterator: Iterator[Any], limit: int) -> None:
        self._iterator, self._left = iterator, limit

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._left <= 0:
            raise StopIteration
        self._left -= 1
        return next(self._iterator)


class FirstAsyncItems:
    """An asynchronous iterator over the first items of another one."""

    def __init__(self, iterator: AsyncIterator[Any], limit: int) -> None:
        self._iterator, self._left = iterator, limit

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        if self._left <= 0:
            raise StopAsyncIteration
        self._left -= 1
        return await anext(self._iterator)
