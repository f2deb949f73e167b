"""Programs made smaller: what is unused or repeated, values carried unchanged, branches cheaper as a choice."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.builder import Builder, rebuild
from astrace.passes.common_nodes import attrs_key
from astrace.passes.dead_nodes import drop_unused
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.ops import AS_WRITTEN, LOGIC, NO_WARNING, kind_of
from astrace.passes.functional.program import (
    DEVICE,
    EFFECTS,
    Atom,
    Lit,
    atom_dtype,
    atom_rank,
    identity,
    known_logic,
)
from astrace.passes.open_blocks import made_smaller, size_of

MOST_STEPS: Final = 12


def tidy(program: Block) -> Block:
    """Return a smaller program of the same meaning.

    Args:
        program: the whole program.
    """
    while True:
        after = made_smaller(program, EFFECTS, _key, _known)
        after = drop_unused(rebuild(after, _chosen), EFFECTS)
        if size_of(after) == size_of(program):
            return after
        program = after


def _key(node: Node) -> Hashable | None:
    """Return a key that nodes which compute the same have in common; ``None`` for one that has to stay."""
    if node.regions:
        return None
    function: Node = node.attrs.get("node", node)  # one that is written as the user wrote it
    return (node.op, function.op, attrs_key(function.attrs), *map(identity, node.inputs))


def _known(node: Node) -> Atom | None:
    """Return what the result of logic is, if it is known."""
    match node.op:
        case "both" | "either":
            return known_logic(node.op, *node.inputs)
        case "same_length":
            return Lit(True) if node.inputs[0] is node.inputs[1] else None
        case "not" if isinstance(node.inputs[0], Constant):
            return Lit(not node.inputs[0].value)
        case _:
            warns = kind_of(node.op) != NO_WARNING or node.inputs[0] not in node.inputs[1:]
            return None if warns else Lit(True)


# -- branches as choices -----------------------------------------------------------------------------------------


def _chosen(node: Node, builder: Builder) -> None:
    """Rewrite a branch over few scalar steps as ``where``: both sides are computed, one is taken."""
    node = builder.updated(node)
    builder.nodes.extend(_choices(node) if node.op == "cond" and is_device(node.inputs[0]) else [node])


def _choices(node: Node) -> Sequence[Node]:
    steps = [inner for region in node.regions for inner in region.nodes]
    sides = [region.outputs for region in node.regions]
    if len(node.outputs) == 1 and atom_dtype(node.output) == DEVICE and "promotes" not in node.attrs:
        return _joined_tests(node, steps, *(side[0] for side in sides))
    if not all(map(_is_cheap, node.regions)):
        return [node]
    if any(atom_rank(out) or atom_dtype(out) == DEVICE for out in node.outputs):
        return [node]  # a compiler would also take derivatives of the side that is not chosen
    return [*steps, *(choice(node, *one) for one in zip(node.outputs, *sides, strict=True))]


def _joined_tests(node: Node, steps: Sequence[Node], then: Atom, orelse: Atom) -> Sequence[Node]:
    """Rewrite ``a and b`` of computed truth values, a branch that gives its own test, as logic."""
    if len(steps) <= MOST_STEPS and all(map(_is_test, steps)):
        for op, pair in _as_logic(node.inputs[0], then, orelse):
            return [*steps, Node(op, pair, node.outputs, location=node.location)]
    return [node]


def _is_test(step: Node) -> bool:
    """Return whether a step reads an item, or computes one number from others."""
    out = step.outputs[0]
    if not (step.op == "item" or kind_of(step.op) in ("", LOGIC)) or len(step.outputs) > 1 or atom_rank(out):
        return False
    reads = step.op in ("item", "index") or (step.op == AS_WRITTEN and step.attrs["node"].op == "get_item")
    return reads or all(atom_rank(atom) == 0 for atom in step.inputs)


def is_device(atom: Atom) -> bool:
    """Return whether an atom is computed when the program runs."""
    return isinstance(atom, Value) and atom_dtype(atom) is not None


def _is_cheap(part: Block) -> bool:
    return len(part.nodes) <= MOST_STEPS and all(is_scalar(step) for step in part.nodes)


def is_scalar(step: Node) -> bool:
    """Return whether a step computes one number from others, or reads an item."""
    if step.op == "item":
        return atom_rank(step.outputs[0]) == 0
    plain = kind_of(step.op) in ("", LOGIC) and all(atom_rank(out) == 0 for out in step.outputs)
    return plain and all(atom_rank(atom) == 0 for atom in step.inputs)


def choice(step: Node, out: Value, a: Atom, b: Atom) -> Node:
    """Return a step that chooses one of two numbers by the test of a branch."""
    test = step.inputs[0]
    if atom_dtype(out) == BOOL:
        for op, pair in _as_logic(test, a, b):
            return Node(op, pair, (out,), location=step.location)
    return Node("xp.where", (test, a, b), (out,), location=step.location)


def _as_logic(test: Atom, a: Atom, b: Atom) -> Iterator[tuple[str, tuple[Atom, Atom]]]:
    """Yield ``a & b`` or ``a | b`` if a choice between truth values is just that."""
    if b is test or (isinstance(b, Constant) and b.value is False):
        yield "both", (test, a)
    if a is test or (isinstance(a, Constant) and a.value is True):
        yield "either", (test, b)
