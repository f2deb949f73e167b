"""Leaf nodes for other types of their inputs, each what tracing would have recorded for these.

Takes nodes of a block one after the other; gives those of another block.  What is known of arrays and integers makes other
nodes of some: the length of an array is the size of an axis, a method that is looked up and called is an op.  Control flow
is not known here (`narrowing`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import (
    INT,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ListSpec,
    Spec,
    TupleSpec,
    class_of,
    covers,
    is_immutable,
)
from astrace.ops.effects import may_retry
from astrace.ops.numpy.array_methods import is_op, op_call
from astrace.ops.numpy.method_aliases import RETRYING
from astrace.ops.python.operators import INPLACE
from astrace.passes import pipeline
from astrace.util.trees import Hole, Pattern

PATTERN: Final = "pattern"


class NotNarrowed(Exception):
    """A loop cannot be written anew for the types of its inputs."""


Rewrite: TypeAlias = "Callable[[NarrowedNodes, Node, tuple[Operand, ...]], bool]"
"""Writes a node in another way where its inputs allow it; tells whether it has."""


class NarrowedNodes:
    """The nodes of one block, as they are written for other types.

    Args:
        known: what stands for the values of the old block.
        counts: how often each of these is used.
    """

    def __init__(self, known: Mapping[Value, Operand], counts: Mapping[Value, int]) -> None:
        self.nodes: list[Node] = []
        self.counts = counts
        self._known = dict(known)
        self._put_off: dict[Value, Node] = {}
        self.items: dict[Operand, tuple[Operand, ...]] = {}
        """What tuples are made of."""

    def operand(self, operand: Operand) -> Operand:
        """Return what stands for an operand of the old block; a node that was put off is written now."""
        if not isinstance(operand, Value):
            return operand
        if operand not in self._known:
            self._leaf(self._put_off.pop(operand))
        return self._known[operand]

    def maker(self, operand: Operand, op: str) -> Node | None:
        """Return the node that gives an operand of the old block, if it is one of an op that was put off."""
        node = self._put_off.get(operand) if isinstance(operand, Value) else None
        return node if node is not None and node.op == op else None

    def operands(self, operands: Sequence[Operand]) -> tuple[Operand, ...]:
        """Return what stands for operands of the old block."""
        return tuple(map(self.operand, operands))

    def stand(self, value: Value, operand: Operand) -> None:
        """Let an operand stand for a value of the old block."""
        self._known[value] = operand

    def add(self, node: Node, specs: Sequence[Spec], **changes: Any) -> tuple[Value, ...]:
        """Add a node with outputs of some types; what is not given is as in the old one."""
        outputs = tuple(Value(spec, old.name) for old, spec in zip(node.outputs, specs, strict=True))
        self.nodes.append(replace(node, **{"outputs": outputs, **changes}))
        for old, new in zip(node.outputs, outputs, strict=True):
            self.stand(old, new)
        return outputs

    def write(self, node: Node) -> None:
        """Write a node without regions, or put it off."""
        if node.op in PUT_OFF and PUT_OFF[node.op](self, node):
            self._put_off[node.output] = node
        else:
            self._leaf((self._method_call(node) if node.op == "call" else None) or node)

    def _leaf(self, node: Node) -> None:
        inputs = self.operands(node.inputs)
        rewrite = REWRITES.get(node.op)
        if rewrite is not None and rewrite(self, node, inputs):
            return
        if node.op in INPLACE and is_immutable(inputs[0].spec):
            node = replace(node, op=INPLACE[node.op])
        found = pipeline.inferred(replace(node, inputs=inputs))
        olds = [output.spec for output in node.outputs]
        specs = olds if found is None else [_narrower(old, new) for old, new in zip(olds, found, strict=True)]
        self.add(node, specs, inputs=inputs)

    def _method_call(self, node: Node) -> Node | None:
        """Return the call of an array's method as the op that it stands for, in the old block."""
        lookup = self.maker(node.inputs[0], "get_attr")
        if lookup is None or PATTERN in node.attrs:
            return None
        owner, name = lookup.inputs
        assert isinstance(name, Constant)
        found = op_call(name.value, node.inputs[1:], node.attrs)
        if found is None:
            return None
        op, args = found
        called = replace(node, op=op, inputs=(owner, *node.inputs[1:]))
        if args != node.inputs[1:]:  # several arguments have become one tuple
            holes = tuple(Hole(index) for index in range(1, len(called.inputs)))
            called = replace(called, attrs={**node.attrs, PATTERN: Pattern((Hole(0), holes), {})})
        may_call_again = may_retry(replace(called, inputs=self.operands(called.inputs)))
        return (
            replace(called, op=f"ndarray.{name.value}")
            if name.value in RETRYING and may_call_again
            else called
        )


def _narrower(old: Spec, new: Spec) -> Spec:
    """Return the one of two types of a value that tells more; that of a list with known items tells what is put into it later, too."""
    if isinstance(old, ListSpec) and isinstance(new, ListSpec) and old.element not in (None, AnySpec()):
        return old
    return new if old == AnySpec() or covers(old, new) else old


# -- nodes that are others once the types are known ----------------------------------------------------------------


def _len(writer: NarrowedNodes, node: Node, inputs: tuple[Operand, ...]) -> bool:
    """The length of an array is the size of its first axis."""
    (owner,) = inputs
    if not isinstance(owner.spec, ArraySpec) or not owner.spec.shape:
        return False
    writer.add(node, (INT,), op="dim", inputs=(owner, Constant(0)))
    return True


def _get_attr(writer: NarrowedNodes, node: Node, inputs: tuple[Operand, ...]) -> bool:
    """The shape of an array is the tuple of its sizes, and the number of its axes is known."""
    owner, name = inputs
    if not isinstance(owner.spec, ArraySpec) or not isinstance(name, Constant):
        return False
    axes = range(len(owner.spec.shape))
    match name.value:
        case "ndim":
            writer.stand(node.output, Constant(len(axes)))
        case "shape":
            sizes = [_size(writer, node, owner, axis) for axis in axes]
            spec = TupleSpec((INT,) * len(axes))
            (made,) = writer.add(node, (spec,), op="make_tuple", inputs=tuple(sizes))
            writer.items[made] = tuple(sizes)
        case _:
            return False
    return True


def _size(writer: NarrowedNodes, node: Node, array: Operand, axis: int) -> Value:
    size = Value(INT)
    writer.nodes.append(Node("dim", (array, Constant(axis)), (size,), location=node.location))
    return size


def _unpack(writer: NarrowedNodes, node: Node, inputs: tuple[Operand, ...]) -> bool:
    """The names of a tuple's items stand for these."""
    items = writer.items.get(inputs[0], ())
    if len(items) != len(node.outputs) or node.attrs != {"before": len(items)}:
        return False
    for output, item in zip(node.outputs, items, strict=True):
        writer.stand(output, item)
    return True


REWRITES: Final[Mapping[str, Rewrite]] = {"len": _len, "get_attr": _get_attr, "unpack": _unpack}
"""What is written in another way once it is given arrays; any other node is what it was."""


# -- nodes that may become part of another one ---------------------------------------------------------------------


def _is_method(writer: NarrowedNodes, node: Node) -> bool:
    """Return whether an attribute is looked up that is a method of arrays or NumPy's scalars; most often, it is called."""
    owner, name = writer.operand(node.inputs[0]), node.inputs[1]
    is_numpy = isinstance(owner.spec, ArraySpec | GenericSpec)
    return is_numpy and isinstance(name, Constant) and is_op(class_of(owner.spec), name.value)


def _has_bounds(writer: NarrowedNodes, node: Node) -> bool:
    """Return whether a range has integers for its bounds, so that a loop over it is one over integers."""
    start, stop, step = bounds_of(node)
    bounds = writer.operands((start, stop, step))
    return all(map(is_integer, bounds)) and isinstance(step, Constant) and step.value != 0


def bounds_of(node: Node) -> tuple[Operand, Operand, Operand]:
    """Return the start, the stop and the step of a range."""
    match node.inputs:
        case (stop,):
            return Constant(0), stop, Constant(1)
        case (start, stop):
            return start, stop, Constant(1)
        case (start, stop, step):
            return start, stop, step
        case _:
            raise NotNarrowed("a range that raises")


def is_integer(operand: Operand) -> bool:
    """Return whether an operand is an integer of Python's or NumPy's, and no truth value."""
    spec = operand.spec
    if isinstance(operand, Constant):
        return type(operand.value) is int
    return spec == INT or (isinstance(spec, GenericSpec) and spec.dtype.kind in "iu")


def _is_array(writer: NarrowedNodes, node: Node) -> bool:
    """Return whether an iterator of an array is made that is used once: a loop over it is one over the array."""
    return writer.counts.get(node.output) == 1 and isinstance(writer.operand(node.inputs[0]).spec, ArraySpec)


PUT_OFF: Final[Mapping[str, Callable[[NarrowedNodes, Node], bool]]] = {
    "get_attr": _is_method,
    "range": _has_bounds,
    "iter": _is_array,
}
"""Nodes that are written only where something needs them that does not take their place."""
