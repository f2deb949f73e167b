"""Two blocks side by side: which of their constants differ, and where one has what the other has not.

Both come from one function by the same compiler, at different times or for different arguments, so their nodes
stand in the same order; where they do not, the longest common run of nodes decides.  Takes blocks, gives
`Apart` records in program order.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.constants import same, show
from astrace.locations import Location


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """A place at which two blocks differ.

    Args:
        location: the user's line.
        then: the constant of the first block.
        now: the constant of the second.
        left: the node of the first block, where there is one.
        right: the node of the second.
    """

    location: Location | None
    then: Constant | None = None
    now: Constant | None = None
    left: Node | None = None
    right: Node | None = None


def differences(left: Block, right: Block) -> Iterator[Apart]:
    """Yield the differences between two blocks, in program order."""
    yield from _Walk().blocks(left, right, None)


class _Walk:
    """A walk through two blocks that knows which values stand for each other."""

    def __init__(self) -> None:
        self._pairs: dict[Value, Value] = {}

    def blocks(self, left: Block, right: Block, where: Location | None) -> Iterator[Apart]:
        self._pair(left.inputs, right.inputs)
        keys = [_key(node) for node in left.nodes], [_key(node) for node in right.nodes]
        matcher = difflib.SequenceMatcher(None, *keys, autojunk=False)
        for tag, first, last, start, end in matcher.get_opcodes():
            ours, theirs = left.nodes[first:last], right.nodes[start:end]
            if tag == "replace" and len(ours) == len(theirs):
                yield from self._replaced(ours, theirs)
            elif tag == "equal":
                for one, two in zip(ours, theirs, strict=True):
                    yield from self._nodes(one, two)
            else:
                yield from (Apart(node.location, left=node) for node in ours)
                yield from (Apart(node.location, right=node) for node in theirs)
        last_line = left.nodes[-1].location if left.nodes else where
        yield from self._operands(left.outputs, right.outputs, last_line, None, None)

    def _replaced(self, ours: Sequence[Node], theirs: Sequence[Node]) -> Iterator[Apart]:
        for one, two in zip(ours, theirs, strict=True):
            yield Apart(one.location, left=one, right=two)
            self._pair(one.outputs, two.outputs)

    def _nodes(self, one: Node, two: Node) -> Iterator[Apart]:
        yield from self._operands(one.inputs, two.inputs, one.location, one, two)
        self._pair(one.outputs, two.outputs)
        if _turned_round(one, two):
            yield Apart(one.location, left=one, right=two)
            return
        for ours, theirs in zip(one.regions, two.regions, strict=False):
            yield from self.blocks(ours, theirs, one.location)

    def _operands(
        self,
        ours: Sequence[Operand],
        theirs: Sequence[Operand],
        where: Location | None,
        left: Node | None,
        right: Node | None,
    ) -> Iterator[Apart]:
        if len(ours) != len(theirs):
            yield Apart(where, left=left, right=right)
        for one, two in zip(ours, theirs, strict=False):
            match one, two:
                case Constant(), Constant():
                    if not _same(one, two):
                        yield Apart(where, one, two, left, right)
                case Constant(), _:
                    yield Apart(where, one, None, left, right)
                case _, Constant():
                    yield Apart(where, None, two, left, right)
                case _:
                    if self._pairs.get(one, two) is not two:
                        yield Apart(where, left=left, right=right)

    def _pair(self, ours: Sequence[Value], theirs: Sequence[Value]) -> None:
        self._pairs.update(zip(ours, theirs, strict=False))


def _same(one: Constant, two: Constant) -> bool:
    if same(one.value, two.value):
        return True
    if type(one.value) is type(two.value) and hasattr(one.value, "tobytes"):
        return one.spec == two.spec and one.value.tobytes() == two.value.tobytes()
    return False


def _turned_round(one: Node, two: Node) -> bool:
    """Return whether the regions of one node are those of the other in the opposite order."""
    ours, theirs = ([list(map(_key, region.nodes)) for region in node.regions] for node in (one, two))
    return ours == theirs[::-1] and ours != theirs


def _key(node: Node) -> tuple[str, int, str, int]:
    """Return a key that is equal for nodes that are the same step of the program, whatever their inputs."""
    attrs = {name: value for name, value in node.attrs.items() if name != "pattern"}
    line = node.location.line if node.location else 0
    return (
        node.op,
        line,
        ",".join(f"{name}={show(value)}" for name, value in attrs.items()),
        len(node.outputs),
    )
