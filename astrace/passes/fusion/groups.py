"""Groups of elementwise statements that may run together, element by element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from astrace.ir.block import Node, Operand, Value
from astrace.passes.fusion.statements import Access, Statement, runs_through, same_place
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.memory import SharedMemory


@dataclass(slots=True)
class EqualSizes:
    """Sizes that are known to be equal, since the program is given up where they differ."""

    groups: dict[Operand, set[Operand]] = field(default_factory=dict[Operand, set[Operand]])

    def copy(self) -> EqualSizes:
        """What is known so far, for a region."""
        return EqualSizes(dict(self.groups))

    def note(self, test: Node) -> None:
        """Note that two numbers are equal behind a ``deopt`` where they are not."""
        one, other = test.inputs
        joined = self.members(one) | self.members(other)
        self.groups.update((member, joined) for member in joined)

    def members(self, size: Operand) -> set[Operand]:
        """Return the sizes that equal one."""
        return self.groups.get(size, {size})

    def are_equal(self, ones: Sequence[Operand], others: Sequence[Operand]) -> bool:
        """Return whether two shapes are known to be the same."""
        return len(ones) == len(others) and all(
            same_operand(one, other) or other in self.members(one)
            for one, other in zip(ones, others, strict=True)
        )


@dataclass(slots=True)
class Group:
    """Statements over the same elements that may run together.

    Args:
        memory: which arrays may share memory.
        own: the arrays that the program has made.
        statements: those so far.
        before: the nodes between them that may as well stand in front.
    """

    memory: SharedMemory
    own: set[Value]
    statements: list[Statement] = field(default_factory=list[Statement])
    before: list[Node] = field(default_factory=list[Node])

    @property
    def sizes(self) -> tuple[Operand, ...]:
        """The sizes of the loops."""
        return self.statements[0].sizes

    @property
    def accesses(self) -> Iterator[Access]:
        """All accesses, in their order."""
        for statement in self.statements:
            yield from statement.accesses

    def admits(self, statement: Statement, equal: EqualSizes) -> bool:
        """Return whether a statement may join: what it shares with the others is the same element in each iteration."""
        if not self.begins_with(statement) or not equal.are_equal(self.sizes, statement.sizes):
            return False
        depth = len(self.sizes)
        return not any(
            self._conflict(one, other, depth) for one in self.accesses for other in statement.accesses
        )

    def begins_with(self, statement: Statement) -> bool:
        """Return whether a statement may be in a group: arrays that it touches are apart, or the same."""
        accesses = list(statement.accesses)
        return not any(
            one.writes and one.base is not other.base and self.memory.may_share(one.base, other.base)
            for one in accesses
            for other in accesses
        )

    def is_independent(self, statement: Statement) -> bool:
        """Return whether a statement over other elements may as well stand in front of the group."""
        return not any(
            (one.writes or other.writes) and self._may_be_one(one.base, other.base)
            for one in self.accesses
            for other in statement.accesses
        )

    def _conflict(self, one: Access, other: Access, depth: int) -> bool:
        """Return whether two accesses may touch one element in different iterations, one of them writing it."""
        if not (one.writes or other.writes) or not self.memory.may_share(one.base, other.base):
            return False
        same = one.base is other.base and same_place(one.place, other.place)
        return not (same and runs_through(one.place, depth))

    def apart(self) -> Iterator[tuple[Value, Value]]:
        """Yield the arrays that have to be apart: one is written, and both come from outside."""
        bases = dict.fromkeys(one.base for one in self.accesses)
        for written in dict.fromkeys(one.base for one in self.accesses if one.writes):
            for base in bases:
                if base is not written and not {base, written} & self.own:
                    yield written, base

    def writes(self, base: Value) -> bool:
        """Return whether the group writes what may be an array's memory."""
        return any(one.writes and self._may_be_one(one.base, base) for one in self.accesses)

    def touches(self, base: Value) -> bool:
        """Return whether the group reads or writes what may be an array's memory."""
        return any(self._may_be_one(one.base, base) for one in self.accesses)

    def _may_be_one(self, one: Value, other: Value) -> bool:
        """Return whether two arrays may share memory, those from outside included."""
        return self.memory.may_share(one, other) or not {one, other} & self.own
