"""What stands in front of a loop: numbers that are the same at each turn, and tests of them.

Takes a counted loop of a block whose regions may use the values around them.  It does not know what the numbers are needed for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import reduce
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import GenericSpec, Spec
from astrace.ir.walk import blocks
from astrace.ops import OPS
from astrace.passes.fusion.statements import COUNTING
from astrace.passes.lowering.forms import typed

BOOL: Final = GenericSpec(np.dtype(np.bool_))
INT: Final = GenericSpec(np.dtype(np.int64))
NUMBERS: Final = frozenset(
    {"dim", "add", "sub", "mul", "clipped", "clipped_down", "counted", "extent", "select"}
    | {"eq", "ne", "lt", "le", "gt", "ge", "not_", "and_", "or_"}
    | {"outside", "sum_fits", "difference_fits", "product_fits", "is_contiguous", "is_repeated"}
    | {"is_finite", "lies_in_rows"}
)
"""The ops of sizes and of tests of them: none raises, whatever it is given."""


def is_counted(node: Node) -> bool:
    """Tell whether a node is a loop over a range with a known step."""
    if node.op != "for_loop" or node.attrs["over"] != COUNTING:
        return False
    step = node.inputs[2]
    return isinstance(step, Constant) and step.value != 0


def is_number(node: Node) -> bool:
    """Tell whether a node computes integers or a test of them, or looks at how an array lies in memory: it may be computed earlier."""
    return node.op in NUMBERS and all(_is_integer(one.spec) for one in node.outputs)


def zero_of(value: Value) -> Constant:
    """Return the zero of a number's type."""
    spec: Any = value.spec
    return Constant(typed(0, spec.dtype))


def _is_integer(spec: Spec) -> bool:
    return isinstance(spec, GenericSpec) and spec.dtype.kind in "bi"


def _key(operand: Operand) -> Hashable:
    """Return what is equal for operands that are the same number."""
    return (type(operand.value), operand.value) if isinstance(operand, Constant) else operand


class LoopFront:
    """The nodes in front of a loop; what is written for one reason is found again for another.

    Args:
        loop: the loop.
    """

    def __init__(self, loop: Node) -> None:
        (body,) = loop.regions
        first = bool(loop.attrs["breaks"])
        carried = zip(body.inputs[1:], body.outputs[first:], loop.inputs[3:], strict=True)
        self.numbers: list[Node] = []
        self._loop = loop
        self._inside = {value: node for node in body.nodes for value in node.outputs}
        self._changing = set(body.inputs) | {
            value for inner in blocks(body) for node in inner.nodes for value in node.outputs
        }
        self._outside: dict[Operand, Operand] = {
            value: initial for value, handed_on, initial in carried if value is handed_on
        }
        self._written: dict[Hashable, Value] = {}

    def before(self, operand: Operand) -> Operand | None:
        """Return the same number in front of the loop; ``None`` where turns may differ.

        Args:
            operand: a number of the loop's body, or an array.
        """
        if not isinstance(operand, Value):
            return operand
        if operand in self._outside:
            return self._outside[operand]
        if operand not in self._changing:
            return operand
        node = self._inside.get(operand)
        if node is None or not is_number(node):
            return None
        inputs: list[Operand] = []
        for one in node.inputs:
            if (found := self.before(one)) is None:
                return None
            inputs.append(found)
        made = self._outside[operand] = self.emit(node.op, tuple(inputs), operand.spec)
        return made

    def hoist(self, node: Node) -> bool:
        """Move a node that computes the same number at each turn in front of the loop; return whether it is one.

        Args:
            node: of the loop's body; it has one output.
        """
        inputs = [self.before(one) for one in node.inputs] if is_number(node) else [None]
        found = tuple(one for one in inputs if one is not None)
        if len(found) < len(inputs):
            return False
        self._outside[node.output] = node.output
        self.numbers.append(replace(node, inputs=found))
        return True

    def is_run(self) -> Operand:
        """Return whether the loop runs at all."""
        start, stop, step = self._loop.inputs[:3]
        assert isinstance(step, Constant)
        return self.emit("lt" if step.value > 0 else "gt", (start, stop), BOOL)

    def any_of(self, tests: Iterable[Operand]) -> Operand:
        """Return whether one of some tests holds.

        Args:
            tests: at least one.
        """
        return reduce(lambda one, other: self.emit("or_", (one, other), BOOL), tests)

    def emit(self, op: str, inputs: tuple[Operand, ...], spec: Spec) -> Operand:
        """Write a node; gives its number.  What constants alone decide is computed now.

        Args:
            op: one of `NUMBERS`.
            inputs: its own.
            spec: the number's type.
        """
        constants = [one.value for one in inputs if isinstance(one, Constant)]
        if len(constants) == len(inputs) and spec in (BOOL, INT):
            found = OPS[op].function(*constants)
            return Constant(bool(found) if spec == BOOL else int(found))
        key = (op, tuple(map(_key, inputs)), spec)
        if key not in self._written:
            made = self._written[key] = Value(spec)
            self.numbers.append(Node(op, inputs, (made,), location=self._loop.location))
        return self._written[key]
