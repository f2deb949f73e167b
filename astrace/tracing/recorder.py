"""Writing nodes down: one recorder for each block in the making.

A region is recorded by a recorder of its own, whose parent is the recorder around it.  What the region uses
from outside becomes an input of its block, found by walking up the parents.
"""

from __future__ import annotations

from collections.abc import Sequence

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import Spec


class Escaped(Exception):
    """A value was used outside the block it belongs to."""


class Recorder:
    """A block in the making.

    Args:
        parent: the recorder of the block around, for a region.

    Attributes:
        captures: for each outside value that is used, the input that stands for it.
        aliases: for each such input, of any block of this trace, the outside value.
        computes: the block may do nothing but compute.
    """

    def __init__(self, parent: Recorder | None = None) -> None:
        self.parent = parent
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.captures: dict[Value, Value] = {}
        self.aliases: dict[Value, Value] = parent.aliases if parent is not None else {}
        self._owned: set[Value] = set()
        self.computes = False

    def input(self, spec: Spec, name: str = "") -> Value:
        """A new input of the block."""
        value = Value(spec, name)
        self.inputs.append(value)
        self._owned.add(value)
        return value

    def append(self, node: Node) -> None:
        """Write a node down."""
        self.nodes.append(node)
        self._owned.update(node.outputs)

    def owns(self, value: Value) -> bool:
        """Return whether a value belongs to this block itself."""
        return value in self._owned

    def reachable(self, value: Value) -> bool:
        """Return whether a value belongs to this block or one around it."""
        recorder: Recorder | None = self
        while recorder is not None:
            if recorder.owns(value):
                return True
            recorder = recorder.parent
        return False

    def is_within(self, other: Recorder) -> bool:
        """Return whether this block is another one, or a region in it at whatever depth."""
        recorder: Recorder | None = self
        while recorder is not None and recorder is not other:
            recorder = recorder.parent
        return recorder is other

    def operand(self, operand: Operand) -> Operand:
        """Return the operand that stands for ``operand`` in this block; a value from outside becomes a capture.

        Raises:
            Escaped: the value belongs to a block that is not around this one.
        """
        if isinstance(operand, Constant) or operand in self._owned:
            return operand
        if operand in self.captures:
            return self.captures[operand]
        if self.parent is None:
            raise Escaped(operand)
        self.parent.operand(operand)
        inner = Value(operand.spec, operand.name)
        self.captures[operand] = inner
        self.aliases[inner] = operand
        self._owned.add(inner)
        return inner

    def origin(self, value: Value) -> Value:
        """The value outside all regions that a captured value is the same object as."""
        while value in self.aliases:
            value = self.aliases[value]
        return value

    def block(self, outputs: Sequence[Operand], captured: Sequence[Value] | None = None) -> Block:
        """The finished block.

        Args:
            outputs: what it puts out.
            captured: the outside values that become its last inputs, in order; by default its own captures.
        """
        outputs = [self.operand(output) for output in outputs]
        order = list(self.captures) if captured is None else captured
        inner = [self.captures.get(value) or Value(value.spec, value.name) for value in order]
        return Block((*self.inputs, *inner), tuple(self.nodes), tuple(outputs))
