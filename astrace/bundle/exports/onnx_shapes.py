"""New arrays, and arrays laid out in another way: sizes, reshapes, concatenations, conversions.

Takes calls, gives tensors.  Sizes that are known only when the model runs are tensors as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, Rule, contains_tensor, row
from astrace.bundle.exports.onnx_division import floor_divide
from astrace.bundle.exports.onnx_values import Form, Tensor
from astrace.bundle.exports.onnx_writer import INT64, Writer

# -- sizes ------------------------------------------------------------------------------------------------


def _dim(call: OnnxCall) -> Tensor:
    given = call.tensor("x")
    if not given.rank:
        raise call.refused("of a number has no counterpart in ONNX")
    return call.result(call.write.dim(given, call.axis("axis", given.rank)))


def _length(call: OnnxCall) -> Form:
    held = call["x"]
    if isinstance(held, tuple | list | dict):
        return len(held)
    return call.result(call.write.dim(call.tensor("x"), 0))


def _size(call: OnnxCall) -> Tensor:
    return call.result(call.write.op("Size", call.tensor("x"), dtype=INT64, rank=0))


def _shape(call: OnnxCall) -> Form:
    given = call.tensor("x")
    return tuple(call.write.dim(given, axis) for axis in range(given.rank))


def _dimensions(call: OnnxCall) -> Form:
    return call.tensor("x").rank


def _attribute(call: OnnxCall) -> Form:
    match call["name"]:
        case "T":
            return _transpose(call)
        case "size":
            return _size(call)
        case "shape":
            return _shape(call)
        case "ndim":
            return call.tensor("x").rank
        case "dtype":
            return call.tensor("x").dtype
        case name:
            raise call.refused(f"reads `{name}`, which has no counterpart in ONNX")


def sizes(call: OnnxCall, form: Form) -> list[Tensor | int]:
    """A shape as numbers that are known or not."""
    items = form if isinstance(form, tuple | list) else (form,)
    return [call.as_tensor(one, INT64) if contains_tensor(one) else int(one) for one in items]


# -- the same elements ------------------------------------------------------------------------------------


def _reshape(call: OnnxCall) -> Tensor:
    if call["order"] not in (None, "C"):
        raise call.refused("in an order other than C has no counterpart in ONNX")
    return call.result(call.write.reshape(call.tensor("x"), sizes(call, call["shape"])))


def _flat(call: OnnxCall) -> Tensor:
    if call["order"] not in (None, "C"):
        raise call.refused("in an order other than C has no counterpart in ONNX")
    return call.result(call.write.reshape(call.tensor("x"), (-1,)))


def _permuted(call: OnnxCall, order: Sequence[int]) -> Tensor:
    given = call.tensor("x")
    if given.rank < 2:
        return call.result(given)
    return call.result(call.write.op("Transpose", given, perm=list(order)))


def _transpose(call: OnnxCall) -> Tensor:
    rank = call.tensor("x").rank
    asked = call.args.get("axes")
    return _permuted(call, list(range(rank))[::-1] if asked is None else call.axes("axes", rank))


def _swap(call: OnnxCall) -> Tensor:
    order = list(range(call.tensor("x").rank))
    one, other = call.axis("axis1", len(order)), call.axis("axis2", len(order))
    order[one], order[other] = order[other], order[one]
    return _permuted(call, order)


def _move(call: OnnxCall) -> Tensor:
    rank = call.tensor("x").rank
    order = list(range(rank))
    source = call.axis("source", rank)
    order.insert(call.axis("destination", rank), order.pop(source))
    return _permuted(call, order)


def _expand(call: OnnxCall) -> Tensor:
    given = call.tensor("x")
    axis = call.known("axis", int, tuple)
    count = len(axis) if isinstance(axis, tuple) else 1
    return call.result(call.write.unsqueeze(given, call.axes("axis", given.rank + count)))


def _squeeze(call: OnnxCall) -> Tensor:
    given = call.tensor("x")
    known = call["axis"] is None and all(isinstance(size, int) for size in given.shape)
    if call["axis"] is None and not known:
        raise call.refused("without axes needs sizes that are known")
    ones = [axis for axis, size in enumerate(given.shape) if size == 1]
    return call.result(call.write.squeeze(given, ones if known else call.axes("axis", given.rank)))


def _broadcast(call: OnnxCall) -> Tensor:
    given, shape = call.tensor("x"), sizes(call, call["shape"])
    return call.result(call.write.op("Expand", given, call.write.vector(shape), rank=len(shape)))


def _copied(call: OnnxCall) -> Tensor:
    """A copy, or a conversion to the dtype of the result."""
    return call.result(call.tensor("x", call.out.dtype))


def _triangle(upper: int) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        given, place = call.tensor("x", call.out.dtype), call.tensor("k", INT64)
        return call.result(call.write.op("Trilu", given, place, rank=given.rank, upper=upper))

    return rule


# -- several arrays ---------------------------------------------------------------------------------------


def _parts(call: OnnxCall) -> list[Tensor]:
    parts = call["arrays"]
    if not isinstance(parts, tuple | list):
        raise call.refused("has a counterpart in ONNX for tuples and lists of arrays")
    return [call.as_tensor(one, call.out.dtype) for one in parts]


def _concatenate(call: OnnxCall) -> Tensor:
    parts = _parts(call)
    if call["axis"] is None:
        return call.result(
            call.write.op("Concat", *(call.write.reshape(one, (-1,)) for one in parts), axis=0)
        )
    return call.result(call.write.op("Concat", *parts, axis=call.axis("axis", parts[0].rank)))


def _stack(call: OnnxCall) -> Tensor:
    parts = _parts(call)
    axis = call.axis("axis", parts[0].rank + 1)
    rows = [call.write.unsqueeze(one, [axis]) for one in parts]
    return call.result(call.write.op("Concat", *rows, axis=axis))


def _joined(at_least: int, axis: int) -> Rule:
    """``vstack`` and ``hstack``: rows of at least so many dimensions, one behind the other."""

    def rule(call: OnnxCall) -> Tensor:
        parts = [call.write.unsqueeze(one, list(range(max(0, at_least - one.rank)))) for one in _parts(call)]
        return call.result(call.write.op("Concat", *parts, axis=min(axis, parts[0].rank - 1)))

    return rule


# -- new arrays -------------------------------------------------------------------------------------------


def _filled(write: Writer, shape: Tensor, value: Tensor, rank: int) -> Tensor:
    return write.op("Expand", value, shape, rank=rank)


def _full(number: int | None) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        dtype, shape = call.out.dtype, sizes(call, call["shape"])
        value = call.tensor("fill_value", dtype) if number is None else call.write.constant(number, dtype)
        return call.result(_filled(call.write, call.write.vector(shape), value, len(shape)))

    return rule


def _like(number: int | None) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        dtype, like = call.out.dtype, call.tensor("x")
        value = call.tensor("fill_value", dtype) if number is None else call.write.constant(number, dtype)
        return call.result(_filled(call.write, call.write.shape(like), value, like.rank))

    return rule


def _arange(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    start, stop = (0, call["start"]) if call["stop"] is None else (call["start"], call["stop"])
    start, step = (0 if start is None else start), (1 if call["step"] is None else call["step"])
    kind = INT64 if dtype.kind in "iu" else np.dtype(np.float64)
    begin, end, by = (call.as_tensor(one, kind) for one in (start, stop, step))
    if kind == INT64:
        count = trips(write, begin, end, by)
    else:
        count = write.cast(write.op("Ceil", write.op("Div", write.op("Sub", end, begin), by)), INT64)
        count = write.where(write.compare("Less", count, write.constant(0)), write.constant(0), count)
    places = write.op("Range", write.constant(0), count, write.constant(1), rank=1)
    moved = by if kind == INT64 else write.op("Sub", write.op("Add", begin, by), begin)  # as NumPy does
    made = write.op("Add", begin, write.op("Mul", write.cast(places, kind), moved))
    return call.result(made)


def trips(write: Writer, start: Tensor, stop: Tensor, step: Tensor) -> Tensor:
    """The length of ``range(start, stop, step)``, for tensors of integers."""
    zero = write.constant(0)
    down = floor_divide(write, write.op("Sub", start, stop), step)
    count = write.op("Sub", zero, down)
    return write.where(write.compare("Less", count, zero), zero, count)


def _linspace(call: OnnxCall) -> Tensor:
    """NumPy's formula: the start and multiples of the step, and the very stop at the end."""
    write, num = call.write, call.known("num", int)
    begin, end = (call.tensor(name, np.dtype(np.float64)) for name in ("start", "stop"))
    if num < 2 or begin.rank or end.rank or call.out.dtype.kind != "f":
        raise call.refused("is exported for floats between two numbers, at least two of them")
    ends = bool(call.known("endpoint", bool))
    width = write.op("Sub", end, begin)
    count = num - ends
    step = write.op("Div", width, write.constant(float(count)))
    places = write.constant(np.arange(count, dtype=np.float64))
    made = write.op("Add", write.op("Mul", places, step), begin)
    if ends:
        made = write.op("Concat", made, write.unsqueeze(end, [0]), axis=0)
    return call.result(made)


def _eye(call: OnnxCall) -> Tensor:
    write = call.write
    columns = call["n"] if call["m"] is None else call["m"]
    zero, one = write.constant(0), write.constant(1)
    down, across = (
        write.op("Range", zero, call.as_tensor(count, INT64), one, rank=1) for count in (call["n"], columns)
    )
    moved = write.op("Add", write.unsqueeze(down, [1]), call.tensor("k", INT64))
    return call.result(write.compare("Equal", moved, write.unsqueeze(across, [0])))


LAID: Final[Mapping[str, Any]] = {"order": None}
ROWS: Final[Mapping[str, Row]] = {
    "dim": row(_dim, "x axis"),
    "len": row(_length, "x"),
    "np.size": row(_size, "x"),
    "np.shape": row(_shape, "x"),
    "get_attr": row(_attribute, "x name"),
    "np.reshape": row(_reshape, "x shape", **LAID),
    "np.ravel": row(_flat, "x", **LAID),
    "ndarray.flatten": row(_flat, "x", **LAID),
    "np.transpose": row(_transpose, "x", axes=None),
    "np.swapaxes": row(_swap, "x axis1 axis2"),
    "np.moveaxis": row(_move, "x source destination"),
    "np.expand_dims": row(_expand, "x axis"),
    "np.squeeze": row(_squeeze, "x", axis=None),
    "np.broadcast_to": row(_broadcast, "x shape"),
    "np.copy": row(_copied, "x", ignored="order", dtype=None),
    "ndarray.copy": row(_copied, "x", **LAID),
    "ndarray.astype": row(_copied, "x dtype", ignored="order casting copy"),
    "np.astype": row(_copied, "x dtype", ignored="copy"),
    "np.array": row(_copied, "x", dtype=None, ignored="copy order"),
    "np.asarray": row(_copied, "x", dtype=None, ignored="copy order"),
    "np.ascontiguousarray": row(_copied, "x", dtype=None),
    "np.asanyarray": row(_copied, "x", dtype=None, ignored="copy order"),
    "np.asfortranarray": row(_copied, "x", dtype=None),
    "np.ndim": row(_dimensions, "x"),
    "np.concatenate": row(_concatenate, "arrays", axis=0, out=None, dtype=None),
    "np.stack": row(_stack, "arrays", axis=0, out=None, dtype=None),
    "np.vstack": row(_joined(2, 0), "arrays", dtype=None),
    "np.hstack": row(_joined(1, 1), "arrays", dtype=None),
    "np.zeros": row(_full(0), "shape", dtype=None, **LAID),
    "np.empty": row(_full(0), "shape", dtype=None, **LAID),
    "np.ones": row(_full(1), "shape", dtype=None, **LAID),
    "np.full": row(_full(None), "shape fill_value", dtype=None, **LAID),
    "np.zeros_like": row(_like(0), "x", dtype=None, **LAID),
    "np.empty_like": row(_like(0), "x", dtype=None, **LAID),
    "np.ones_like": row(_like(1), "x", dtype=None, **LAID),
    "np.full_like": row(_like(None), "x fill_value", dtype=None, **LAID),
    "np.arange": row(_arange, "start", stop=None, step=None, dtype=None),
    "np.linspace": row(_linspace, "start stop", num=50, endpoint=True, ignored="dtype"),
    "np.tril": row(_triangle(0), "x", k=0),
    "np.triu": row(_triangle(1), "x", k=0),
    "np.permute_dims": row(_transpose, "x", axes=None),
    "np.concat": row(_concatenate, "arrays", axis=0, out=None, dtype=None),
    "np.eye": row(_eye, "n", m=None, k=0, dtype=None, **LAID),
    "np.identity": row(_eye, "n", m=None, k=0, dtype=None),
}
