"""Programs made smaller: what is unused or repeated, values carried unchanged, branches cheaper as a choice."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

import numpy as np

from astrace.backends.jax.program_ir import (
    DEVICE,
    Atom,
    Lit,
    ProgramEffects,
    ProgramLoop,
    atom_dtype,
    atom_rank,
    identity,
    known_logic,
    may_refuse,
)
from astrace.backends.jax.program_ops import AS_WRITTEN, LOGIC, NO_WARNING, row_of
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.control import carried_places
from astrace.passes.common_nodes import attrs_key, merge_repeats
from astrace.passes.dead_nodes import drop_unused
from astrace.passes.regions import keep_outputs, without_invariants

BOOL: Final = np.dtype(bool)
MOST_STEPS: Final = 12
EFFECTS: Final = ProgramEffects()


def tidy(program: Block) -> Block:
    """Return a smaller program of the same meaning.

    Args:
        program: the whole program.
    """
    while True:
        after = drop_unused(rebuild(merge_repeats(program, _key), _unchanged), EFFECTS)
        after = drop_unused(rebuild(after, _chosen), EFFECTS)
        if _size(after) == _size(program):
            return after
        program = after


def _size(block: Block) -> int:
    return sum(1 + len(node.outputs) + sum(map(_size, node.regions)) for node in block.nodes)


def _key(node: Node) -> Hashable | None:
    """Return a key that nodes which compute the same have in common; ``None`` for one that has to stay."""
    if node.regions:
        return None
    function: Node = node.attrs.get("node", node)  # one that is written as the user wrote it
    return (node.op, function.op, attrs_key(function.attrs), *map(identity, node.inputs))


# -- what is known -----------------------------------------------------------------------------------------


def _unchanged(node: Node, builder: Builder) -> None:
    """Drop the outputs of a node that are known: carried along unchanged, or the same in both branches."""
    node = builder.updated(node)
    known = _known(node)
    if known is not None:
        builder.replace(node.outputs, [known])
        return
    if node.op == "cond":
        node = _same_outputs(node, builder)
    elif (loop := EFFECTS.loop(node)) is not None:
        node = _carried_along(loop, builder)
    if node.outputs or may_refuse(node):
        builder.nodes.append(node)


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
            warns = row_of(node.op).kind != NO_WARNING or node.inputs[0] not in node.inputs[1:]
            return None if warns else Lit(True)


def _is_true(atom: Atom) -> bool:
    return isinstance(atom, Constant) and atom.value is True


def _same_outputs(node: Node, builder: Builder) -> Node:
    then, orelse = (region.outputs for region in node.regions)
    alike = [
        (a is b and isinstance(a, Value)) or (_is_true(a) and _is_true(b))
        for a, b in zip(then, orelse, strict=True)
    ]
    for output, atom, same in zip(node.outputs, then, alike, strict=True):
        if same:
            builder.replace([output], [atom])
    return keep_outputs(node, [not one for one in alike]) if any(alike) else node


def _carried_along(loop: ProgramLoop, builder: Builder) -> Node:
    ends = zip(carried_places(loop), loop.carried, loop.body.outputs, strict=False)
    along = [after is places[-1] or (_is_true(first) and _is_true(after)) for places, first, after in ends]
    return without_invariants(loop, along, builder) if any(along) else loop.node


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
        return [node]  # JAX would also take derivatives of the side that is not chosen
    return [*steps, *(choice(node, *one) for one in zip(node.outputs, *sides, strict=True))]


def _joined_tests(node: Node, steps: Sequence[Node], then: Atom, orelse: Atom) -> Sequence[Node]:
    """Rewrite ``a and b`` of truth values that JAX computes, a branch that gives its own test, as logic."""
    if len(steps) <= MOST_STEPS and all(map(_is_test, steps)):
        for op, pair in _as_logic(node.inputs[0], then, orelse):
            return [*steps, Node(op, pair, node.outputs, location=node.location)]
    return [node]


def _is_test(step: Node) -> bool:
    """Return whether a step reads an item, or computes one number from others."""
    out = step.outputs[0]
    if (
        not (step.op == "item" or row_of(step.op).kind in ("", LOGIC))
        or len(step.outputs) > 1
        or atom_rank(out)
    ):
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
    plain = row_of(step.op).kind in ("", LOGIC) and all(atom_rank(out) == 0 for out in step.outputs)
    return plain and all(atom_rank(atom) == 0 for atom in step.inputs)


def choice(step: Node, out: Value, a: Atom, b: Atom) -> Node:
    """Return a step that chooses one of two numbers by the test of a branch."""
    test = step.inputs[0]
    if atom_dtype(out) == BOOL:
        for op, pair in _as_logic(test, a, b):
            return Node(op, pair, (out,), location=step.location)
    return Node("jnp.where", (test, a, b), (out,), location=step.location)


def _as_logic(test: Atom, a: Atom, b: Atom) -> Iterator[tuple[str, tuple[Atom, Atom]]]:
    """Yield ``a & b`` or ``a | b`` if a choice between truth values is just that."""
    if b is test or (isinstance(b, Constant) and b.value is False):
        yield "both", (test, a)
    if a is test or (isinstance(a, Constant) and a.value is True):
        yield "either", (test, b)
