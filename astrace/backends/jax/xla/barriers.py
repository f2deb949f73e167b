"""Updates that XLA:CPU gets wrong by itself.

Where an array stores a part of itself at another place, and the result is reshaped, XLA:CPU may read items that it
has just overwritten (openxla/xla#49176).  A barrier behind such an update prevents this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from astrace.ir.block import Block, Node, Value
from astrace.passes.functional.program import atom_dtype, atom_rank, key_of, variable


def with_barriers(part: Block, around: Mapping[Value, Node] | None = None) -> Block:
    """Return a program with a barrier behind every update of an array by a part of itself from another place.

    Args:
        part: the program, or a part of one.
        around: the steps around it, by their outputs.
    """
    steps: list[Node] = []
    made: dict[Value, Node] = dict(around or {})
    for step in part.nodes:
        inner = replace(step, regions=tuple(with_barriers(one, made) for one in step.regions))
        made.update((out, inner) for out in inner.outputs)
        steps.extend(_guarded(inner) if _stores_itself(inner, made) else (inner,))
    return replace(part, nodes=tuple(steps))


def _guarded(step: Node) -> Sequence[Node]:
    (out,) = step.outputs
    raw = variable(atom_dtype(out), atom_rank(out))
    barrier = Node("lax.optimization_barrier", (raw,), (out,), location=step.location)
    return replace(step, outputs=(raw,)), barrier


def _stores_itself(step: Node, made: dict[Value, Node]) -> bool:
    """Return whether an update stores what was computed from other places of the same array."""
    if step.op != "update":
        return False
    base, content, *_ = step.inputs
    if not isinstance(content, Value) or not atom_rank(content):
        return False
    pending, seen = [content], set[Value]()
    while pending:
        source = made.get(pending.pop())
        if source is None or source.regions or source.outputs[0] in seen:
            continue
        seen.add(source.outputs[0])
        if any(atom is base for atom in source.inputs) and not _same_place(source, step):
            return True
        pending.extend(atom for atom in source.inputs if isinstance(atom, Value) and atom_rank(atom))
    return False


def _same_place(read: Node, update: Node) -> bool:
    """Return whether an item is read from the place that an update stores to."""
    return read.op == "item" and key_of(read) == key_of(update)
