"""Live values and nodes of a block: marked backwards from its outputs and effects.

The mark phase of mark and sweep, over a block with all its regions at once, so that it takes time
proportional to the block's size however deeply loops nest.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, Protocol

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.control import AnyLoop, carried_places, loop_of
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
    | {"check_bound", "check_unchanged"}
)
"""Ops that are there to raise."""


class Effects(Protocol):
    """What has an effect in a block, and how its nodes of control flow are laid out."""

    @property
    def closed(self) -> bool:
        """True if regions use nothing but their own inputs; else they see the values around them."""
        ...

    def acting(self, block: Block, needed: Container[Node]) -> Iterator[Node]:
        """Yield the nodes of a block itself that stay, whatever is used; those known to be needed are left out."""
        ...

    def loop(self, node: Node) -> AnyLoop | None:
        """Return the view of a loop; ``None`` for any other node."""
        ...


class RecordedEffects:
    """The effects of blocks as they are recorded, where nodes write and raise.

    Args:
        keep_errors: a node that may raise has an effect; else only one that is there to raise has.
    """

    closed = True

    def __init__(self, keep_errors: bool = True) -> None:
        self._keep_errors = keep_errors
        self._known: dict[Node, bool] = {}

    def loop(self, node: Node) -> AnyLoop | None:
        """Return the view of a loop; ``None`` for any other node."""
        return loop_of(node)

    def acting(self, block: Block, needed: Container[Node]) -> Iterator[Node]:
        """Yield the nodes of a block itself that stay: of those that only raise where shapes do not fit, one each."""
        fitting: dict[Value, set[frozenset[Value]]] = {}
        for node in block.nodes:
            arrays = broadcast_together(node)
            if node not in needed:
                fits = arrays and _fit(arrays, fitting) and needs_shapes_to_fit(node)
                yield from () if fits or not self._has_effect(node) else (node,)
            for one in arrays if len(arrays) > 1 else ():
                fitting.setdefault(one, set()).add(arrays)

    def _has_effect(self, node: Node) -> bool:
        if node not in self._known:
            self._known[node] = self._judge(node)
        return self._known[node]

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


def _fit(arrays: frozenset[Value], fitting: Mapping[Value, set[frozenset[Value]]]) -> bool:
    """Return whether arrays were broadcast together before; ``fitting`` are the sets that were, by each array in them."""
    with_one = min((fitting.get(one, set()) for one in arrays), key=len, default=set[frozenset[Value]]())
    return arrays in with_one or any(arrays <= known for known in with_one)


class Liveness:
    """The needed values and nodes of a block.

    A node is needed if one of its outputs is, or if it has an effect.  A value is live if a needed node uses
    it; of a control flow node's outputs and carried values each is judged for itself.

    Args:
        block: the outermost block; its outputs are live.
        effects: tells what has an effect.
    """

    def __init__(self, block: Block, effects: Effects) -> None:
        self.effects = effects
        self._live: set[Value] = set()
        self._needed: set[Node] = set()
        self._makers: dict[Value, Node | Callable[[], None]] = {}
        self._waiting: list[Value] = []
        self._define(block)
        self._use(block.outputs)
        self._follow()  # most nodes are needed for what they give, so that their effects need not be judged
        self._start(block)
        self._follow()

    def _follow(self) -> None:
        """Mark what live values are made of."""
        while self._waiting:
            maker = self._makers.get(self._waiting.pop())
            if isinstance(maker, Node):
                self._need(maker)
            elif maker is not None:
                maker()

    def __contains__(self, one: Value | Node) -> bool:
        return one in self._live or one in self._needed

    # -- the edges: what a live value makes live --------------------------------------------------------

    def _define(self, block: Block) -> None:
        for node in block.nodes:
            if not node.regions:
                self._makers.update(dict.fromkeys(node.outputs, node))
                continue
            loop = self.effects.loop(node)
            for index, output in enumerate(node.outputs):
                self._makers[output] = partial(self._output, node, loop, index)
            self._define_regions(node, loop)

    def _define_regions(self, node: Node, loop: AnyLoop | None) -> None:
        for region in node.regions:
            self._define(region)
        for _, inner, outer in region_inputs(node) if self.effects.closed else ():
            for value, operand in zip(inner, outer, strict=True):
                self._makers[value] = partial(self._use, (operand,))
        if loop is not None:
            for index, places in enumerate(carried_places(loop)):
                for value in places:
                    self._makers[value] = partial(self._carry, loop, index)

    def _output(self, node: Node, loop: AnyLoop | None, index: int) -> None:
        self._need(node)
        if loop is not None and index >= loop.breaks:
            self._carry(loop, index - loop.breaks)
        elif loop is None and node.op == "function":
            self._use(node.regions[0].outputs)
        elif loop is None:
            self._use([region.outputs[index] for region in node.regions])

    def _carry(self, loop: AnyLoop, index: int) -> None:
        """Make a carried value that is live in one place live in all: before the loop, in it and after it."""
        self._use(loop.carried[index : index + 1])
        self._use([loop.body.outputs[index + loop.breaks], loop.node.outputs[index + loop.breaks]])

    def _use(self, operands: Iterable[Operand]) -> None:
        for operand in operands:
            if isinstance(operand, Value) and operand not in self._live:
                self._live.add(operand)
                self._waiting.append(operand)

    # -- nodes --------------------------------------------------------------------------------------

    def _start(self, block: Block) -> None:
        """Begin with the effects of a block, besides its outputs."""
        for node in self.effects.acting(block, self._needed):
            self._need(node)

    def _need(self, node: Node) -> None:
        if node in self._needed:
            return
        self._needed.add(node)
        if not node.regions:
            self._use(node.inputs)
        elif (loop := self.effects.loop(node)) is not None:
            self._use(loop.iterated)
            self._use(loop.body.outputs[: loop.breaks])
            for test in node.regions[:-1]:
                self._use(test.outputs)
        elif node.op in ("cond", "with_"):
            self._use(node.inputs[:1])
        elif node.op not in ("try_", "function"):
            self._use(node.inputs)
        for region in node.regions:
            self._start(region)


def is_used_by(block: Block, value: Value, ops: Container[str]) -> bool:
    """Return whether all that uses a value is nodes of some ops: it does not come out, and no region is handed it.

    Args:
        block: that makes it.
        value: the value.
        ops: the ops.
    """
    return value not in block.outputs and all(node.op in ops for node in block.nodes if value in node.inputs)


def is_only_read(block: Block, array: Value) -> bool:
    """Return whether all that is done with an array is to take items at known places.

    Args:
        block: that makes it.
        array: the array.
    """
    users = [node for node in block.nodes if array in node.inputs]
    return array not in block.outputs and all(
        node.op == "unpack" or (node.op == "get_item" and isinstance(node.inputs[1], Constant))
        for node in users
    )
