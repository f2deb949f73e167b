"""Which of the objects that a loop carries are different ones at each turn, though it puts them in each other's places.

``last, now = now, last + step`` begins with two arrays, and each turn makes a new one: ``last`` is never ``now``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from astrace.ir.block import Operand, Value
from astrace.ir.control import ForLoop, WhileLoop, carried_places
from astrace.ops.effects import is_fresh, written
from astrace.ops.python.operators import INPLACE

Pair: TypeAlias = tuple[int, int]
"""Two of the values that a loop carries, by their places."""


def different_at_each_turn(loop: WhileLoop | ForLoop, first: Iterable[Pair]) -> set[Pair]:
    """Return the pairs of what a loop carries that are different objects at the begin of each turn.

    Args:
        loop: the loop.
        first: those that are different ones in front of it.
    """
    origins = _origins(loop)
    ends = [_origin(one, origins) for one in loop.body.outputs[loop.breaks :]]
    found = set(first)
    while True:
        kept = {(one, other) for one, other in found if _differ(ends[one], ends[other], found)}
        if kept == found:
            return found
        found = kept


def _origins(loop: WhileLoop | ForLoop) -> dict[Value, int | Value]:
    """Return which object values of a loop's body are: one that it carries, by its place, or a new one, by its first name."""
    origins: dict[Value, int | Value] = {
        places[-1]: place for place, places in enumerate(carried_places(loop))
    }
    for node in loop.body.nodes:
        if node.regions:
            continue
        if node.op in INPLACE:
            changed = node.inputs[0]
            if isinstance(changed, Value) and changed in origins:
                origins.update((output, origins[changed]) for output in node.outputs)
        elif len(node.outputs) == 1 and is_fresh(node) and not written(node):
            origins[node.output] = node.output
    return origins


def _origin(value: Operand, origins: dict[Value, int | Value]) -> int | Value | None:
    return origins.get(value) if isinstance(value, Value) else None


def _differ(one: int | Value | None, other: int | Value | None, known: set[Pair]) -> bool:
    """Return whether two objects are different ones, as they are handed to the next turn."""
    if one is None or other is None or one == other:
        return False
    if isinstance(one, int) and isinstance(other, int):
        return (min(one, other), max(one, other)) in known
    return True
