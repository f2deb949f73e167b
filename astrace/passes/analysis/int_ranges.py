"""Between which integers a number lies: one that a loop carries, the result of an operator.

A loop that adds a constant in each iteration does not leave 64 bits in any time that somebody waits for; every other
sum or product of Python's integers that may leave them is checked when it is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.control import AnyLoop, always_raises, carried_places
from astrace.ops.python.operators import ARITHMETIC

LARGEST: Final = 2**63
"""Python's integers are held in 64 bits; results that may leave that range are checked."""
FULL: Final = (-LARGEST, LARGEST - 1)
MOST_ITERATIONS: Final = 2**48
"""More iterations than any loop has time for."""
LARGEST_STEP: Final = 2**12
LARGEST_SIZE: Final = 2**40
"""More items than any array or list has."""
EXACT: Final = 2**53
"""Up to this, floats hold every integer."""
FITS: Final[Mapping[str, str]] = {"add": "sum_fits", "sub": "difference_fits", "mul": "product_fits"}
"""The ops that tell whether a result has 64 bits."""


def carried_bounds(loop: AnyLoop, position: int, initial: tuple[int, int]) -> tuple[int, int]:
    """Between which integers a carried number lies in all iterations and behind the loop.

    Args:
        loop: the loop.
        position: which of the carried values it is.
        initial: between which integers it lies before the first iteration.
    """
    *_, inner = list(carried_places(loop))[position]
    drift = Drift(loop.body).of(loop.body.outputs[loop.breaks + position], inner)
    if drift is None or max(map(abs, drift)) > LARGEST_STEP or max(map(abs, initial)) > MOST_ITERATIONS:
        return FULL
    return initial[0] + MOST_ITERATIONS * min(0, drift[0]), initial[1] + MOST_ITERATIONS * max(0, drift[1])


class Drift:
    """The differences between numbers of a block and one of its inputs.

    Args:
        block: the block.
    """

    def __init__(self, block: Block) -> None:
        self._made: dict[Value, Node] = {output: node for node in block.nodes for output in node.outputs}

    def of(self, operand: Operand, start: Value) -> tuple[int, int] | None:
        """The least and the largest difference; ``None`` where nothing is known."""
        if operand is start:
            return 0, 0
        node = self._made.get(operand) if isinstance(operand, Value) else None
        if node is None:
            return None
        if node.op in ("add", "sub", "iadd", "isub"):
            return self._sum(node, start)
        if node.op == "cond":
            position = [output is operand for output in node.outputs].index(True)
            found = [self._through(node, index, position, start) for index in range(2)]
            return _hull(found)
        return None

    def _sum(self, node: Node, start: Value) -> tuple[int, int] | None:
        left, right = node.inputs
        if isinstance(left, Constant) and node.op in ("add", "iadd"):
            left, right = right, left
        inner = self.of(left, start)
        if inner is None or not isinstance(right, Constant) or type(right.value) is not int:
            return None
        step = -right.value if "sub" in node.op else right.value
        return inner[0] + step, inner[1] + step

    def _through(self, node: Node, index: int, position: int, start: Value) -> tuple[int, int] | None:
        """Follow a drift through one branch of a ``cond``, from its captures to its outputs."""
        region, inner, outer = list(region_inputs(node))[index]
        if always_raises(region):
            return 0, 0
        drifts = Drift(region)
        found: list[tuple[int, int] | None] = []
        for value, operand in zip(inner, outer, strict=True):
            before = self.of(operand, start)
            after = drifts.of(region.outputs[position], value)
            if before is not None and after is not None:
                found.append((before[0] + after[0], before[1] + after[1]))
        return _hull(found) if found else None


def _hull(found: Sequence[tuple[int, int] | None]) -> tuple[int, int] | None:
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


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
