"""Tests of a loop's number, made at its first and its last turn in front of the loop.

What is added up of the number, and of what is the same at each turn, grows or falls from turn to turn: where it passes a test of sizes at both
ends, it passes it at all turns between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.fusion.loop_front import BOOL, INT, LoopFront
from astrace.passes.lowering.integers import SMALL

SAME: Final = "same"
"""The same number at each turn."""
LINE: Final = "line"
"""A number that grows, or falls, by the same at each turn."""
FAILS: Final = "fails"
"""A truth value that is false at all turns between two at which it is."""
PASSES: Final = "passes"
"""A truth value that is true at all turns between two at which it is."""
EITHER: Final = "either"
"""A truth value that is both."""
OF_LINES: Final = {
    **dict.fromkeys(("add", "sub", "mul"), LINE),
    **dict.fromkeys(("outside", "ne"), FAILS),
    **dict.fromkeys(("sum_fits", "difference_fits", "product_fits"), PASSES),
    **dict.fromkeys(("lt", "le", "gt", "ge"), EITHER),
}
"""How what is computed from lines changes from turn to turn; of a product, one factor has to be the same."""
OTHERWISE: Final = {FAILS: PASSES, PASSES: FAILS, EITHER: EITHER}
"""How the opposite of a truth value changes."""
FITS: Final = {"add": "sum_fits", "sub": "difference_fits", "mul": "product_fits"}
OVERFLOWS: Final = frozenset(FITS.values())


class LoopEnds:
    """Tests of a loop's number, as tests in front of it.

    Args:
        loop: over a range, with no way to leave it early.
        front: what stands in front of it.
        makers: the nodes of its body, and of the branches in it, by what they give.
    """

    def __init__(self, loop: Node, front: LoopFront, makers: dict[Value, Node]) -> None:
        (body,) = loop.regions
        self._loop = loop
        self._front = front
        self._number = body.inputs[0]
        self._makers = makers
        self._kinds: dict[Value, str | None] = {}

    def test(self, operand: Operand, only_overflow: bool = False) -> list[Operand]:
        """Return tests in front of the loop, of which one holds if the given one does at a turn; none if it can't be told.

        Args:
            operand: what gives the program up.
            only_overflow: numbers that leave 64 bits have to be all that it tests.
        """
        if self._kind(operand) not in (FAILS, EITHER) or (only_overflow and not self._is_overflow(operand)):
            return []
        first, last = self._ends()
        tests: list[Operand] = []
        for number in (first, last):
            tests.append(
                _Turn(self._front, self._makers, {self._number: (number, SMALL)}, tests).of(operand)[0]
            )
        return list(dict.fromkeys(tests))

    def is_line(self, operand: Operand) -> bool:
        """Return whether a number grows or falls by the same from turn to turn, or is the same at all.

        Args:
            operand: of the loop's body.
        """
        return self._kind(operand) in (LINE, SAME)

    def _ends(self) -> tuple[Operand, Operand]:
        """The number at the first and at the last turn, if there are turns."""
        start, stop, step = self._loop.inputs[:3]
        assert isinstance(step, Constant)
        emit = self._front.emit
        if abs(step.value) == 1:
            return start, emit("sub", (stop, step), INT)
        count = emit("extent", (start, stop, step), INT)
        before = emit("sub", (count, Constant(1)), INT)
        return start, emit("add", (start, emit("mul", (before, step), INT)), INT)

    def _kind(self, operand: Operand) -> str | None:
        """Return how an operand changes from turn to turn; ``None`` where that is not known."""
        if operand is self._number:
            return LINE
        if self._front.before(operand) is not None:
            return SAME
        if not isinstance(operand, Value):
            return None
        if operand not in self._kinds:
            node = self._makers.get(operand)
            self._kinds[operand] = None if node is None else self._kind_of(node)
        return self._kinds[operand]

    def _kind_of(self, node: Node) -> str | None:
        if node.op == "outside" and self._is_from_end(node):
            return FAILS
        kinds = [self._kind(one) for one in node.inputs]
        if None in kinds:
            return None
        lines = all(
            one in (LINE, SAME) and _is_integer(two) for one, two in zip(kinds, node.inputs, strict=True)
        )
        if lines and (node.op != "mul" or SAME in kinds) and (node.op != "product_fits" or SAME in kinds):
            return OF_LINES.get(node.op)
        truths = set(kinds) - {SAME}
        if node.op == "not_":
            return OTHERWISE.get(kinds[0] or "")
        if node.op == "or_" or (node.op == "and_" and SAME in kinds):
            return FAILS if truths and truths <= {FAILS, EITHER} else None
        return None

    def _is_from_end(self, node: Node) -> bool:
        """Return whether an index that may count from the end is tested: those inside lie side by side."""
        index, size = node.inputs
        made = self._makers.get(index) if isinstance(index, Value) else None
        return (
            made is not None
            and made.op == "counted"
            and made.inputs[1] is size
            and self._kind(size) == SAME
            and self._kind(made.inputs[0]) == LINE
        )

    def _is_overflow(self, operand: Operand) -> bool:
        """Return whether a test is of nothing but numbers that leave 64 bits."""
        node = self._makers.get(operand) if isinstance(operand, Value) else None
        if node is None:
            return False
        return node.op in OVERFLOWS or (
            node.op in ("not_", "or_") and all(map(self._is_overflow, node.inputs))
        )


@dataclass(slots=True)
class _Turn:
    """What is computed at one turn, in front of the loop.

    Args:
        front: what stands there.
        makers: the nodes of the loop's body.
        known: what has been written, and how large it may be; ``None`` where that is not known.
        tests: of what leaves 64 bits on the way; new ones are added, since what wraps around is no line.
    """

    front: LoopFront
    makers: dict[Value, Node]
    known: dict[Operand, tuple[Operand, int | None]]
    tests: list[Operand]

    def of(self, operand: Operand) -> tuple[Operand, int | None]:
        """Return a number or a truth value in front of the loop, and how large it may be."""
        if operand in self.known:
            return self.known[operand]
        before = self.front.before(operand)
        if before is not None:
            return before, abs(before.value) if _is_integer(before) and isinstance(before, Constant) else None
        assert isinstance(operand, Value)
        node = self.makers[operand]
        found = [self.of(one) for one in node.inputs]
        inputs, sizes = tuple(one for one, _ in found), [size for _, size in found]
        size = _size(node.op, sizes) if node.op in FITS else None
        if node.op in FITS and size is None:
            fits = self.front.emit(FITS[node.op], inputs, BOOL)
            self.tests.append(self.front.emit("not_", (fits,), BOOL))
        made = self.known[operand] = self.front.emit(node.op, inputs, operand.spec), size
        return made


def _size(op: str, sizes: Sequence[int | None]) -> int | None:
    """Return how large a sum, difference or product may be, if it has 64 bits for certain."""
    known = [one for one in sizes if one is not None]
    if len(known) < len(sizes):
        return None
    found = prod(known) if op == "mul" else sum(known)
    return found if found < 2**63 else None


def _is_integer(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return type(operand.value) is int
    return isinstance(operand.spec, GenericSpec) and operand.spec == INT
