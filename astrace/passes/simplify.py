"""Local rules: a node that its own inputs decide is replaced by what it must give.

Each rule is exact to the bit, for arrays and numbers alike, and gives back the very same object where the
node would; a rule that would turn a copy into a reference has no place here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.constants import UNDEFINED
from astrace.ir.specs import (
    BOOL,
    ArraySpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    class_of,
    covers,
    is_immutable,
)

Rule: TypeAlias = Callable[[Node, Mapping[Value, Node]], Operand | None]


def simplify(block: Block) -> Block:
    """Apply the rules once, in order, to all nodes."""
    producers: dict[Value, Node] = {}

    def step(node: Node, builder: Builder) -> None:
        node = builder.updated(node)
        # The inputs of a node with a pattern are parts of its arguments.
        rule = RULES.get(node.op) if "pattern" not in node.attrs else None
        found = rule(node, producers) if rule is not None else None
        if found is not None:
            builder.replace(node.outputs, [found])
            return
        for output in node.outputs:
            producers[output] = node
        builder.nodes.append(node)

    return rebuild(block, step)


def _producer(operand: Operand, producers: Mapping[Value, Node]) -> Node | None:
    return producers.get(operand) if isinstance(operand, Value) else None


def _check_defined(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
    """A name that is certainly bound needs no check."""
    may_be_undefined = covers(node.inputs[0].spec, LiteralSpec(UNDEFINED))
    return None if may_be_undefined else node.inputs[0]


def _get_item(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
    """An item of a tuple that was just put together."""
    made, key = _producer(node.inputs[0], producers), node.inputs[1] if len(node.inputs) > 1 else None
    if made is None or made.op != "make_tuple" or "pattern" in made.attrs or not isinstance(key, Constant):
        return None
    if type(key.value) is int and -len(made.inputs) <= key.value < len(made.inputs):
        return made.inputs[key.value]
    return None


def _dim(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
    """A dimension that is known as a number."""
    spec, axis = node.inputs[0].spec, node.inputs[1]
    if isinstance(spec, ArraySpec) and isinstance(axis, Constant):
        size = spec.shape[axis.value]
        return Constant(size) if isinstance(size, int) else None
    return None


def _not(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
    """``not not b`` of a ``bool``."""
    inner = _producer(node.inputs[0], producers)
    if inner is not None and inner.op == "not_" and inner.inputs[0].spec == BOOL:
        return inner.inputs[0]
    return None


def _bool(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
    """``bool(b)`` of a ``bool``."""
    return node.inputs[0] if len(node.inputs) == 1 and node.inputs[0].spec == BOOL else None


def _number(kind: type) -> Rule:
    """``float(f)`` of a ``float`` is that very object."""

    def rule(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
        spec = node.inputs[0].spec if len(node.inputs) == 1 else None
        return node.inputs[0] if isinstance(spec, ScalarSpec) and class_of(spec) is kind else None

    return rule


def _is(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
    """Simplify ``x is None`` where the type of ``x`` is known."""
    left, right = (operand.spec for operand in node.inputs)
    if node.inputs[0] is node.inputs[1]:
        return Constant(node.op == "is_")
    kinds = [{class_of(option) for option in _options(spec)} for spec in (left, right)]
    if None in kinds[0] | kinds[1] or kinds[0] & kinds[1]:
        return None
    return Constant(node.op != "is_")


def _options(spec: Spec) -> tuple[Spec, ...]:
    return spec.options if isinstance(spec, UnionSpec) else (spec,)


def _len(node: Node, producers: Mapping[Value, Node]) -> Operand | None:
    """The length of a tuple whose items are known."""
    spec = node.inputs[0].spec if node.inputs else None
    return Constant(len(spec.items)) if isinstance(spec, TupleSpec) and is_immutable(spec) else None


RULES: Final[Mapping[str, Rule]] = {
    "check_defined": _check_defined,
    "get_item": _get_item,
    "dim": _dim,
    "not_": _not,
    "bool": _bool,
    "int": _number(int),
    "float": _number(float),
    "is_": _is,
    "is_not": _is,
    "len": _len,
}
