"""Stores of rows and other parts in loops, arranged so that XLA changes arrays in place.

As for single elements (``inplace_stores``): if a number that an iteration hands on, such as ``ok``, is computed
from items of an array that the iteration stores to, XLA:CPU copies the array in every iteration.  So the store and the
numbers go through one ``lax.cond`` at the end of the iteration, whose test always holds, which XLA does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from astrace.backends.jax.program_ir import Atom, Part, Step, Var, used_by
from astrace.backends.jax.simplify import BOOL
from astrace.backends.jax.xla.store_patterns import is_store


def with_rows_gathered(part: Part) -> Part:
    """Return a program whose ``for`` loops store to parts of arrays in place."""
    steps = [replace(step, parts=tuple(map(with_rows_gathered, step.parts))) for step in part.steps]
    return replace(part, steps=tuple(_improved(step) for step in steps))


def _improved(loop: Step) -> Step:
    """Return a loop with a body that stores in place; any other step as it is."""
    if loop.op != "for_loop":
        return loop
    (body,) = loop.parts
    stores = _last_stores(body)
    bases = [store.args[0] for store in stores]
    reading = _made_of(body, bases, stores)
    outs = {store.outs[0] for store in stores}
    numbers = dict.fromkeys(one for one in body.outputs if one in reading and one not in outs)
    found = [one for one in numbers if isinstance(one, Var)]
    if not stores or not found or any(one.rank for one in found):
        return loop
    return replace(loop, parts=(_gathered(loop, body, stores, found),))


def _last_stores(body: Part) -> list[Step]:
    """Return the stores to arrays that are carried and not read any more."""
    given = dict(zip(body.outputs, body.inputs[1:], strict=False))
    found = [
        step
        for step in body.steps
        if step.op == "update" and not is_store(step) and given.get(step.outs[0]) is step.args[0]
    ]
    used = {one for step in body.steps for one in used_by(step)}
    return [step for step in found if step.outs[0] not in used and body.outputs.count(step.outs[0]) == 1]


def _made_of(body: Part, bases: Sequence[Atom], stores: Sequence[Step]) -> set[Atom]:
    """Return the atoms that are computed from what was read from arrays."""
    found: set[Atom] = set(bases)
    for step in body.steps:
        if step not in stores and not found.isdisjoint(used_by(step)):
            found.update(step.outs)
    return found


def _gathered(loop: Step, body: Part, stores: Sequence[Step], numbers: Sequence[Var]) -> Part:
    """Return a body that ends with its stores, in a branch that is always taken."""
    steps = [step for step in body.steps if step not in stores]
    always = Var(BOOL, 0)
    steps.append(Step("ge", (body.inputs[0], loop.args[0]), (always,)))
    other = [_stand_in(body, one, steps) for one in numbers]
    taken = Part((), tuple(stores), (*(store.outs[0] for store in stores), *numbers))
    skipped = Part((), (), (*(store.args[0] for store in stores), *other))
    fresh = {one: Var(one.dtype, one.rank, one.name) for one in taken.outputs if isinstance(one, Var)}
    location = stores[0].location
    steps.append(Step("cond", (always,), tuple(fresh.values()), (taken, skipped), location=location))
    return Part(body.inputs, tuple(steps), tuple(_renamed(one, fresh) for one in body.outputs))


def _renamed(atom: Atom, fresh: Mapping[Var, Var]) -> Atom:
    return fresh.get(atom, atom) if isinstance(atom, Var) else atom


def _stand_in(body: Part, number: Var, steps: list[Step]) -> Atom:
    """Return an atom of the same type, which is never read."""
    for value in body.inputs[1:]:
        if value.dtype == number.dtype and not value.rank:
            return value
    out = Var(number.dtype, 0)
    steps.append(Step("jnp.zeros_like", (number,), (out,)))
    return out
