"""Which arrays from outside a graph can't be saved, since others share their memory.

In a bundle each array is one of its own, and operators are made from arrays of their own: what is changed through one of them
would not be seen through another one any more.  Takes a frozen graph; says what is wrong, and does not know how it is told.
"""

from __future__ import annotations

import gc
import types
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.compiler.frozen_graph import FrozenGraph
from astrace.guards.access_paths import Root
from astrace.ir.values import Value
from astrace.ops.callables.operators import held_by
from astrace.util.array_memory import overlap

Array: TypeAlias = np.ndarray[Any, Any]
SHARED_HINT: Final = "let only one of them hold it, and ask that one; an array that nobody changes is told by a.flags.writeable = False"


def shared_memory(graph: FrozenGraph) -> tuple[Value, str] | None:
    """Return an input of a graph that is an array whose memory something else has as well, and what is to be said of it.

    Arrays that can't be written share what never changes.

    Args:
        graph: the graph.
    """
    arrays = [
        (value, path.hint, path.pinned)
        for value, path in zip(graph.block.inputs, graph.inputs, strict=True)
        if isinstance(path, Root) and type(path.pinned) is np.ndarray
    ]
    held = list(_held_by_operators(graph)) if arrays else []
    for value, hint, array in arrays:
        others = [(f"`{one}`", other) for _, one, other in arrays if other is not array]
        for what, other in (*others, *held):
            if (array.flags.writeable or other.flags.writeable) and overlap(array, other):
                return (
                    value,
                    f"the graph reads the array `{hint}` from outside, whose memory {what} has as well",
                )
    return None


def _held_by_operators(graph: FrozenGraph) -> Iterator[tuple[str, Array]]:
    """The arrays that operators hold, each with the operator."""
    for name, operator in graph.pipeline.names.values():
        parts = [] if isinstance(operator, types.FunctionType) else gc.get_referents(operator)
        for part in parts:
            found = {} if isinstance(part, type) else held_by(part)
            arrays = [one for one in found.values() if isinstance(one, np.ndarray)]
            yield from ((f"the operator {name}", one) for one in arrays)
