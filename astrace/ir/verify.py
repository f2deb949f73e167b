"""The rules of a block, checked: closed, in order, and every spec covers what its op would infer.

A broken rule is a fault of the pass or builder that made the block; the message names both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from astrace.errors import BrokenBlock
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.control import CONTROL, ForLoop, WhileLoop, elements, iterated
from astrace.ir.specs import ANY, Spec, covers, is_unset

Infer: TypeAlias = Callable[[Node], "tuple[Spec, ...] | None"]
"""Gives the specs an op infers for a node's outputs, or ``None`` where the op is not known."""


def verify(block: Block, infer: Infer, maker: str = "trace") -> None:
    """Check that a block keeps the rules.

    Args:
        block: what to check.
        infer: the specs that ops infer.
        maker: the pass that made it, for the message.

    Raises:
        BrokenBlock: a rule is broken.
    """
    _Verifier(infer, maker).block(block)


class _Verifier:
    """Checks one block and its regions; every value may be defined once in all of them."""

    def __init__(self, infer: Infer, maker: str) -> None:
        self.infer = infer
        self.maker = maker
        self._defined: set[Value] = set()

    def block(self, block: Block) -> None:
        """Check a block."""
        known: set[Value] = set()
        for value in block.inputs:
            self._define(value, known, None)
        for node in block.nodes:
            self._operands(node.inputs, known, node)
            (self._control if node.op in CONTROL else self._leaf)(node)
            for value in node.outputs:
                self._define(value, known, node)
        self._operands(block.outputs, known, None)

    def fail(self, rule: str, node: Node | None) -> None:
        """Raise for a broken rule."""
        where = f" at `{node.op}`" if node is not None else ""
        line = f", line {node.location.line}" if node is not None and node.location else ""
        raise BrokenBlock(f"{self.maker} made a block that breaks a rule{where}{line}: {rule}")

    def _define(self, value: Value, known: set[Value], node: Node | None) -> None:
        if value in self._defined:
            self.fail("a value is defined twice", node)
        self._defined.add(value)
        known.add(value)

    def _operands(self, operands: Sequence[Operand], known: set[Value], node: Node | None) -> None:
        for operand in operands:
            if not isinstance(operand, Constant) and operand not in known:
                self.fail(f"`{operand.name or 'a value'}` is used where it is not defined", node)

    def _leaf(self, node: Node) -> None:
        if node.regions:
            self.fail("only control flow nodes have regions", node)
        inferred = self.infer(node)
        if inferred is None:
            self.fail("the op is not in the table", node)
            return
        for index, (output, spec) in enumerate(zip(node.outputs, inferred, strict=True)):
            raises = spec == ANY and output.spec != ANY
            known = self.infer(_of_specs(node)) if raises else inferred
            self._covers(output.spec, (known or inferred)[index], node)

    def _covers(self, wide: Spec, narrow: Spec, node: Node) -> None:
        if not is_unset(narrow) and not covers(wide, narrow):
            self.fail(f"the spec {wide} does not cover {narrow}", node)

    def _control(self, node: Node) -> None:
        for region in node.regions:
            self.block(region)
        match node.op:
            case "while_loop":
                self._while(WhileLoop(node))
            case "for_loop":
                self._for(ForLoop(node))
            case _:
                self._branches(node)

    def _branches(self, node: Node) -> None:
        """``cond``, ``try_`` and ``with_``: each region is given the captures, and puts out the outputs."""
        given = len(node.inputs) - (0 if node.op == "try_" else 1)
        for index, region in enumerate(node.regions):
            own = 1 if node.op == "with_" or (node.op == "try_" and index > 0) else 0
            self._counts(len(region.inputs), own + given, "inputs of a region", node)
            self._counts(len(region.outputs), len(node.outputs), "outputs of a region", node)
            for output, inner in zip(node.outputs, region.outputs, strict=True):
                self._covers(output.spec, inner.spec, node)

    def _while(self, loop: WhileLoop) -> None:
        node = loop.node
        for region in node.regions:
            self._counts(len(region.inputs), len(node.inputs), "inputs of a region", node)
        self._counts(len(loop.test.outputs), 1, "outputs of the test", node)
        self._carried(node, loop.body, loop.carried, 0, loop.breaks)

    def _for(self, loop: ForLoop) -> None:
        node = loop.node
        given = len(node.inputs) - iterated(loop.over) + elements(loop.over)
        self._counts(len(loop.body.inputs), given, "inputs of the body", node)
        self._carried(node, loop.body, loop.carried, elements(loop.over), loop.breaks)

    def _carried(self, node: Node, body: Block, initial: Sequence[Operand], first: int, breaks: bool) -> None:
        self._counts(len(body.outputs), len(node.outputs), "outputs of the body", node)
        inner = body.inputs[first : first + len(initial)]
        for value, start, end in zip(inner, initial, body.outputs[breaks:], strict=True):
            self._covers(value.spec, start.spec, node)
            self._covers(value.spec, end.spec, node)
        for output, end in zip(node.outputs, body.outputs, strict=True):
            self._covers(output.spec, end.spec, node)

    def _counts(self, found: int, expected: int, what: str, node: Node) -> None:
        if found != expected:
            self.fail(f"{what}: {found} instead of {expected}", node)


def _of_specs(node: Node) -> Node:
    """A node that is given values in place of constants: of ``1 / 0`` nothing is known, it is a ``float`` all the same."""
    inputs = tuple(Value(one.spec) if isinstance(one, Constant) else one for one in node.inputs)
    return replace(node, inputs=inputs)
