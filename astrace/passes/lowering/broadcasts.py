"""Sizes of a kernel's arguments that a block is lowered for: what is known of them when a call comes.

The lowering takes sizes that it does not know for equal where arrays meet, and notes which: an axis of one item, along which
another argument repeats, gives the kernel up.  For arguments that have such axes the block is lowered once more, with these sizes
known.  So are those of axes of few items that inner loops run along, if small arrays become numbers by that.
An expression that is repeated along axes may be computed again for each of its places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from astrace.ir.block import Constant, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, ArrayForm, NumberForm, integer

Axis: TypeAlias = tuple[int, int]
"""An input, by its place, and an axis of it; of an integer, `ITSELF`."""
ITSELF: Final = -1
"""Stands for the axis of an input that is a size itself."""
Sizes: TypeAlias = frozenset[tuple[Axis, int]]
"""The sizes of axes."""
NO_SIZES: Final[Sizes] = frozenset()
"""Nothing is known."""
MOST_SEEN: Final = 8
"""The most items of an axis whose size is taken as known since it was seen."""


def ones_among(meeting: Iterable[tuple[Axis, Axis]], args: Sequence[Any]) -> Sizes:
    """Return the axes of one item that meet longer ones, with that size.

    Args:
        meeting: axes that a lowered block takes to be of one size.
        args: its arguments.

    Example:
        >>> import numpy as np
        >>> sorted(ones_among([((0, 0), (1, 0)), ((0, 1), (1, 1))], [np.ones((5, 3)), np.ones((1, 3))]))
        [((1, 0), 1)]
    """
    found: set[tuple[Axis, int]] = set()
    for pair in meeting:
        sizes = {axis: _size(args, axis) for axis in pair}
        if len(set(sizes.values())) > 1:
            found.update((axis, size) for axis, size in sizes.items() if size == 1)
    return frozenset(found)


def few_among(axes: Iterable[Axis], args: Sequence[Any]) -> Sizes:
    """Return the axes of few items, with their sizes.

    Args:
        axes: of the arguments.
        args: the arguments.

    Example:
        >>> import numpy as np
        >>> sorted(few_among([(0, 0), (0, 1)], [np.ones((500, 3))]))
        [((0, 1), 3)]
    """
    sizes = ((axis, _size(args, axis)) for axis in axes)
    return frozenset((axis, size) for axis, size in sizes if 1 <= size <= MOST_SEEN)


def has_sizes(args: Sequence[Any], sizes: Sizes) -> bool:
    """Return whether arguments have the sizes that a block was lowered for.

    Args:
        args: of the block.
        sizes: what it was lowered for.
    """
    return all(_size(args, axis) == size for axis, size in sizes)


def _size(args: Sequence[Any], axis: Axis) -> int:
    place, number = axis
    return args[place] if number == ITSELF else args[place].shape[number]


def know_sizes(writer: LoweredWriter, sizes: Sizes, index: int, array: Value) -> None:
    """Take the axes of an input to have the sizes that they are said to have; the program is given up where they have not.

    Args:
        writer: writes nodes.
        sizes: that are known.
        index: the place of the input.
        array: it.
    """
    for (place, axis), known in sorted(sizes):
        if place == index and (size := writer.size(array, axis)).known is None:
            writer.deopt(writer.emit("ne", (size.operand, Constant(known)), BOOL))
            writer.know_size(array, axis, integer(known))


def known_integer(writer: LoweredWriter, sizes: Sizes, index: int, form: NumberForm) -> NumberForm:
    """Return an input that is an integer as the number that it is said to be; the program is given up where it is not.

    Args:
        writer: writes nodes.
        sizes: that are known.
        index: the place of the input.
        form: it.
    """
    known = dict(sizes).get((index, ITSELF))
    if known is None:
        return form
    writer.deopt(writer.emit("ne", (form.operand, Constant(known)), BOOL))
    return replace(integer(known), origin=form.origin)


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
