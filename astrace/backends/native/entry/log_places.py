"""Where a kernel copies items right before it overwrites them: in front of the innermost loops that store.

An array's items can be logged if all that is stored into it is stored by such loops, each of which counts along one of the array's axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.specs import GenericSpec
from astrace.ir.walk import nodes
from astrace.passes.fusion.statements import COUNTING
from astrace.passes.fusion.tiles import ONE, ZERO, Numbers
from astrace.passes.lowering.forms import INT

Names: TypeAlias = Mapping[Value, Operand]
"""What values of a region are called around it."""
LEAST_AXES, MOST_AXES = 3, 5
"""The axes of an array whose items are logged; loops over two are often so short that to ask at each takes long."""


@dataclass(frozen=True, slots=True)
class LoopStore:
    """What a loop stores into an array: all by names around the loop.

    Args:
        array: the array.
        axis: along which the loop counts.
        start: the first index along it.
        count: the number of indices.
        places: the other indices; `ZERO` along the axis.
        numbers: what computes the start and the count.
    """

    array: Value
    axis: int
    start: Operand
    count: Operand
    places: tuple[Operand, ...]
    numbers: tuple[Node, ...]

    def node(self, undo: Value, axes: str, place: int) -> Node:
        """Return what copies the items.

        Args:
            undo: the address of the words that tell of copies.
            axes: of the part whose items are copied.
            place: of its words.
        """
        indices = (*self.places[: self.axis], self.start, *self.places[self.axis + 1 :])
        attrs = {"axes": axes, "axis": self.axis, "place": place}
        return Node("keep_items", (undo, self.array, self.count, *indices), (), attrs)


@dataclass(slots=True)
class LogPlaces:
    """The innermost loops that store into arrays.

    Args:
        arrays: the names of the arrays outside of all regions.
        stores: what each loop stores, and into which of them.
        others: the arrays that are stored into in another way.
    """

    arrays: AbstractSet[Value]
    stores: dict[Node, list[tuple[Value, LoopStore]]] = field(
        default_factory=dict[Node, list[tuple[Value, LoopStore]]]
    )
    others: set[Value] = field(default_factory=set[Value])

    def collect(self, block: Block, outer: Mapping[Value, Value]) -> None:
        """Collect the loops of a block and its regions.

        Args:
            block: any.
            outer: the names of its values outside of all regions.
        """
        for node in block.nodes:
            if _is_innermost(node):
                self._collect_loop(node, outer)
                continue
            if node.op == "store":
                self._note_other(node.inputs[0], outer)
            for region, inner, captures in region_inputs(node):
                self.collect(region, named_outside(inner, captures, outer))

    def can_log(self, array: Value, axes: str) -> bool:
        """Return whether all that is stored by the array's name is stored by such loops.

        Args:
            array: the array, by its name outside of all regions.
            axes: as for `KeptPart`.
        """
        is_last = ":" in axes and ":" not in axes.lstrip(":") and LEAST_AXES <= len(axes) <= MOST_AXES
        return is_last and array in self.arrays and array not in self.others

    def log(self, array: Value, axes: str, place: int, logged: dict[Node, list[Node]]) -> None:
        """Add what copies the items of an array.

        Args:
            array: one that can be logged.
            axes: of the part whose items are copied.
            place: of its words.
            logged: what is to run in front of loops.
        """
        for loop, stores in self.stores.items():
            for base, store in stores:
                if base is array:
                    undo = Value(GenericSpec(INT), "undo")
                    logged.setdefault(loop, []).extend((*store.numbers, store.node(undo, axes, place)))

    def _note_other(self, base: Operand, outer: Mapping[Value, Value]) -> None:
        if isinstance(base, Value) and outer.get(base) in self.arrays:
            self.others.add(outer[base])

    def _collect_loop(self, loop: Node, outer: Mapping[Value, Value]) -> None:
        (region, inner, captures), *_ = region_inputs(loop)
        around: Names = dict(zip(inner, captures, strict=True))
        for store, names in _stores(region, around):
            base = names.get(store.inputs[0]) if isinstance(store.inputs[0], Value) else None
            array = outer.get(base) if isinstance(base, Value) else None
            if array is None or array not in self.arrays:
                continue
            assert isinstance(base, Value)
            found = _loop_store(loop, base, store.inputs[2:], names)
            if found is None:
                self.others.add(array)
            else:
                self.stores.setdefault(loop, []).append((array, found))


def named_outside(
    inner: Sequence[Value], captures: Sequence[Operand], outer: Mapping[Value, Value]
) -> dict[Value, Value]:
    """Return the names that the captures of a region have outside of all regions.

    Args:
        inner: the names in the region.
        captures: around it.
        outer: the names outside of all regions of values around it.
    """
    return {
        value: outer[operand]
        for value, operand in zip(inner, captures, strict=True)
        if isinstance(operand, Value) and operand in outer
    }


def with_logs(block: Block, logged: Mapping[Node, Sequence[Node]], undo: Value) -> Block:
    """Return a block that runs nodes in front of loops.

    Args:
        block: a closed block.
        logged: these nodes, by loop; they use `undo`, which their regions are handed.
        undo: as it is named in the block.
    """
    return replace(block, nodes=tuple(_with_logs(block.nodes, logged, undo)))


def _with_logs(
    block_nodes: Sequence[Node], logged: Mapping[Node, Sequence[Node]], undo: Value
) -> Iterator[Node]:
    for node in block_nodes:
        for one in logged.get(node, ()):
            inputs = (undo, *one.inputs[1:]) if one.op == "keep_items" else one.inputs
            yield replace(one, inputs=inputs)
        if node.regions and any(one in logged for region in node.regions for one in nodes(region)):
            own = [Value(undo.spec, undo.name) for _ in node.regions]
            regions = (
                with_logs(replace(region, inputs=(*region.inputs, name)), logged, name)
                for region, name in zip(node.regions, own, strict=True)
            )
            yield replace(node, inputs=(*node.inputs, undo), regions=tuple(regions))
        else:
            yield node


def _is_innermost(node: Node) -> bool:
    """Return whether a node is a loop that counts, carries nothing, and has no loop inside."""
    return (
        node.op == "for_loop"
        and node.attrs["over"] == COUNTING
        and not node.outputs
        and not any(one.op in ("for_loop", "while_loop") for one in nodes(node.regions[0]))
    )


def _stores(region: Block, around: Names) -> Iterator[tuple[Node, Names]]:
    """Yield the stores of a region and those in it, and what values are called around the loop, or else in the loop's region."""
    for node in region.nodes:
        if node.op == "store":
            yield node, around
        for inside, inner, captures in region_inputs(node):
            names = {
                value: around.get(operand, operand) if isinstance(operand, Value) else operand
                for value, operand in zip(inner, captures, strict=True)
            }
            yield from _stores(inside, names)


@dataclass(slots=True)
class _Indices:
    """Indices in a loop, by names around it.

    Args:
        index: the variable of the loop.
        around: what its captures are called around it.
        made: the nodes of its region, by what they make.
        inside: all values that are made in it.
        numbers: computes indices that the loop computes at each turn.
    """

    index: Value
    around: Names
    made: Mapping[Value, Node]
    inside: AbstractSet[Operand]
    numbers: Numbers = field(default_factory=Numbers)

    def fixed(self, place: Operand) -> Operand | None:
        """Return an index that is the same at each turn; ``None`` where it is not known to be that.

        Args:
            place: by its name in the loop's region, or around it.
        """
        if not isinstance(place, Value):
            return place
        if place not in self.inside:
            return self.around.get(place, place)
        maker = self.made.get(place)
        if maker is None or maker.op != "add":
            return None
        one, other = map(self.fixed, maker.inputs)
        return None if one is None or other is None else self.numbers.plus(one, other)

    def distance(self, place: Operand) -> Operand | None:
        """Return the distance of an index from the variable of the loop; ``None`` where it is not the same at each turn.

        Args:
            place: the same.
        """
        if place is self.index:
            return ZERO
        maker = self.made.get(place) if isinstance(place, Value) else None
        if maker is None or maker.op != "add" or self.index not in maker.inputs:
            return None
        one, other = maker.inputs
        return self.fixed(other if one is self.index else one)


def _loop_store(loop: Node, base: Value, places: Sequence[Operand], names: Names) -> LoopStore | None:
    """Return what a loop stores; ``None`` where it does not count along one axis, or other indices are not known around it."""
    if not isinstance(loop.inputs[2], Constant) or loop.inputs[2].value != ONE.value:
        return None
    (region, inner, captures), *_ = region_inputs(loop)
    index = region.inputs[0]
    inside = {index, *(output for node in nodes(region) for output in node.outputs)}
    made = {output: node for node in region.nodes for output in node.outputs}
    indices = _Indices(index, dict(zip(inner, captures, strict=True)), made, inside)
    found = [names.get(one, one) if isinstance(one, Value) else one for one in places]
    distances = [indices.distance(one) for one in found]
    axes = [axis for axis, one in enumerate(distances) if one is not None]
    if len(axes) != 1:
        return None
    (axis,) = axes
    others = [ZERO if number == axis else indices.fixed(one) for number, one in enumerate(found)]
    known = tuple(one for one in others if one is not None)
    distance, (start, stop) = distances[axis], loop.inputs[:2]
    if distance is None or len(known) != len(others):
        return None
    numbers = indices.numbers
    count, first = numbers.minus(stop, start), numbers.plus(distance, start)
    return LoopStore(base, axis, first, count, known, tuple(numbers.nodes))
