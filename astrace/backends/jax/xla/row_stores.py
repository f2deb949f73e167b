"""Stores of rows and other parts in loops, arranged so that XLA changes arrays in place.

As for single elements (``inplace_stores``): if a number that an iteration hands on, such as ``ok``, is computed
from items of an array that the iteration stores to, XLA:CPU copies the array in every iteration.  So the store and the
numbers go through one ``lax.cond`` at the end of the iteration, whose test always holds, which XLA does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from astrace.backends.jax.program_ir import Atom, atom_dtype, atom_rank, used_by, value_like, variable
from astrace.backends.jax.simplify import BOOL
from astrace.backends.jax.xla.store_patterns import is_store
from astrace.ir.block import Block, Node, Value


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
    other = [_stand_in(body, one, steps) for one in numbers]
    taken = Block((), tuple(stores), (*(store.outputs[0] for store in stores), *numbers))
    skipped = Block((), (), (*(store.inputs[0] for store in stores), *other))
    fresh = {one: value_like(one) for one in taken.outputs if isinstance(one, Value)}
    location = stores[0].location
    steps.append(Node("cond", (always,), tuple(fresh.values()), regions=(taken, skipped), location=location))
    return Block(body.inputs, tuple(steps), tuple(_renamed(one, fresh) for one in body.outputs))


def _renamed(atom: Atom, fresh: Mapping[Value, Value]) -> Atom:
    return fresh.get(atom, atom) if isinstance(atom, Value) else atom


def _stand_in(body: Block, number: Value, steps: list[Node]) -> Atom:
    """Return an atom of the same type, which is never read."""
    for value in body.inputs[1:]:
        if atom_dtype(value) == atom_dtype(number) and not atom_rank(value):
            return value
    out = variable(atom_dtype(number), 0)
    steps.append(Node("jnp.zeros_like", (number,), (out,)))
    return out
