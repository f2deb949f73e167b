"""Tests that give a program up, as few and as early as may be.

A test of what is the same at each turn of a loop stands in front of it, and tests that need nothing computed between them are one.
Giving up early is right wherever giving up late is: nothing that was done counts.  Each place where a program gives up
releases all arrays that there are, and is compiled; fewer of them are faster to compile than they are to run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.walk import nodes
from astrace.passes.fusion.loop_ends import LoopEnds
from astrace.passes.fusion.loop_front import BOOL, LoopFront, is_counted, is_number


def with_early_tests(block: Block) -> Block:
    """Return a block with fewer tests.

    Args:
        block: a lowered block, whose regions may use the values around them.
    """
    return _with_joined_tests(_with_tests_around_loops(block))


def _with_tests_around_loops(block: Block, around: Node | None = None) -> Block:
    """Return a block with tests in front of loops, inner loops first; ``around`` is the loop that it stands in."""
    found: list[Node] = []
    for node in block.nodes:
        own = node if is_counted(node) else around
        regions = tuple(_with_tests_around_loops(region, own) for region in node.regions)
        inside = replace(node, regions=regions) if node.regions else node
        found += _in_front(inside, around) if is_counted(inside) else [inside]
    return Block(block.inputs, tuple(found), block.outputs)


def _in_front(loop: Node, around: Node | None) -> list[Node]:
    """Return a test of all that is the same at each turn of a loop, or grows from turn to turn, and the loop without these tests."""
    (body,) = loop.regions
    early = _EarlyTests(loop)
    left = early.left_of(body, in_branch=False)
    if around is not None and not _pays(loop, left, around):
        early = _EarlyTests(loop, at_ends=False)
        left = early.left_of(body, in_branch=False)
    inside = replace(loop, regions=(left,))
    if not early.tests:
        return [inside]
    front = early.front
    fails = front.emit("and_", (front.is_run(), front.any_of(early.tests)), BOOL)
    return [*front.numbers, Node("deopt", (fails,), (), location=loop.location), inside]


def _pays(loop: Node, left: Block, around: Node) -> bool:
    """Return whether tests of the first and the last turn of an inner loop are less work than one at each turn, of which there may be few.

    They are where no test is left in the loop, which may then take several turns at once, and where they may move on in front of the loop
    around it.

    Args:
        loop: the inner loop.
        left: its body without these tests.
        around: the loop around it.
    """
    if all(node.op != "deopt" for node in nodes(left)):
        return True
    ends = LoopEnds(around, LoopFront(around), _makers(around.regions[0]))
    return all(ends.is_line(one) for one in loop.inputs[:2])


class _EarlyTests:
    """The tests of a loop's body that stand in front of it.

    Args:
        loop: the loop.
        at_ends: those that are made at its first and its last turn are among them.
    """

    def __init__(self, loop: Node, at_ends: bool = True) -> None:
        self.front = LoopFront(loop)
        self.tests: dict[Operand, None] = {}
        at_ends = at_ends and not loop.attrs["breaks"]
        self._ends = LoopEnds(loop, self.front, _makers(loop.regions[0])) if at_ends else None

    def left_of(self, block: Block, in_branch: bool) -> Block:
        """Return the body, or a branch in it, without these tests.

        Args:
            block: the body or the branch.
            in_branch: it is a branch: of its tests, only those of what leaves 64 bits may be made whether it runs or not.
        """
        left: list[Node] = []
        for node in block.nodes:
            found = self._tests_of(node, in_branch) if node.op == "deopt" else []
            self.tests.update((one, None) for one in found if not _is_false(one))
            if node.op == "cond":
                regions = tuple(self.left_of(region, in_branch=True) for region in node.regions)
                left.append(replace(node, regions=regions))
            elif not found:
                left.append(node)
        return Block(block.inputs, tuple(left), block.outputs)

    def _tests_of(self, node: Node, in_branch: bool) -> list[Operand]:
        """Return the tests in front of the loop that are made in the place of one in it; none if it has to stay there."""
        same = None if in_branch else self.front.before(node.inputs[0])
        if same is not None:
            return [same]
        return [] if self._ends is None else self._ends.test(node.inputs[0], in_branch)


def _makers(block: Block) -> dict[Value, Node]:
    """Return the nodes of a block and of the branches in it, by what they give."""
    found = {output: node for node in block.nodes for output in node.outputs}
    for region in (one for node in block.nodes if node.op == "cond" for one in node.regions):
        found.update(_makers(region))
    return found


def _is_false(test: Operand) -> bool:
    return isinstance(test, Constant) and not test.value


def _with_joined_tests(block: Block) -> Block:
    """Return a block with one test where the first of several stood, in its regions, too."""
    found: list[Node] = []
    group: _Group | None = None
    for node in block.nodes:
        inside = replace(node, regions=tuple(map(_with_joined_tests, node.regions))) if node.regions else node
        if group is not None and group.takes(inside):
            continue
        if node.op != "deopt":
            found.append(inside)
            continue
        found += [] if group is None else group.written()
        group = _Group(node)
    found += [] if group is None else group.written()
    return Block(block.inputs, tuple(found), block.outputs)


class _Group:
    """Tests that are one, and the nodes behind it.

    Args:
        test: the first of them.
    """

    def __init__(self, test: Node) -> None:
        self._tests: dict[Operand, None] = {test.inputs[0]: None}
        self._location = test.location
        self._attrs = test.attrs
        self._numbers: list[Node] = []
        self._behind: list[Node] = []
        self._makers: dict[Operand, Node] = {}

    def takes(self, node: Node) -> bool:
        """Return whether a node is in the group now: a test of another kind, or of what is only computed behind other nodes, is not.

        Args:
            node: the next one.
        """
        if node.op != "deopt":
            self._behind.append(node)
            self._makers.update((output, node) for output in node.outputs)
            return True
        needed: dict[Node, None] = {}
        if node.attrs != self._attrs or not self._collect(node.inputs[0], needed):
            return False
        self._tests[node.inputs[0]] = None
        self._numbers += [one for one in self._behind if one in needed]
        self._behind = [one for one in self._behind if one not in needed]
        for one in needed:
            for output in one.outputs:
                del self._makers[output]
        return True

    def _collect(self, operand: Operand, needed: dict[Node, None]) -> bool:
        """Collect the nodes behind the test that an operand needs; false if one of them has to stay there."""
        node = self._makers.get(operand)
        if node is None or node in needed:
            return True
        needed[node] = None
        return is_number(node) and all(self._collect(one, needed) for one in node.inputs)

    def written(self) -> Iterator[Node]:
        """Yield the nodes, with one test in front."""
        yield from self._numbers
        fails, *others = self._tests
        for other in others:
            either = Value(BOOL)
            yield Node("or_", (fails, other), (either,), location=self._location)
            fails = either
        yield Node("deopt", (fails,), (), self._attrs, location=self._location)
        yield from self._behind
