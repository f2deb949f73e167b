"""Branches that are asked for a truth value alone: they give that, not the objects that ``a and b`` gives.

Takes a block; gives one in which a `cond` whose result is nothing but tested gives a ``bool``, so that a backend need not know a
value that is a number of one type or another.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.specs import BOOL
from astrace.locations import Location

TESTING: Final = ("not_", "bool")
"""The ops that ask for the truth of what they are given, and for nothing else."""


def with_truths(block: Block) -> Block:
    """Return a block whose tests are truth values.

    Args:
        block: the whole block.
    """
    return _told(block, ())


def _told(block: Block, tested: Collection[int]) -> Block:
    """Return a block, or a region of whose outputs some are tested alone.

    Args:
        block: it.
        tested: the places of these outputs.
    """
    kept = _kept(block, tested)
    renamed: dict[Operand, Operand] = {}
    nodes: list[Node] = []
    for node in block.nodes:
        inputs = tuple(renamed.get(operand, operand) for operand in node.inputs)
        places = _tested_outputs(node, kept)
        regions = tuple(_told(region, asked) for region, asked in zip(node.regions, places, strict=True))
        outputs = node.outputs
        if node.op == "cond" and places[0]:
            regions = tuple(_as_truths(region, places[0], node.location) for region in regions)
            outputs = tuple(
                Value(BOOL, one.name) if place in places[0] else one for place, one in enumerate(outputs)
            )
            renamed.update(zip(node.outputs, outputs, strict=True))
        nodes.append(replace(node, inputs=inputs, outputs=outputs, regions=regions))
    return Block(block.inputs, tuple(nodes), tuple(renamed.get(one, one) for one in block.outputs))


def _kept(block: Block, tested: Collection[int]) -> set[Operand]:
    """Return the operands of a block that are used for more than a test; a branch uses what it captures."""
    used = {one for place, one in enumerate(block.outputs) if place not in tested}
    for node in block.nodes:
        if node.op not in TESTING:
            used.update(node.inputs[1:] if node.op == "cond" else node.inputs)
    return used


def _tested_outputs(node: Node, kept: set[Operand]) -> list[tuple[int, ...]]:
    """Return, for each region of a node, the places of the outputs that are tested alone."""
    match node.op:
        case "cond":
            outputs = enumerate(node.outputs)
            asked = tuple(place for place, one in outputs if one not in kept and one.spec != BOOL)
            return [asked, asked]
        case "while_loop":
            return [(0,), ()]
        case _:
            return [()] * len(node.regions)


def _as_truths(region: Block, places: Collection[int], location: Location | None) -> Block:
    """Return a region that gives truth values at some places; one that raises gives nothing there."""
    nodes, outputs = list(region.nodes), list(region.outputs)
    for place in places if outputs else ():
        given = outputs[place]
        if isinstance(given, Constant) and type(given.value) in (bool, int, float):
            outputs[place] = Constant(bool(given.value))
        elif given.spec != BOOL and not (isinstance(given, Constant) and given.value is UNSET):
            outputs[place] = found = Value(BOOL)
            nodes.append(Node("bool", (given,), (found,), location=location))
    return Block(region.inputs, tuple(nodes), tuple(outputs))
