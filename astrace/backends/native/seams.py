"""The seam around a run of nodes: what goes in, what a kernel gives, and which views are made again outside.

A kernel gives numbers and arrays that it has made.  A view is made again around it, of the array that it is a view
of; an array that was changed in place is what it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from astrace.backends.native.runs import is_view
from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import INT, ArraySpec
from astrace.ir.walk import uses
from astrace.passes.deferral import LastStore, deferred
from astrace.passes.lowering.together.array_carry import source_of


@dataclass(frozen=True, slots=True)
class Seam:
    """What connects a run with the nodes around it.

    Args:
        block: the run; its outputs are those of a kernel.
        first: the number of nodes in front that compute sizes, and are not the run's own.
        outputs: the values of the run that are used behind it.
        again: the nodes that are made again from the outputs of a kernel, and the stores that it has left out.
        sources: the earlier values that arrays are.
        stores: those that the kernel has left out, the last one for each place.
        places: the number in the run of each node of the block, but for those in front.
    """

    block: Block
    first: int
    outputs: tuple[Value, ...]
    again: tuple[Node, ...]
    sources: Mapping[Operand, Operand]
    stores: tuple[LastStore, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockAround:
    """What a seam has to know of the block that a run is in.

    Args:
        counts: the uses of each value.
        makers: the node that makes a value.
    """

    counts: Mapping[Value, int]
    makers: Mapping[Value, Node]

    @staticmethod
    def of(block: Block) -> BlockAround:
        """Return what there is to know.

        Args:
            block: any.
        """
        return BlockAround(uses(block), {output: node for node in block.nodes for output in node.outputs})


MOST_SIZES: Final = 12
"""Nodes that compute sizes and are computed again in a kernel."""
OF_INTEGERS: Final = frozenset({"add", "sub", "mul", "neg", "floordiv"})


def sizes_of(nodes: Sequence[Node], around: BlockAround) -> tuple[Node, ...]:
    """Return the nodes in front of a run that compute the sizes in it of arrays in it: ``len(a) - 1``.

    In a kernel they are computed again, since it has to know which index lies inside; nothing can have changed them.

    Args:
        nodes: the run.
        around: the block that it is in.
    """
    made = {output for node in nodes for output in node.outputs}
    given = {one for node in nodes for one in node.inputs if isinstance(one, Value)} - made
    found: dict[Node, None] = {}
    for value in given:
        chain = _computing(value, given, around.makers)
        found.update(dict.fromkeys(chain if len(chain) <= MOST_SIZES else ()))
    order = {node: place for place, node in enumerate(dict.fromkeys(around.makers.values()))}
    return tuple(sorted(found, key=order.__getitem__)[:MOST_SIZES])


def _computing(value: Value, given: Container[Operand], makers: Mapping[Value, Node]) -> list[Node]:
    """Return the nodes that compute an integer of sizes of arrays; none where it is something else."""
    node = makers.get(value)
    if node is None or value.spec != INT:
        return []
    if node.op in ("dim", "len"):
        array = node.inputs[0]
        return [node] if isinstance(array.spec, ArraySpec) and array in given else []
    if node.op not in OF_INTEGERS or any(one.spec != INT for one in node.inputs):
        return []
    chains = [_computing(one, given, makers) for one in node.inputs if isinstance(one, Value)]
    return [*(inner for chain in chains for inner in chain), node] if any(chains) else []


def seam_of(nodes: Sequence[Node], around: BlockAround, first: Sequence[Node] = ()) -> Seam:
    """Return the seam of a run.

    Args:
        nodes: the run.
        around: the block that it is in.
        first: nodes in front that a kernel computes again.
    """
    inside = Counter(one for node in nodes for one in node.inputs if isinstance(one, Value))
    outputs = tuple(one for node in nodes for one in node.outputs if around.counts.get(one, 0) > inside[one])
    without = deferred(nodes, outputs)
    nodes, stores = without.nodes, without.stores
    made = {output: place for place, node in enumerate(nodes) for output in node.outputs}
    used = Counter(one for node in nodes for one in node.inputs if isinstance(one, Value))
    body = Block((), tuple(nodes))
    sources: dict[Operand, Operand] = {}
    given: dict[Value, None] = {}
    again: set[int] = set()
    stored = [operand for store in stores for operand in (store.value, store.stored)]
    pending: list[Operand] = list(reversed([*outputs, *stored]))
    while pending:
        operand = pending.pop()
        if not isinstance(operand, Value) or operand not in made:
            continue
        source = source_of(body, operand) if isinstance(operand.spec, ArraySpec) else operand
        place = made[operand]
        if source is not operand:
            sources[operand] = source
            pending.append(source)
        elif not is_view(nodes[place]):
            given[operand] = None
        elif place not in again:
            again.add(place)
            pending += reversed(nodes[place].inputs)
    again_made = {output for node in first for output in node.outputs}
    used.update(one for node in first for one in node.inputs if isinstance(one, Value))
    inputs = tuple(value for value in used if value not in made and value not in again_made)
    return Seam(
        Block(inputs, (*first, *nodes), tuple(given)),
        len(first),
        outputs,
        (*(nodes[place] for place in sorted(again)), *(store.behind for store in stores)),
        sources,
        stores,
        without.places,
    )
