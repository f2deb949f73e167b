"""One item's way through a pipeline: the calls of a trace that worked on it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from astrace.observe.records.lookup import unknown
from astrace.observe.records.trace_call import TraceCall
from astrace.observe.records.trace_data import TraceData


class ItemTrace(TraceData):
    """The calls that worked on one item, stage by stage; made by `TraceResult.item`.

    Attributes:
        key: the item.
    """

    def __init__(self, key: Hashable, calls: Iterable[TraceCall]) -> None:
        super().__init__(f"item {key!r}")
        self.key = key
        for call in calls:
            self.add(call)

    def row(self, call: TraceCall, name: str) -> Any:
        """The item's own part of a batch: one row of an array, one element of a list, that a call was given or gave.

        Args:
            call: one of the calls.
            name: the name of a parameter or result.

        Returns:
            The row, or the value itself where it is not one row for each of the call's items.
        """
        return _row(call[name], call.items, self.key)


def _row(value: Any, items: tuple[Any, ...], key: Hashable) -> Any:
    if isinstance(value, dict):
        return {name: _row(one, items, key) for name, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
    sized = isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)
    if len(items) > 1 and sized and len(value) == len(items):  # pyright: ignore[reportUnknownArgumentType]
        return value[items.index(key)]  # pyright: ignore[reportUnknownVariableType]
    return value  # pyright: ignore[reportUnknownVariableType]


def item_trace(calls: Iterable[TraceCall], key: Hashable) -> ItemTrace:
    """The way of one item.

    Raises:
        NotInTrace: no call is known to work on it.
    """
    calls = list(calls)
    found = [call for call in calls if key in call.items]
    if not found:
        known = dict.fromkeys(item for call in calls for item in call.items)
        raise unknown("the trace", key, [repr(one) for one in known])
    return ItemTrace(key, found)
