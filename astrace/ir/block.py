"""Nodes and blocks, the graph itself, and a block as text: stable, diffable, one node a line.

All of it is frozen and compared by identity.  A block is closed: its nodes use its own inputs, the
outputs of earlier nodes and constants, nothing else.  (The regions of programs for XLA also use what stands around
them, see ``passes.functional.program``.)

In the text, names are the user's where they are known; a number is added where a name is used twice.  Captures of a
region carry the name they have outside, since they are the same objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from astrace.ir.constants import show
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip, split_inputs
from astrace.ir.text import tree_text
from astrace.ir.values import LITERAL, Constant, Operand, Origin, Value
from astrace.locations import Location
from astrace.util.trees import Hole, Pattern, Tree

__all__ = ["LITERAL", "NO_ATTRS", "Block", "Constant", "Node", "Operand", "Origin", "Value"]

NO_ATTRS: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One step.

    Args:
        op: the name of an op, or ``cond``, ``while_loop``, ``for_loop``, ``try_`` or ``with_``.
        inputs: what it is given.
        outputs: what it makes.
        attrs: static keyword arguments; ``pattern`` lays the inputs out where they are nested.
        regions: the blocks of a control flow node.
        location: the user's line.
        raises: it may raise where it would only warn, as under ``np.errstate(all="raise")``.
    """

    op: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Value, ...]
    attrs: Mapping[str, Any] = field(default_factory=lambda: NO_ATTRS)
    regions: tuple[Block, ...] = ()
    location: Location | None = None
    raises: bool = False

    @property
    def output(self) -> Value:
        """The only output."""
        (output,) = self.outputs
        return output


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A closed sequence of nodes in execution order."""

    inputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Operand, ...] = ()

    def __str__(self) -> str:
        return block_text(self)


def region_inputs(node: Node) -> Iterator[tuple[Block, tuple[Value, ...], tuple[Operand, ...]]]:
    """Yield for each region of a control node: the region, its capture inputs, and the operands they stand for.

    Elements, carried values, exceptions and entered managers are left out: they have no single operand.
    """
    fixed = {"cond": 1, "with_": 1, "try_": 0, "function": 0}
    for region in node.regions:
        match node.op:
            case "while_loop" | "for_loop":
                captures = _loop_inputs(node)[2]
            case _:
                captures = node.inputs[fixed[node.op] :]
        first = len(region.inputs) - len(captures)
        yield region, region.inputs[first:], captures


def _loop_inputs(node: Node) -> tuple[tuple[Operand, ...], tuple[Operand, ...], tuple[Operand, ...]]:
    count = len(node.outputs) - bool(node.attrs.get("breaks"))
    return split_inputs(node.inputs, count, node.attrs.get("over"))


# -- as text ----------------------------------------------------------------------------------------------

REGION_NAMES: Mapping[str, tuple[str, ...]] = {
    "cond": ("then", "else"),
    "while_loop": ("test", "body"),
    "for_loop": ("body",),
    "with_": ("body",),
    "function": ("body",),
}


def block_text(block: Block, name: str = "block") -> str:
    """The text of a block.

    Args:
        block: what to show.
        name: what to call it in the first line.

    Example:
        >>> from astrace.ir.specs import FLOAT
        >>> x, y = Value(FLOAT, "x"), Value(FLOAT, "y")
        >>> print(block_text(Block((x,), (Node("neg", (x,), (y,)),), (y,)), "f"))
        f(x: float):
          y: float = neg(x)
          -> y
    """
    return "\n".join(line for line, _ in BlockWriter().whole(block, name))


class BlockWriter:
    """Gives names to values and lines to nodes."""

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._taken: set[str] = set()

    def declare(self, value: Value) -> str:
        """A new name for a value, with its spec."""
        base = value.name or "v"
        number = 0 if value.name else 1
        while (
            name := f"{base}_{number}" if value.name and number else base + str(number or "")
        ) in self._taken:
            number += 1
        self._taken.add(name)
        self._names[value] = name
        return f"{name}: {value.spec}"

    def operand(self, operand: Operand) -> str:
        """The name of a value, the text of a constant."""
        return self._names.get(operand, "?") if isinstance(operand, Value) else show(operand.value)

    def name(self, value: Value) -> str:
        """The name of a value, which has been declared."""
        return self._names[value]

    def whole(self, block: Block, name: str) -> Iterator[tuple[str, Node | None]]:
        """The lines of a block and its heading, each with the node that it begins."""
        yield f"{name}({', '.join(map(self.declare, block.inputs))}):", None
        yield from self._body(block, "  ")

    def _body(self, block: Block, indent: str) -> Iterator[tuple[str, Node | None]]:
        """The lines of a block's nodes and outputs."""
        for node in block.nodes:
            yield from self._node(node, indent)
        if block.outputs:
            yield f"{indent}-> {', '.join(map(self.operand, block.outputs))}", None

    def _node(self, node: Node, indent: str) -> Iterator[tuple[str, Node | None]]:
        call = self._control_call(node) if node.regions else f"{node.op}({self._arguments(node)})"
        outputs = ", ".join(map(self.declare, node.outputs))
        line = f"{indent}{outputs} = {call}" if outputs else f"{indent}{call}"
        yield f"{line:<60}  #@{node.location.line}" if node.location else line, node
        if node.regions:
            yield from self._regions(node, indent)

    def _regions(self, node: Node, indent: str) -> Iterator[tuple[str, Node | None]]:
        for (region, inner, outer), name in zip(region_inputs(node), region_names(node), strict=True):
            given = region.inputs[: len(region.inputs) - len(inner)]
            for value, operand in zip(inner, outer, strict=True):
                self._names[value] = self.operand(operand)
            header = f"{name}({', '.join(map(self.declare, given))}):" if given else f"{name}:"
            yield f"{indent}  {header}", None
            yield from self._body(region, indent + "    ")

    def _control_call(self, node: Node) -> str:
        """Write the head of a control flow node: its test or iteration space, and what it carries."""
        breaks, (_, carried, _) = bool(node.attrs.get("breaks")), _loop_inputs(node)
        match node.op:
            case "while_loop":
                return f"while_loop({self._operands(carried)}){_breaks(breaks)}:"
            case "for_loop":
                started = f", {self._operands(carried)}" if carried else ""
                return f"for_loop({self._over(node.attrs['over'], node)}{started}){_breaks(breaks)}:"
            case "try_":
                return "try_:"
            case "function":
                return "function:"
            case _:
                return f"{node.op}({self.operand(node.inputs[0])}):"

    def _operands(self, operands: Iterable[Operand]) -> str:
        return ", ".join(map(self.operand, operands))

    def _over(self, over: Over, node: Node) -> str:
        match over:
            case Range():
                bounds = (node.inputs[index] for index in (over.start, over.stop, over.step))
                return f"range({self._operands(bounds)})"
            case Each():
                return f"each({self.operand(node.inputs[over.iterable])})"
            case Enumerate():
                return f"enumerate({self._over(over.inner, node)}, {self.operand(node.inputs[over.start])})"
            case Zip():
                return f"zip({', '.join(self._over(part, node) for part in over.parts)})"
            case Reversed():
                return f"reversed({self._over(over.inner, node)})"

    def _arguments(self, node: Node) -> str:
        attrs = dict(node.attrs)
        pattern: Pattern | None = attrs.pop("pattern", None)
        if pattern is None:
            shown = [*map(self.operand, node.inputs)]
        else:
            shown = [self._tree(tree, node) for tree in pattern.args]
            attrs |= {name: pattern.kwargs[name] for name in pattern.kwargs}
        return ", ".join([*shown, *(f"{name}={self._tree(value, node)}" for name, value in attrs.items())])

    def _tree(self, tree: Tree, node: Node) -> str:
        def operand(hole: Hole) -> str:
            return self.operand(node.inputs[hole.index])

        return tree_text(tree, operand)


def region_names(node: Node) -> tuple[str, ...]:
    """Return the names of a control flow node's regions."""
    if node.op != "try_":
        return REGION_NAMES[node.op]
    handlers = (f"except {'/'.join(cls.__name__ for cls in classes)}" for classes in node.attrs["catches"])
    return ("body", *handlers)


def _breaks(breaks: bool) -> str:
    return " with break" if breaks else ""
