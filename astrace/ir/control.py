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
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:  # the printer of blocks reads these views
    from astrace.ir.block import Block, Node, Operand, Value
    from astrace.ir.specs import Spec

CONTROL: Final = frozenset({"cond", "while_loop", "for_loop", "try_", "with_", "function"})


@dataclass(frozen=True, slots=True)
class Range:
    """Iterate over ``range(start, stop, step)``; the fields number the node's inputs."""

    start: int
    stop: int
    step: int


@dataclass(frozen=True, slots=True)
class Each:
    """Iterate over the items of an input: the rows of an array, the items of a list.

    Args:
        iterable: numbers the node's input.
        element: what each item is, where a guard says more of it than the input's spec.
    """

    iterable: int
    element: Spec | None = None


@dataclass(frozen=True, slots=True)
class Enumerate:
    """``enumerate(inner, start)``; the start is an input."""

    inner: Over
    start: int


@dataclass(frozen=True, slots=True)
class Zip:
    """``zip(*parts, strict=strict)``."""

    parts: tuple[Over, ...]
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Reversed:
    """``reversed(inner)``."""

    inner: Over


Over: TypeAlias = Range | Each | Enumerate | Zip | Reversed
"""What a ``for_loop`` iterates over; its leaves number the node's inputs."""


def elements(over: Over) -> int:
    """How many values one turn of the loop is given."""
    match over:
        case Range() | Each():
            return 1
        case Enumerate():
            return 1 + elements(over.inner)
        case Zip():
            return sum(map(elements, over.parts))
        case Reversed():
            return elements(over.inner)


def iterated(over: Over) -> int:
    """How many of the node's inputs describe what it iterates over."""
    match over:
        case Range():
            return 3
        case Each():
            return 1
        case Enumerate():
            return 1 + iterated(over.inner)
        case Zip():
            return sum(map(iterated, over.parts))
        case Reversed():
            return iterated(over.inner)


def numbered(over: Over) -> Iterator[int]:
    """The inputs that ``over`` numbers, in the order of the text."""
    match over:
        case Range():
            yield from (over.start, over.stop, over.step)
        case Each():
            yield over.iterable
        case Enumerate():
            yield from (*numbered(over.inner), over.start)
        case Zip():
            for part in over.parts:
                yield from numbered(part)
        case Reversed():
            yield from numbered(over.inner)


@dataclass(frozen=True, slots=True)
class Interface:
    """How the function of a ``function`` node is called, and what it returns.

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


@dataclass(frozen=True, slots=True)
class Cond:
    """``then`` if ``test`` is true, else ``orelse``."""

    node: Node

    @property
    def test(self) -> Operand:
        """What decides, by Python's truth."""
        return self.node.inputs[0]

    @property
    def captures(self) -> tuple[Operand, ...]:
        """What the branches use from outside."""
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
        """Whether the body can end the loop."""
        return bool(self.node.attrs["breaks"])

    @property
    def count(self) -> int:
        """How many values are carried."""
        return len(self.node.outputs) - self.breaks

    @property
    def carried(self) -> tuple[Operand, ...]:
        """The values before the first turn."""
        return self.node.inputs[: self.count]

    @property
    def captures(self) -> tuple[Operand, ...]:
        """What the loop uses from outside and does not change."""
        return self.node.inputs[self.count :]

    @property
    def test(self) -> Block:
        """One output: go on?"""
        return self.node.regions[0]

    @property
    def body(self) -> Block:
        """One turn."""
        return self.node.regions[1]


@dataclass(frozen=True, slots=True)
class ForLoop:
    """``body`` once for each turn of ``over``."""

    node: Node

    @property
    def breaks(self) -> bool:
        """Whether the body can end the loop."""
        return bool(self.node.attrs["breaks"])

    @property
    def over(self) -> Over:
        """What the loop iterates over."""
        return self.node.attrs["over"]

    @property
    def count(self) -> int:
        """How many values are carried."""
        return len(self.node.outputs) - self.breaks

    @property
    def iterated(self) -> tuple[Operand, ...]:
        """The inputs that ``over`` numbers."""
        return self.node.inputs[: iterated(self.over)]

    @property
    def carried(self) -> tuple[Operand, ...]:
        """The values before the first turn."""
        first = iterated(self.over)
        return self.node.inputs[first : first + self.count]

    @property
    def captures(self) -> tuple[Operand, ...]:
        """What the loop uses from outside and does not change."""
        return self.node.inputs[iterated(self.over) + self.count :]

    @property
    def body(self) -> Block:
        """One turn."""
        return self.node.regions[0]

    @property
    def elements(self) -> tuple[Value, ...]:
        """The body's inputs that hold the turn's elements."""
        return self.body.inputs[: elements(self.over)]


def region_inputs(node: Node) -> Iterator[tuple[Block, tuple[Value, ...], tuple[Operand, ...]]]:
    """For each region of a control node: the region, its capture inputs, and the operands they stand for.

    Elements, carried values, exceptions and entered managers are left out: they have no single operand.
    """
    fixed = {"cond": 1, "with_": 1, "try_": 0, "function": 0}
    for region in node.regions:
        match node.op:
            case "while_loop":
                captures = WhileLoop(node).captures
            case "for_loop":
                captures = ForLoop(node).captures
            case _:
                captures = node.inputs[fixed[node.op] :]
        first = len(region.inputs) - len(captures)
        yield region, region.inputs[first:], captures
