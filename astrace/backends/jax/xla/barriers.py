"""Updates that XLA:CPU gets wrong by itself.

Where an array stores a part of itself at another place, and the result is reshaped, XLA:CPU may read items that it
has just overwritten (openxla/xla#49176).  A barrier behind such an update prevents this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from astrace.backends.jax.program_ir import Part, Step, Var, key_of


def with_barriers(part: Part, around: Mapping[Var, Step] | None = None) -> Part:
    """Return a program with a barrier behind every update of an array by a part of itself from another place.

    Args:
        part: the program, or a part of one.
        around: the steps around it, by their outputs.
    """
    steps: list[Step] = []
    made: dict[Var, Step] = dict(around or {})
    for step in part.steps:
        inner = replace(step, parts=tuple(with_barriers(one, made) for one in step.parts))
        made.update((out, inner) for out in inner.outs)
        steps.extend(_guarded(inner) if _stores_itself(inner, made) else (inner,))
    return replace(part, steps=tuple(steps))


def _guarded(step: Step) -> Sequence[Step]:
    (out,) = step.outs
    raw = Var(out.dtype, out.rank)
    barrier = Step("lax.optimization_barrier", (raw,), (out,), location=step.location)
    return replace(step, outs=(raw,)), barrier


def _stores_itself(step: Step, made: dict[Var, Step]) -> bool:
    """Return whether an update stores what was computed from other places of the same array."""
    if step.op != "update":
        return False
    base, content, *_ = step.args
    if not isinstance(content, Var) or not content.rank:
        return False
    pending, seen = [content], set[Var]()
    while pending:
        source = made.get(pending.pop())
        if source is None or source.parts or source.outs[0] in seen:
            continue
        seen.add(source.outs[0])
        if any(atom is base for atom in source.args) and not _same_place(source, step):
            return True
        pending.extend(atom for atom in source.args if isinstance(atom, Var) and atom.rank)
    return False


def _same_place(read: Step, update: Step) -> bool:
    """Return whether an item is read from the place that an update stores to."""
    return read.op == "item" and key_of(read) == key_of(update)
