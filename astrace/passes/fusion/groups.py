"""Groups of elementwise statements that may run together, element by element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from astrace.ir.block import Node, Operand, Value
from astrace.passes.fusion.statements import Access, Place, Statement, runs_through
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.memory import SharedMemory


@dataclass(slots=True)
class EqualSizes:
    """Sizes that are known to be equal, since the program is given up where they differ."""

    groups: dict[Operand, dict[Operand, None]] = field(default_factory=dict[Operand, dict[Operand, None]])

    def copy(self) -> EqualSizes:
        """What is known so far, for a region."""
        return EqualSizes(dict(self.groups))

    def note(self, test: Node) -> None:
        """Note that two numbers are equal behind a ``deopt`` where they are not."""
        one, other = test.inputs
        joined = {**self.members(one), **self.members(other)}
        self.groups.update((member, joined) for member in joined)

    def members(self, size: Operand) -> dict[Operand, None]:
        """Return the sizes that equal one, in the order in which that was noted."""
        return self.groups.get(size, {size: None})

    def are_equal(self, ones: Sequence[Operand], others: Sequence[Operand]) -> bool:
        """Return whether two shapes are known to be the same."""
        return len(ones) == len(others) and all(
            same_operand(one, other) or other in self.members(one)
            for one, other in zip(ones, others, strict=True)
        )


@dataclass(slots=True)
class Places:
    """The places of an array that statements touch.

    Args:
        read: where they read it.
        written: where they write it.
    """

    read: set[Place] = field(default_factory=set[Place])
    written: set[Place] = field(default_factory=set[Place])


@dataclass(slots=True)
class Group:
    """Statements over the same elements that may run together.

    Args:
        memory: which arrays may share memory.
        own: the arrays that the program has made.
        statements: those so far.
        before: the nodes between them that may as well stand in front.
        equal_aside: the sizes that are equal where the first one of these that is a statement stands; ``None`` if none is.
        places: what the statements touch, by arrays.
        outside: what they touch of arrays that the program is given, which may all share memory.
    """

    memory: SharedMemory
    own: set[Value]
    statements: list[Statement] = field(default_factory=list[Statement])
    before: list[Node] = field(default_factory=list[Node])
    equal_aside: EqualSizes | None = None
    places: dict[Value, Places] = field(default_factory=dict[Value, Places])
    outside: Places = field(default_factory=Places)

    @property
    def sizes(self) -> tuple[Operand, ...]:
        """The sizes of the loops."""
        return self.statements[0].sizes

    @property
    def accesses(self) -> Iterator[Access]:
        """All accesses, in their order."""
        for statement in self.statements:
            yield from statement.accesses

    def add(self, statement: Statement) -> None:
        """Take a statement into the group."""
        self.statements.append(statement)
        for one in statement.accesses:
            found = [self.places.setdefault(one.base, Places())]
            found += [self.outside] if one.base not in self.own else []
            for places in found:
                (places.written if one.writes else places.read).add(one.place)

    def put_aside(self, statement: Statement, equal: EqualSizes) -> None:
        """Take a statement over other elements, which is to stand in front of the group."""
        if self.equal_aside is None:
            self.equal_aside = equal.copy()
        self.before.append(statement.node)

    def admits(self, statement: Statement, equal: EqualSizes) -> bool:
        """Return whether a statement may join: what it shares with the others is the same element in each iteration."""
        return equal.are_equal(self.sizes, statement.sizes) and not any(
            map(self._conflicts, statement.accesses)
        )

    def _conflicts(self, access: Access) -> bool:
        """Return whether an access may touch an element that another iteration of a statement does, one of them writing it."""
        return any(
            found and not (base is access.base and self._is_same(access.place, found))
            for base in self.memory.members(access.base)
            if (places := self.places.get(base)) is not None
            for found in ((places.written, places.read) if access.writes else (places.written,))
        )

    def _is_same(self, place: Place, others: set[Place]) -> bool:
        """Return whether each iteration has places of its own: all have the loops' variables along the same axes."""
        known = [one for one in (place, *others) if one is not None]
        if len(known) <= len(others):
            return False
        common = tuple(axis[0] if len(set(axis)) == 1 else None for axis in zip(*known, strict=True))
        return runs_through(common, len(self.sizes))

    def is_independent(self, statement: Statement) -> bool:
        """Return whether a statement over other elements may as well stand in front of the group."""
        return not any(
            self.touches(one.base) if one.writes else self.writes(one.base) for one in statement.accesses
        )

    def apart(self) -> Iterator[tuple[Value, Value]]:
        """Yield the arrays that have to be apart: one is written, and both come from outside."""
        bases = [base for base in self.places if base not in self.own]
        for written in bases:
            if self.places[written].written:
                yield from ((written, base) for base in bases if base is not written)

    def writes(self, base: Value) -> bool:
        """Return whether the group writes what may be an array's memory."""
        return any(one.written for one in self._places_of(base))

    def touches(self, base: Value) -> bool:
        """Return whether the group reads or writes what may be an array's memory."""
        return any(one.written or one.read for one in self._places_of(base))

    def _places_of(self, base: Value) -> Iterator[Places]:
        """Yield the places of arrays that may share memory with one, those from outside included."""
        if base not in self.own:
            yield self.outside
        yield from (self.places[one] for one in self.memory.members(base) if one in self.places)


def may_join(statement: Statement, memory: SharedMemory) -> bool:
    """Return whether a statement may be in a group: arrays that it touches are apart, or the same.

    Args:
        statement: the statement.
        memory: which arrays may share memory.
    """
    accesses = list(statement.accesses)
    touched = {one.base for one in accesses}
    return all(memory.members(one.base) & touched == {one.base} for one in accesses if one.writes)
