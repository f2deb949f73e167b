"""An array that a turn of a loop puts in the place of the last turn's is written there, where that was to be thrown away.

``z = a * x[i] - b * z`` makes an array at each turn.  Where each element is computed from the same element of the last turn's array, and nothing
reads that one later, nobody can tell it from ``z[:] = a * x[i] - b * z``: the loop carries nothing then.  Where arrays of several turns are kept, as by
``s1, s2 = x[i] + c * s1 - s2, s1``, each element moves on by one array in front of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.builder import Builder
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import blocks, nodes
from astrace.passes.fusion.groups import EqualSizes
from astrace.passes.fusion.loop_front import is_counted
from astrace.passes.fusion.loop_memory import VIEWS
from astrace.passes.fusion.statements import Nest, place_of, runs_through, statement_of
from astrace.passes.lowering.memory import SharedMemory

FIRST: Final = 3
"""The place of the first value that a loop carries, among its inputs."""


def with_arrays_in_place(block: Block, memory: SharedMemory) -> Block:
    """Return a block whose loops carry fewer arrays.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory.
    """
    stays: dict[Value, Value] = {}
    found = _level(block, memory, stays)
    return _renamed(found, stays) if stays else block


def _level(block: Block, memory: SharedMemory, stays: dict[Value, Value]) -> Block:
    """A block or a region, inner loops first; which arrays are others is noted in ``stays``."""
    level: list[Node] = []
    for node in block.nodes:
        inside = (
            replace(node, regions=tuple(_level(one, memory, stays) for one in node.regions))
            if node.regions
            else node
        )
        level.append(_written_in_place(inside, block, memory, stays) if is_counted(inside) else inside)
    return Block(block.inputs, tuple(level), block.outputs)


def _renamed(block: Block, stays: dict[Value, Value]) -> Block:
    """The block with the arrays that stay in the places of those that turns made."""

    def step(node: Node, builder: Builder) -> None:
        if node.op == "allocate" and node.output in stays:
            return
        if node.op == "allocate" and node.output in kept:
            node = replace(node, attrs={**node.attrs, "comes_out": True})
        builder.keep(node)

    comes_out = {one.output for one in nodes(block) if one.op == "allocate" and one.attrs.get("comes_out")}
    kept = {there for made, there in stays.items() if made in comes_out}
    builder = Builder(block.inputs, step)
    builder.replace(list(stays), list(stays.values()))
    for node in block.nodes:
        step(node, builder)
    return Block(block.inputs, tuple(builder.nodes), builder.operands(block.outputs))


@dataclass(frozen=True, slots=True)
class _Carried:
    """An array that a loop carries.

    Args:
        last: the array that a turn is given.
        made: the one that it hands on.
        initial: the first one.
        output: the last one.
    """

    last: Value
    made: Operand
    initial: Operand
    output: Value


def _written_in_place(loop: Node, around: Block, memory: SharedMemory, stays: dict[Value, Value]) -> Node:
    """A loop without the arrays that it need not carry."""
    (body,) = loop.regions
    breaks = bool(loop.attrs["breaks"])
    parts = zip(
        body.inputs[1:], body.outputs[breaks:], loop.inputs[FIRST:], loop.outputs[breaks:], strict=True
    )
    carried = [_Carried(*each) for each in parts]
    dropped: set[int] = set()
    for first in carried:
        chain = _chain(first, carried)
        group = {one for each in chain for one in (each.last, each.initial, each.output)}
        turn = _Replacement(body, [each.last for each in chain], first.made)
        if (
            memory.members(first.last) == {first.made, *group}
            and turn.is_in_place()
            and all(_is_given_up(loop, around, each.initial) for each in chain)
            and all(_same_sizes(loop, around, first.made, each.initial) for each in chain)
        ):
            for each in chain:
                assert isinstance(each.initial, Value)
                stays.update(dict.fromkeys((each.last, each.output), each.initial))
                dropped.add(carried.index(each))
            assert isinstance(first.made, Value) and isinstance(first.initial, Value)
            stays[first.made] = first.initial
            body = turn.moved_on()
    if not dropped:
        return loop

    def left(items: Sequence[Operand], before: int) -> Iterator[Operand]:
        yield from (one for place, one in enumerate(items) if place - before not in dropped)

    region = Block(
        tuple(one for one in left(body.inputs, 1) if isinstance(one, Value)),
        body.nodes,
        tuple(left(body.outputs, breaks)),
    )
    outputs = tuple(one for one in left(loop.outputs, breaks) if isinstance(one, Value))
    return replace(loop, inputs=tuple(left(loop.inputs, FIRST)), outputs=outputs, regions=(region,))


def _chain(first: _Carried, carried: Sequence[_Carried]) -> list[_Carried]:
    """Return an array that a loop carries, the one that takes its last turn's array, and so on."""
    found = [first]
    while True:
        after = [one for one in carried if one.made is found[-1].last and one not in found]
        if len(after) != 1:
            return found
        found += after


def _same_sizes(loop: Node, around: Block, made: Operand, initial: Operand) -> bool:
    """Return whether the array of a turn is as large as the first one: the program is given up where it is not."""
    (body,) = loop.regions
    given = dict(zip(body.inputs[1:], loop.inputs[FIRST:], strict=True))
    ends = zip(body.inputs[1:], body.outputs[bool(loop.attrs["breaks"]) :], strict=True)
    unchanged = {inner: given[inner] for inner, end in ends if end is inner}
    equal = EqualSizes()
    for level in (around.nodes, body.nodes):
        makers = {output: node for node in level for output in node.outputs}
        for node in level:
            test = (
                makers.get(node.inputs[0])
                if node.op == "deopt" and isinstance(node.inputs[0], Value)
                else None
            )
            if test is not None and test.op == "ne":
                equal.note(test)
    sizes = [
        node.inputs
        for node in (*body.nodes, *around.nodes)
        if node.op == "allocate" and node.output in (made, initial)
    ]
    own, first = (
        [unchanged.get(one, one) if isinstance(one, Value) else one for one in each] for each in sizes
    )
    return equal.are_equal(own, first) or equal.are_equal(first, own)


def _is_given_up(loop: Node, around: Block, initial: Operand) -> bool:
    """Return whether an array is made in front of a loop, for the loop alone."""
    made = [node for node in around.nodes if node.op == "allocate" and node.output is initial]
    if not made or initial in around.outputs:
        return False
    place = around.nodes.index(made[0])
    behind = False
    for node in around.nodes[place + 1 :]:
        is_used = initial in node.inputs or any(
            initial in one.inputs for region in node.regions for one in nodes(region)
        )
        is_it = node.outputs == loop.outputs and node.op == loop.op and node.inputs == loop.inputs
        if is_it:
            behind = True
            if node.inputs.count(initial) != 1 or any(_uses(region, initial) for region in node.regions):
                return False
        elif is_used and (behind or node.op in VIEWS):
            return False
    return behind


def _uses(block: Block, array: Operand) -> bool:
    return any(array in node.inputs for node in nodes(block)) or any(
        array in one.outputs for one in blocks(block)
    )


class _Replacement:
    """What a turn of a loop does with arrays, and with the one that it puts in the place of the first.

    Args:
        body: of the loop.
        lasts: the arrays that the turn is given, each of which takes the place of the next one.
        made: the one that it hands on.
    """

    def __init__(self, body: Block, lasts: Sequence[Value], made: Operand) -> None:
        self._body = body
        self._lasts = lasts
        self._made = made

    def is_in_place(self) -> bool:
        """Return whether the array may be written in the place of the last turn's."""
        handed_on = Counter(one for inner in blocks(self._body) for one in inner.outputs)
        return (
            any(node.op == "allocate" and node.output is self._made for node in self._body.nodes)
            and handed_on[self._made] == 1
            and all(handed_on[one] == 1 for one in self._lasts[:-1])
            and handed_on[self._lasts[-1]] == 0
            and self._is_read_before()
        )

    def moved_on(self) -> Block:
        """Return the body with elements that move on to the next array, in front of where the new ones are stored."""
        return self._moved(self._body) if len(self._lasts) > 1 else self._body

    def _moved(self, block: Block) -> Block:
        found: list[Node] = []
        for node in block.nodes:
            if node.op == "store" and node.inputs[0] is self._made:
                found += self._moves(node.inputs[2:])
            regions = tuple(map(self._moved, node.regions))
            found.append(replace(node, regions=regions) if regions else node)
        return replace(block, nodes=tuple(found))

    def _moves(self, places: Sequence[Operand]) -> Iterator[Node]:
        for one, other in reversed(list(pairwise(self._lasts))):
            assert isinstance(one.spec, ArraySpec)
            element = Value(GenericSpec(one.spec.dtype))
            yield Node("load", (one, *places), (element,))
            yield Node("store", (other, element, *places), ())

    def _is_read_before(self) -> bool:
        """Return whether the statement that writes the array is the last one that reads the old ones, element by element."""
        level = self._body.nodes
        users = [
            place for place, node in enumerate(level) if _touches(node, self._made) and node.op != "allocate"
        ]
        readers = [
            place for place, node in enumerate(level) if any(_touches(node, one) for one in self._lasts)
        ]
        if not users or any(_is_viewed(level[place], one) for place in readers for one in self._lasts):
            return False
        writer = users[0]
        if max(readers, default=-1) > writer:
            return False
        nest = statement_of(level[writer], {})
        return isinstance(nest, Nest) and self._is_element_by_element(nest)

    def _is_element_by_element(self, nest: Nest) -> bool:
        """Return whether a nest stores an element of the new array behind all that it reads of that element of the old one, and no other."""
        depth = {index: number for number, index in enumerate(nest.indices)}
        computed = {output for node in nest.body for output in node.outputs}
        stored = None
        for node in nest.body:
            if node.op == "store" and node.inputs[0] is self._made:
                if stored is not None:
                    return False
                stored = place_of(node.inputs[2:], depth, computed)
                if not runs_through(stored, len(nest.sizes)):
                    return False
            elif (node.op == "load" and node.inputs[0] is self._made) or (
                node.op == "load" and node.inputs[0] in self._lasts and stored is not None
            ):
                return False
        places = [one.place for one in nest.accesses if one.base in self._lasts]
        writes = any(one.writes for one in nest.accesses if one.base in self._lasts)
        return stored is not None and not writes and all(place == stored for place in places)


def _touches(node: Node, array: Operand) -> bool:
    return array in node.inputs or any(_uses(region, array) for region in node.regions)


def _is_viewed(node: Node, array: Operand) -> bool:
    inner = [node, *(one for region in node.regions for one in nodes(region))]
    return any(one.op in VIEWS and array in one.inputs for one in inner)
