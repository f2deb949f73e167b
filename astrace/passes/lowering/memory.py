"""Which arrays of a lowered program may share memory, since a loop or branch puts one in the place of the other."""

from __future__ import annotations

from collections.abc import Sequence

from astrace.ir.block import Value


class SharedMemory:
    """Groups of arrays, by the values that hold them; arrays of different groups are apart.

    Example:
        >>> from astrace.ir.specs import ANY
        >>> a, b, c = (Value(ANY) for _ in range(3))
        >>> memory = SharedMemory()
        >>> memory.join([a, b])
        >>> memory.may_share(a, b), memory.may_share(a, c), memory.members(c) == {c}
        (True, False, True)
    """

    def __init__(self) -> None:
        self._groups: dict[Value, set[Value]] = {}

    def join(self, arrays: Sequence[Value]) -> None:
        """Remember that arrays may share memory."""
        joined = set[Value]().union(*map(self.members, arrays))
        self._groups.update((one, joined) for one in joined)

    def members(self, array: Value) -> set[Value]:
        """Return the arrays that may share memory with one, that one included."""
        return self._groups.get(array, {array})

    def may_share(self, one: Value, other: Value) -> bool:
        """Return whether two arrays may share memory."""
        return other in self.members(one)
