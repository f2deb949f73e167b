"""The pass: groups of elementwise statements at each level of a block's regions, run together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.walk import blocks, nodes
from astrace.passes.fusion.groups import EqualSizes, Group, may_join
from astrace.passes.fusion.in_place import with_arrays_in_place
from astrace.passes.fusion.merging import merged
from astrace.passes.fusion.rows import with_rows_together
from astrace.passes.fusion.statements import Statement, is_of_numbers, statement_of
from astrace.passes.fusion.tiles import MadeTiles, tiled
from astrace.passes.lowering.memory import MemoryInRegion, SharedMemory


def fused(
    block: Block,
    memory: SharedMemory,
    own: set[Value],
    apart: set[tuple[Value, Value]],
    in_place: bool = True,
) -> Block:
    """Return a block in which elementwise statements run together.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory.
        own: the arrays that the program makes.
        apart: pairs of arrays that may not share memory; further ones are added.
        in_place: arrays may be written in the place of the last turn's.
    """
    block = with_arrays_in_place(block, memory) if in_place else block
    fusion = _Fusion(block, memory, own, apart)
    grouped = fusion.block(block, EqualSizes())
    grouped = (
        with_arrays_in_place(grouped, memory) if in_place else grouped
    )  # what reads together is one statement now
    return with_rows_together(grouped, memory, own, apart, fusion.tiles)


@dataclass(slots=True)
class _Fusion:
    """The pass on one block.

    Args:
        whole: the block.
        memory: as for `fused`.
        own: the same.
        apart: the same.
        tiles: the loops over tiles that were made.
    """

    whole: Block
    memory: SharedMemory
    own: set[Value]
    apart: set[tuple[Value, Value]]
    uses: Counter[Operand] = field(default_factory=Counter[Operand])
    made: dict[Value, Node] = field(default_factory=dict[Value, Node])
    sizes: dict[Value, tuple[Operand, ...]] = field(default_factory=dict[Value, tuple[Operand, ...]])
    makers: dict[Operand, Node] = field(default_factory=dict[Operand, Node])
    tiles: MadeTiles = field(default_factory=MadeTiles)

    def __post_init__(self) -> None:
        for node in nodes(self.whole):
            self.uses.update(one for one in node.inputs if isinstance(one, Value))
            self.makers.update((one, node) for one in node.outputs)
            if node.op == "allocate":
                self.made[node.output] = node
                self.sizes[node.output] = node.inputs
        for one in blocks(self.whole):
            self.uses.update(one for one in one.outputs if isinstance(one, Value))

    def block(self, block: Block, equal: EqualSizes) -> Block:
        """Return a block, or a region, with its statements grouped."""
        made = {node.output for node in block.nodes if node.op == "allocate"}
        inside = {value for node in nodes(block) for value in node.outputs}
        inside.update(value for one in blocks(block) if one is not block for value in one.inputs)
        memory = MemoryInRegion(self.memory, made, inside)
        return Block(block.inputs, tuple(self.level(tests_first(block.nodes), equal, memory)), block.outputs)

    def level(
        self, level_nodes: Sequence[Node], equal: EqualSizes, memory: SharedMemory, depth: int = 0
    ) -> list[Node]:
        """Return the nodes of a block, a region, or a part of one, with its statements grouped.

        Args:
            level_nodes: the nodes.
            equal: the sizes that are known to be equal in front of them.
            memory: which arrays may share memory, in this block or region.
            depth: the number of groups around, in front of which they are to stand.
        """
        level = _Level(self, equal, memory, depth)
        for node in level_nodes:
            level.add(node)
        level.close()
        return [node for node in level.found if not _makes(node, level.gone)]


MOST_ASIDE: Final = 8
"""The number of groups, each over other elements, that may be open at one time: each takes all nodes a further time."""
ELEMENTS: Final = frozenset({"load", "store", "dim"})
"""The ops that touch at most one element of an array."""


@dataclass(slots=True)
class _Level:
    """The nodes of one block or region, and the group that is open.

    Args:
        fusion: the pass.
        equal: the sizes that are known to be equal so far.
        memory: as for `_Fusion.level`.
        depth: as for `_Fusion.level`.
        found: the nodes so far, without the group's.
        made: the arrays that are made among them, and in the group.
        gone: those that nothing needs any more.
        group: the group.
    """

    fusion: _Fusion
    equal: EqualSizes
    memory: SharedMemory
    depth: int
    found: list[Node] = field(default_factory=list[Node])
    made: set[Value] = field(default_factory=set[Value])
    gone: set[Value] = field(default_factory=set[Value])
    group: Group | None = None

    def add(self, node: Node) -> None:
        """Take the next node."""
        if node.op == "allocate":
            self.made.add(node.output)
        statement = statement_of(node, self.fusion.sizes)
        if statement is not None and may_join(statement, self.memory):
            self._join(statement)
        elif self._may_stand_before(node):
            self._note(node)
            (self.found if self.group is None else self.group.before).append(node)
        else:
            self.close()
            inside = (self.fusion.block(region, self.equal.copy()) for region in node.regions)
            self.found.append(replace(node, regions=tuple(inside)) if node.regions else node)

    def _join(self, statement: Statement) -> None:
        """Put a statement into the group, in front of it, or into a new one."""
        group = self.group
        if group is not None and not group.admits(statement, self.equal):
            if self.depth < MOST_ASIDE and group.is_independent(statement):
                group.put_aside(statement, self.equal)
                return
            self.close()
        if self.group is None:
            self.group = Group(self.memory, self.fusion.own)
        self.group.add(statement)

    def _may_stand_before(self, node: Node) -> bool:
        """Return whether a node does the same in front of the group: it makes a number or memory, or gives the program up."""
        if node.regions:
            return False
        if node.op == "allocate" or is_of_numbers(node):
            return True
        base = node.inputs[0]
        if self.group is None or not isinstance(base, Value):
            return node.op in ELEMENTS
        match node.op:
            case "dim":
                return True
            case "load":
                return not self.group.writes(base)
            case "store":
                return not self.group.touches(base)
            case _:
                return False

    def _note(self, node: Node) -> None:
        """Note the sizes that are equal from here on."""
        test = self.fusion.makers.get(node.inputs[0]) if node.op == "deopt" else None
        if test is not None and test.op == "ne":
            self.equal.note(test)

    def close(self) -> None:
        """Write the group that is open."""
        group, self.group = self.group, None
        if group is None:
            return
        if group.equal_aside is not None:
            group.before = self.fusion.level(group.before, group.equal_aside, self.memory, self.depth + 1)
        self.found += group.before
        if len(group.statements) == 1:
            self.found.append(group.statements[0].node)
        else:
            self._write(group)

    def _write(self, group: Group) -> None:
        temporaries = self._temporaries(group)
        statements = merged(group.statements, temporaries.keys())
        used = {access.base for statement in statements for access in statement.accesses}
        if len(statements) == 1 or not _share(statements):
            self.gone |= temporaries.keys() - used
            self.found += [one.node for one in statements]
        else:
            self.gone |= temporaries.keys()
            left = [one for one in temporaries if one in used]
            found = tiled(statements, self.fusion.made, left)
            self.fusion.tiles.note(found)
            self.found += found
        self.fusion.apart.update(group.apart())

    def _temporaries(self, group: Group) -> dict[Value, None]:
        """Return the arrays that are made here, for the group alone: it stores all elements before it reads any.

        They stand in the order of their use, on which the text of a kernel depends.
        """
        counts = Counter(access.base for access in group.accesses)
        first = {access.base: access for access in reversed(list(group.accesses))}
        return {
            base: None
            for base, count in counts.items()
            if base in self.made
            and count == self.fusion.uses[base]
            and first[base].writes
            and first[base].place == tuple(range(len(group.sizes)))
            and self.equal.are_equal(self.fusion.made[base].inputs, group.sizes)
            and not self.fusion.made[base].attrs.get("comes_out")
            and self.fusion.memory.members(base) == {base}
        }


SIZES: Final = frozenset({"dim", "add", "sub", "mul", "select", "eq", "ne", "lt", "le", "gt", "ge"})
"""The ops that sizes are computed and compared with."""


def tests_first(level_nodes: Sequence[Node]) -> list[Node]:
    """Return nodes with the tests in front that sizes are equal, if these are known there; where they differ, the program is given up.

    Args:
        level_nodes: those of a block or a region.
    """
    made = {output for node in level_nodes for output in node.outputs}
    first: dict[Node, None] = {}
    unequal: set[Operand] = set()
    for node in level_nodes:
        is_test = node.op == "deopt" and node.inputs[0] in unequal
        known = all(one not in made for one in node.inputs if isinstance(one, Value))
        if is_test or (node.op in SIZES and known and not node.regions):
            first[node] = None
            made.difference_update(node.outputs)
            unequal.update(node.outputs if node.op == "ne" else ())
    return [*first, *(node for node in level_nodes if node not in first)]


def _makes(node: Node, arrays: AbstractSet[Value]) -> bool:
    return node.op == "allocate" and node.output in arrays


def _share(statements: list[Statement]) -> bool:
    """Return whether some of several statements touch the same array."""
    seen: set[Value] = set()
    for statement in statements:
        touched = {access.base for access in statement.accesses}
        if touched & seen:
            return True
        seen |= touched
    return False
