"""In which form a node is written: as an expression or a statement, with ``and`` and ``or``, in place."""

from __future__ import annotations

from typing import Final

from astrace.ir.block import Block, Node, Value
from astrace.ir.walk import uses
from astrace.util.trees import Pattern, holes

MOST_INLINED: Final = 12
MOST_CONDITIONS: Final = 2
STATEMENTS: Final = frozenset(
    {
        "set_item",
        "delete_item",
        "set_attr",
        "delete_attr",
        "append",
        "raise_",
        "reraise",
        "unpack",
        "store",
        "deopt",
    }
)


def logic_kind(node: Node) -> str | None:
    """``and``, ``or``, where a ``cond`` is just that: one branch gives the test itself, which the other does not need."""
    if node.op != "cond" or len(node.outputs) != 1:
        return None
    test, *captures = node.inputs
    for name, region, other in zip(("or", "and"), node.regions, reversed(node.regions), strict=True):
        (output,) = region.outputs
        if not region.nodes and isinstance(output, Value) and isinstance(test, Value):
            position = region.inputs.index(output)
            if captures[position] is test and captures.count(test) == 1:
                return None if other.inputs[position] in uses(other) else name
    return None


def stored(node: Node) -> list[int]:
    """Return the inputs that an assignment stores."""
    if node.op not in ("set_item", "set_attr"):
        return []
    pattern: Pattern | None = node.attrs.get("pattern")
    return [len(node.inputs) - 1] if pattern is None else [hole.index for hole in holes(pattern.args[2])]


def may_be_expression(block: Block, depth: int = MOST_CONDITIONS) -> bool:
    """Return whether a block is short, and has no statement and no loop; conditional expressions up to ``depth``."""
    if len(block.nodes) > MOST_INLINED:
        return False
    return all(
        node.op not in STATEMENTS
        and len(node.outputs) == 1
        and (not node.regions or (node.op == "cond" and depth > 0))
        and all(may_be_expression(region, depth - 1) for region in node.regions)
        for node in block.nodes
    )
