"""Stores of rows and other parts in loops, arranged so that XLA changes arrays in place; patterns of stores.

As for single elements (``inplace_stores``): if a number that an iteration hands on, such as ``ok``, is computed
from items of an array that the iteration stores to, XLA:CPU copies the array in every iteration.  So the store and the
numbers go through one ``lax.cond`` at the end of the iteration, whose test always holds, which XLA does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Node, Value
from astrace.ir.walk import nodes
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.program import Atom, Lit, atom_dtype, atom_rank, key_of, value_like, variable
from astrace.passes.functional.simplify import is_device, is_scalar
from astrace.passes.open_blocks import used_by
from astrace.util.trees import Tree


def with_rows_gathered(part: Block) -> Block:
    """Return a program whose ``for`` loops store to parts of arrays in place."""
    steps = [replace(step, regions=tuple(map(with_rows_gathered, step.regions))) for step in part.nodes]
    return replace(part, nodes=tuple(_improved(step) for step in steps))


def _improved(loop: Node) -> Node:
    """Return a loop with a body that stores in place; any other step as it is."""
    if loop.op != "for_loop":
        return loop
    (body,) = loop.regions
    stores = _last_stores(body)
    bases = [store.inputs[0] for store in stores]
    reading = _made_of(body, bases, stores)
    outs = {store.outputs[0] for store in stores}
    numbers = dict.fromkeys(one for one in body.outputs if one in reading and one not in outs)
    found = [one for one in numbers if isinstance(one, Value)]
    if not stores or not found or any(atom_rank(one) for one in found):
        return loop
    return replace(loop, regions=(_gathered(loop, body, stores, found),))


def _last_stores(body: Block) -> list[Node]:
    """Return the stores to arrays that are carried and not read any more."""
    given = dict(zip(body.outputs, body.inputs[1:], strict=False))
    found = [
        step
        for step in body.nodes
        if step.op == "update" and not is_store(step) and given.get(step.outputs[0]) is step.inputs[0]
    ]
    used = {one for step in body.nodes for one in used_by(step)}
    return [
        step for step in found if step.outputs[0] not in used and body.outputs.count(step.outputs[0]) == 1
    ]


def _made_of(body: Block, bases: Sequence[Atom], stores: Sequence[Node]) -> set[Atom]:
    """Return the atoms that are computed from what was read from arrays."""
    found: set[Atom] = set(bases)
    for step in body.nodes:
        if step not in stores and not found.isdisjoint(used_by(step)):
            found.update(step.outputs)
    return found


def _gathered(loop: Node, body: Block, stores: Sequence[Node], numbers: Sequence[Value]) -> Block:
    """Return a body that ends with its stores, in a branch that is always taken."""
    steps = [step for step in body.nodes if step not in stores]
    always = variable(BOOL, 0)
    steps.append(Node("ge", (body.inputs[0], loop.inputs[0]), (always,)))
    other = [stand_in(body.inputs[1:], one, steps) for one in numbers]
    taken = Block((), tuple(stores), (*(store.outputs[0] for store in stores), *numbers))
    skipped = Block((), (), (*(store.inputs[0] for store in stores), *other))
    fresh = {one: value_like(one) for one in taken.outputs if isinstance(one, Value)}
    location = stores[0].location
    steps.append(Node("cond", (always,), tuple(fresh.values()), regions=(taken, skipped), location=location))
    return Block(body.inputs, tuple(steps), tuple(_renamed(one, fresh) for one in body.outputs))


def _renamed(atom: Atom, fresh: Mapping[Value, Value]) -> Atom:
    return fresh.get(atom, atom) if isinstance(atom, Value) else atom


def stand_in(known: Sequence[Value], wanted: Value, steps: list[Node]) -> Atom:
    """Return an atom of the type of a value, which is never read: a number that is known, or else zeros."""
    for value in known:
        if atom_dtype(value) == atom_dtype(wanted) and not atom_rank(value) and not atom_rank(wanted):
            return value
    out = variable(atom_dtype(wanted), atom_rank(wanted))
    steps.append(Node("xp.zeros_like", (wanted,), (out,)))
    return out


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
