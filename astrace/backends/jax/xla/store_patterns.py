"""Patterns of stores to elements of arrays, and of branches that only store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from astrace.backends.jax.program_ir import Atom, Lit, atom_rank, key_of
from astrace.backends.jax.simplify import is_device, is_scalar
from astrace.ir.block import Block, Node, Value
from astrace.ir.walk import nodes
from astrace.util.trees import Tree

MOST_STEPS: Final = 32


def is_integers(key: Sequence[Tree]) -> bool:
    """Return whether a key consists of integers alone."""
    return bool(key) and all(isinstance(one, Value | Lit) for one in key)


def is_store(step: Node) -> bool:
    """Return whether a step stores to one element."""
    if step.op != "update" or not is_integers(key := key_of(step)) or len(key) != atom_rank(step.outputs[0]):
        return False
    return all(atom_rank(one) == 0 for one in step.inputs[1:])


def passed_on(part: Block) -> set[Atom]:
    """Return the variables from around that a part puts out as they are."""
    inside = {out for step in part.nodes for out in step.outputs}
    return {atom for atom in part.outputs if atom not in inside}


def is_device_branch(step: Node) -> bool:
    """Return whether a step is a branch that is decided when the program runs."""
    return step.op == "cond" and is_device(step.inputs[0])


def is_simple(step: Node) -> bool:
    """Return whether a branch only computes numbers and stores them, in few steps."""
    if sum(1 for part in step.regions for _ in nodes(part)) > MOST_STEPS:
        return False
    for part in step.regions:
        for inner in part.nodes:
            nested = is_device_branch(inner) and is_simple(inner)
            whole = inner.op == "item" and not is_integers(key_of(inner))
            if whole or not (is_scalar(inner) or is_store(inner) or nested):
                return False
        if not all(_is_stored(part, out, atom) for out, atom in zip(step.outputs, part.outputs, strict=True)):
            return False
    return _have_bases(step)


def _is_stored(part: Block, out: Value, atom: Atom) -> bool:
    """Return whether an output is a number, or an array after nothing but stores."""
    if not atom_rank(out):
        return True
    inside = {one for step in part.nodes for one in step.outputs}
    return isinstance(atom, Value) and (atom not in inside or _base(part, atom) is not None)


def _base(part: Block, var: Value) -> Value | None:
    """Return the array around a part that the stores behind a variable change; ``None`` if there is none."""
    for step in part.nodes:
        if var in step.outputs and is_store(step):
            base = step.inputs[0]
            assert isinstance(base, Value)
            return _base(part, base)
        if var in step.outputs and step.op == "cond":
            index = step.outputs.index(var)
            bases = [_base_or_self(part, inner, inner.outputs[index]) for inner in step.regions]
            return bases[0] if bases[0] is bases[1] else None
        if var in step.outputs:
            return None
    return var


def _base_or_self(part: Block, inner: Block, atom: Atom) -> Value | None:
    found = _base(inner, atom) if isinstance(atom, Value) else None
    return None if found is None else _base(part, found)


def _have_bases(step: Node) -> bool:
    """Return whether both branches store to the same array, for each array."""
    for index, out in enumerate(step.outputs):
        if atom_rank(out):
            left, right = (part.outputs[index] for part in step.regions)
            if not isinstance(left, Value) or not isinstance(right, Value):
                return False
            bases = _base(step.regions[0], left), _base(step.regions[1], right)
            if bases[0] is None or bases[0] is not bases[1]:
                return False
    return True
