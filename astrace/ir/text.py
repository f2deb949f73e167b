"""A block as text: stable, diffable, one node a line.

Names are the user's where they are known; a number is added where a name is used twice.  Captures of
a region carry the name they have outside, since they are the same objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from astrace.ir.constants import show
from astrace.ir.control import (
    Each,
    Enumerate,
    ForLoop,
    Over,
    Range,
    Reversed,
    WhileLoop,
    Zip,
    region_inputs,
)
from astrace.ir.specs import Spec
from astrace.ir.values import Operand, Value
from astrace.util.trees import Hole, Pattern, Tree, is_namedtuple

if TYPE_CHECKING:
    from astrace.ir.block import Block, Node

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
        >>> from astrace.ir.block import Block, Node, Value
        >>> from astrace.ir.specs import FLOAT
        >>> x, y = Value(FLOAT, "x"), Value(FLOAT, "y")
        >>> print(block_text(Block((x,), (Node("neg", (x,), (y,)),), (y,)), "f"))
        f(x: float):
          y: float = neg(x)
          -> y
    """
    writer = _Writer()
    inputs = ", ".join(writer.declare(value) for value in block.inputs)
    return "\n".join([f"{name}({inputs}):", *writer.body(block, "  ")])


class _Writer:
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

    def body(self, block: Block, indent: str) -> Iterator[str]:
        """The lines of a block's nodes and outputs."""
        for node in block.nodes:
            yield from self._node(node, indent)
        if block.outputs:
            yield f"{indent}-> {', '.join(map(self.operand, block.outputs))}"

    def _node(self, node: Node, indent: str) -> Iterator[str]:
        call = self._control_call(node) if node.regions else f"{node.op}({self._arguments(node)})"
        outputs = ", ".join(map(self.declare, node.outputs))
        line = f"{indent}{outputs} = {call}" if outputs else f"{indent}{call}"
        yield f"{line:<60}  #@{node.location.line}" if node.location else line
        if node.regions:
            yield from self._regions(node, indent)

    def _regions(self, node: Node, indent: str) -> Iterator[str]:
        for (region, inner, outer), name in zip(region_inputs(node), region_names(node), strict=True):
            given = region.inputs[: len(region.inputs) - len(inner)]
            for value, operand in zip(inner, outer, strict=True):
                self._names[value] = self.operand(operand)
            header = f"{name}({', '.join(map(self.declare, given))}):" if given else f"{name}:"
            yield f"{indent}  {header}"
            yield from self.body(region, indent + "    ")

    def _control_call(self, node: Node) -> str:
        """How a control flow node is called: what it tests or iterates over, and what it carries."""
        match node.op:
            case "while_loop":
                loop = WhileLoop(node)
                return f"while_loop({self._operands(loop.carried)}){_breaks(loop.breaks)}:"
            case "for_loop":
                each = ForLoop(node)
                carried = f", {self._operands(each.carried)}" if each.count else ""
                return f"for_loop({self._over(each.over, node)}{carried}){_breaks(each.breaks)}:"
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


def tree_text(tree: Tree, hole: Any) -> str:
    """A tree as Python would write it, with ``hole`` giving the text of each hole."""

    def inner(part: Tree) -> str:
        return tree_text(part, hole)

    if isinstance(tree, Hole):
        return hole(tree)
    if is_namedtuple(tree):
        return f"{type(tree).__name__}({', '.join(map(inner, tree))})"
    match tree:
        case tuple():
            return f"({', '.join(map(inner, tree))}{',' if len(tree) == 1 else ''})"
        case list():
            return f"[{', '.join(map(inner, tree))}]"
        case dict():
            return "{" + ", ".join(f"{inner(key)}: {inner(item)}" for key, item in tree.items()) + "}"
        case slice():
            return f"slice({inner(tree.start)}, {inner(tree.stop)}, {inner(tree.step)})"
        case _:
            return str(tree) if isinstance(tree, Spec) else show(tree)


def region_names(node: Node) -> tuple[str, ...]:
    """What the regions of a control flow node are called."""
    if node.op != "try_":
        return REGION_NAMES[node.op]
    handlers = (f"except {'/'.join(cls.__name__ for cls in classes)}" for classes in node.attrs["catches"])
    return ("body", *handlers)


def _breaks(breaks: bool) -> str:
    return " with break" if breaks else ""
