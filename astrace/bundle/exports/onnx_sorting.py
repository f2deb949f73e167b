"""Order: sorting, places in order, medians, distinct values, what is true and where.

Takes calls, gives tensors.  ONNX sorts with ``TopK``, which keeps equal elements in their order; NumPy's default leaves that
open.  NaN goes last, as in NumPy, which ``TopK`` leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, row, types_of
from astrace.bundle.exports.onnx_reductions import WIDER, reduce
from astrace.bundle.exports.onnx_values import DTypeLike, Stored, Tensor
from astrace.bundle.exports.onnx_writer import BOOL, INT64, Writer

INT32: Final = np.dtype(np.int32)
NARROW: Final[Mapping[DTypeLike, DTypeLike]] = {
    np.dtype(np.int8): INT32,
    np.dtype(np.uint8): INT32,
    BOOL: INT32,
}
"""The dtypes that are sorted as others, beside those that are reduced as others."""


def _ordered(call: OnnxCall, name: str = "a") -> tuple[Tensor, int]:
    """An argument in a dtype that can be sorted, and the axis; without one it is flat."""
    given = call.tensor(name)
    if given.dtype == np.uint64:
        raise call.refused("of uint64 has no counterpart in ONNX")
    wide = call.write.cast(given, NARROW.get(given.dtype, WIDER.get(given.dtype, given.dtype)))
    if call["axis"] is None:
        return call.write.reshape(wide, (-1,)), 0
    if not wide.rank:
        raise call.refused("of a number has no counterpart in ONNX")
    return wide, call.axis("axis", wide.rank)


def _top(write: Writer, tensor: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """A tensor without NaN in order along an axis, and the places in it; of equal ones the first stands first."""
    count = write.reshape(write.dim(tensor, axis), (1,))
    shape = (None,) * tensor.rank
    kinds = [Stored(kind, shape, (kind,)) for kind in (tensor.dtype, INT64)]
    values, places = write.many("TopK", [tensor, count], kinds, axis=axis, largest=0, sorted=1)
    return values, places


def _without_nan(write: Writer, tensor: Tensor) -> tuple[Tensor, Tensor]:
    """A tensor of floats with infinity instead of NaN, and where that is."""
    flags = write.op("IsNaN", tensor, dtype=BOOL)
    return write.where(flags, write.constant(np.inf, tensor.dtype), tensor), flags


def along(write: Writer, tensor: Tensor, axis: int) -> Tensor:
    """The numbers of the places along an axis, so laid out that they stand beside a tensor."""
    places = write.op("Range", write.constant(0), write.dim(tensor, axis), write.constant(1), rank=1)
    return write.unsqueeze(places, list(range(1, tensor.rank - axis)))


def in_order(write: Writer, tensor: Tensor, axis: int) -> Tensor:
    """A tensor in order along an axis, NaN last."""
    if tensor.dtype.kind != "f":
        return _top(write, tensor, axis)[0]
    filled, flags = _without_nan(write, tensor)
    missing = reduce(write, "ReduceSum", write.cast(flags, INT64), [axis], keeps=True)
    numbers = write.op("Sub", write.dim(tensor, axis), missing)
    is_number = write.compare("Less", along(write, tensor, axis), numbers)
    return write.where(is_number, _top(write, filled, axis)[0], write.constant(np.nan, tensor.dtype))


def _sort(call: OnnxCall) -> Tensor:
    given, axis = _ordered(call)
    return call.result(in_order(call.write, given, axis))


def _argsort(call: OnnxCall) -> Tensor:
    write = call.write
    given, axis = _ordered(call)
    if given.dtype.kind != "f":
        return call.result(_top(write, given, axis)[1])
    filled, flags = _without_nan(write, given)
    places = _top(write, filled, axis)[1]
    moved = write.op("GatherElements", write.cast(flags, INT32), places, axis=axis)
    last = _top(write, moved, axis)[1]
    return call.result(write.op("GatherElements", places, last, axis=axis))


def _median(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    given, axis = _ordered(call)
    if call.known("keepdims", bool) and call["axis"] is None:
        raise call.refused("with keepdims needs an axis in ONNX")
    done = in_order(write, write.cast(given, WIDER.get(dtype, dtype)), axis)
    count, two = write.dim(done, axis), write.constant(2)
    last = write.op("Sub", count, write.constant(1))
    middle = [
        write.op("Gather", done, write.reshape(write.op("Div", one, two), (1,)), rank=done.rank, axis=axis)
        for one in (last, count)
    ]
    half = write.op("Mul", write.op("Add", *middle), write.constant(0.5, done.dtype))
    made = write.where(write.compare("Equal", *middle), middle[0], half)
    if done.dtype.kind == "f":  # the last one tells whether there is a NaN
        end = write.op("Gather", done, write.reshape(last, (1,)), rank=done.rank, axis=axis)
        made = write.where(write.op("IsNaN", end, dtype=BOOL), end, made)
    return call.result(made if call["keepdims"] else write.squeeze(made, [axis]))


def _distinct(call: OnnxCall) -> Tensor:
    """The distinct values in order; NaN once."""
    write = call.write
    given = call.tensor("a")
    flat, _ = _ordered(call)
    done = in_order(write, flat, 0)
    places = along(write, done, 0)
    zero = write.constant(0)
    is_first = write.compare("Equal", places, zero)
    before = write.where(is_first, zero, write.op("Sub", places, write.constant(1)))
    left = write.op("Gather", done, before, rank=1, axis=0)
    differs = write.op("Not", write.compare("Equal", left, done))
    if done.dtype.kind == "f":
        again = write.op("And", *(write.op("IsNaN", one, dtype=BOOL) for one in (left, done)))
        differs = write.op("And", differs, write.op("Not", again))
    kept = write.op("Compress", done, write.op("Or", is_first, differs), rank=1, axis=0)
    return call.result(write.cast(kept, given.dtype))


# -- places -------------------------------------------------------------------------------------------------


def _places(call: OnnxCall, name: str) -> Tensor:
    """The places at which something holds: a row for each dimension."""
    given = call.tensor(name, BOOL)
    if not given.rank:
        raise call.refused("of a number has no counterpart in ONNX")
    return call.write.op("NonZero", given, dtype=INT64, rank=2)


def nonzero(call: OnnxCall, name: str = "a") -> tuple[Tensor, ...]:
    """The places at which something holds, by dimension."""
    write, found = call.write, _places(call, name)
    rows = [write.constant(axis) for axis in range(call.tensor(name).rank)]
    return tuple(write.op("Gather", found, one, rank=1, axis=0) for one in rows)


def _flat_nonzero(call: OnnxCall) -> Tensor:
    write = call.write
    found = write.op("NonZero", write.reshape(call.tensor("a", BOOL), (-1,)), dtype=INT64, rank=2)
    return call.result(write.reshape(found, (-1,)))


def _places_as_rows(call: OnnxCall) -> Tensor:
    return call.result(call.write.op("Transpose", _places(call, "a"), perm=[1, 0]))


def _pick_along(call: OnnxCall) -> Tensor:
    given, places = call.tensor("arr"), call.tensor("indices", INT64)
    if call["axis"] is None:
        flat = call.write.reshape(given, (-1,))
        return call.result(call.write.op("GatherElements", flat, places, axis=0))
    axis = call.axis("axis", given.rank)
    others = [index for index in range(given.rank) if index != axis]
    if given.rank != places.rank or any(
        given.shape[one] is None or given.shape[one] != places.shape[one] for one in others
    ):
        raise call.refused("spreads sizes that may differ, which ONNX does not")
    return call.result(call.write.op("GatherElements", given, places, axis=axis))


def _search(call: OnnxCall) -> Tensor:
    """How many elements stand before each value, or not behind it."""
    write, side = call.write, call.known("side", str)
    found = np.result_type(*(one for name in ("a", "v") for one in types_of(call[name])))
    given, values = call.tensor("a", found), call.tensor("v", found)
    wanted = write.unsqueeze(values, [values.rank])
    low, high = (given, wanted) if side == "left" else (wanted, given)
    flags = write.compare("Less", low, high)
    if found.kind == "f":  # NaN is behind all numbers
        nan = [write.op("IsNaN", one, dtype=BOOL) for one in (low, high)]
        flags = write.op("Or", flags, write.op("And", write.op("Not", nan[0]), nan[1]))
    flags = flags if side == "left" else write.op("Not", flags)
    rank = values.rank + 1
    return call.result(reduce(write, "ReduceSum", write.cast(flags, INT64), [rank - 1], keeps=False))


def _is_among(call: OnnxCall) -> Tensor:
    write = call.write
    found = np.result_type(*(one for name in ("element", "test") for one in types_of(call[name])))
    given, others = call.tensor("element", found), write.reshape(call.tensor("test", found), (-1,))
    same = write.compare("Equal", write.unsqueeze(given, [given.rank]), others)
    count = reduce(write, "ReduceSum", write.cast(same, INT64), [given.rank], keeps=False)
    made = write.cast(count, BOOL)
    return call.result(write.op("Not", made) if call.known("invert", bool) else made)


ROWS: Final[Mapping[str, Row]] = {
    "np.sort": row(_sort, "a", axis=-1, ignored="kind stable"),
    "np.argsort": row(_argsort, "a", axis=-1, ignored="kind stable"),
    "np.median": row(_median, "a", axis=None, out=None, keepdims=False, ignored="overwrite_input"),
    "np.unique": row(_distinct, "a", axis=None),
    "np.unique_values": row(_distinct, "a", axis=None),
    "np.nonzero": row(nonzero, "a"),
    "np.flatnonzero": row(_flat_nonzero, "a"),
    "np.argwhere": row(_places_as_rows, "a"),
    "np.take_along_axis": row(_pick_along, "arr indices", axis=-1),
    "np.searchsorted": row(_search, "a v", side="left"),
    "np.isin": row(_is_among, "element test", invert=False, ignored="assume_unique"),
}
