"""Named views of the six control flow nodes, so that nobody indexes into ``node.inputs``.

================ ============================================ =====================================
node             inputs                                       regions (each given …)
================ ============================================ =====================================
``cond``         test, captures…                              then, orelse (captures…)
``while_loop``   carried…, captures…                          test, body (carried…, captures…)
``for_loop``     iterated…, carried…, captures…               body (elements…, carried…, captures…)
``try_``         captures…                                    body (captures…), handlers
                                                              (exception, captures…)
``with_``        manager, captures…                           body (entered, captures…)
``function``     captures…                                    body (leaves of the arguments, captures…)
================ ============================================ =====================================

The outputs of a node are what its regions put out; a loop's are the carried values.  A loop with
``attrs["breaks"]`` has one more output in front, in the region and in the node: whether it was left early.
The one output of a ``function`` is a function, which JAX calls; its body puts out the leaves of what that returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from astrace.ir.block import Block, Node
from astrace.ir.iteration import Over, elements, split_inputs
from astrace.ir.values import Operand, Value

CONTROL: Final = frozenset({"cond", "while_loop", "for_loop", "try_", "with_", "function"})


@dataclass(frozen=True, slots=True)
class Interface:
    """The signature of the function of a ``function`` node, and the form of its result.

    Args:
        name: the user's name for it.
        arguments: how many arguments it is given.
        flat: each argument is one leaf; else they are trees, as JAX takes them apart.
        result: ``None`` for one leaf, a number for a tuple of so many, else the structure of a tree.
    """

    name: str
    arguments: int
    flat: bool
    result: Any


class AnyLoop(Protocol):
    """What all loops have in common, however their inputs are laid out: what is carried stands last but for captures."""

    @property
    def node(self) -> Node:
        """The node."""
        ...

    @property
    def breaks(self) -> bool:
        """True if the body can end the loop: its first output says so."""
        ...

    @property
    def iterated(self) -> tuple[Operand, ...]:
        """The inputs in front of the carried values, which decide how often the body runs."""
        ...

    @property
    def carried(self) -> tuple[Operand, ...]:
        """The values before the first iteration."""
        ...

    @property
    def captures(self) -> tuple[Operand, ...]:
        """The operands that the loop uses from outside and does not change."""
        ...

    @property
    def body(self) -> Block:
        """The region of one iteration, the last region."""
        ...


def always_raises(block: Block) -> bool:
    """Return whether a block always ends with an exception."""
    return bool(block.nodes) and block.nodes[-1].op in ("raise_", "reraise")


def loop_of(node: Node) -> WhileLoop | ForLoop | None:
    """Return the view of a loop; ``None`` for any other node."""
    if node.op == "while_loop":
        return WhileLoop(node)
    return ForLoop(node) if node.op == "for_loop" else None


def carried_places(loop: AnyLoop) -> Iterator[list[Value]]:
    """Yield for each value that a loop carries the inputs of its regions that hold it."""
    behind = len(loop.captures)
    count = len(loop.carried)
    for index in range(count):
        yield [region.inputs[len(region.inputs) - behind - count + index] for region in loop.node.regions]


@dataclass(frozen=True, slots=True)
class Cond:
    """``then`` if ``test`` is true, else ``orelse``."""

    node: Node

    @property
    def test(self) -> Operand:
        """The operand that decides, by its truth."""
        return self.node.inputs[0]

    @property
    def captures(self) -> tuple[Operand, ...]:
        """The operands that the branches use from outside."""
        return self.node.inputs[1:]

    @property
    def then(self) -> Block:
        """The branch for a true test."""
        return self.node.regions[0]

    @property
    def orelse(self) -> Block:
        """The branch for a false test."""
        return self.node.regions[1]


@dataclass(frozen=True, slots=True)
class WhileLoop:
    """``body`` as long as ``test`` holds."""

    node: Node

    @property
    def breaks(self) -> bool:
        """True if the body can end the loop."""
        return bool(self.node.attrs["breaks"])

    @property
    def count(self) -> int:
        """The number of values that are carried."""
        return len(self.node.outputs) - self.breaks

    @property
    def iterated(self) -> tuple[Operand, ...]:
        """No inputs: the test decides."""
        return ()

    @property
    def carried(self) -> tuple[Operand, ...]:
        """The values before the first iteration."""
        return split_inputs(self.node.inputs, self.count)[1]

    @property
    def captures(self) -> tuple[Operand, ...]:
        """The operands that the loop uses from outside and does not change."""
        return split_inputs(self.node.inputs, self.count)[2]

    @property
    def test(self) -> Block:
        """The region whose one output says whether the loop goes on."""
        return self.node.regions[0]

    @property
    def body(self) -> Block:
        """The region of one iteration."""
        return self.node.regions[1]


@dataclass(frozen=True, slots=True)
class ForLoop:
    """``body`` once for each iteration of ``over``."""

    node: Node

    @property
    def breaks(self) -> bool:
        """True if the body can end the loop."""
        return bool(self.node.attrs["breaks"])

    @property
    def over(self) -> Over:
        """The loop's iteration space."""
        return self.node.attrs["over"]

    @property
    def count(self) -> int:
        """The number of values that are carried."""
        return len(self.node.outputs) - self.breaks

    @property
    def iterated(self) -> tuple[Operand, ...]:
        """The inputs that ``over`` numbers."""
        return split_inputs(self.node.inputs, self.count, self.over)[0]

    @property
    def carried(self) -> tuple[Operand, ...]:
        """The values before the first iteration."""
        return split_inputs(self.node.inputs, self.count, self.over)[1]

    @property
    def captures(self) -> tuple[Operand, ...]:
        """The operands that the loop uses from outside and does not change."""
        return split_inputs(self.node.inputs, self.count, self.over)[2]

    @property
    def body(self) -> Block:
        """The region of one iteration."""
        return self.node.regions[0]

    @property
    def elements(self) -> tuple[Value, ...]:
        """The body's inputs that hold the iteration's elements."""
        return self.body.inputs[: elements(self.over)]
