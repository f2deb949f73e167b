"""Branches that are decided, loops that never run, captures and carried values that need not be.

* a ``cond`` whose test is a constant is replaced by the branch it takes;
* inside a branch the test is known;
* an output on which both branches agree is what they agree on;
* a loop over nothing is left out;
* a carried value that no iteration changes becomes a capture;
* captures are constants' own business, and are captured once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.builder import Builder, rebuild
from astrace.ir.constants import UNSET, is_nan, same
from astrace.ir.control import Cond, ForLoop, WhileLoop
from astrace.ir.iteration import Range
from astrace.ir.specs import BOOL, is_immutable
from astrace.passes.regions import keep_outputs, substituted, tidy_captures


def simplify_branches(block: Block) -> Block:
    """Decide what can be decided, in a whole block."""
    return rebuild(block, _step)


def _step(node: Node, builder: Builder) -> None:
    node = builder.updated(_told(node) if node.op == "cond" else node)
    match node.op:
        case "cond" if isinstance(Cond(node).test, Constant) and is_immutable(Cond(node).test.spec):
            _decided(Cond(node), builder)
            return
        case "cond":
            node = _agreeing(node, builder)
        case "for_loop" if _never_runs(ForLoop(node)):
            _left_out(node, ForLoop(node).carried, builder)
            return
        case "while_loop" if _never_starts(WhileLoop(node)):
            _left_out(node, WhileLoop(node).carried, builder)
            return
        case "for_loop" | "while_loop":
            node = _invariant(node, builder)
        case _:
            pass
    builder.nodes.append(tidy_captures(node) if node.regions else node)


def _told(node: Node) -> Node:
    """Within the branches of a ``cond`` its test is known, if it is a Python bool.

    A branch that puts the test out keeps it: that is how ``and`` and ``or`` are told from other branches.
    """
    test = Cond(node).test
    if not isinstance(test, Value) or test.spec != BOOL:
        return node
    regions: list[Block] = []
    for (region, inner, outer), known in zip(region_inputs(node), (True, False), strict=True):
        pairs = zip(inner, outer, strict=True)
        told = [value for value, operand in pairs if operand is test and value not in region.outputs]
        block = substituted(region, dict.fromkeys(told, Constant(known)))
        regions.append(Block(region.inputs, block.nodes, block.outputs))
    return replace(node, regions=tuple(regions))


def _decided(cond: Cond, builder: Builder) -> None:
    """The branch that a constant test takes, in place of the node."""
    assert isinstance(cond.test, Constant)
    taken = cond.then if cond.test.value else cond.orelse
    builder.replace(cond.node.outputs, builder.splice(taken, cond.captures))


def _agreeing(node: Node, builder: Builder) -> Node:
    """Outputs for which both branches give the same capture or constant are taken off the node."""
    keep: list[bool] = []
    outside = [dict(zip(inner, outer, strict=True)) for _, inner, outer in region_inputs(node)]
    for index, output in enumerate(node.outputs):
        found = [
            _outer(region.outputs[index], known) for region, known in zip(node.regions, outside, strict=True)
        ]
        agreed = _agreed(found)
        keep.append(agreed is None)
        if agreed is not None:
            builder.replace([output], [agreed])
    return node if all(keep) else keep_outputs(node, keep)


def _outer(operand: Operand, captured: dict[Value, Operand]) -> Operand | None:
    return operand if isinstance(operand, Constant) else captured.get(operand)


def _agreed(found: Sequence[Operand | None]) -> Operand | None:
    first, *others = found
    if first is None or any(other is None for other in others):
        return None
    for other in others:
        alike = isinstance(first, Constant) and isinstance(other, Constant) and _alike(first, other)
        if first is not other and not alike:
            return None
    unset = isinstance(first, Constant) and first.value is UNSET
    return None if unset else first


def _alike(left: Constant, right: Constant) -> bool:
    return same(left.value, right.value) and not is_nan(left.value)


def _never_runs(loop: ForLoop) -> bool:
    if not isinstance(loop.over, Range) or loop.breaks:
        return False
    bounds = [operand.value for operand in loop.iterated if isinstance(operand, Constant)]
    whole = len(bounds) == 3 and all(type(bound) is int for bound in bounds) and bounds[2] != 0
    return whole and not range(*bounds)


def _never_starts(loop: WhileLoop) -> bool:
    (go_on,) = loop.test.outputs
    return not loop.breaks and not loop.test.nodes and isinstance(go_on, Constant) and go_on.value is False


def _left_out(node: Node, carried: Sequence[Operand], builder: Builder) -> None:
    builder.replace(node.outputs, carried)


def _invariant(node: Node, builder: Builder) -> Node:
    """Carried values that every iteration hands on as they are: the loop may as well capture them."""
    loop = WhileLoop(node) if node.op == "while_loop" else ForLoop(node)
    first = len(node.inputs) - len(loop.captures) - loop.count
    given = len(loop.body.inputs) - len(loop.captures) - loop.count
    inner = loop.body.inputs[given : given + loop.count]
    ends = loop.body.outputs[loop.breaks :]
    stays = [end is value for end, value in zip(ends, inner, strict=True)]
    if not any(stays):
        return node
    for index, (output, initial) in enumerate(zip(node.outputs[loop.breaks :], loop.carried, strict=True)):
        if stays[index]:
            builder.replace([output], [initial])
    keep = [True] * loop.breaks + [not stay for stay in stays]
    moved = [first + index for index, stay in enumerate(stays) if stay]
    return _captured_instead(node, moved, keep)


def _captured_instead(node: Node, moved: Sequence[int], keep: Sequence[bool]) -> Node:
    """Move carried inputs behind the captures, and take their outputs off."""
    inputs = [operand for index, operand in enumerate(node.inputs) if index not in moved]
    inputs += [node.inputs[index] for index in moved]
    regions: list[Block] = []
    for region in node.regions:
        offset = len(region.inputs) - len(node.inputs)
        places = [index + offset for index in moved]
        values = [value for index, value in enumerate(region.inputs) if index not in places]
        values += [region.inputs[index] for index in places]
        regions.append(Block(tuple(values), region.nodes, region.outputs))
    body = regions[-1]
    ends = tuple(end for end, kept in zip(body.outputs, keep, strict=True) if kept)
    regions[-1] = Block(body.inputs, body.nodes, ends)
    outputs = tuple(output for output, kept in zip(node.outputs, keep, strict=True) if kept)
    return replace(node, inputs=tuple(inputs), outputs=outputs, regions=tuple(regions))
