"""Memory that a loop asks for at each turn is asked for once, in front of it.

An array that each turn makes anew, and nothing needs after it, keeps its place.  Of one that a turn puts in the place of the last
turn's, there are two, which take turns; three where the one before the last is needed, too.  This is so for arrays whose sizes are the same at each turn; asking for memory takes as long as some tens of
operations on numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec
from astrace.ir.walk import blocks, nodes
from astrace.passes.fusion.groups import EqualSizes
from astrace.passes.fusion.loop_front import BOOL, INT, LoopFront, is_counted
from astrace.passes.lowering.arrays import MOST_ELEMENTS
from astrace.passes.lowering.memory import SharedMemory

FEW: Final = 2**16
"""An array of so many elements is made whether the loop runs or not, if its sizes are known."""
VIEWS: Final = frozenset({"slice_of", "transpose_of", "reshape_of"})


def with_memory_around_loops(block: Block, memory: SharedMemory) -> Block:
    """Return a block whose loops ask for less memory.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory; new ones are added.
    """
    return Block(block.inputs, tuple(_level(block.nodes, memory)), block.outputs)


def _level(level_nodes: Sequence[Node], memory: SharedMemory) -> Iterator[Node]:
    """Yield the nodes of a block or a region, inner loops first."""
    for node in level_nodes:
        if not node.regions:
            yield node
            continue
        regions = tuple(with_memory_around_loops(region, memory) for region in node.regions)
        inside = replace(node, regions=regions)
        yield from _around(inside, memory) if is_counted(inside) else [inside]


def _around(loop: Node, memory: SharedMemory) -> Iterator[Node]:
    """Yield what stands in front of a loop, and the loop."""
    (body,) = loop.regions
    front, equal = _Memory(loop), EqualSizes()
    makers = {output: node for node in body.nodes for output in node.outputs}
    for node in body.nodes:
        test = (
            makers.get(node.inputs[0]) if node.op == "deopt" and isinstance(node.inputs[0], Value) else None
        )
        if test is not None and test.op == "ne":
            equal.note(test)
        if node.op == "extent" and front.hoist(node):
            loop = _without(loop, node)
        if node.op != "allocate":
            continue
        sizes = front.sizes(node, equal)
        if sizes is None:
            continue
        if memory.members(node.output) == {node.output} and not node.attrs.get("comes_out"):
            loop = _without(loop, node)
            front.made.append(replace(node, inputs=sizes))
        elif earlier := _takes_the_place_of(loop, node.output, memory):
            loop = _in_turns(_without(loop, node), node, sizes, front, memory, earlier)
    yield from front.written()
    yield loop


class _Memory:
    """What asks for memory in front of a loop, and one test of all sizes.

    Each test that gives up releases the arrays that there are, which is as much to compile as they are many: there is one, before them.

    Args:
        loop: the loop.
    """

    def __init__(self, loop: Node) -> None:
        self.made: list[Node] = []
        self._loop = loop
        self._front = LoopFront(loop)
        self._tests: dict[Operand, None] = {}

    def written(self) -> list[Node]:
        """Return the nodes."""
        numbers = self._front.numbers
        if not self._tests:
            return [*numbers, *self.made]
        fails = self._front.any_of(self._tests)
        return [*numbers, Node("deopt", (fails,), (), location=self._loop.location), *self.made]

    def sizes(self, node: Node, equal: EqualSizes) -> tuple[Operand, ...] | None:
        """Return the sizes of an array in front of the loop, zero if it does not run; ``None`` where turns may differ.

        Args:
            node: asks for the array's memory.
            equal: the sizes that are known to be equal where it does.
        """
        found: list[Operand] = []
        for size in node.inputs:
            same = (
                self._front.before(one)
                for one in sorted(equal.members(size), key=lambda one: one is not size)
            )
            operand = next((one for one in same if one is not None), None)
            if operand is None:
                return None
            found.append(operand)
        known = [one.value for one in found if isinstance(one, Constant)]
        if len(known) == len(found) and math.prod(known) <= FEW:
            return tuple(found)
        runs = self._front.is_run()
        sizes = tuple(self._front.emit("select", (runs, one, Constant(0)), INT) for one in found)
        self._check(sizes)
        return sizes

    def hoist(self, node: Node) -> bool:
        """Move a division of sizes that is the same at each turn in front of the loop; return whether it is one.

        Args:
            node: the division; it takes as long as tens of other operations.
        """
        return self._front.hoist(node)

    def _check(self, sizes: Sequence[Operand]) -> None:
        """Give up where NumPy raises, or there is no memory for so many elements, as where an array is made at a turn."""
        emit = self._front.emit
        total = sizes[0]
        for place, size in enumerate(sizes):
            self._tests[emit("outside", (size, Constant(MOST_ELEMENTS + 1)), BOOL)] = None
            if place:
                fits = emit("product_fits", (total, size), BOOL)
                self._tests[emit("not_", (fits,), BOOL)] = None
                total = emit("mul", (total, size), INT)
        if len(sizes) > 1:
            self._tests[emit("gt", (total, Constant(MOST_ELEMENTS)), BOOL)] = None


def _without(loop: Node, node: Node) -> Node:
    """A loop without a node of its body."""
    (body,) = loop.regions
    left = tuple(one for one in body.nodes if one is not node)
    return replace(loop, regions=(Block(body.inputs, left, body.outputs),))


# -- arrays that turns hand on ---------------------------------------------------------------------------


def _takes_the_place_of(loop: Node, array: Value, memory: SharedMemory) -> int:
    """Return how many arrays of earlier turns there still are, if one takes the place of the last turn's, and so on; 0 if anything else has one of them.

    Args:
        loop: the loop.
        array: is made at each turn.
        memory: which arrays may share memory.
    """
    (body,) = loop.regions
    carried = dict(zip(body.outputs[bool(loop.attrs["breaks"]) :], body.inputs[1:], strict=True))
    handed_on = Counter(one for inner in blocks(body) for one in inner.outputs)
    kept = [array]
    while kept[-1] in carried and handed_on[kept[-1]] == 1 and carried[kept[-1]] not in kept:
        kept.append(carried[kept[-1]])
    if len(kept) == 1 or handed_on[kept[-1]]:
        return 0
    inside = {*body.inputs, *(value for node in nodes(body) for value in node.outputs)}
    inside.update(value for inner in blocks(body) for value in inner.inputs)
    views = _views(body, set(kept))
    return len(kept) - 1 if memory.members(array) & inside == {*kept} and views.isdisjoint(handed_on) else 0


def _views(body: Block, arrays: set[Value]) -> set[Operand]:
    """The views of arrays that a block makes."""
    found: set[Operand] = set()
    for node in nodes(body):
        if node.op in VIEWS and (node.inputs[0] in arrays or node.inputs[0] in found):
            found.update(node.outputs)
    return found


def _in_turns(
    loop: Node, node: Node, sizes: tuple[Operand, ...], front: _Memory, memory: SharedMemory, earlier: int
) -> Node:
    """A loop with an array for the turn, and one for each of the last turns whose arrays there still are.

    Args:
        loop: the loop, without the node.
        node: has asked for memory at each turn.
        sizes: of the array, in front of the loop.
        front: what stands there.
        memory: which arrays may share memory.
        earlier: the number of the last turns.
    """
    (body,) = loop.regions
    array = node.output
    initial, others = [_like(array) for _ in range(earlier + 1)], [_like(array) for _ in range(earlier)]
    outputs = [_like(array) for _ in initial]
    memory.join([array, *others, *initial, *outputs])
    front.made += [replace(node, inputs=sizes, outputs=(one,)) for one in initial]
    region = Block((*body.inputs, array, *others), body.nodes, (*body.outputs, *others, array))
    return replace(
        loop, inputs=(*loop.inputs, *initial), outputs=(*loop.outputs, *outputs), regions=(region,)
    )


def _like(array: Value) -> Value:
    assert isinstance(array.spec, ArraySpec)
    return Value(array.spec, array.name)
