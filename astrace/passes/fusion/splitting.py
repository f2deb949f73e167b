"""Loops over numbers that call NumPy's loop for one element at a time: each such call becomes one for a tile of iterations.

A call for one number takes ten times as long as for one of many.  What leads to the operand of the call is computed for the iterations
of a tile first; then the call is made; then the loop runs as it did, with an element of the tile in the place of the call.
What leads to the operand must not depend on earlier iterations, nor on what the loop writes; it is computed twice, and gives the
program up where the loop would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import blocks, nodes
from astrace.passes.fusion.statements import COUNTING, is_of_numbers
from astrace.passes.fusion.tiles import ONE, ZERO, Numbers
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.forms import INT
from astrace.passes.lowering.memory import SharedMemory

TILE: Final = 128
"""The iterations of a tile: more than a call needs, and few enough that memory for them is at hand."""
LONGEST: Final = 60
"""The number of nodes that are computed twice at most: a call for one number takes as long."""


def split(block: Block, memory: SharedMemory, own: AbstractSet[Value]) -> Block:
    """Return a block whose loops call NumPy's loops for tiles, where they called them for numbers.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory.
        own: the arrays that the program makes.
    """
    splitting = _Splitting(memory, own)
    found = splitting.block(block, 0)
    made = tuple(maker for makers in splitting.pool.values() for maker in makers)
    return replace(found, nodes=(*made, *found.nodes)) if made else block


@dataclass(frozen=True, slots=True)
class TileCall:
    """A call for one number that becomes one for a tile.

    Args:
        node: the call.
        before: the nodes of the iteration that lead to its operands, in order, with the tests that give the program up.
        tiles: the arrays for its operands; its results take the place of the first.
    """

    node: Node
    before: tuple[Node, ...]
    tiles: tuple[Value, ...]


@dataclass(slots=True)
class _Splitting:
    """The pass on one block.

    Args:
        memory: as for `split`.
        own: the same.
        pool: the nodes that make tiles, by dtype; loops that are not inside each other share them.
    """

    memory: SharedMemory
    own: AbstractSet[Value]
    pool: dict[np.dtype[np.generic], list[Node]] = field(
        default_factory=dict[np.dtype[np.generic], list[Node]]
    )

    def block(self, block: Block, taken: int) -> Block:
        """Return a block or a region with its loops split.

        Args:
            block: any.
            taken: the number of tiles that loops around it have.
        """
        return replace(block, nodes=tuple(one for node in block.nodes for one in self._node(node, taken)))

    def _node(self, node: Node, taken: int) -> Iterator[Node]:
        if not node.regions:
            yield node
            return
        calls = self._calls(node, taken) if is_counted(node) else []
        taken += sum(len(call.tiles) for call in calls)
        inner = replace(node, regions=tuple(self.block(region, taken) for region in node.regions))
        yield _split_loop(inner, calls) if calls else inner

    def _calls(self, loop: Node, taken: int) -> list[TileCall]:
        """Return the calls in a loop that become calls for tiles: the first ones, each of which may follow from those before."""
        (region,) = loop.regions
        written = _written(region)
        found: list[TileCall] = []
        for place, node in enumerate(region.nodes):
            if node.op != "call_ufunc":
                continue
            before = self._leading_to(node, region.nodes[:place], region.inputs[1:], written)
            if before is None:
                break
            tiles = tuple(self._tile(one, taken + number) for number, one in enumerate(node.inputs))
            if not tiles or tiles[0].spec != ArraySpec((None,), _dtype(node.output)):
                break
            taken += len(tiles)
            found.append(TileCall(node, before, tiles))
        return found

    def _leading_to(
        self, call: Node, before: Sequence[Node], carried: Sequence[Value], written: AbstractSet[Value]
    ) -> tuple[Node, ...] | None:
        """Return the nodes that the operands of a call need; ``None`` where these need what the loop carries or writes."""
        needed = {one for one in call.inputs if isinstance(one, Value)}
        found: list[Node] = []
        for node in reversed(before):
            if node.op != "deopt" and needed.isdisjoint(node.outputs):
                continue
            if not self._is_the_same_before(node, written):
                return None
            needed.update(one for one in node.inputs if isinstance(one, Value))
            found.append(node)
        if not needed.isdisjoint(carried) or len(found) > LONGEST:
            return None
        return tuple(reversed(found))

    def _is_the_same_before(self, node: Node, written: AbstractSet[Value]) -> bool:
        """Return whether a node gives the same if it runs before the loop has written anything."""
        if node.regions:
            return False
        if node.op != "load":
            return node.op == "dim" or is_of_numbers(node)
        base = node.inputs[0]
        assert isinstance(base, Value)
        return all(
            not self.memory.may_share(base, one) and (base in self.own or one in self.own) for one in written
        )

    def _tile(self, operand: Operand, number: int) -> Value:
        """Return a tile for the values of an operand."""
        dtype = _dtype(operand)
        made = self.pool.setdefault(dtype, [])
        while len(made) <= number:
            tile = Value(ArraySpec((None,), dtype), "tile")
            made.append(Node("allocate", (Constant(TILE),), (tile,), {"dtype": dtype}))
        return made[number].output


def is_counted(node: Node) -> bool:
    """Return whether a node is a loop over integers one after the other, which runs to its end.

    Args:
        node: any.
    """
    if node.op != "for_loop" or node.attrs["over"] != COUNTING or node.attrs["breaks"]:
        return False
    return same_operand(node.inputs[2], ONE)


def _written(region: Block) -> frozenset[Value]:
    """Return the arrays that a region may write: all that are given to anything but a load."""
    return frozenset(
        one
        for node in nodes(region)
        if node.op not in ("load", "dim")
        for one in (*node.inputs, *node.outputs)
        if isinstance(one, Value) and isinstance(one.spec, ArraySpec)
    )


def _dtype(operand: Operand) -> np.dtype[np.generic]:
    """Return the dtype of a machine number; a literal is a float."""
    return operand.spec.dtype if isinstance(operand.spec, GenericSpec) else np.dtype(np.float64)


def _split_loop(loop: Node, calls: Sequence[TileCall]) -> Node:
    """Return a loop over tiles: for each, the operands of the calls, the calls, and the iterations."""
    (region,) = loop.regions
    start, stop, _, *initial = loop.inputs
    numbers, first = Numbers(), Value(GenericSpec(INT), "first")
    size = numbers.smaller(numbers.add("sub", stop, first), Constant(TILE), "size")
    end = numbers.add("add", first, size, name="end")
    for number, call in enumerate(calls):
        numbers.nodes.append(_operands(call, calls[:number], region.inputs[0], first, end))
        numbers.nodes += _for_tile(call, size)
    carried = tuple(Value(one.spec, one.name) for one in region.inputs[1:])
    outputs = tuple(Value(one.spec, one.name) for one in loop.outputs)
    place, placed = Value(GenericSpec(INT), "place"), {call.node: call for call in calls}
    body = [_element(placed[node], place) if node in placed else node for node in _left(region, calls)]
    body.insert(0, Node("sub", (region.inputs[0], first), (place,)))
    inner = replace(
        loop,
        inputs=(first, end, ONE, *carried),
        outputs=outputs,
        regions=(replace(region, nodes=tuple(body)),),
    )
    whole = Block((first, *carried), (*numbers.nodes, inner), outputs)
    return replace(loop, inputs=(start, stop, Constant(TILE), *initial), regions=(whole,))


def _left(region: Block, calls: Sequence[TileCall]) -> Sequence[Node]:
    """Return the nodes of an iteration without what has been computed for the tile, and is not needed again."""
    done = {node for call in calls for node in call.before}
    called = {call.node for call in calls}
    used: set[Operand] = set(region.outputs)
    found: list[Node] = []
    for node in reversed(region.nodes):
        if node in done and used.isdisjoint(node.outputs):
            continue
        found.append(node)
        for one in () if node in called else blocks(Block((), (node,), ())):
            used.update(one.outputs, *(inner.inputs for inner in one.nodes))
    return found[::-1]


def _operands(call: TileCall, earlier: Sequence[TileCall], index: Value, first: Value, end: Value) -> Node:
    """Return the loop that puts the operands of a call into its tiles."""
    own, place = Value(index.spec, index.name), Value(GenericSpec(INT), "place")
    names: dict[Operand, Operand] = {index: own}
    placed = {one.node: one for one in earlier}
    found = [Node("sub", (own, first), (place,))]
    before = (_element(placed[node], place) if node in placed else node for node in call.before)
    found += [_renamed(node, names) for node in before]
    for tile, operand in zip(call.tiles, call.node.inputs, strict=True):
        found.append(
            Node("store", (tile, names.get(operand, operand), place), (), location=call.node.location)
        )
    attrs = {"over": COUNTING, "breaks": False}
    return Node("for_loop", (first, end, ONE), (), attrs, (Block((own,), tuple(found)),), call.node.location)


def _renamed(node: Node, names: dict[Operand, Operand]) -> Node:
    """Return a node whose values have other names than those around; add these to ``names``."""
    inputs = tuple(names.get(one, one) for one in node.inputs)
    outputs = tuple(Value(one.spec, one.name) for one in node.outputs)
    names.update(zip(node.outputs, outputs, strict=True))
    return replace(node, inputs=inputs, outputs=outputs)


def _for_tile(call: TileCall, size: Operand) -> list[Node]:
    """Return the call for a tile, whose results take the place of its first operand."""
    found: list[Node] = []
    for tile in call.tiles:
        part = Value(tile.spec, "part")
        found.append(
            Node("slice_of", (tile, ZERO, size, ONE), (part,), {"axes": ":"}, location=call.node.location)
        )
    parts = [node.output for node in found]
    return [*found, Node("apply_ufunc", (parts[0], *parts), (), call.node.attrs, location=call.node.location)]


def _element(call: TileCall, place: Value) -> Node:
    """Return what reads the result of a call for an iteration."""
    return Node("load", (call.tiles[0], place), call.node.outputs, location=call.node.location)
