"""`limit_items`: the first items of a source, while a trace with a limit is going on.

For sources that are not decorated.  It takes any iterable or sequence, and gives it back, or a view of its first items.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from astrace.observe.recording.recorder import TraceRecorder, current
from astrace.util import validation


def limit_items(source: Any) -> Any:
    """A source of items, as the active trace lets it flow.

    Args:
        source: a sequence, an iterable, an asynchronous iterable.

    Returns:
        The source itself where no trace is going on.  Within a trace, a view that gives its first items and tells the trace
        their numbers: its length, positions and iterators are those of its first items, everything else is the source's.

    Example:
        >>> from astrace.observe import tracing
        >>> with tracing(limit=2):
        ...     print(len(limit_items("abcdef")), list(limit_items("abcdef")))
        2 ['a', 'b']
    """
    running = current()
    return source if running is None else FirstView(source, running.recorder)


class FirstView:
    """The first items of a source."""

    def __init__(self, source: Any, recorder: TraceRecorder) -> None:
        self._source, self._recorder = source, recorder

    def __len__(self) -> int:
        length, limit = len(self._source), self._recorder.limit
        return length if limit is None else min(length, limit)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[position] for position in range(*key.indices(len(self)))]
        if self._recorder.limit is not None and validation.is_whole(key):
            length = len(self)
            if not -length <= key < length:
                raise IndexError(f"position {key}: the trace lets only the first {length} items flow")
            key = int(key) % length
        found = self._source[key]
        self._tell(found, key)
        return found

    def _tell(self, value: Any, key: Any) -> None:
        """Tell the trace which item an object is."""
        if self._recorder.is_open:
            self._recorder.items.assign(value, (key,))

    def __iter__(self) -> Iterator[Any]:
        limit = self._recorder.limit
        if limit == 0:
            return
        for number, one in enumerate(self._source):
            self._tell(one, number)
            yield one
            if limit is not None and number + 1 >= limit:
                return

    async def __aiter__(self) -> AsyncIterator[Any]:
        number, limit = 0, self._recorder.limit
        if limit == 0:
            return
        async for one in self._source:
            self._tell(one, number)
            yield one
            number += 1
            if limit is not None and number >= limit:
                return

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)
