"""A loop over tiles of iterations, in the place of a loop that calls NumPy's loops for one number at a time (`splitting`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import blocks
from astrace.passes.fusion.statements import COUNTING
from astrace.passes.fusion.tiles import ONE, ZERO, Numbers
from astrace.passes.lowering.forms import COMPLEX, FLOAT, INT, dtype_of

TILE: Final = 128
"""The iterations of a tile: more than a call needs, and few enough that memory for them is at hand."""


@dataclass(frozen=True, slots=True)
class TileCall:
    """A call for one number that becomes one for a tile.

    Args:
        node: the call.
        before: the nodes of the iteration that lead to its operands, in order, with the tests that give the program up.
        carried: the numbers that only these nodes carry from one iteration to the next, and what they are then.
        tiles: the arrays for its operands; its results take the place of the first.
        kept: the arrays for those of ``carried`` that something else needs, as they are when an iteration begins.
    """

    node: Node
    before: tuple[Node, ...]
    carried: Mapping[Value, Operand]
    tiles: tuple[Value, ...]
    kept: Mapping[Value, Value] = field(default_factory=dict[Value, Value])


def split_loop(loop: Node, calls: Sequence[TileCall]) -> Node:
    """Return a loop over tiles: for each, the operands of the calls, the calls, and the iterations.

    Args:
        loop: over numbers one after the other.
        calls: in it.
    """
    (region,) = loop.regions
    start, stop, _, *initial = loop.inputs
    numbers, first = Numbers(), Value(GenericSpec(INT), "first")
    size = numbers.smaller(numbers.add("sub", stop, first), Constant(TILE), "size")
    end = numbers.add("add", first, size, name="end")
    carried = {one: Value(one.spec, one.name) for one in region.inputs[1:]}
    ended = dict[Value, Value]()
    for number, call in enumerate(calls):
        operands = _operands(call, calls[:number], region.inputs[0], carried, (first, end))
        ended.update(zip(call.carried, operands.outputs, strict=True))
        numbers.nodes.append(operands)
        numbers.nodes += _for_tile(call, size)
    inner = _iterations(loop, calls, carried, (first, end))
    ended.update(zip((one for one in carried if one not in ended), inner.outputs, strict=True))
    outputs = tuple(ended[one] for one in carried)
    whole = Block((first, *carried.values()), (*numbers.nodes, inner), outputs)
    return replace(loop, inputs=(start, stop, Constant(TILE), *initial), regions=(whole,))


def left_of(region: Block, calls: Sequence[TileCall]) -> Sequence[Node]:
    """Return the nodes of an iteration without what has been computed for the tile, and is not needed again.

    Args:
        region: the iteration.
        calls: in it.
    """
    done = {node for call in calls for node in call.before}
    called = {call.node for call in calls}
    used: set[Operand] = {end for _, end in left_to_carry(region, calls)}
    found: list[Node] = []
    for node in reversed(region.nodes):
        if node in done and used.isdisjoint(node.outputs):
            continue
        found.append(node)
        if node not in called:
            used |= used_in((node,), ())
    return [node for node in found[::-1] if node not in called or not used.isdisjoint(node.outputs)]


def used_in(found: Iterable[Node], others: Iterable[Operand]) -> set[Value]:
    """Return the values that nodes use, those inside of them included, and others.

    Args:
        found: the nodes.
        others: further operands.
    """
    used = set(others)
    for inner in blocks(Block((), tuple(found), ())):
        used.update(inner.outputs, *(node.inputs for node in inner.nodes))
    return {one for one in used if isinstance(one, Value)}


def left_to_carry(region: Block, calls: Sequence[TileCall]) -> list[tuple[Value, Operand]]:
    """Return what the iterations carry that nothing before has carried, and what it is at their end.

    Args:
        region: the iteration.
        calls: in it.
    """
    done = {value for call in calls for value in call.carried}
    ends = zip(region.inputs[1:], region.outputs, strict=True)
    return [(value, end) for value, end in ends if value not in done]


def dtype_of_number(operand: Operand) -> np.dtype[np.generic]:
    """Return the dtype of a machine number; a literal is a float, or a complex number.

    Args:
        operand: the number.
    """
    if isinstance(operand.spec, GenericSpec):
        return operand.spec.dtype
    return COMPLEX if dtype_of(operand.spec) == COMPLEX else FLOAT


def new_tile(dtype: np.dtype[np.generic]) -> Node:
    """Return what makes a tile for numbers of a dtype."""
    tile = Value(ArraySpec((None,), dtype), "tile")
    return Node("allocate", (Constant(TILE),), (tile,), {"dtype": dtype})


def _iterations(
    loop: Node, calls: Sequence[TileCall], carried: Mapping[Value, Value], bounds: tuple[Value, Value]
) -> Node:
    """Return the loop over the iterations of a tile.

    Args:
        loop: over all iterations.
        calls: in it, which have been made.
        carried: what it carries, as the tile begins.
        bounds: of the tile.
    """
    (region,) = loop.regions
    left = left_to_carry(region, calls)
    place, placed = Value(GenericSpec(INT), "place"), {call.node: call for call in calls}
    body = [_element(placed[node], place) if node in placed else node for node in left_of(region, calls)]
    kept = {value: tile for call in calls for value, tile in call.kept.items()}
    used = used_in(body, (end for _, end in left))
    body = [Node("load", (tile, place), (value,)) for value, tile in kept.items() if value in used] + body
    body.insert(0, Node("sub", (region.inputs[0], bounds[0]), (place,)))
    inputs = (region.inputs[0], *(value for value, _ in left))
    outputs = tuple(Value(value.spec, value.name) for value, _ in left)
    inner = Block(inputs, tuple(body), tuple(end for _, end in left))
    given = (*bounds, ONE, *(carried[value] for value, _ in left))
    return replace(loop, inputs=given, outputs=outputs, regions=(inner,))


def _operands(
    call: TileCall,
    earlier: Sequence[TileCall],
    index: Value,
    carried: Mapping[Value, Value],
    bounds: tuple[Value, Value],
) -> Node:
    """Return the loop that puts the operands of a call into its tiles, and what it carries alone.

    Args:
        call: the call.
        earlier: the calls that have been made.
        index: the number of an iteration.
        carried: what the loop carries, as the tile begins.
        bounds: of the tile.
    """
    own, place = Value(index.spec, index.name), Value(GenericSpec(INT), "place")
    states = tuple(Value(one.spec, one.name) for one in call.carried)
    names: dict[Operand, Operand] = {index: own, **dict(zip(call.carried, states, strict=True))}
    placed = {one.node: one for one in earlier}
    used = used_in(call.before, (*call.node.inputs, *call.carried.values()))
    kept = [
        (value, tile)
        for one in earlier
        for value, tile in one.kept.items()
        if value in used - {*call.carried}
    ]
    before = [Node("load", (tile, place), (value,)) for value, tile in kept]
    before += [_element(placed[node], place) if node in placed else node for node in call.before]
    found = [Node("sub", (own, bounds[0]), (place,))]
    found += [Node("store", (tile, names[value], place), ()) for value, tile in call.kept.items()]
    found += [_renamed(node, names) for node in before]
    for tile, operand in zip(call.tiles, call.node.inputs, strict=True):
        found.append(
            Node("store", (tile, names.get(operand, operand), place), (), location=call.node.location)
        )
    ends = tuple(names.get(one, one) for one in call.carried.values())
    outputs = tuple(Value(one.spec, one.name) for one in call.carried)
    given = (*bounds, ONE, *(carried[one] for one in call.carried))
    attrs = {"over": COUNTING, "breaks": False}
    body = Block((own, *states), tuple(found), ends)
    return Node("for_loop", given, outputs, attrs, (body,), call.node.location)


def _renamed(node: Node, names: dict[Operand, Operand]) -> Node:
    """Return a node whose values have other names than those around; add these to ``names``."""
    inputs = tuple(names.get(one, one) for one in node.inputs)
    regions = tuple(_renamed_region(one, names) for one in node.regions)
    outputs = tuple(Value(one.spec, one.name) for one in node.outputs)
    names.update(zip(node.outputs, outputs, strict=True))
    return replace(node, inputs=inputs, outputs=outputs, regions=regions)


def _renamed_region(region: Block, names: dict[Operand, Operand]) -> Block:
    inner = tuple(_renamed(node, names) for node in region.nodes)
    return Block(region.inputs, inner, tuple(names.get(one, one) for one in region.outputs))


def _for_tile(call: TileCall, size: Operand) -> list[Node]:
    """Return the call for a tile, whose results take the place of its first operand."""
    if call.node.op != "call_ufunc":
        return [_for_each(call, size)]
    found: list[Node] = []
    for tile in call.tiles:
        part = Value(tile.spec, "part")
        attrs = {"axes": ":"}
        found.append(Node("slice_of", (tile, ZERO, size, ONE), (part,), attrs, location=call.node.location))
    parts = [node.output for node in found]
    return [*found, Node("apply_ufunc", (parts[0], *parts), (), call.node.attrs, location=call.node.location)]


def _for_each(call: TileCall, size: Operand) -> Node:
    """Return the loop that makes the call for each element of a tile."""
    place, result = Value(GenericSpec(INT), "place"), Value(call.node.output.spec)
    given = tuple(Value(GenericSpec(dtype_of_number(one))) for one in call.node.inputs)
    body = [Node("load", (tile, place), (one,)) for tile, one in zip(call.tiles, given, strict=True)]
    body.append(replace(call.node, inputs=given, outputs=(result,)))
    body.append(Node("store", (call.tiles[0], result, place), ()))
    attrs = {"over": COUNTING, "breaks": False}
    region = Block((place,), tuple(body), ())
    return Node("for_loop", (ZERO, size, ONE), (), attrs, (region,), call.node.location)


def _element(call: TileCall, place: Value) -> Node:
    """Return what reads the result of a call for an iteration."""
    return Node("load", (call.tiles[0], place), call.node.outputs, location=call.node.location)
