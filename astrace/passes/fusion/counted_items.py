"""Arrays whose items follow from their indices are not in memory: ``np.arange(n)[:, np.newaxis]`` beside other indices is a loop's number.

Each item is computed where it is used; of a number of a loop it is known which indices it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.ir.walk import blocks, nodes
from astrace.passes.fusion.statements import COUNTING, Nest, statement_of
from astrace.passes.fusion.tiles import ONE, ZERO
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.forms import INT

OPS: Final = frozenset({"add", "sub", "mul"})
"""The ops that compute such items."""
MOST: Final = 4
"""The ops of an item, at most."""


def with_counted_items(block: Block) -> Block:
    """Return a block in which such items are computed where they are used.

    Args:
        block: a lowered block, whose regions may use the values around them.
    """
    loads, uses, stores = Counter[Operand](), Counter[Operand](), Counter[Operand]()
    for node in nodes(block):
        uses.update(node.inputs)
        (loads if node.op == "load" else stores if node.op == "store" else Counter()).update(node.inputs[:1])
    for one in blocks(block):
        uses.update(one.outputs)
    arrays = {
        node.output
        for node in nodes(block)
        if node.op == "allocate"
        and node.attrs["dtype"] == INT
        and stores[node.output] == 1
        and uses[node.output] == loads[node.output] + 1
    }
    return _Counting(arrays).block(block, {}, {}) if arrays else block


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of an array by its place.

    Args:
        places: the index along each axis: a loop's number, or one that is known.
        body: what computes it.
        value: the item.
    """

    places: Sequence[Operand]
    body: Sequence[Node]
    value: Operand


@dataclass(slots=True)
class _CountedLevel:
    """The nodes of a block or a region.

    Args:
        known: the arrays whose items follow from their indices.
        named: what stands in the place of values.
        made: the arrays that are made here.
        nodes: those so far.
    """

    known: dict[Value, _Item]
    named: dict[Value, Operand]
    made: set[Value] = field(default_factory=set[Value])
    nodes: list[Node] = field(default_factory=list[Node])


@dataclass(slots=True)
class _Counting:
    """The pass on one block.

    Args:
        arrays: those that are stored to once, and else loaded from.
        numbers: those of loops that count from zero.
    """

    arrays: AbstractSet[Value]
    numbers: set[Operand] = field(default_factory=set[Operand])

    def block(self, block: Block, known: Mapping[Value, _Item], named: Mapping[Value, Operand]) -> Block:
        """Return a block or a region.

        Args:
            block: any.
            known: the arrays around it whose items follow from their indices.
            named: what stands in the place of values around it.
        """
        level = _CountedLevel(dict(known), dict(named))
        for node in block.nodes:
            self._add(level, replace(node, inputs=_named(node.inputs, level.named)))
        gone = level.made & level.known.keys()
        left = tuple(one for one in level.nodes if one.op != "allocate" or one.output not in gone)
        return Block(block.inputs, left, _named(block.outputs, level.named))

    def _add(self, level: _CountedLevel, node: Node) -> None:
        """Add a node to a level, or what stands in its place."""
        base = node.inputs[0] if node.inputs else None
        if node.op == "load" and isinstance(base, Value) and base in level.known:
            computed, level.named[node.output] = _computed(level.known[base], node.inputs[1:])
            level.nodes += computed
        elif node.op == "counted" and base is not None and base in self.numbers:  # it is not negative
            level.named[node.output] = base
        elif node.regions:
            self._add_around(level, node)
        else:
            level.made.update(node.outputs if node.op == "allocate" else ())
            level.nodes.append(node)

    def _add_around(self, level: _CountedLevel, node: Node) -> None:
        """Add a node with regions, unless it stores such items."""
        if node.op == "for_loop" and _counts_from_zero(node):
            self.numbers.add(node.regions[0].inputs[0])
        regions = tuple(self.block(one, level.known, level.named) for one in node.regions)
        inside = replace(node, regions=regions)
        stored = self._stored(inside)
        if stored is not None and stored[0] in level.made:
            level.known.update([stored])
        else:
            level.nodes.append(inside)

    def _stored(self, node: Node) -> tuple[Value, _Item] | None:
        """Return the array that a nest alone stores to, and its items, if these follow from their indices."""
        nest = statement_of(node, {}) if node.op == "for_loop" else None
        if not isinstance(nest, Nest):
            return None
        *body, store = nest.body
        if store.op != "store" or store.inputs[0] not in self.arrays:
            return None
        base, value, *places = store.inputs
        assert isinstance(base, Value)
        numbers = [one for one in places if not isinstance(one, Constant)]
        counts = all(one.op in OPS and one.output.spec == GenericSpec(INT) for one in body)
        through = len(numbers) == len(set(numbers)) and set(numbers) == set(nest.indices)
        return (base, _Item(places, body, value)) if counts and through and len(body) <= MOST else None


def _counts_from_zero(loop: Node) -> bool:
    start, _, step, *_ = loop.inputs
    return loop.attrs["over"] == COUNTING and same_operand(start, ZERO) and same_operand(step, ONE)


def _named(operands: Sequence[Operand], named: Mapping[Value, Operand]) -> tuple[Operand, ...]:
    return tuple(named.get(one, one) if isinstance(one, Value) else one for one in operands)


def _computed(item: _Item, places: Sequence[Operand]) -> tuple[list[Node], Operand]:
    """Return what computes an item at some places, and the item."""
    named = {own: place for own, place in zip(item.places, places, strict=True) if isinstance(own, Value)}
    found: list[Node] = []
    for node in item.body:
        output = Value(node.output.spec, node.output.name)
        found.append(replace(node, inputs=_named(node.inputs, named), outputs=(output,)))
        named[node.output] = output
    return found, _named((item.value,), named)[0]
