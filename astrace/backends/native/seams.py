"""The seam around a run of nodes: what goes in, what a kernel gives, and which views are made again outside.

A kernel gives numbers and arrays that it has made.  A view is made again around it, of the array that it is a view
of; an array that was changed in place is what it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from astrace.backends.native.runs import is_view
from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import ArraySpec
from astrace.passes.lowering.together.array_carry import source_of


@dataclass(frozen=True, slots=True)
class Seam:
    """What connects a run with the nodes around it.

    Args:
        block: the run; its outputs are those of a kernel.
        outputs: the values of the run that are used behind it.
        again: the nodes that are made again from the outputs of a kernel.
        sources: the earlier values that arrays are.
    """

    block: Block
    outputs: tuple[Value, ...]
    again: tuple[Node, ...]
    sources: Mapping[Operand, Operand]


def seam_of(nodes: Sequence[Node], counts: Mapping[Value, int]) -> Seam:
    """Return the seam of a run.

    Args:
        nodes: the run.
        counts: the uses of each value in the block around.
    """
    made = {output: place for place, node in enumerate(nodes) for output in node.outputs}
    used = Counter(one for node in nodes for one in node.inputs if isinstance(one, Value))
    outputs = tuple(value for value in made if counts.get(value, 0) > used[value])
    body = Block((), tuple(nodes))
    sources: dict[Operand, Operand] = {}
    given: dict[Value, None] = {}
    again: set[int] = set()
    pending: list[Operand] = list(reversed(outputs))
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
    inputs = tuple(value for value in used if value not in made)
    return Seam(
        Block(inputs, tuple(nodes), tuple(given)),
        outputs,
        tuple(nodes[place] for place in sorted(again)),
        sources,
    )
