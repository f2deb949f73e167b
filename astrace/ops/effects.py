"""Effects of nodes besides their outputs: raising, writing, reading state, opaque effects.

This is all that a pass may rely on when it drops, merges or moves nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from astrace.ir.block import Node, Operand, Value
from astrace.ir.specs import (
    ANY,
    ArraySpec,
    GenericSpec,
    ListSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    class_of,
    is_immutable,
    is_typed,
)
from astrace.ops import OPS
from astrace.ops.infer import arguments
from astrace.ops.numpy.method_aliases import RETRYING
from astrace.util.trees import Hole, Pattern, leaves


def may_raise(node: Node) -> bool:
    """Return whether a node may raise an exception."""
    if node.op == "function":
        return False  # its calls may
    if node.regions:
        inside = any(may_raise(inner) for region in node.regions for inner in region.nodes)
        return inside or itself_may_raise(node)
    op = OPS[node.op]
    return node.raises or op.safe is None or not op.safe(*arguments(node))


NO_VALUES: Final[frozenset[Value]] = frozenset()


def broadcast_together(node: Node) -> frozenset[Value]:
    """Return the arrays that an elementwise operation broadcasts, if it is one: once it is done, their shapes fit."""
    arrays = [one for one in node.inputs if isinstance(one, Value) and isinstance(one.spec, ArraySpec)]
    op = OPS[node.op] if arrays and not node.regions else None
    if op is None or op.safe is None or node.attrs or op.name == "matmul":
        return NO_VALUES
    return frozenset(arrays if op.symbol or isinstance(op.function, np.ufunc) else ())


def needs_shapes_to_fit(node: Node) -> bool:
    """Return whether an elementwise operation raises, if at all, because shapes do not fit."""
    test = OPS[node.op].safe
    if node.raises or written(node) or test is None:
        return False
    args, kwargs = arguments(node)
    return test(tuple(map(_of_one_item, args)), kwargs)


def _of_one_item(arg: Any) -> Any:
    return ArraySpec((1,) * len(arg.shape), arg.dtype) if isinstance(arg, ArraySpec) else arg


def may_warn(node: Node) -> bool:
    """Return whether NumPy may warn: of any computation in floats, and of NumPy's integers that may overflow."""
    numeric = [one for one in node.outputs if type(one.spec) in (ArraySpec, GenericSpec)]
    return bool(numeric) and not node.op.startswith(("get_", "make_", "dim", "is_", "len"))


def warns_each_time(node: Node) -> bool:
    """Return whether a node may warn, so that doing it once in the place of twice could be counted."""
    if not may_warn(node) or node.op in SILENT or node.op.startswith(SILENT_KINDS):
        return False
    specs = [one.spec for one in (*node.inputs, *node.outputs)]
    return not (node.op in WRAPPING and all(map(_is_whole, specs)) and any(map(_is_array, specs)))


def _is_whole(spec: Spec) -> bool:
    """Return whether values are integers or flags, of Python's or NumPy's."""
    if isinstance(spec, ArraySpec | GenericSpec):
        return spec.dtype.kind in "biu"
    return class_of(spec) in (int, bool)


def _is_array(spec: Spec) -> bool:
    return isinstance(spec, ArraySpec) and bool(spec.shape)


SILENT: Final = frozenset(
    {"neg", "pos", "abs", "np.abs", "np.negative"}
    | {"and_", "or_", "xor", "invert", "lshift", "rshift", "eq", "ne", "lt", "le", "gt", "ge"}
    | {"np.isnan", "np.isfinite", "np.any", "np.all", "np.maximum", "np.minimum", "np.max", "np.min"}
    | {"np.argmax", "np.argmin", "np.argsort", "np.sort", "np.where", "np.roll", "np.flip", "np.tile"}
    | {"np.array", "np.zeros", "np.ones", "np.full", "np.empty", "np.arange", "np.eye", "np.diag"}
    | {"np.concatenate", "np.stack", "np.broadcast_to"}
)
"""Ops of NumPy's that never warn of floats: they compare, move or make elements."""
SILENT_KINDS: Final = tuple(
    f"{home}.{name}" for home in ("np", "ndarray") for name in ("reshape", "transpose", "ravel")
)
"""What the names of others begin with that never do: they give a view or a copy."""
WRAPPING: Final = frozenset({"add", "sub", "mul", "matmul", "np.sum", "ndarray.sum", "np.dot"})
"""Ops that wrap around without a warning in arrays of integers; NumPy's scalars warn."""


def follows_settings(node: Node) -> bool:
    """Return whether NumPy's settings decide what a node does: whether errors raise, how arrays are printed."""
    return may_warn(node) or any(class_of(output.spec) in (str, None) for output in node.outputs)


def itself_may_raise(node: Node) -> bool:
    """Return whether a control flow node's own work may raise: asking for a truth, iterating, entering a manager."""
    match node.op:
        case "cond":
            return not is_immutable(node.inputs[0].spec)
        case "while_loop":
            return not all(is_immutable(output.spec) for output in node.regions[0].outputs)
        case "try_" | "function":
            return False
        case _:
            return True


def is_ordered(node: Node) -> bool:
    """Return whether a node may read or change state outside its arguments, so that it keeps its place."""
    if node.op == "function":
        return False
    if node.regions:
        return node.op in ("try_", "with_") or any(
            is_ordered(inner) for region in node.regions for inner in region.nodes
        )
    op = OPS[node.op]
    if op.droppable or op.ordered:
        return not op.droppable
    for operand in node.inputs:  # every pass asks this of every node
        spec = operand.spec
        if type(spec) not in TAME_SPECS and not _is_tame(spec):
            return True
    return False


TAME_SPECS = frozenset({ArraySpec, ScalarSpec, GenericSpec})
TAME_CLASSES = frozenset({str, bytes, range, slice, list, tuple, dict, set, frozenset})


def _is_tame(spec: Spec) -> bool:
    """Return whether operations on a value run nothing but NumPy's and Python's own code."""
    if type(spec) in TAME_SPECS:
        return True
    if isinstance(spec, UnionSpec):
        return all(map(_is_tame, spec.options))
    return is_typed(spec) or is_immutable(spec) or class_of(spec) in TAME_CLASSES


def written(node: Node) -> list[Value]:
    """The inputs of a leaf node that it changes in place."""
    op = OPS[node.op]
    if op.overwrites is None and not op.writes:
        return []
    if op.overwrites is not None and op.overwrites(*arguments(node)):
        found = node.inputs
    elif node.attrs.get("pattern") is None:
        count = len(node.inputs)
        found = [node.inputs[place] for place in op.writes if isinstance(place, int) and place < count]
    else:
        found = [operand for place in op.writes for operand in _operands(node, place)]
    return [value for value in found if isinstance(value, Value) and not is_immutable(value.spec)]


def may_retry(node: Node) -> bool:
    """Return whether a function of NumPy may call the method of its array twice: its type can't be told beforehand."""
    if OPS[node.op].method not in RETRYING:
        return False
    return any(map(_may_be_refused, node.inputs)) or node.output.spec == ANY or bool(written(node))


def _may_be_refused(operand: Operand) -> bool:
    """Return whether an operand may be objects that refuse, or one thing at one time and another at another."""
    spec = operand.spec
    return isinstance(spec, UnionSpec) or (isinstance(spec, ArraySpec) and spec.dtype.hasobject)


def _operands(node: Node, place: int | str) -> Iterator[Operand]:
    """The operands at a position or keyword of a node with a pattern; an ``out`` may be a tuple of several."""
    for leaf in leaves(_at(node.attrs["pattern"], place)):
        if isinstance(leaf, Hole):
            yield node.inputs[leaf.index]


def _at(pattern: Pattern, place: int | str) -> object:
    if isinstance(place, int):
        return pattern.args[place] if place < len(pattern.args) else None
    return pattern.kwargs.get(place)


def is_fresh(node: Node) -> bool:
    """Return whether the results of a leaf node, and what it writes, share memory with none of its other inputs."""
    return makes_anew(node) and all(_holds_nothing(value.spec) for value in (*node.outputs, *written(node)))


def makes_anew(node: Node) -> bool:
    """Return whether the results of a leaf node are new, whatever objects they may hold."""
    op = OPS[node.op]
    return op.fresh is not None and op.fresh(*arguments(node))


def _holds_nothing(spec: Spec) -> bool:
    """Return whether a value has no parts that could be objects from elsewhere."""
    match spec:
        case ArraySpec():
            return not spec.dtype.hasobject
        case TupleSpec():
            return all(map(_holds_nothing, spec.items))
        case ListSpec():
            return spec.element is None or is_immutable(spec.element)
        case UnionSpec():
            return all(map(_holds_nothing, spec.options))
        case _:
            return is_immutable(spec)
