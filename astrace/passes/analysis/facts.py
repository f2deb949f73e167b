"""What is known of integers at a place of a lowered program, since tests have been made on the way there.

Behind a test that gives the program up, and in the branch of a `cond` or the body of a loop, the test is known to hold or not.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias

import numpy as np

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.analysis.int_ranges import FULL, LARGEST_SIZE

Test: TypeAlias = tuple[str, tuple[Operand, ...]]
"""The op of a truth value, and what it is computed from."""
OTHERWISE: Final[Mapping[str, str]] = {
    "lt": "ge",
    "ge": "lt",
    "gt": "le",
    "le": "gt",
    "eq": "ne",
    "ne": "eq",
    "and_": "or_",
    "or_": "and_",
}
"""For each op that is looked into, the one that holds where it does not."""
BOTH: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq"}
"""The same comparison with its operands the other way round."""


class Facts:
    """What is known here, and in the regions around.

    Example:
        >>> from astrace.ir.specs import ANY
        >>> index, inside = Value(GenericSpec(np.dtype(np.int64))), Value(ANY)
        >>> facts = Facts()
        >>> facts.note(inside, "ge", (index, Constant(0)))
        >>> with facts.region():
        ...     facts.assume(inside, True)
        ...     facts.within(index, FULL)[0]
        0
        >>> facts.within(index, FULL) == FULL
        True
    """

    def __init__(self) -> None:
        self._limits: list[dict[Value, tuple[int, int]]] = [{}]
        self._less: list[set[tuple[Value, Value]]] = [set()]
        self._tests: dict[Value, Test] = {}

    @contextmanager
    def region(self) -> Generator[None]:
        """What is learned in a region holds in it alone."""
        self._limits.append({})
        self._less.append(set())
        yield
        self._limits.pop()
        self._less.pop()

    def note(self, truth: Operand, op: str, inputs: Sequence[Operand]) -> None:
        """Remember of which test a truth value is the result."""
        if isinstance(truth, Value) and (op in OTHERWISE or op in ("not_", "outside")):
            self._tests[truth] = op, tuple(inputs)

    def limit(self, operand: Operand, low: int, high: int) -> None:
        """Remember between which integers a number lies from here on."""
        if isinstance(operand, Value):
            self._limits[-1][operand] = self.within(operand, (low, high))

    def within(self, operand: Operand, bounds: tuple[int, int]) -> tuple[int, int]:
        """Return between which integers a number lies.

        Args:
            operand: the number.
            bounds: what is known of it anyway.
        """
        low, high = bounds
        for known in self._limits if isinstance(operand, Value) else ():
            if operand in known:
                low, high = max(low, known[operand][0]), min(high, known[operand][1])
        return (low, high) if low <= high else bounds

    def is_less(self, one: Operand, other: Operand) -> bool:
        """Return whether one integer is known to be less than another."""
        return any((one, other) in known for known in self._less)

    def assume(
        self, test: Operand, holds: bool, named: Mapping[Value, Value] | None = None, depth: int = 0
    ) -> None:
        """Take a test to hold, or not to hold, from here on.

        Args:
            test: a truth value.
            holds: whether it does.
            named: other values for those that it is computed from.
            depth: how many tests it is a part of.
        """
        found = self._tests.get(test) if isinstance(test, Value) else None
        if found is None:
            return
        op, inputs = found
        if op == "outside" and not holds and all(map(_is_integer, inputs)):
            index, size = (_named(one, named) for one in inputs)
            self._compare("lt", index, size)
            self.limit(index, 0, LARGEST_SIZE)
        if op == "not_" and depth < DEEPEST:
            self.assume(inputs[0], not holds, named, depth + 1)
        op = op if holds else OTHERWISE.get(op, "")
        if op == "and_" and depth < DEEPEST:
            for one in inputs:
                self.assume(one, holds, named, depth + 1)
        if op in BOTH and all(map(_is_integer, inputs)):
            left, right = (_named(one, named) for one in inputs)
            self._compare(op, left, right)
            self._compare(BOTH[op], right, left)

    def _compare(self, op: str, left: Operand, right: Operand) -> None:
        """Take a comparison to hold, for what it tells of its left operand."""
        if op == "lt" and isinstance(left, Value) and isinstance(right, Value):
            self._less[-1].add((left, right))
        if isinstance(right, Constant):
            value = int(right.value)
            below, above = {"lt": (None, -1), "le": (None, 0), "gt": (1, None), "ge": (0, None)}.get(
                op, (0, 0)
            )
            low = FULL[0] if below is None else value + below
            self.limit(left, low, FULL[1] if above is None else value + above)


DEEPEST: Final = 8
"""Tests are looked into so many times."""


def _named(operand: Operand, named: Mapping[Value, Value] | None) -> Operand:
    return operand if named is None or not isinstance(operand, Value) else named.get(operand, operand)


def _is_integer(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return type(operand.value) is int
    return isinstance(operand.spec, GenericSpec) and operand.spec.dtype == np.dtype(np.int64)
