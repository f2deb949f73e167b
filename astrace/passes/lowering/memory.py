"""Which arrays of a lowered program may share memory, since a loop or branch puts one in the place of the other."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

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

    def copy(self) -> SharedMemory:
        """Return the same groups, to which others may be added."""
        made = SharedMemory()
        made._groups.update(self._groups)
        return made

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


class MemoryInRegion(SharedMemory):
    """The same, as long as a region runs once: an array that it makes is none of those that there were before.

    Args:
        memory: the arrays that may share memory at any time.
        made: the arrays that the region makes.
        inside: all that its nodes give.
    """

    def __init__(self, memory: SharedMemory, made: AbstractSet[Value], inside: AbstractSet[Value]) -> None:
        super().__init__()
        self._memory = memory
        self._made = made
        self._inside = inside

    def join(self, arrays: Sequence[Value]) -> None:
        """Remember that arrays may share memory."""
        self._memory.join(arrays)

    def members(self, array: Value) -> set[Value]:
        """Return the arrays that may share memory with one, that one included."""
        found = self._memory.members(array)
        if array in self._made:
            return {array} | ((found & self._inside) - self._made)
        return found if array in self._inside else found - self._made
