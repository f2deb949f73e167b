"""Statements of a group that take turns on tiles: some rows of their arrays, which stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.passes.fusion.statements import COUNTING, Nest, Statement, UfuncCall
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.forms import BOOL, INT

TILE: Final = 512
"""The number of elements of a tile, if its rows are no longer; 4 KiB of floats."""
ZERO: Final = Constant(0)
ONE: Final = Constant(1)


@dataclass(slots=True)
class Numbers:
    """Nodes on sizes, as they are written."""

    nodes: list[Node] = field(default_factory=list[Node])

    def add(self, op: str, *inputs: Operand, dtype: np.dtype[np.generic] = INT, name: str = "") -> Value:
        """Write a node that makes a number."""
        output = Value(GenericSpec(dtype), name)
        self.nodes.append(Node(op, inputs, (output,)))
        return output

    def smaller(self, one: Operand, other: Operand, name: str = "") -> Operand:
        """Write the smaller one of two numbers."""
        return self._chosen(one, other, one, other, name)

    def larger(self, one: Operand, other: Operand, name: str = "") -> Operand:
        """Write the larger one of two numbers."""
        return self._chosen(one, other, other, one, name)

    def _chosen(self, one: Operand, other: Operand, smaller: Operand, larger: Operand, name: str) -> Operand:
        if same_operand(one, other):
            return one
        if isinstance(one, Constant) and isinstance(other, Constant):
            return smaller if one.value < other.value else larger
        return self.add("select", self.add("lt", one, other, dtype=BOOL), smaller, larger, name=name)

    def plus(self, one: Operand, other: Operand) -> Operand:
        """Write the sum of two numbers."""
        if isinstance(one, Constant) and isinstance(other, Constant):
            return Constant(one.value + other.value)
        if same_operand(one, ZERO):
            return other
        return one if same_operand(other, ZERO) else self.add("add", one, other)

    def minus(self, one: Operand, other: Operand) -> Operand:
        """Write the difference of two numbers."""
        if same_operand(one, other):
            return ZERO
        if isinstance(one, Constant) and isinstance(other, Constant):
            return Constant(one.value - other.value)
        return one if same_operand(other, ZERO) else self.add("sub", one, other)

    def rows(self, elements: int, inner: Sequence[Operand]) -> Operand:
        """Write the number of rows that have some elements: at least one row, and less than a row above the elements.

        Args:
            elements: their number.
            inner: the sizes of the other axes.
        """
        if not inner:
            return Constant(elements)
        row = self.larger(reduce(lambda so_far, size: self.add("mul", so_far, size), inner), ONE)
        return self.add("extent", ZERO, Constant(elements), row, name="rows")


@dataclass(frozen=True, slots=True)
class Tile:
    """The rows that statements take in one turn.

    Args:
        start: the first one.
        size: their number.
        stop: the one behind the last.
        parts: the arrays that are as small as a tile, by those in whose place they are.
    """

    start: Operand
    size: Operand
    stop: Operand
    parts: Mapping[Value, Value]


@dataclass(frozen=True, slots=True)
class MadeTiles:
    """What loops over tiles are told by: a program may have loops like them, which compute with their numbers.

    Args:
        starts: the numbers of the loops.
        parts: the arrays as small as a tile, which each tile fills before it reads them.
    """

    starts: set[Value] = field(default_factory=set[Value])
    parts: set[Value] = field(default_factory=set[Value])

    def note(self, made: Sequence[Node]) -> None:
        """Note a loop, and what stands in front of it.

        Args:
            made: as `tiled` gives them.
        """
        *front, loop = made
        self.starts.add(loop.regions[0].inputs[0])
        self.parts.update(node.output for node in front if node.op == "allocate")


def tiled(
    statements: Sequence[Statement], allocated: Mapping[Value, Node], temporaries: Sequence[Value]
) -> list[Node]:
    """Return the nodes of statements that take turns on tiles.

    Args:
        statements: of a group; they have the same sizes.
        allocated: the nodes that make the temporaries.
        temporaries: the arrays that nothing outside of the group uses.
    """
    sizes = statements[0].sizes
    numbers = Numbers()
    rows = numbers.rows(TILE, sizes[1:])
    most = numbers.smaller(rows, sizes[0]) if temporaries else None
    parts = {one: Value(one.spec, one.name) for one in temporaries}
    for one, part in parts.items():
        assert most is not None
        maker = allocated[one]
        numbers.nodes.append(replace(maker, inputs=(most, *maker.inputs[1:]), outputs=(part,)))
    start, inner = Value(GenericSpec(INT), "start"), Numbers()
    size = inner.smaller(rows, inner.add("sub", sizes[0], start), "size")
    tile = Tile(start, size, inner.add("add", start, size, name="stop"), parts)
    for statement in statements:
        inner.nodes += [_in_tile(statement, tile)] if isinstance(statement, Nest) else called(statement, tile)
    region = Block((start,), tuple(inner.nodes))
    attrs = {"over": COUNTING, "breaks": False}
    location = next((one.node.location for one in statements), None)
    return [*numbers.nodes, Node("for_loop", (ZERO, sizes[0], rows), (), attrs, (region,), location)]


def _in_tile(nest: Nest, tile: Tile) -> Node:
    """Return a nest over the rows of a tile: in arrays as small as that they are counted from its start."""
    (region,) = nest.node.regions
    row = nest.indices[0]
    place = Value(GenericSpec(INT), "place")
    nodes = tuple(_placed(node, row, place, tile.parts) for node in region.nodes)
    if nodes != region.nodes:
        nodes = (Node("sub", (row, tile.start), (place,)), *nodes)
    return replace(nest.node, inputs=(tile.start, tile.stop, ONE), regions=(Block(region.inputs, nodes),))


def _placed(node: Node, row: Value, place: Value, parts: Mapping[Value, Value]) -> Node:
    """Return a node that reads and writes the arrays of tiles, in the place of others."""
    if node.regions:
        regions = tuple(
            Block(region.inputs, tuple(_placed(one, row, place, parts) for one in region.nodes))
            for region in node.regions
        )
        same = all(one.nodes == other.nodes for one, other in zip(regions, node.regions, strict=True))
        return node if same else replace(node, regions=regions)
    base = node.inputs[0] if node.inputs else None
    if node.op not in ("load", "store") or not isinstance(base, Value) or base not in parts:
        return node
    kept = 2 if node.op == "store" else 1
    indices = (place if one is row else one for one in node.inputs[kept:])
    return replace(node, inputs=(parts[base], *node.inputs[1:kept], *indices))


def called(call: UfuncCall, tile: Tile) -> list[Node]:
    """Return a call of NumPy's loop on a tile.

    Args:
        call: the call on whole arrays.
        tile: the rows.
    """
    found: list[Node] = []
    given: list[Operand] = []
    for one in call.node.inputs:
        assert isinstance(one, Value)
        if one in call.singles:
            given.append(one)
            continue
        spec = one.spec
        assert isinstance(spec, ArraySpec)
        start = ZERO if one in tile.parts else tile.start
        places: list[Operand] = [start, tile.size, ONE]
        for size in call.sizes[1:]:
            places += [ZERO, size, ONE]
        part = Value(ArraySpec((None,) * len(spec.shape), spec.dtype), "part")
        base = tile.parts.get(one, one)
        axes = {"axes": ":" * len(spec.shape)}
        found.append(Node("slice_of", (base, *places), (part,), axes, location=call.node.location))
        given.append(part)
    return [*found, replace(call.node, inputs=tuple(given))]
