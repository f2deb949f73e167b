"""Integers as sums of products of others, so that the difference of two is known where they are not.

Takes each sum, difference and product as it is written; knows neither the range of numbers nor who computes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

from astrace.ir.block import Constant, Operand, Value

Term: TypeAlias = tuple[Value, ...]
"""A product of values; the empty one counts what is constant."""
NOTED: Final = ("add", "sub", "mul")


class SumsOfProducts:
    """The sums, differences and products of a program.

    Example:
        >>> from astrace.ir.specs import INT
        >>> index, size, after, end = (Value(INT) for _ in range(4))
        >>> sums = SumsOfProducts()
        >>> sums.note("add", after, (index, Constant(2)))
        >>> sums.note("add", end, (after, size))
        >>> sums.difference(end, index) == {(size,): 1, (): 2}
        True
    """

    def __init__(self) -> None:
        self._made: dict[Value, tuple[str, Operand, Operand]] = {}

    def note(self, op: str, made: Value, operands: Sequence[Operand]) -> None:
        """Remember the operands of an integer; of other operators than sums, differences and products nothing is."""
        if op in NOTED and len(operands) == 2:
            self._made[made] = (op, operands[0], operands[1])

    def difference(self, left: Operand, right: Operand) -> dict[Term, int]:
        """Return ``left - right`` as products, each with the number of times that it occurs."""
        terms = self._terms(left)
        terms.subtract(self._terms(right))
        return {term: count for term, count in terms.items() if count}

    def _terms(self, operand: Operand) -> Counter[Term]:
        if isinstance(operand, Constant):
            return Counter({(): int(operand.value)})
        if operand not in self._made:
            return Counter({(operand,): 1})
        op, *operands = self._made[operand]
        left, right = map(self._terms, operands)
        if op == "mul":
            return _product(left, right)
        left.update(right) if op == "add" else left.subtract(right)
        return left


def _product(left: Counter[Term], right: Counter[Term]) -> Counter[Term]:
    found: Counter[Term] = Counter()
    for a, many in left.items():
        for b, times in right.items():
            found[tuple(sorted((*a, *b), key=id))] += many * times
    return found
