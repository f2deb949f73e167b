"""The objects from outside that values may be: what a loop or a branch hands on without computing anything.

A machine number has no identity, a Python number has: ``w = v`` in a loop makes ``w`` the object that ``v`` is.  For values
that may be one of several objects a lowered block keeps a number that tells which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from astrace.ir.block import Block, Node, Operand, Value, region_inputs
from astrace.ir.control import ForLoop, WhileLoop

Origins: TypeAlias = dict[Value, frozenset[int]]
"""The inputs, by position, whose objects values may be."""
NONE: frozenset[int] = frozenset()


def origins(block: Block) -> Origins:
    """Return the inputs of a block that each value in it may be, at any depth; what an operation gives is a new object.

    Args:
        block: any block.
    """
    found: Origins = {value: frozenset({index}) for index, value in enumerate(block.inputs)}
    _block(block, found)
    return found


def _block(block: Block, found: Origins) -> None:
    for node in block.nodes:
        _node(node, found)


def _node(node: Node, found: Origins) -> None:
    """Follow the values of a node: through its regions until nothing is added any more."""
    for _, inner, outer in region_inputs(node):
        _join(found, zip(inner, outer, strict=True))
    match node.op:
        case "cond":
            for region in node.regions:
                _block(region, found)
                _join(found, zip(node.outputs, region.outputs, strict=True))
        case "for_loop":
            loop = ForLoop(node)
            _loop(loop, loop.body.inputs[len(loop.elements) :], found)
        case "while_loop":
            _loop(WhileLoop(node), node.regions[1].inputs, found)
        case _:
            pass


def _loop(loop: ForLoop | WhileLoop, inputs: tuple[Value, ...], found: Origins) -> None:
    """Follow what a loop carries: an iteration begins with what came in or with what the one before has put out."""
    outputs = loop.node.outputs[loop.breaks :]
    ends = loop.body.outputs[loop.breaks :]
    _join(found, zip(outputs, loop.carried, strict=True))
    while True:
        for region in loop.node.regions:
            carried = inputs if region is loop.body else region.inputs
            _join(found, zip(carried, outputs, strict=False))
            _block(region, found)
        if not _join(found, zip(outputs, ends, strict=True)):
            return


def _join(found: Origins, pairs: Iterable[tuple[Value, Operand]]) -> bool:
    """Add to each value what another may be; return whether that changes anything."""
    changed = False
    for value, operand in pairs:
        known = found.get(value, NONE)
        joined = known | _of(found, operand)
        changed |= joined != known
        if joined:
            found[value] = joined
    return changed


def _of(found: Mapping[Value, frozenset[int]], operand: Operand) -> frozenset[int]:
    return found.get(operand, NONE) if isinstance(operand, Value) else NONE
