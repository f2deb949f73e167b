"""Patterns of stores to elements of arrays, and of branches that only store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from astrace.backends.jax.program_ir import Atom, Lit, Part, Step, Var, all_steps, key_of
from astrace.backends.jax.simplify import is_device, is_scalar
from astrace.util.trees import Tree

MOST_STEPS: Final = 32


def is_integers(key: Sequence[Tree]) -> bool:
    """Return whether a key consists of integers alone."""
    return bool(key) and all(isinstance(one, Var | Lit) for one in key)


def is_store(step: Step) -> bool:
    """Return whether a step stores to one element."""
    if step.op != "update" or not is_integers(key := key_of(step)) or len(key) != step.outs[0].rank:
        return False
    return all(isinstance(one, Lit) or one.rank == 0 for one in step.args[1:])


def passed_on(part: Part) -> set[Atom]:
    """Return the variables from around that a part puts out as they are."""
    inside = {out for step in part.steps for out in step.outs}
    return {atom for atom in part.outputs if atom not in inside}


def is_device_branch(step: Step) -> bool:
    """Return whether a step is a branch that is decided when the program runs."""
    return step.op == "cond" and is_device(step.args[0])


def is_simple(step: Step) -> bool:
    """Return whether a branch only computes numbers and stores them, in few steps."""
    if sum(1 for part in step.parts for _ in all_steps(part)) > MOST_STEPS:
        return False
    for part in step.parts:
        for inner in part.steps:
            nested = is_device_branch(inner) and is_simple(inner)
            whole = inner.op == "item" and not is_integers(key_of(inner))
            if whole or not (is_scalar(inner) or is_store(inner) or nested):
                return False
        if not all(_is_stored(part, out, atom) for out, atom in zip(step.outs, part.outputs, strict=True)):
            return False
    return _have_bases(step)


def _is_stored(part: Part, out: Var, atom: Atom) -> bool:
    """Return whether an output is a number, or an array after nothing but stores."""
    if not out.rank:
        return True
    inside = {one for step in part.steps for one in step.outs}
    return isinstance(atom, Var) and (atom not in inside or _base(part, atom) is not None)


def _base(part: Part, var: Var) -> Var | None:
    """Return the array around a part that the stores behind a variable change; ``None`` if there is none."""
    for step in part.steps:
        if var in step.outs and is_store(step):
            base = step.args[0]
            assert isinstance(base, Var)
            return _base(part, base)
        if var in step.outs and step.op == "cond":
            index = step.outs.index(var)
            bases = [_base_or_self(part, inner, inner.outputs[index]) for inner in step.parts]
            return bases[0] if bases[0] is bases[1] else None
        if var in step.outs:
            return None
    return var


def _base_or_self(part: Part, inner: Part, atom: Atom) -> Var | None:
    found = _base(inner, atom) if isinstance(atom, Var) else None
    return None if found is None else _base(part, found)


def _have_bases(step: Step) -> bool:
    """Return whether both branches store to the same array, for each array."""
    for index, out in enumerate(step.outs):
        if out.rank:
            left, right = (part.outputs[index] for part in step.parts)
            if not isinstance(left, Var) or not isinstance(right, Var):
                return False
            bases = _base(step.parts[0], left), _base(step.parts[1], right)
            if bases[0] is None or bases[0] is not bases[1]:
                return False
    return True
