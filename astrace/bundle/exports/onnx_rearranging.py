"""The elements of arrays in other places: rolled, repeated, padded, on a diagonal; differences of neighbours.

Takes calls, gives tensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, Rule, contains_tensor, is_number, row
from astrace.bundle.exports.onnx_division import remainder
from astrace.bundle.exports.onnx_reductions import reduce, summed_as
from astrace.bundle.exports.onnx_shapes import sizes
from astrace.bundle.exports.onnx_sorting import along
from astrace.bundle.exports.onnx_values import Form, Tensor
from astrace.bundle.exports.onnx_writer import BOOL, INT64, SELECTED_AS, Writer

MOST_DIFFERENCES: Final = 16
"""How often differences of differences are written out."""

# -- the same elements ----------------------------------------------------------------------------------------


def _roll(call: OnnxCall) -> Tensor:
    write, given = call.write, call.tensor("a")
    if call["axis"] is None:
        flat = _rolled(write, write.reshape(given, (-1,)), call.tensor("shift", INT64), 0)
        return call.result(write.op("Reshape", flat, write.shape(given), rank=given.rank, allowzero=1))
    shifts = call["shift"] if isinstance(call["shift"], tuple | list) else [call["shift"]]
    axes = call.axes("axis", given.rank)
    if len(shifts) != len(axes):
        raise call.refused("by other numbers of places than axes has no counterpart in ONNX")
    for shift, axis in zip(shifts, axes, strict=True):
        given = _rolled(write, given, call.as_tensor(shift, INT64), axis)
    return call.result(given)


def _rolled(write: Writer, given: Tensor, shift: Tensor, axis: int) -> Tensor:
    count = write.dim(given, axis)
    places = write.op("Range", write.constant(0), count, write.constant(1), rank=1)
    index = remainder(write, write.op("Sub", places, shift), count)
    return write.op("Gather", given, index, rank=given.rank, axis=axis)


def _tile(call: OnnxCall) -> Tensor:
    write, given = call.write, call.tensor("A")
    times = sizes(call, call["reps"])
    rank = max(given.rank, len(times))
    wide = write.unsqueeze(given, list(range(rank - given.rank)))
    counts = write.vector([*[1] * (rank - len(times)), *times])
    return call.result(write.op("Tile", wide, counts, rank=rank))


def _repeat(call: OnnxCall) -> Tensor:
    write, given, times = call.write, call.tensor("a"), call.tensor("repeats", INT64)
    if times.rank:
        raise call.refused("by a number for each element has no counterpart in ONNX")
    flat = write.reshape(given, (-1,)) if call["axis"] is None or not given.rank else given
    axis = 0 if call["axis"] is None else call.axis("axis", flat.rank)
    counts: list[Tensor | int] = [1] * (flat.rank + 1)
    counts[axis + 1] = times
    spread = write.op("Tile", write.unsqueeze(flat, [axis + 1]), write.vector(counts), rank=flat.rank + 1)
    lengths: list[Tensor | int] = [write.dim(flat, one) for one in range(flat.rank)]
    lengths[axis] = write.op("Mul", write.dim(flat, axis), times)
    return call.result(write.reshape(spread, lengths))


def _flipped(axis: int) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        write, given = call.write, call.tensor("m")
        count = write.dim(given, axis)
        places = write.op("Range", write.constant(0), count, write.constant(1), rank=1)
        last = write.op("Sub", count, write.constant(1))
        index = write.op("Sub", last, places)
        return call.result(write.op("Gather", given, index, rank=given.rank, axis=axis))

    return rule


def _at_least(rank: int) -> Rule:
    """An array of at least one or two dimensions."""

    def rule(call: OnnxCall) -> Tensor:
        given = call.tensor("x")
        return call.result(call.write.unsqueeze(given, list(range(max(0, rank - given.rank)))))

    return rule


def _swapped(call: OnnxCall) -> Tensor:
    given = call.tensor("x")
    *front, last, end = range(given.rank)
    return call.result(call.write.op("Transpose", given, perm=[*front, end, last]))


def _parts(call: OnnxCall, name: str) -> list[Tensor]:
    if not isinstance(call[name], tuple | list):
        raise call.refused("has a counterpart in ONNX for tuples and lists of arrays")
    return [call.as_tensor(one, call.out.dtype) for one in call[name]]


def _columns(call: OnnxCall) -> Tensor:
    write = call.write
    parts = [write.unsqueeze(one, [1]) if one.rank == 1 else one for one in _parts(call, "tup")]
    return call.result(write.op("Concat", *parts, axis=1))


def _deep(call: OnnxCall) -> Tensor:
    write = call.write
    axes: Mapping[int, list[int]] = {1: [0, 2], 2: [2]}
    parts = [write.unsqueeze(one, axes.get(one.rank, [])) for one in _parts(call, "tup")]
    if any(one.rank < 3 for one in parts):
        raise call.refused("of numbers has no counterpart in ONNX")
    return call.result(write.op("Concat", *parts, axis=2))


def _append(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    parts = [call.tensor(name, dtype) for name in ("arr", "values")]
    if call["axis"] is None:
        return call.result(write.op("Concat", *(write.reshape(one, (-1,)) for one in parts), axis=0))
    return call.result(write.op("Concat", *parts, axis=call.axis("axis", parts[0].rank)))


def _pad(call: OnnxCall) -> Tensor:
    """Padding with one number on all sides."""
    write, given = call.write, call.tensor("array")
    if call.known("mode", str) != "constant" or isinstance(call["constant_values"], tuple | list):
        raise call.refused("has a counterpart in ONNX with one constant", "use mode='constant'")
    widths = _widths(call, call["pad_width"], given.rank)
    amounts = write.vector([one for side in zip(*widths, strict=True) for one in side])
    value = call.tensor("constant_values", given.dtype)
    wide = SELECTED_AS.get(given.dtype, given.dtype)
    made = write.op("Pad", write.cast(given, wide), amounts, write.cast(value, wide), rank=given.rank)
    return call.result(write.cast(made, given.dtype))


def _widths(call: OnnxCall, given: Form, rank: int) -> list[tuple[int, int]]:
    """The numbers of elements before and behind each axis."""
    if contains_tensor(given):
        raise call.refused("needs a literal for `pad_width`")
    try:
        pairs = np.broadcast_to(np.asarray(given), (rank, 2))
    except ValueError:
        raise call.refused("needs a literal for `pad_width`") from None
    if pairs.dtype.kind not in "iu" or (pairs < 0).any():
        raise call.refused("needs whole numbers for `pad_width`")
    return [(int(before), int(behind)) for before, behind in pairs]


# -- diagonals ------------------------------------------------------------------------------------------------


def _diagonal_of(call: OnnxCall, given: Tensor, k: int) -> Tensor:
    """A diagonal of a matrix."""
    write = call.write
    if given.rank != 2 or not _is_plain(call):
        raise call.refused("has a counterpart in ONNX for matrices")
    rows, columns = write.dim(given, 0), write.dim(given, 1)
    down, across = max(-k, 0), max(k, 0)
    left = [write.op("Sub", one, write.constant(less)) for one, less in ((rows, down), (columns, across))]
    count = write.where(write.compare("Less", *left), *left)
    zero = write.constant(0)
    count = write.where(write.compare("Less", count, zero), zero, count)
    places = write.op("Range", zero, count, write.constant(1), rank=1)
    step = write.op("Add", columns, write.constant(1))
    first = write.op("Add", write.op("Mul", write.constant(down), columns), write.constant(across))
    flat = write.op("Add", write.op("Mul", places, step), first)
    return write.op("Gather", write.reshape(given, (-1,)), flat, rank=1, axis=0)


def _is_plain(call: OnnxCall) -> bool:
    """Return whether the matrix lies in the first two axes."""
    return all(call.args.get(name, known) == known for name, known in (("axis1", 0), ("axis2", 1)))


def _diagonal(call: OnnxCall) -> Tensor:
    return call.result(_diagonal_of(call, call.tensor("a"), call.known("offset", int)))


def _trace(call: OnnxCall) -> Tensor:
    given = call.tensor("a", summed_as(call.out.dtype))
    if call.out.dtype == BOOL:
        raise call.refused("of dtype bool has no counterpart in ONNX")
    part = _diagonal_of(call, given, call.known("offset", int))
    return call.result(reduce(call.write, "ReduceSum", part, [0], keeps=False))


def _diag(call: OnnxCall) -> Tensor:
    """The diagonal of a matrix, or the matrix with a diagonal."""
    write, given, k = call.write, call.tensor("v"), call.known("k", int)
    if given.rank == 2:
        return call.result(_diagonal_of(call, given, k))
    if given.rank != 1:
        raise call.refused("has a counterpart in ONNX for vectors and matrices")
    none = write.constant(np.zeros(abs(k)), given.dtype)
    rows = write.op("Concat", *((given, none) if k >= 0 else (none, given)), axis=0)
    across = along(write, rows, 0)
    down = write.unsqueeze(write.op("Add", across, write.constant(k)), [1])
    is_on = write.compare("Equal", down, across)
    return call.result(write.where(is_on, write.unsqueeze(rows, [1]), write.constant(0, given.dtype)))


def _tri(call: OnnxCall) -> Tensor:
    write = call.write
    columns = call["N"] if call["M"] is None else call["M"]
    zero, one = write.constant(0), write.constant(1)
    down, across = (
        write.op("Range", zero, call.as_tensor(count, INT64), one, rank=1) for count in (call["N"], columns)
    )
    moved = write.op("Add", write.unsqueeze(down, [1]), call.tensor("k", INT64))
    return call.result(write.compare("GreaterOrEqual", moved, across))


# -- neighbours -----------------------------------------------------------------------------------------------


def _diff(call: OnnxCall) -> Tensor:
    write, given, times = call.write, call.tensor("a"), call["n"]
    if not is_number(times) or not 0 <= times <= MOST_DIFFERENCES or not given.rank or given.dtype == BOOL:
        raise call.refused(f"has a counterpart in ONNX for numbers, up to {MOST_DIFFERENCES} times")
    axis = call.axis("axis", given.rank)
    for _ in range(int(times)):
        upper = _slice(write, given, axis, 1, 2**62)
        given = write.op("Sub", upper, _slice(write, given, axis, 0, -1))
    return call.result(given)


def _slice(write: Writer, given: Tensor, axis: int, start: int, stop: int) -> Tensor:
    ends = (write.vector([one]) for one in (start, stop, axis))
    return write.op("Slice", given, *ends, rank=given.rank)


PLACE: Final[Mapping[str, Any]] = {"offset": 0, "axis1": 0, "axis2": 1}
ROWS: Final[Mapping[str, Row]] = {
    "np.roll": row(_roll, "a shift", axis=None),
    "np.tile": row(_tile, "A reps"),
    "np.repeat": row(_repeat, "a repeats", axis=None),
    "np.flipud": row(_flipped(0), "m"),
    "np.fliplr": row(_flipped(1), "m"),
    "np.atleast_1d": row(_at_least(1), "x"),
    "np.atleast_2d": row(_at_least(2), "x"),
    "np.matrix_transpose": row(_swapped, "x"),
    "np.linalg.matrix_transpose": row(_swapped, "x"),
    "np.column_stack": row(_columns, "tup"),
    "np.dstack": row(_deep, "tup"),
    "np.append": row(_append, "arr values", axis=None),
    "np.pad": row(_pad, "array pad_width", mode="constant", constant_values=0),
    "np.diagonal": row(_diagonal, "a", **PLACE),
    "np.trace": row(_trace, "a", **PLACE, dtype=None, out=None),
    "ndarray.trace": row(_trace, "a", **PLACE, dtype=None, out=None),
    "np.diag": row(_diag, "v", k=0),
    "np.tri": row(_tri, "N", M=None, k=0, dtype=None),
    "np.diff": row(_diff, "a", n=1, axis=-1),
}
