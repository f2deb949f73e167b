"""Statements that go through the rows of arrays: loops that touch, of what they share with others, one row at each turn.

A *row* is what an array has at one index of its first axis.  Such a statement is a loop over rows, one over tiles of rows, a call of
NumPy's loop on whole arrays, or a loop around these whose turns touch a row by itself each time (over levels, or steps).  It
may be run for some rows after the other, with other statements in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec
from astrace.ir.walk import nodes
from astrace.passes.fusion.loop_front import is_counted
from astrace.passes.fusion.statements import COUNTING, UfuncCall, is_of_numbers, statement_of
from astrace.passes.fusion.tiles import ONE, ZERO, MadeTiles, Numbers, Tile, called
from astrace.passes.lowering.block import same_operand

INSIDE: Final = frozenset({"load", "store", "dim", "for_loop", "cond"})
"""The ops in loops over rows beside those on numbers, and beside reductions of what such a loop takes of an array."""


@dataclass(frozen=True, slots=True)
class RowAccess:
    """What a statement does with an array.

    Args:
        base: the array.
        offset: of the row that it touches from the one that it is at; ``None`` where it touches others, too.
        writes: it stores there.
    """

    base: Value
    offset: Operand | None
    writes: bool


class Accessing:
    """What touches arrays that others may touch as well.

    Attributes:
        accesses: to these.
    """

    __slots__ = ()
    accesses: tuple[RowAccess, ...]

    @property
    def touched(self) -> set[Value]:
        """The arrays that others may touch as well."""
        return {one.base for one in self.accesses}

    @property
    def written(self) -> set[Value]:
        """Those among them that it writes."""
        return {one.base for one in self.accesses if one.writes}


@dataclass(frozen=True, slots=True, eq=False)
class RowStatement(Accessing):
    """A statement.

    Args:
        node: the loop, or the call.
        bounds: of its loops over rows: the first row, and the one behind the last.
        accesses: to what others may touch as well.
        alone: to what nothing else touches: what one run leaves there, the next run finds.
        inner: the sizes of the loops inside that over rows, where there is one.
        is_level: it is a loop around loops over rows.
        call: it is a call.
    """

    node: Node
    bounds: tuple[tuple[Operand, Operand], ...]
    accesses: tuple[RowAccess, ...]
    alone: tuple[RowAccess, ...] = ()
    inner: tuple[Operand, ...] = ()
    is_level: bool = False
    call: UfuncCall | None = None


@dataclass(frozen=True, slots=True)
class RowReader:
    """Finds the statements of a block.

    Args:
        sizes: of the arrays that the program makes.
        uses: how often a value is used in the whole block.
        tiles: the loops over tiles that were made.
    """

    sizes: Mapping[Value, tuple[Operand, ...]]
    uses: Counter[Operand]
    tiles: MadeTiles

    def statement(self, node: Node) -> RowStatement | None:
        """Return the statement that a node is; ``None`` if it is none.

        Args:
            node: of a lowered block whose regions may use the values around them.
        """
        if node.op == "apply_ufunc":
            return self._call(node)
        is_loop = node.op == "for_loop" and node.attrs["over"] == COUNTING and not node.attrs["breaks"]
        if not is_loop or node.outputs or len(node.regions[0].inputs) != 1:
            return None
        if any(one.op in ("call_ufunc", "call_math") for one in nodes(node.regions[0])):
            return None  # such loops are split, so that NumPy's loops are called for tiles
        if node.regions[0].inputs[0] in self.tiles.starts:
            return self._tiles(node)
        found = self._rows(node) if same_operand(node.inputs[2], ONE) else None
        return self._levels(node) if found is None and is_counted(node) else found

    def _call(self, node: Node) -> RowStatement | None:
        call = statement_of(node, self.sizes)
        if not isinstance(call, UfuncCall):
            return None
        accesses = tuple(
            RowAccess(one.base, None if one.place is None else ZERO, one.writes) for one in call.accesses
        )
        return RowStatement(node, ((ZERO, call.sizes[0]),), accesses, inner=call.sizes[1:], call=call)

    def _rows(self, node: Node) -> RowStatement | None:
        """Return the statement that a loop over rows is; ``None`` where it writes other rows than it is at."""
        (region,) = node.regions
        accesses = accesses_of(region, region.inputs[0])
        if accesses is None:
            return None
        shared, alone = self._parted(node, accesses)
        if any(one.writes and one.offset is None for one in shared):
            return None
        return RowStatement(node, ((node.inputs[0], node.inputs[1]),), shared, alone, _sizes_inside(node))

    def _tiles(self, node: Node) -> RowStatement | None:
        """Return the statement that a loop over tiles of rows is."""
        (region,) = node.regions
        start = region.inputs[0]
        parts: dict[Value, RowAccess] = {}
        found: list[RowAccess] = []
        inner: tuple[Operand, ...] = ()
        for one in region.nodes:
            if one.op == "for_loop":
                accesses = (
                    accesses_of(one.regions[0], one.regions[0].inputs[0]) if one.inputs[0] is start else None
                )
                if accesses is None:
                    return None
                found += accesses
                inner = max(inner, _sizes_inside(one), key=len)
            elif one.op == "slice_of":
                base = one.inputs[0]
                assert isinstance(base, Value)
                parts[one.output] = RowAccess(base, ZERO if one.inputs[1] is start else None, False)
            elif one.op == "apply_ufunc":
                found += _of_call(one, parts)
            elif not is_of_numbers(one):
                return None
        return RowStatement(
            node, ((node.inputs[0], node.inputs[1]),), *self._parted(node, found), inner=inner
        )

    def _levels(self, node: Node) -> RowStatement | None:
        """Return the statement that a loop around statements is, each turn of which touches a row by itself."""
        (region,) = node.regions
        found: list[RowAccess] = []
        bounds: list[tuple[Operand, Operand]] = []
        inner: tuple[Operand, ...] = ()
        for one in region.nodes:
            statement = self.statement(one)
            if statement is not None:
                found += (*statement.accesses, *statement.alone)
                bounds += statement.bounds
                inner = max(inner, statement.inner, key=len)
            elif one.op == "load":
                base = one.inputs[0]
                assert isinstance(base, Value)
                found.append(RowAccess(base, None, False))
            elif one.regions or not (is_of_numbers(one) or one.op in ("allocate", "dim")):
                return None
        known = _known_outside(region, (operand for pair in bounds for operand in pair))
        found = [one if _known_outside(region, [one.offset]) else replace(one, offset=None) for one in found]
        if not bounds or not known or not _stay_in_rows(found):
            return None
        inner = inner if _known_outside(region, inner) else ()
        inner = (*inner, _turns(node)) if _is_along_axis(region) else inner
        return RowStatement(node, tuple(bounds), *self._parted(node, found), inner=inner, is_level=True)

    def _parted(
        self, node: Node, accesses: Sequence[RowAccess]
    ) -> tuple[tuple[RowAccess, ...], tuple[RowAccess, ...]]:
        """Return the accesses to arrays that something else uses as well, and those to what the node alone uses, and does not make anew."""
        inside = Counter[Operand]()
        for one in nodes(Block((), (node,))):
            inside.update(one.inputs)
        new = {one.output for one in nodes(Block((), (node,))) if one.op == "allocate"} | self.tiles.parts
        kept = [one for one in dict.fromkeys(accesses) if one.base not in new]
        bases = {one.base for one in kept if one.base in self.sizes}
        alone = {one for one in bases if inside[one] == self.uses[one]}
        shared = tuple(one for one in kept if one.base not in alone)
        return shared, tuple(one for one in kept if one.base in alone)


def _of_call(call: Node, parts: Mapping[Value, RowAccess]) -> Iterator[RowAccess]:
    """Yield the accesses of a call of NumPy's loop on parts of arrays."""
    for number, operand in enumerate(call.inputs):
        assert isinstance(operand, Value)
        found = parts.get(operand, RowAccess(operand, None, False))
        yield replace(found, writes=number == 0)


def accesses_of(region: Block, row: Value, axis: int = 0) -> list[RowAccess] | None:
    """Return what a turn of a loop over rows does with arrays; ``None`` where it does more than to load and store elements, and to reduce lines.

    Args:
        region: the turn.
        row: the variable of the loop, or of another one in it.
        axis: the axis of arrays along which it counts.
    """
    makers = {output: node for node in nodes(region) for output in node.outputs}
    inside: set[Operand] = {*makers, *region.inputs}
    for node in nodes(region):
        inside.update(value for inner in node.regions for value in inner.inputs)
    found: list[RowAccess] = []
    reduced = {node.inputs[0] for node in nodes(region) if node.op == "reduce_ufunc"}
    for node in nodes(region):
        if node.op == "slice_of" and node.output in reduced:
            base = node.inputs[0]
            assert isinstance(base, Value)
            if isinstance(node.inputs[-2], Constant):
                return None  # few items, which rows together would not bring nearer
            is_known = node.attrs["axes"].startswith("i" * (axis + 1))
            offset = _offset(node.inputs[axis + 1], row, makers, inside) if is_known else None
            found.append(RowAccess(base, offset, False))
        elif node.op == "reduce_ufunc":
            if not (isinstance(node.inputs[0], Value) and node.inputs[0] in makers):
                return None
        elif node.op not in INSIDE and not is_of_numbers(node):
            return None
        if node.op in ("load", "store"):
            base = node.inputs[0]
            assert isinstance(base, Value)
            places = node.inputs[2 if node.op == "store" else 1 :]
            offset = _offset(places[axis], row, makers, inside) if len(places) > axis else None
            found.append(RowAccess(base, offset, node.op == "store"))
        elif node.regions and any(isinstance(one.spec, ArraySpec) for one in (*node.inputs, *node.outputs)):
            return None
    return found


def _offset(
    place: Operand, row: Value, makers: Mapping[Value, Node], inside: AbstractSet[Operand]
) -> Operand | None:
    """Return the distance of a row from another one, if it is the same at each turn."""
    if place is row:
        return ZERO
    maker = makers.get(place) if isinstance(place, Value) else None
    if maker is None or maker.op != "add" or row not in maker.inputs:
        return None
    one, other = maker.inputs
    distance = other if one is row else one
    return None if distance in inside else distance


def _turns(loop: Node) -> Operand:
    """Return about how many turns a loop has."""
    start, stop, step = loop.inputs[:3]
    return start if isinstance(step, Constant) and step.value < 0 else stop


def _is_along_axis(region: Block) -> bool:
    """Return whether a loop takes other elements of a row at each turn: an index behind the first is computed from its variable."""
    derived: set[Operand] = {region.inputs[0]}
    for node in nodes(region):
        places = node.inputs[3 if node.op == "store" else 2 :]
        if node.op in ("load", "store") and not derived.isdisjoint(places):
            return True
        if not node.regions and not derived.isdisjoint(node.inputs):
            derived.update(node.outputs)
    return False


def _stay_in_rows(accesses: Sequence[RowAccess]) -> bool:
    """Return whether all that is done with an array that is written has the same distance."""
    first = {one.base: one for one in accesses if one.writes}
    return all(
        one.offset is not None
        and (own := first[one.base].offset) is not None
        and same_operand(one.offset, own)
        for one in accesses
        if one.base in first
    )


def _known_outside(region: Block, operands: Iterable[Operand | None]) -> bool:
    made = {output for node in nodes(region) for output in node.outputs} | set(region.inputs)
    return all(one not in made for one in operands if isinstance(one, Value))


def _sizes_inside(loop: Node) -> tuple[Operand, ...]:
    """Return the sizes of the nest in a loop, as far as they are known around it."""
    found: list[Operand] = []
    inner = loop
    while len(inner.regions[0].nodes) == 1 and inner.regions[0].nodes[0].op == "for_loop":
        inner = inner.regions[0].nodes[0]
        if inner.attrs["over"] != COUNTING or not _known_outside(loop.regions[0], inner.inputs[1:2]):
            break
        found.append(inner.inputs[1])
    return tuple(found)


# -- some rows -------------------------------------------------------------------------------------------------


def for_rows(statement: RowStatement, lower: Operand, upper: Operand, reader: RowReader) -> list[Node]:
    """Return the nodes of a statement for the rows from one to before another.

    Args:
        statement: any.
        lower: the first row.
        upper: the one behind the last.
        reader: has found it.
    """
    numbers, node = Numbers(), statement.node
    if statement.is_level:
        (region,) = node.regions
        inside: list[Node] = []
        for one in region.nodes:
            inner = reader.statement(one)
            inside += [one] if inner is None else for_rows(inner, lower, upper, reader)
        return [replace(node, regions=(replace(region, nodes=tuple(inside)),))]
    ((start, stop),) = statement.bounds
    first, last = numbers.larger(start, lower), numbers.smaller(stop, upper)
    if statement.call is not None:
        size = numbers.larger(ZERO, numbers.add("sub", last, first), "size")
        place = numbers.smaller(first, stop)
        tile = Tile(place, size, last, {})
        return [*numbers.nodes, *called(statement.call, tile)]
    regions = node.regions
    if not same_operand(node.inputs[2], ONE):
        (region,) = regions
        inside = [_ends_at(one, stop, last, region.inputs[0]) for one in region.nodes]
        regions = (replace(region, nodes=tuple(inside)),)
    return [*numbers.nodes, replace(node, inputs=(first, last, node.inputs[2]), regions=regions)]


def _ends_at(node: Node, stop: Operand, last: Operand, start: Value) -> Node:
    """Return a node of a loop over tiles, which has another end now."""
    is_rest = node.op == "sub" and same_operand(node.inputs[0], stop) and node.inputs[1] is start
    return replace(node, inputs=(last, start)) if is_rest else node
