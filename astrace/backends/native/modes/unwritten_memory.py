"""Memory that a loop never writes: `np.empty` leaves there what there was, and two runs of the loop need not agree on it.

Where it is shows by two runs that begin with other contents of it, zeros and ones: an item that differs is one that is not written, or
is made of such.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Block, Node
from astrace.ir.builder import Builder, rebuild
from astrace.ir.walk import nodes

FILLED: Final = {
    "np.empty": ("np.zeros", "np.ones"),
    "np.empty_like": ("np.zeros_like", "np.ones_like"),
}
"""By the name of an op, ops with the same arguments whose arrays have known items."""


def leaves_memory_unwritten(block: Block) -> bool:
    """Return whether a block makes arrays without items."""
    return any(node.op in FILLED for node in nodes(block))


def filled(block: Block) -> tuple[Block, Block]:
    """Return a block twice, with zeros and with ones in all arrays that it makes without items.

    Args:
        block: any.
    """
    first, second = (_filled(block, choice) for choice in range(2))
    return first, second


def _filled(block: Block, choice: int) -> Block:
    def visit(node: Node, builder: Builder) -> None:
        node = builder.updated(node)
        known = FILLED.get(node.op)
        builder.nodes.append(node if known is None else replace(node, op=known[choice]))

    return rebuild(block, visit)


def with_items_of(results: Sequence[Any], first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    """Return results with the items of ``first`` wherever that differs from ``second``.

    Args:
        results: arrays, and anything else, which stays as it is.
        first: arrays of the same dtypes and shapes, in the same places.
        second: the same.

    Example:
        >>> some = [np.array([7.0, 2.0, 9.0])]
        >>> with_items_of(some, [np.array([0.0, 2.0, 0.0])], [np.array([1.0, 2.0, 1.0])])
        [array([0., 2., 0.])]
    """
    return [_with_items_of(*each) for each in zip(results, first, second, strict=True)]


def _with_items_of(result: Any, first: Any, second: Any) -> Any:
    if not all(isinstance(one, np.ndarray) and one.dtype == first.dtype for one in (result, first, second)):
        return result
    if not result.shape == first.shape == second.shape:
        return result
    unlike = _bits(first) != _bits(second)
    return np.where(unlike.any(axis=-1).reshape(first.shape), first, result)


def _bits(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the bytes of each item."""
    items = np.ascontiguousarray(array).reshape(-1)
    return items.view(np.uint8).reshape(items.size, array.dtype.itemsize)
