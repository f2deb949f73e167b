"""Loops over numbers that call NumPy's loop for one element at a time: each such call becomes one for a tile of iterations.

A call for one number takes ten times as long as for one of many.  What leads to the operand of the call is computed for the iterations
of a tile first; then the call is made; then the loop runs as it did, with an element of the tile in the place of the call.
What leads to the operand must not depend on what the loop writes, nor on results of calls that stay; it may be computed twice, and
gives the program up where the loop would.  Numbers that the loop carries and the operand needs, as the state of a filter, are carried by what runs
first alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import nodes
from astrace.passes.fusion.split_loops import (
    TileCall,
    dtype_of_number,
    left_of,
    left_to_carry,
    new_tile,
    split_loop,
    used_in,
)
from astrace.passes.fusion.statements import COUNTING, is_of_numbers
from astrace.passes.fusion.tiles import ONE
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.memory import SharedMemory

CALLS: Final = ("call_ufunc", "distance")
"""Calls for one number that take less time for many: a loop of NumPy's, and what LLVM computes for several numbers at once."""
LONGEST: Final = 60
"""The number of nodes that are computed twice at most: a call for one number takes as long."""


def split(block: Block, memory: SharedMemory, own: AbstractSet[Value]) -> Block:
    """Return a block whose loops call NumPy's loops for tiles, where they called them for numbers.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory.
        own: the arrays that the program makes.
    """
    splitting = _Splitting(memory, own)
    found = splitting.block(block, 0)
    made = tuple(maker for makers in splitting.pool.values() for maker in makers)
    return replace(found, nodes=(*made, *found.nodes)) if made else block


@dataclass(slots=True)
class _Splitting:
    """The pass on one block.

    Args:
        memory: as for `split`.
        own: the same.
        pool: the nodes that make tiles, by dtype; loops that are not inside each other share them.
    """

    memory: SharedMemory
    own: AbstractSet[Value]
    pool: dict[np.dtype[np.generic], list[Node]] = field(
        default_factory=dict[np.dtype[np.generic], list[Node]]
    )

    def block(self, block: Block, taken: int) -> Block:
        """Return a block or a region with its loops split.

        Args:
            block: any.
            taken: the number of tiles that loops around it have.
        """
        found = tuple(self._node(node, taken) for node in block.nodes)
        return replace(block, nodes=found) if _differ(found, block.nodes) else block

    def _node(self, node: Node, taken: int) -> Node:
        """Return a node with its loops split; the same one where there is none."""
        if not node.regions:
            return node
        calls = self._calls(node, taken) if is_counted(node) else []
        taken += sum(len(call.tiles) + len(call.kept) for call in calls)
        regions = tuple(self.block(region, taken) for region in node.regions)
        inner = replace(node, regions=regions) if _differ(regions, node.regions) else node
        return split_loop(inner, calls) if calls else inner

    def _calls(self, loop: Node, taken: int) -> list[TileCall]:
        """Return the calls in a loop that become calls for tiles, each of which may follow from those before."""
        (region,) = loop.regions
        leading = _Leading(region, self._is_the_same_before)
        found: list[TileCall] = []
        for node in region.nodes:
            if node.op not in CALLS or dtype_of_number(node.inputs[0]) != dtype_of_number(node.output):
                continue
            before = leading.to(node)
            if before is None:
                continue
            tiles = tuple(
                self._tile(dtype_of_number(one), taken + number) for number, one in enumerate(node.inputs)
            )
            taken += len(tiles)
            found.append(TileCall(node, *before, tiles))
        return self._keeping(region, found, taken)

    def _keeping(self, region: Block, calls: list[TileCall], taken: int) -> list[TileCall]:
        """Return calls with tiles for the numbers carried to their operands that something else needs at each turn."""
        used = used_in(left_of(region, calls), (end for _, end in left_to_carry(region, calls)))
        found: list[TileCall] = []
        for call in reversed(calls):
            kept: dict[Value, Value] = {}
            for value in call.carried:
                if value in used:
                    kept[value] = self._tile(dtype_of_number(value), taken)
                    taken += 1
            found.append(replace(call, kept=kept))
            used |= used_in(call.before, (*call.node.inputs, *call.carried.values()))
        return found[::-1]

    def _is_the_same_before(self, node: Node, written: AbstractSet[Value]) -> bool:
        """Return whether a node gives the same if it runs before the loop has written anything."""
        if node.op == "cond":
            inside = (inner for region in node.regions for inner in region.nodes)
            return is_of_numbers(node) and all(self._is_the_same_before(one, written) for one in inside)
        if node.regions:
            return False
        if node.op != "load":
            return node.op == "dim" or is_of_numbers(node)
        base = node.inputs[0]
        assert isinstance(base, Value)
        return all(
            not self.memory.may_share(base, one) and (base in self.own or one in self.own) for one in written
        )

    def _tile(self, dtype: np.dtype[np.generic], number: int) -> Value:
        """Return a tile for numbers of a dtype."""
        made = self.pool.setdefault(dtype, [])
        while len(made) <= number:
            made.append(new_tile(dtype))
        return made[number].output


@dataclass(slots=True)
class _Leading:
    """What leads to the operands of calls in the body of a loop.

    Args:
        region: the body.
        same: whether a node gives the same if it runs before the loop has written anything, and what that is.
        written: the arrays that the loop may write.
        ahead: the numbers which loops that run first carry so far.
        placed: the calls which are made for tiles so far.
    """

    region: Block
    same: Callable[[Node, AbstractSet[Value]], bool]
    written: AbstractSet[Value] = frozenset()
    ahead: set[Value] = field(default_factory=set[Value])
    placed: set[Node] = field(default_factory=set[Node])

    def __post_init__(self) -> None:
        self.written = _written(self.region)

    def to(self, call: Node) -> tuple[tuple[Node, ...], dict[Value, Operand]] | None:
        """Return the nodes that the operands of a call need, and what the loop carries to them with the values at the end of a turn.

        The nodes include the tests that give the program up before.  ``None`` where some of them can't run first.
        """
        carried: dict[Value, Operand] = {}
        needed = {one for one in call.inputs if isinstance(one, Value)}
        while True:
            found = self._nodes(call, needed)
            if found is None or len(found) > LONGEST:
                return None
            more = self._carried(needed.difference(carried, self.ahead))
            if not more:
                break
            carried |= more
            needed.update(one for one in more.values() if isinstance(one, Value))
        if any(not isinstance(one.spec, GenericSpec) for one in carried):
            return None
        self.ahead.update(carried)
        self.placed.add(call)
        return tuple(found), carried

    def _carried(self, needed: AbstractSet[Value]) -> dict[Value, Operand]:
        ends = zip(self.region.inputs[1:], self.region.outputs, strict=True)
        return {value: end for value, end in ends if value in needed}

    def _nodes(self, call: Node, needed: set[Value]) -> list[Node] | None:
        """Return the nodes that give some values, to which all are added that these nodes use."""
        found: list[Node] = []
        is_before = False
        for node in reversed(self.region.nodes):
            is_needed = not needed.isdisjoint(node.outputs)
            is_before |= is_needed or node is call
            if not is_needed and not (is_before and node.op == "deopt"):
                continue
            if not self._runs_first(node) or (is_needed and node is call):
                return None
            needed |= used_in((node,), ())
            found.append(node)
        return found[::-1]

    def _runs_first(self, node: Node) -> bool:
        if node.op == "call_ufunc":
            return node in self.placed
        return self.same(node, self.written)


def is_counted(node: Node) -> bool:
    """Return whether a node is a loop over integers one after the other, which runs to its end.

    Args:
        node: any.
    """
    if node.op != "for_loop" or node.attrs["over"] != COUNTING or node.attrs["breaks"]:
        return False
    return same_operand(node.inputs[2], ONE)


def _differ(found: Sequence[object], given: Sequence[object]) -> bool:
    return any(one is not other for one, other in zip(found, given, strict=True))


def _written(region: Block) -> frozenset[Value]:
    """Return the arrays that a region may write: all that are given to anything but a load."""
    return frozenset(
        one
        for node in nodes(region)
        if node.op not in ("load", "dim")
        for one in (*node.inputs, *node.outputs)
        if isinstance(one, Value) and isinstance(one.spec, ArraySpec)
    )
