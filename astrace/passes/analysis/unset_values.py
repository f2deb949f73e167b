"""Values that may not be there yet: names that a loop binds before it is left early, and what branches make of them.

Takes a block; gives the values that may hold ``UNSET`` in the place of what their specs tell.  Nothing reads such a value but to
hand it on.
"""

from __future__ import annotations

from collections.abc import Iterator

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.constants import UNSET
from astrace.ir.control import carried_places, loop_of
from astrace.ir.walk import nodes


def unset_values(block: Block) -> frozenset[Value]:
    """Return the values of a block and its regions that may be unset.

    Args:
        block: any block.

    Example:
        >>> from astrace.ir.specs import FLOAT, INT
        >>> from astrace.ir.iteration import Range
        >>> i, before, after, last = Value(INT), Value(FLOAT), Value(FLOAT), Value(FLOAT)
        >>> body = Block((i, before), (Node("float", (i,), (after,)),), (after,))
        >>> given = (Constant(0), Constant(3), Constant(1), Constant(UNSET))
        >>> loop = Node("for_loop", given, (last,), {"over": Range(0, 1, 2), "breaks": False}, (body,))
        >>> unset_values(Block((), (loop,), (last,))) == {before, last}
        True
    """
    control = [node for node in nodes(block) if node.regions]
    found: set[Value] = set()
    size = -1
    while len(found) > size:
        size = len(found)
        for node in control:
            found.update(_reached(node, found))
    return frozenset(found)


def _reached(node: Node, known: set[Value]) -> Iterator[Value]:
    """Yield the values that a node hands on what may be unset to."""

    def is_unset(operand: Operand) -> bool:
        return operand.value is UNSET if isinstance(operand, Constant) else operand in known

    for _, inner, outer in region_inputs(node):
        yield from (value for value, operand in zip(inner, outer, strict=True) if is_unset(operand))
    loop = loop_of(node)
    if loop is None:
        for region in node.regions:
            yield from (
                value for value, one in zip(node.outputs, region.outputs, strict=False) if is_unset(one)
            )
        return
    ends = loop.body.outputs[loop.breaks :]
    places = zip(loop.carried, ends, node.outputs[loop.breaks :], carried_places(loop), strict=True)
    for begin, end, output, inside in places:
        if is_unset(begin) or is_unset(end):
            yield from (output, *inside)
