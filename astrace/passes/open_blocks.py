"""Blocks whose regions see the values around them, as nested functions do: what they use, and how they are made smaller.

Takes programs of a backend, whose nodes do not write; a node that ``raises`` stays, even if it is not used.  The backend
tells which of its nodes are loops, and what is known of the results of its ops.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.control import carried_places
from astrace.passes.common_nodes import merge_repeats
from astrace.passes.dead_nodes import drop_unused
from astrace.passes.regions import keep_outputs, without_invariants


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A loop that captures nothing.

    Args:
        node: the node.
        heads: the number of inputs in front of the carried values, which decide how often the body runs.
    """

    node: Node
    heads: int
    breaks = False
    captures = ()

    @property
    def iterated(self) -> tuple[Operand, ...]:
        """The bounds of the iterations."""
        return self.node.inputs[: self.heads]

    @property
    def carried(self) -> tuple[Operand, ...]:
        """The values before the first iteration."""
        return self.node.inputs[self.heads :]

    @property
    def body(self) -> Block:
        """The region of one iteration."""
        return self.node.regions[-1]


@dataclass(frozen=True, slots=True)
class OpenEffects:
    """The effects of open blocks: what may raise stays.

    Args:
        loops: the ops that are loops, and the number of inputs in front of the carried values.
    """

    loops: Mapping[str, int]
    closed = False

    def acting(self, block: Block, needed: Container[Node]) -> Iterator[Node]:
        """Yield the nodes of a block itself that may raise, or something inside them."""
        return (node for node in block.nodes if node not in needed and raises(node))

    def loop(self, node: Node) -> OpenLoop | None:
        """Return the view of a loop; ``None`` for any other node."""
        return OpenLoop(node, self.loops[node.op]) if node.op in self.loops else None


# -- what nodes use ----------------------------------------------------------------------------------------


def raises(node: Node) -> bool:
    """Return whether a node may raise, or one inside it."""
    return node.raises or any(raises(inner) for region in node.regions for inner in region.nodes)


def used_by(node: Node) -> set[Value]:
    """Return the values from around that a node uses."""
    found = {one for one in node.inputs if isinstance(one, Value)}
    for region in node.regions:
        found |= {one for one in region.outputs if isinstance(one, Value)}
        for inner in region.nodes:
            found |= used_by(inner)
    return found


def substituted(node: Node, operand: Callable[[Operand], Operand]) -> Node:
    """Return a node with operands replaced in it and its regions."""
    regions = tuple(
        Block(
            one.inputs,
            tuple(substituted(inner, operand) for inner in one.nodes),
            tuple(map(operand, one.outputs)),
        )
        for one in node.regions
    )
    return replace(node, inputs=tuple(map(operand, node.inputs)), regions=regions)


# -- what is known -----------------------------------------------------------------------------------------


Known: TypeAlias = Callable[[Node], Operand | None]
"""Returns what the one result of a node is, if that is known."""


def made_smaller(
    block: Block, effects: OpenEffects, key_of: Callable[[Node], Hashable | None], known: Known
) -> Block:
    """Leave out what is unused or computed twice, and outputs that are known: carried along unchanged, alike in branches.

    Args:
        block: the whole block.
        effects: tells which nodes are loops.
        key_of: a key that nodes which compute the same have in common; ``None`` for one that has to stay.
        known: returns what a result is, if that is known.
    """

    def step(node: Node, builder: Builder) -> None:
        node = builder.updated(node)
        found = known(node)
        if found is not None:
            builder.replace(node.outputs, [found])
            return
        if node.op == "cond":
            node = _same_outputs(node, builder)
        elif (loop := effects.loop(node)) is not None:
            node = _carried_along(loop, builder)
        if node.outputs or raises(node):
            builder.nodes.append(node)

    return drop_unused(rebuild(merge_repeats(block, key_of), step), effects)


def size_of(block: Block) -> int:
    """Return how many nodes and outputs of nodes a block has, at any depth."""
    return sum(1 + len(node.outputs) + sum(map(size_of, node.regions)) for node in block.nodes)


def _is_true(operand: Operand) -> bool:
    return isinstance(operand, Constant) and operand.value is True


def _same_outputs(node: Node, builder: Builder) -> Node:
    then, orelse = (region.outputs for region in node.regions)
    alike = [
        (a is b and isinstance(a, Value)) or (_is_true(a) and _is_true(b))
        for a, b in zip(then, orelse, strict=True)
    ]
    for output, operand, same in zip(node.outputs, then, alike, strict=True):
        if same:
            builder.replace([output], [operand])
    return keep_outputs(node, [not one for one in alike]) if any(alike) else node


def _carried_along(loop: OpenLoop, builder: Builder) -> Node:
    ends = zip(carried_places(loop), loop.carried, loop.body.outputs, strict=False)
    along = [after is places[-1] or (_is_true(first) and _is_true(after)) for places, first, after in ends]
    return without_invariants(loop, along, builder) if any(along) else loop.node
