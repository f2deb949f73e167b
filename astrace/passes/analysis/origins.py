"""The objects from outside that values may be: what a loop, a branch or a container hands on without computing anything.

A machine number has no identity, a Python number has: ``w = v`` in a loop makes ``w`` the object that ``v`` is.  For values
that may be one of several objects a lowered block keeps a number that tells which.  What is put into any list may come out
of any other one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import ListSpec, TupleSpec

Origins: TypeAlias = dict[Value, frozenset[int]]
"""The inputs, by position, whose objects values may be."""
NONE: Final[frozenset[int]] = frozenset()
NAN: Final = frozenset({-1})
"""What stands for a NaN that the program names: lists find it by what object it is, as they find what is passed on."""

HANDS_ON: Final = frozenset(
    {"make_tuple", "min", "max", "float", "int", "pos", "check_defined", "check_next"}
)
"""The ops that may give an object that they are given, or one that holds it."""
READS: Final = frozenset({"get_item", "unpack", "call_method"})
"""The ops that give what is in a container."""


@dataclass(slots=True)
class Passed:
    """What is passed on in a block.

    Args:
        values: the inputs whose objects values may be.
        listed: the inputs whose objects may be items of lists.
    """

    values: Origins = field(default_factory=dict[Value, frozenset[int]])
    listed: frozenset[int] = NONE


def origins(block: Block) -> Passed:
    """Return the inputs of a block that each value in it may be, at any depth; what an operation gives is a new object.

    Args:
        block: any block.
    """
    passed = Passed({value: frozenset({index}) for index, value in enumerate(block.inputs)})
    while True:
        before = passed.listed
        _block(block, passed)
        if passed.listed == before:
            return passed


def _block(block: Block, passed: Passed) -> None:
    for node in block.nodes:
        _node(node, passed)


def _node(node: Node, passed: Passed) -> None:
    """Follow the values of a node: through its regions until nothing is added any more."""
    found = passed.values
    for _, inner, outer in region_inputs(node):
        _join(found, zip(inner, outer, strict=True))
    match node.op:
        case "cond":
            for region in node.regions:
                _block(region, passed)
                _join(found, zip(node.outputs, region.outputs, strict=True))
        case "for_loop":
            loop = ForLoop(node)
            if any(isinstance(one.spec, ListSpec) for one in loop.iterated):
                _add(found, loop.elements, passed.listed)
            _loop(loop, loop.body.inputs[len(loop.elements) :], passed)
        case "while_loop":
            _loop(WhileLoop(node), node.regions[1].inputs, passed)
        case _:
            _leaf(node, passed)


def _leaf(node: Node, passed: Passed) -> None:
    """Follow what is put into containers, and comes out of them."""
    given = frozenset[int]().union(*(_of(passed.values, one) for one in node.inputs))
    first = node.inputs[0].spec if node.inputs else None
    if isinstance(first, ListSpec) or any(isinstance(one.spec, ListSpec) for one in node.outputs):
        passed.listed |= given
    if isinstance(first, ListSpec):
        _add(passed.values, node.outputs, passed.listed)
    elif node.op in HANDS_ON or (node.op in READS and isinstance(first, TupleSpec)):
        _add(passed.values, node.outputs, given)


def _add(found: Origins, values: Iterable[Value], more: frozenset[int]) -> None:
    for value in values if more else ():
        found[value] = found.get(value, NONE) | more


def _loop(loop: ForLoop | WhileLoop, inputs: tuple[Value, ...], passed: Passed) -> None:
    """Follow what a loop carries: an iteration begins with what came in or with what the one before has put out."""
    found = passed.values
    outputs = loop.node.outputs[loop.breaks :]
    ends = loop.body.outputs[loop.breaks :]
    _join(found, zip(outputs, loop.carried, strict=True))
    while True:
        for region in loop.node.regions:
            carried = inputs if region is loop.body else region.inputs
            _join(found, zip(carried, outputs, strict=False))
            _block(region, passed)
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
    if isinstance(operand, Constant):
        return NAN if type(operand.value) is float and math.isnan(operand.value) else NONE
    return found.get(operand, NONE)
