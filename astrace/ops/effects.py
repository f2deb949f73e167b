"""What a node may do besides making its outputs: raise, write, see or do things out of sight.

This is all that a pass may rely on when it drops, merges or moves nodes.
"""

from __future__ import annotations

from astrace.ir.block import Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, Spec, UnionSpec, class_of, is_immutable, is_typed
from astrace.ops import OPS
from astrace.ops.infer import arguments
from astrace.trees import Hole, Pattern


def may_raise(node: Node) -> bool:
    """Whether a node may raise an exception."""
    if node.regions:
        inside = any(may_raise(inner) for region in node.regions for inner in region.nodes)
        return inside or itself_may_raise(node)
    op = OPS[node.op]
    return node.raises or op.safe is None or not op.safe(*arguments(node))


def may_warn(node: Node) -> bool:
    """Whether NumPy may warn: anything computed in floats, and integers of NumPy's that may overflow."""
    computed = not node.op.startswith(("get_", "make_", "dim", "is_", "len"))
    return computed and any(isinstance(output.spec, ArraySpec | GenericSpec) for output in node.outputs)


def itself_may_raise(node: Node) -> bool:
    """Whether a control flow node's own work may raise: asking for a truth, iterating, entering a manager."""
    match node.op:
        case "cond":
            return not is_immutable(node.inputs[0].spec)
        case "while_loop":
            return not all(is_immutable(output.spec) for output in node.regions[0].outputs)
        case "try_":
            return False
        case _:
            return True


def is_ordered(node: Node) -> bool:
    """Whether a node may see or do things outside its arguments, so that it keeps its place."""
    if node.regions:
        return node.op in ("try_", "with_") or any(
            is_ordered(inner) for region in node.regions for inner in region.nodes
        )
    return OPS[node.op].ordered or any(not _is_tame(operand.spec) for operand in node.inputs)


TAME_CLASSES = frozenset({str, bytes, range, slice, list, tuple, dict, set, frozenset})


def _is_tame(spec: Spec) -> bool:
    """Whether operations on a value run nothing but NumPy's and Python's own code."""
    if isinstance(spec, UnionSpec):
        return all(map(_is_tame, spec.options))
    return is_typed(spec) or is_immutable(spec) or class_of(spec) in TAME_CLASSES


def written(node: Node) -> list[Value]:
    """The inputs of a leaf node that it changes in place."""
    op = OPS[node.op]
    pattern: Pattern | None = node.attrs.get("pattern")
    found: list[Value] = []
    for place in op.writes:
        if isinstance(place, int) and pattern is None:
            operands = node.inputs[place : place + 1]
        else:
            tree = None if pattern is None else _at(pattern, place)
            operands = (node.inputs[tree.index],) if isinstance(tree, Hole) else ()
        found.extend(operand for operand in operands if isinstance(operand, Value))
    return [value for value in found if not is_immutable(value.spec)]


def _at(pattern: Pattern, place: int | str) -> object:
    if isinstance(place, int):
        return pattern.args[place] if place < len(pattern.args) else None
    return pattern.kwargs.get(place)
