"""Live values and nodes of a block: marked backwards from its outputs and effects.

The mark phase of mark and sweep, over a block with all its regions at once, so that it takes time
proportional to the block's size however deeply loops nest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value, region_inputs
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.iteration import iterated
from astrace.ops import OPS
from astrace.ops.effects import (
    broadcast_together,
    is_ordered,
    itself_may_raise,
    may_raise,
    needs_shapes_to_fit,
    written,
)

RAISING: Final = frozenset(
    {"raise_", "reraise", "check_defined", "check_next", "check_iterator", "check_step", "check_still"}
    | {"check_unchanged"}
)
"""Ops that are there to raise."""


class Liveness:
    """The needed values and nodes of a block.

    A node is needed if one of its outputs is, or if it has an effect.  A value is live if a needed node uses
    it; of a control flow node's outputs and carried values each is judged for itself.

    Args:
        block: the outermost block; its outputs are live.
        keep_errors: a node that may raise has an effect; else only one that is there to raise has.
    """

    def __init__(self, block: Block, keep_errors: bool = True) -> None:
        self._keep_errors = keep_errors
        self._live: set[Value] = set()
        self._needed: set[Node] = set()
        self._effects: dict[Node, bool] = {}
        self._makers: dict[Value, Callable[[], None]] = {}
        self._waiting: list[Value] = []
        self._define(block)
        self._use(block.outputs)
        self._start(block)
        while self._waiting:
            maker = self._makers.get(self._waiting.pop())
            if maker is not None:
                maker()

    def __contains__(self, one: Value | Node) -> bool:
        return one in self._live or one in self._needed

    # -- the edges: what a live value makes live --------------------------------------------------------

    def _define(self, block: Block) -> None:
        for node in block.nodes:
            for index, output in enumerate(node.outputs):
                self._makers[output] = partial(self._output, node, index)
            if node.regions:
                self._define_regions(node)

    def _define_regions(self, node: Node) -> None:
        for region, inner, outer in region_inputs(node):
            self._define(region)
            for value, operand in zip(inner, outer, strict=True):
                self._makers[value] = partial(self._use, (operand,))
        if node.op in ("while_loop", "for_loop"):
            for index, places in enumerate(carried_places(node)):
                for value in places:
                    self._makers[value] = partial(self._carry, node, index)

    def _output(self, node: Node, index: int) -> None:
        self._need(node)
        match node.op:
            case "while_loop" | "for_loop":
                breaks = bool(node.attrs["breaks"])
                if index >= breaks:
                    self._carry(node, index - breaks)
            case "function":
                self._use(node.regions[0].outputs)
            case _:
                self._use([region.outputs[index] for region in node.regions])

    def _carry(self, node: Node, index: int) -> None:
        """Make a carried value that is live in one place live in all: before the loop, in it and after it."""
        loop = WhileLoop(node) if node.op == "while_loop" else ForLoop(node)
        self._use(
            [loop.carried[index], loop.body.outputs[index + loop.breaks], node.outputs[index + loop.breaks]]
        )

    def _use(self, operands: Iterable[Operand]) -> None:
        for operand in operands:
            if isinstance(operand, Value) and operand not in self._live:
                self._live.add(operand)
                self._waiting.append(operand)

    # -- nodes --------------------------------------------------------------------------------------

    def _start(self, block: Block) -> None:
        """Begin with the effects of a block, besides its outputs."""
        fitting: list[frozenset[Value]] = []
        for node in block.nodes:
            arrays = broadcast_together(node)
            fits = bool(arrays) and any(arrays <= known for known in fitting)
            if not (fits and needs_shapes_to_fit(node)) and self._has_effect(node):
                self._need(node)
            fitting += [arrays] if len(arrays) > 1 else []

    def _need(self, node: Node) -> None:
        if node in self._needed:
            return
        self._needed.add(node)
        match node.op:
            case "while_loop":
                self._use(node.regions[0].outputs)
                self._use(node.regions[1].outputs[: node.attrs["breaks"]])
            case "for_loop":
                self._use(node.inputs[: iterated(node.attrs["over"])])
                self._use(node.regions[0].outputs[: node.attrs["breaks"]])
            case "cond" | "with_":
                self._use(node.inputs[:1])
            case "try_" | "function":
                pass
            case _:
                self._use(node.inputs)
        for region in node.regions:
            self._start(region)

    def _has_effect(self, node: Node) -> bool:
        if node not in self._effects:
            self._effects[node] = self._judge(node)
        return self._effects[node]

    def _judge(self, node: Node) -> bool:
        if not node.regions:
            if OPS[node.op].droppable:
                return False
            raises = may_raise(node) and (self._keep_errors or node.op in RAISING)
            return is_ordered(node) or bool(written(node)) or raises
        if node.op == "function":
            return False
        if node.op in ("while_loop", "try_", "with_"):
            return True  # a loop may not end; a manager is entered and left
        inside = any(self._has_effect(inner) for region in node.regions for inner in region.nodes)
        return inside or (self._keep_errors and itself_may_raise(node))


def carried_places(node: Node) -> Iterator[list[Value]]:
    """Yield for each value that a loop carries the inputs of its regions that hold it."""
    loop = WhileLoop(node) if node.op == "while_loop" else ForLoop(node)
    for index in range(loop.count):
        yield [
            region.inputs[len(region.inputs) - len(loop.captures) - loop.count + index]
            for region in node.regions
        ]
