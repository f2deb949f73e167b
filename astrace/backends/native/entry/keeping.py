"""Which parts of the arrays that a kernel writes are copied first, so that they can be put back where it gives up.

A part is all items of an array, or those at one index along some of its axes: of ``a[2:-2, :, tau] = ...`` those at ``tau``.  It is
copied in front of the first statement that writes, by a node of the block: behind the tests that give up, where its indices are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import numpy as np

from astrace.backends.native.entry.log_places import LogPlaces, named_outside, with_logs
from astrace.backends.native.signature import KeptPart
from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import nodes
from astrace.ops.lowered_draws import DRAWN
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.lower import LoweredBlock

Places: TypeAlias = tuple[Operand | None, ...]
"""By axis the index of a part; ``None`` for all items along it."""
MOST_PARTS: Final = 4
"""The parts of one array that are copied by themselves; of more, what is around all of them."""
MOST_INDICES: Final = 3
"""The axes of a part that have one index; along others all items are copied."""
INT: Final = GenericSpec(np.dtype(np.int64))
BOOL: Final = GenericSpec(np.dtype(bool))


def keeping(lowered: LoweredBlock, logs: bool = False) -> tuple[LoweredBlock, tuple[KeptPart, ...]]:
    """Return a kernel that copies what it may have to put back, with one input more, and the parts that it copies.

    Args:
        lowered: the kernel, whose block is closed.
        logs: items are copied right before they are overwritten, where that can be.
    """
    block = lowered.block
    written = [block.inputs[index] for index in lowered.written]
    arrays = [one for one in written if one.spec not in DRAWN]
    if not arrays:
        return lowered, ()
    first = _first_write(block)
    known: set[Operand] = {*block.inputs, *(one for node in block.nodes[:first] for one in node.outputs)}
    stores = _Stores(set(arrays))
    stores.collect(
        block, {one: one for node in block.nodes for one in node.outputs} | {one: one for one in block.inputs}
    )
    places = LogPlaces({one for one in arrays if logs and _is_alone(lowered, one, arrays)})
    places.collect(block, {one: one for one in block.inputs})
    logged: dict[Node, list[Node]] = {}
    undo = Value(INT, "undo")
    copies: list[Node] = []
    kept: list[KeptPart] = []
    place = 0
    for array in arrays:
        parts = stores.parts_of(array, known)
        for part in parts:
            axes = "".join(":" if one is None else "i" for one in part)
            is_logged = len(parts) == 1 and array not in stores.whole and places.can_log(array, axes)
            kept.append(KeptPart(block.inputs.index(array), axes, is_logged))
            copies += _copied(undo, array, part, kept[-1], place)
            if is_logged:
                places.log(array, axes, place, logged)
            place += kept[-1].words
    rest = with_logs(Block((), block.nodes[first:]), logged, undo).nodes
    whole = Block((*block.inputs, undo), (*block.nodes[:first], *copies, *rest), block.outputs)
    return replace(lowered, block=whole), tuple(kept)


def _is_alone(lowered: LoweredBlock, array: Value, arrays: Sequence[Value]) -> bool:
    """Return whether no other array shares an array's memory: what is stored by its name would be in the log as if it had been there first."""
    index_of = lowered.block.inputs.index
    apart = {frozenset(pair) for pair in lowered.apart}
    pairs = (frozenset((index_of(array), index_of(other))) for other in arrays if other is not array)
    return apart.issuperset(pairs)


def _copied(undo: Value, array: Value, part: Places, kept: KeptPart, place: int) -> Iterator[Node]:
    """Yield what copies a part, and gives up where that fails."""
    failed = Value(BOOL)
    indices = (one for one in part if one is not None)
    op = "keep_log" if kept.is_logged else "keep_part"
    yield Node(op, (undo, array, *indices), (failed,), {"axes": kept.axes, "place": place})
    yield Node("deopt", (failed,), ())


def _first_write(block: Block) -> int:
    """Return the place of the first node that may write what the kernel is given."""
    own = {node.output for node in block.nodes if node.op == "allocate"}
    for place, node in enumerate(block.nodes):
        if any(base not in own for base in _stored(node, {one: one for one in own})):
            return place
    return len(block.nodes)


def _stored(node: Node, outer: Mapping[Value, Value]) -> Iterator[Value | None]:
    """Yield the arrays that a node stores into, by their names outside of all regions; ``None`` for those that have none."""
    if node.op == "store":
        base = node.inputs[0]
        yield outer.get(base) if isinstance(base, Value) else None
    for region, inner, captures in region_inputs(node):
        named = named_outside(inner, captures, outer)
        own = {one.output: one.output for one in nodes(region) if one.op == "allocate"}
        for one in region.nodes:
            yield from (base for base in _stored(one, {**named, **own}) if base not in own)


@dataclass(slots=True)
class _Stores:
    """Where a kernel stores into the arrays that it is given.

    Args:
        arrays: those that it writes.
        places: the places of its stores, by array.
        whole: the arrays that it does something else with, so that a store may go by another name.
    """

    arrays: set[Value]
    places: dict[Value, list[Places]] = field(default_factory=dict[Value, list[Places]])
    whole: set[Value] = field(default_factory=set[Value])

    def collect(self, block: Block, outer: Mapping[Value, Value]) -> None:
        """Collect the stores of a block and its regions.

        Args:
            block: any.
            outer: the names of its values outside of all regions.
        """
        for node in block.nodes:
            others = list(node.inputs)
            if node.op in ("load", "dim", "store"):
                others = others[1:]
            for region, inner, captures in region_inputs(node):
                others = others[: len(node.inputs) - len(captures)]
                self.collect(region, named_outside(inner, captures, outer))
                self._note_others(region.outputs, named_outside(inner, captures, outer))
            self._note_others(others, outer)
            if node.op == "store":
                self._note(node, outer)

    def _note(self, node: Node, outer: Mapping[Value, Value]) -> None:
        """Note a store."""
        base, _, *indices = node.inputs
        array = outer.get(base) if isinstance(base, Value) else None
        if array in self.arrays:
            places = tuple(one if isinstance(one, Constant) else outer.get(one) for one in indices)
            self.places.setdefault(array, []).append(places)

    def _note_others(self, operands: Sequence[Operand], outer: Mapping[Value, Value]) -> None:
        """Note what goes on by another name."""
        self.whole.update(outer[one] for one in operands if isinstance(one, Value) and one in outer)

    def parts_of(self, array: Value, known: set[Operand]) -> list[Places]:
        """Return the parts of an array that hold all that is stored.

        Args:
            array: one of those that are written.
            known: the values that are known where the parts are copied.
        """
        assert isinstance(array.spec, ArraySpec)
        everything: Places = (None,) * len(array.spec.shape)
        if array in self.whole or array not in self.places:
            return [everything]
        found: list[Places] = []
        for places in self.places[array]:
            part = _with_few_indices(
                tuple(one if isinstance(one, Constant) or one in known else None for one in places)
            )
            if not any(_holds(other, part) for other in found):
                found = [*(other for other in found if not _holds(part, other)), part]
        return found if len(found) <= MOST_PARTS else [everything]


def _with_few_indices(part: Places) -> Places:
    """Return a part that has no more indices than are handed over."""
    indexed = [axis for axis, one in enumerate(part) if one is not None]
    dropped = set(indexed[MOST_INDICES:])
    return tuple(None if axis in dropped else one for axis, one in enumerate(part))


def _holds(part: Places, other: Places) -> bool:
    """Return whether all items of one part are in another."""
    return all(
        one is None or (two is not None and same_operand(one, two))
        for one, two in zip(part, other, strict=True)
    )
