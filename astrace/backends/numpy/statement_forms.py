"""In which form a node is written: as an expression or a statement, with ``and`` and ``or``, in place."""

from __future__ import annotations

from itertools import pairwise
from types import NoneType
from typing import Final

from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.specs import ArraySpec, TupleSpec
from astrace.ir.walk import uses
from astrace.ops.python.operators import INPLACE
from astrace.util.trees import Pattern, holes

MOST_INLINED: Final = 12
MOST_CONDITIONS: Final = 6
"""The depth of conditional expressions, of which each counts `CONDITIONAL`, and of ``and`` and ``or``, which count one."""
CONDITIONAL: Final = 3
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


def items_taken(block: Block) -> dict[Node, list[Node]]:
    """Return the nodes that take all items of a tuple, each once and one after the other, by the first of them."""
    counts = uses(block)
    found: dict[Node, list[Node]] = {}
    for index, node in enumerate(block.nodes):
        spec = node.inputs[0].spec if node.op == "get_item" else None
        if not isinstance(spec, TupleSpec) or spec.cls is not tuple or not _takes(node, node, 0):
            continue
        group = block.nodes[index : index + len(spec.items)]
        given = node.inputs[0]
        once = isinstance(given, Value) and len(group) > 1 and counts[given] == len(group) == len(spec.items)
        if once and all(_takes(one, node, i) and one.output in counts for i, one in enumerate(group)):
            found[node] = list(group)
    return found


def written_back(block: Block) -> dict[Node, Node]:
    """Return the nodes that store what the node before them has changed in place where it was read from.

    An array is changed where it is: the value that is stored is the one that was read.
    """
    counts = uses(block)
    makers = {output: node for node in block.nodes for output in node.outputs}
    found: dict[Node, Node] = {}
    for node, back in pairwise(block.nodes):
        if node.op not in INPLACE or back.op not in ("set_item", "set_attr"):
            continue
        target, value = node.inputs[0], back.inputs[-1]
        reader = makers.get(target) if isinstance(target, Value) else None
        if (
            reader is None
            or reader.op not in ("get_item", "get_attr")
            or reader.inputs[0] is not back.inputs[0]
        ):
            continue
        used = (counts[target], counts[node.output]) if isinstance(target, Value) else None
        one_value = used == ((2, 0) if value is target else (1, 1)) and value in (target, node.output)
        if one_value and reader.location == node.location == back.location:
            found[node] = back
    return found


def _takes(node: Node, first: Node, place: int) -> bool:
    """Return whether a node takes one item of the tuple that the first one takes one of, in the same line."""
    plain = node.op == "get_item" and not node.attrs and len(node.inputs) == 2
    if not plain or node.location != first.location:
        return False
    owner, key = node.inputs
    return (
        owner is first.inputs[0]
        and isinstance(key, Constant)
        and type(key.value) is int
        and key.value == place
    )


def takes_slices(node: Node) -> bool:
    """Return whether a node takes a view of an array by slices alone, which no array of so many dimensions lacks."""
    if node.op != "get_item" or node.attrs or len(node.inputs) != 2:
        return False
    owner, key = node.inputs
    if not isinstance(owner.spec, ArraySpec) or not isinstance(key, Constant):
        return False
    parts = key.value if type(key.value) is tuple else (key.value,)
    slices = [part for part in parts if type(part) is slice]
    plain = all(type(end) in (int, NoneType) for one in slices for end in (one.start, one.stop, one.step))
    known = all(part is None or type(part) is slice for part in parts)
    return plain and known and len(slices) <= len(owner.spec.shape) and all(one.step != 0 for one in slices)


def stored(node: Node) -> list[int]:
    """Return the inputs that an assignment stores."""
    if node.op not in ("set_item", "set_attr"):
        return []
    pattern: Pattern | None = node.attrs.get("pattern")
    return [len(node.inputs) - 1] if pattern is None else [hole.index for hole in holes(pattern.args[2])]


def may_be_expression(block: Block, depth: int = MOST_CONDITIONS) -> bool:
    """Return whether a block is short, and has no statement and no loop; conditions up to ``depth``."""
    if len(block.nodes) > MOST_INLINED:
        return False
    return all(_is_part(node, depth) for node in block.nodes)


def _is_part(node: Node, depth: int) -> bool:
    """Return whether a node may be a part of an expression."""
    if node.op in STATEMENTS or len(node.outputs) != 1:
        return False
    if not node.regions:
        return True
    left = depth - (CONDITIONAL if logic_kind(node) is None else 1)
    return node.op == "cond" and left >= 0 and all(may_be_expression(one, left) for one in node.regions)
