"""Between which integers a number lies: one that a loop carries, the result of an operator.

A loop that adds a constant in each iteration does not leave 64 bits in any time that somebody waits for; every other
sum or product of Python's integers that may leave them is checked when it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.control import AnyLoop, always_raises, carried_places, loop_of
from astrace.ops.python.operators import ARITHMETIC

LARGEST: Final = 2**63
"""Python's integers are held in 64 bits; results that may leave that range are checked."""
FULL: Final = (-LARGEST, LARGEST - 1)
MOST_ITERATIONS: Final = 2**48
"""More iterations than any loop has time for."""
LARGEST_STEP: Final = 2**12
LARGEST_START: Final = 2**56
LARGEST_SIZE: Final = 2**40
"""More items than any array or list has."""
EXACT: Final = 2**53
"""Up to this, floats hold every integer."""
FITS: Final[Mapping[str, str]] = {"add": "sum_fits", "sub": "difference_fits", "mul": "product_fits"}
"""The ops that tell whether a result has 64 bits."""


Bounds: TypeAlias = tuple[int, int]
Known: TypeAlias = Callable[[Operand], "Bounds | None"]
"""Gives the bounds of what a block uses from outside, where they are known."""


def nothing_known(_operand: Operand) -> None:
    """Of nothing from outside any bounds are known."""


def carried_bounds(loop: AnyLoop, position: int, initial: Bounds, known: Known = nothing_known) -> Bounds:
    """Between which integers a carried number lies in all iterations and behind the loop.

    Args:
        loop: the loop.
        position: which of the carried values it is.
        initial: between which integers it lies before the first iteration.
        known: gives the bounds of what the loop's body uses from outside.
    """
    *_, inner = list(carried_places(loop))[position]
    change = Drift(loop.body, known).of(loop.body.outputs[loop.breaks + position], inner)
    if change is None:
        return FULL
    low, high = change.by or (0, 0)
    starts = _hull([initial, change.to])
    assert starts is not None
    if max(-low, high) > LARGEST_STEP or max(map(abs, starts)) > LARGEST_START:
        return FULL
    return _widened(starts, (low, high))


def _widened(start: Bounds, by: Bounds) -> Bounds:
    """Between which integers a number lies that is changed as often as there is time for."""
    return start[0] + MOST_ITERATIONS * min(0, by[0]), start[1] + MOST_ITERATIONS * max(0, by[1])


@dataclass(frozen=True, slots=True)
class Becomes:
    """What becomes of a number.

    Args:
        by: the least and the largest difference, where it is changed by one; ``None`` where it never is.
        to: between which integers it lies where it becomes another number; ``None`` where it never does.
    """

    by: Bounds | None = None
    to: Bounds | None = None

    def plus(self, by: Bounds | None) -> Becomes:
        """What becomes of it by a further difference."""
        return Becomes(_moved(self.by, by), _moved(self.to, by))

    def then(self, other: Becomes) -> Becomes:
        """What becomes of it by another change of what it has become."""
        moved = self.plus(other.by)
        return Becomes(moved.by, _hull([moved.to, other.to]))


def _moved(bounds: Bounds | None, by: Bounds | None) -> Bounds | None:
    return None if bounds is None or by is None else (bounds[0] + by[0], bounds[1] + by[1])


def _hull(found: Iterable[Bounds | None]) -> Bounds | None:
    """The bounds of all that there are."""
    there = [one for one in found if one is not None]
    return (min(low for low, _ in there), max(high for _, high in there)) if there else None


class Drift:
    """How numbers of a block differ from one of its inputs.

    What has been found is kept: each value of a block is asked about once for each of its inputs, however deep regions are nested.

    Args:
        block: the block.
        known: gives the bounds of what it uses from outside.
    """

    def __init__(self, block: Block, known: Known = nothing_known) -> None:
        self._made: dict[Value, Node] = {output: node for node in block.nodes for output in node.outputs}
        self._known = known
        self._becomes: dict[tuple[Value, Value], Becomes | None] = {}
        self._bounds: dict[Value, Bounds | None] = {}
        self._inside: dict[int, Drift] = {}

    def of(self, operand: Operand, start: Value) -> Becomes | None:
        """What has become of an input; ``None`` where nothing is known.

        Args:
            operand: what it has become.
            start: the input.
        """
        if not isinstance(operand, Value):
            return self._of(operand, start)
        if (operand, start) not in self._becomes:
            self._becomes[operand, start] = self._of(operand, start)
        return self._becomes[operand, start]

    def _of(self, operand: Operand, start: Value) -> Becomes | None:
        if operand is start:
            return Becomes(by=(0, 0))
        bounds = self.bounds(operand)
        if bounds is not None:
            return Becomes(to=bounds)
        node = self._made.get(operand) if isinstance(operand, Value) else None
        if node is None:
            return None
        if node.op in SUMS:
            return self._sum(node, start)
        position = [output is operand for output in node.outputs].index(True)
        if node.op == "cond":
            one, other = (self._through(node, index, position, start) for index in range(2))
            return (
                None
                if one is None or other is None
                else Becomes(_hull([one.by, other.by]), _hull([one.to, other.to]))
            )
        loop = loop_of(node)
        return None if loop is None else self._around(loop, position - loop.breaks, start)

    def bounds(self, operand: Operand) -> Bounds | None:
        """The bounds of a number that does not depend on what is followed; ``None`` where they are not known."""
        if isinstance(operand, Constant):
            return (operand.value, operand.value) if type(operand.value) is int else None
        if operand not in self._bounds:
            self._bounds[operand] = self._bounds_of(operand)
        return self._bounds[operand]

    def _bounds_of(self, operand: Value) -> Bounds | None:
        node = self._made.get(operand)
        if node is None:
            return self._known(operand)
        name = SUMS.get(node.op, node.op)
        if name not in ("add", "sub", "mod") or len(node.inputs) != 2:
            return None
        left, right = map(self.bounds, node.inputs)
        left = FULL if left is None and name == "mod" else left
        return None if left is None or right is None else _binary_bounds(name, left, right)

    def _around(self, loop: AnyLoop, position: int, start: Value) -> Becomes | None:
        """Follow a number through an inner loop, of whose iterations there may be none: of all of them together there is no more time for than for one loop's."""
        if position < 0:
            return None
        *_, inner = list(carried_places(loop))[position]
        before = self.of(loop.carried[position], start)
        after = self._drift(loop.body, nothing_known).of(loop.body.outputs[loop.breaks + position], inner)
        if before is None or after is None:
            return None
        by = after.by or (0, 0)
        to = _hull([before.to, after.to])
        further = before.plus((min(0, by[0]), max(0, by[1])))
        return Becomes(further.by, None if to is None else _widened(to, by))

    def _sum(self, node: Node, start: Value) -> Becomes | None:
        left, right = node.inputs
        if isinstance(left, Constant) and SUMS[node.op] == "add":
            left, right = right, left
        inner = self.of(left, start)
        if inner is None or not isinstance(right, Constant) or type(right.value) is not int:
            return None
        step = -right.value if SUMS[node.op] == "sub" else right.value
        return inner.plus((step, step))

    def _through(self, node: Node, index: int, position: int, start: Value) -> Becomes | None:
        """Follow a number through one branch of a ``cond``, from its captures to its outputs."""
        region, inner, outer = list(region_inputs(node))[index]
        if always_raises(region):
            return Becomes(by=(0, 0))
        given = dict(zip(inner, outer, strict=True))
        drifts = self._drift(region, lambda one: self.bounds(given[one]) if one in given else None)
        output = region.outputs[position]
        bounds = drifts.bounds(output)
        if bounds is not None:
            return Becomes(to=bounds)
        for value, operand in given.items():
            before = self.of(operand, start)
            after = None if before is None else drifts.of(output, value)
            if before is not None and after is not None:
                return before.then(after)
        return None

    def _drift(self, region: Block, known: Known) -> Drift:
        """The same for a region of one of the block's nodes."""
        if id(region) not in self._inside:
            self._inside[id(region)] = Drift(region, known)
        return self._inside[id(region)]


SUMS: Final = {"add": "add", "sub": "sub", "iadd": "add", "isub": "sub"}
"""Sums and differences, those in place, too."""


def interval(symbol: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int] | None:
    """Between which integers a sum, difference or product lies; ``None`` for other operators."""
    match symbol:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            ends = [a * b for a in left for b in right]
            return min(ends), max(ends)
        case _:
            return None


def overflow_test(name: str, left: tuple[int, int], right: tuple[int, int]) -> str | None:
    """Return the op that tells whether the result of an operator has 64 bits; ``None`` where its operands tell that it has.

    Example:
        >>> overflow_test("add", (0, 9), (0, 9)), overflow_test("add", FULL, (0, 9))
        (None, 'sum_fits')
    """
    if name not in FITS:
        return None
    found = interval(ARITHMETIC[name], left, right)
    return None if found is not None and fits(found) else FITS[name]


class Bounded(Protocol):
    """An integer of which something is known."""

    @property
    def bounds(self) -> tuple[int, int]:
        """Between which integers it lies."""
        ...

    @property
    def most(self) -> tuple[Any, int] | None:
        """A size and a difference: it is no larger than their sum."""
        ...


def bounds_of(name: str, forms: Sequence[Bounded]) -> tuple[int, int]:
    """Between which integers the result of an operator lies.

    Example:
        >>> from types import SimpleNamespace
        >>> index, size = SimpleNamespace(bounds=(0, 9)), SimpleNamespace(bounds=(1, 4))
        >>> bounds_of("add", (index, size)), bounds_of("mod", (index, size)), bounds_of("neg", (size,))
        ((1, 13), (0, 3), (-4, -1))
    """
    given = [one.bounds for one in forms]
    found = _unary_bounds(name, *given) if len(given) == 1 else _binary_bounds(name, *given)
    return found if found is not None and fits(found) else FULL


def _unary_bounds(name: str, given: tuple[int, int]) -> tuple[int, int] | None:
    low, high = given
    match name:
        case "pos":
            return given
        case "neg":
            return -high, -low
        case "abs":
            return max(low, -high, 0), max(abs(low), abs(high))
        case "invert":
            return ~high, ~low
        case _:
            return None


def _binary_bounds(name: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int] | None:
    match name:
        case "floordiv" if right[0] > 0:
            return min(left[0], left[0] // right[0]), max(left[1], 0)
        case "mod" if right[0] > 0:
            return 0, right[1] - 1
        case "and_" if right[0] >= 0 or left[0] >= 0:
            return 0, min(one[1] for one in (left, right) if one[0] >= 0)
        case "rshift" if right[0] >= 0:
            return min(left[0], 0), max(left[1], 0)
        case "add" | "sub" | "mul":
            return interval(ARITHMETIC[name], left, right)
        case _:
            return None


def most_of(name: str, forms: Sequence[Bounded]) -> tuple[Any, int] | None:
    """The size that the result of an operator does not exceed, and by how much it stays below or goes beyond."""
    if len(forms) != 2 or name not in ("add", "sub", "floordiv", "mod"):
        return None
    left, right = forms
    if name == "add" and left.most is None:
        left, right = right, left
    if name == "mod":
        return (right.most[0], right.most[1] - 1) if right.most is not None and right.bounds[0] > 0 else None
    if left.most is None:
        return None
    size, difference = left.most
    if name == "floordiv":
        return left.most if left.bounds[0] >= 0 and right.bounds[0] > 0 else None
    more = right.bounds[1] if name == "add" else -right.bounds[0]
    return (size, difference + more) if abs(more) < LARGEST_SIZE else None


def range_limits(
    start: Bounded, stop: Bounded, step: Bounded
) -> tuple[tuple[int, int], tuple[Any, int] | None] | None:
    """Between which integers the numbers of a range lie, and what they do not exceed; ``None`` where its direction is not known.

    Example:
        >>> from types import SimpleNamespace
        >>> start, step = SimpleNamespace(bounds=(0, 0), most=None), SimpleNamespace(bounds=(1, 1), most=None)
        >>> range_limits(start, SimpleNamespace(bounds=(0, 9), most=("n", 0)), step)
        ((0, 8), ('n', -1))
    """
    if step.bounds[0] > 0:
        most = None if stop.most is None else (stop.most[0], stop.most[1] - 1)
        return (start.bounds[0], max(start.bounds[0], stop.bounds[1] - 1)), most
    if step.bounds[1] < 0:
        return (min(stop.bounds[0] + 1, start.bounds[1]), start.bounds[1]), start.most
    return None


def reached(start: Bounded, step: Bounded, bounds: tuple[int, int]) -> tuple[int, int]:
    """Between which integers those numbers of a range lie that a loop has time for.

    Args:
        start: of the range.
        step: of the range.
        bounds: between which integers all its numbers lie.

    Example:
        >>> from types import SimpleNamespace
        >>> start, step = SimpleNamespace(bounds=(0, 0), most=None), SimpleNamespace(bounds=(1, 1), most=None)
        >>> reached(start, step, (0, 2**60)) == (0, MOST_ITERATIONS)
        True
    """
    if max(map(abs, step.bounds)) > LARGEST_STEP:
        return bounds
    low = max(bounds[0], start.bounds[0] + MOST_ITERATIONS * min(0, step.bounds[0]))
    high = start.bounds[1] + MOST_ITERATIONS * max(0, step.bounds[1])
    return low, max(low, min(high, bounds[1]))


def fits(bounds: tuple[int, int]) -> bool:
    """Return whether integers between bounds are held in 64 bits."""
    return bounds[0] >= FULL[0] and bounds[1] <= FULL[1]


def limits_of(dtype: np.dtype[Any], index: int) -> tuple[tuple[int, int], frozenset[int] | None]:
    """Between which integers an input lies, and whether sizes may follow from it."""
    if dtype.kind not in "iu":
        return FULL, None
    limits = np.iinfo(dtype)
    return (int(limits.min), int(limits.max)), frozenset({index})
