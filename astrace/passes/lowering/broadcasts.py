"""Axes of one item among a kernel's arguments, along which other arguments repeat: what is known of them when a call comes.

The lowering takes sizes that it does not know for equal where arrays meet, and notes which: an axis of one item
gives the kernel up.  For arguments that have such axes the block is lowered once more, with these sizes known.
An expression that is repeated along axes may be computed again for each of its places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from astrace.ir.block import Value
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import INT, ArrayForm

Axis: TypeAlias = tuple[int, int]
"""An input, by its place, and an axis of it."""
Ones: TypeAlias = frozenset[Axis]
"""The axes that have one item."""
NO_ONES: Final[Ones] = frozenset()
"""Nothing is known."""


class MeetingAxes(Protocol):
    """A lowered block."""

    @property
    def meeting(self) -> tuple[tuple[Axis, Axis], ...]:
        """Axes that it takes to be of one size."""
        ...


Lowered = TypeVar("Lowered", bound=MeetingAxes)


def fitted(lower: Callable[[Ones], Lowered], args: Sequence[Any]) -> tuple[Ones, Lowered]:
    """Return the axes of one item that a block has to know of, and its lowered form for them.

    Args:
        lower: gives the lowered form for such axes.
        args: of the block.
    """
    ones, lowered = NO_ONES, lower(NO_ONES)
    while more := ones_among(lowered.meeting, args):
        ones |= more
        lowered = lower(ones)
    return ones, lowered


def ones_among(meeting: Iterable[tuple[Axis, Axis]], args: Sequence[Any]) -> Ones:
    """Return the axes of one item that meet longer ones.

    Args:
        meeting: axes that a lowered block takes to be of one size.
        args: its arguments.

    Example:
        >>> import numpy as np
        >>> sorted(ones_among([((0, 0), (1, 0)), ((0, 1), (1, 1))], [np.ones((5, 3)), np.ones((1, 3))]))
        [(1, 0)]
    """
    found: set[Axis] = set()
    for pair in meeting:
        sizes = {axis: args[axis[0]].shape[axis[1]] for axis in pair}
        if len(set(sizes.values())) > 1:
            found.update(axis for axis, size in sizes.items() if size == 1)
    return frozenset(found)


SOON: Final = frozenset({"load", "add", "sub", "mul", "neg", "wrapped"})
"""The ops that take about as long as to read an element."""
MOST_NODES: Final = 8
MOST_LOADS: Final = 2
"""The nodes, and loads among them, of an expression that is computed again wherever an element of it is repeated."""


def is_soon_computed(writer: LoweredWriter, array: ArrayForm) -> bool:
    """Return whether an element of an expression takes about as long to compute as to read.

    Args:
        writer: writes nodes.
        array: the expression.
    """
    with writer.region() as nodes:
        array.element([Value(GenericSpec(INT)) for _ in array.shape])
    loads = sum(node.op == "load" for node in nodes)
    return len(nodes) <= MOST_NODES and loads <= MOST_LOADS and all(node.op in SOON for node in nodes)
