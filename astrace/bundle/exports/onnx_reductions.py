"""Reductions, and products of matrices.

Takes calls, gives tensors.  NaN goes through ``max``, ``min``, ``argmax`` and ``argmin`` as in NumPy, which ONNX leaves
open; sums are added in the order of the runtime.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, Rule, row, types_of
from astrace.bundle.exports.onnx_values import PYTHON_DTYPES, DTypeLike, Tensor
from astrace.bundle.exports.onnx_writer import BOOL, INT64, Writer

FLOAT16: Final = np.dtype(np.float16)
WIDER: Final[Mapping[DTypeLike, DTypeLike]] = {
    FLOAT16: np.dtype(np.float32),
    BOOL: np.dtype(np.uint8),
    np.dtype(np.int16): np.dtype(np.int32),
    np.dtype(np.uint16): np.dtype(np.int32),
    np.dtype(np.uint32): INT64,
}
"""The dtypes that runtimes do not reduce, and others that hold all their values."""


def reduce(write: Writer, op: str, tensor: Tensor, axes: Sequence[int], keeps: bool) -> Tensor:
    """A reduction over axes."""
    if not axes:
        return tensor
    rank = tensor.rank if keeps else tensor.rank - len(axes)
    return write.op(op, tensor, write.vector(list(axes)), rank=rank, keepdims=int(keeps))


def laid_out(call: OnnxCall, dtype: DTypeLike | None) -> tuple[Tensor, list[int], bool]:
    """What is reduced, of a dtype if one is given; the axes; and whether they stay."""
    given = call.tensor("a", dtype)
    return given, call.axes("axis", given.rank), bool(call.known("keepdims", bool, type(None)))


def _sum(op: str) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        dtype = call.out.dtype
        if dtype == BOOL:
            raise call.refused("of dtype bool has no counterpart in ONNX")
        given, axes, keeps = laid_out(call, dtype)
        wide = call.write.cast(given, summed_as(dtype))
        return call.result(reduce(call.write, op, wide, axes, keeps))

    return rule


def summed_as(dtype: DTypeLike) -> DTypeLike:
    """The dtype in which sums of a dtype are added."""
    return WIDER.get(dtype, dtype) if dtype.kind == "f" else INT64


def _mean(call: OnnxCall) -> Tensor:
    return call.result(mean(call))


def mean(call: OnnxCall) -> Tensor:
    """The sum divided by the count; of nothing it is NaN, which runtimes' own means are not."""
    write, dtype = call.write, WIDER.get(call.out.dtype, call.out.dtype)
    given, axes, keeps = laid_out(call, dtype)
    if not axes:
        return given
    total = reduce(write, "ReduceSum", given, axes, keeps)
    return write.op("Div", total, write.cast(_count(write, given, axes), dtype))


def _count(write: Writer, tensor: Tensor, axes: Sequence[int]) -> Tensor:
    """The number of elements along axes."""
    sizes = write.op("Gather", write.shape(tensor), write.vector(list(axes)), rank=1, axis=0)
    return write.op("ReduceProd", sizes, rank=0, keepdims=0)


def _variance(is_root: bool) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        write, dtype = call.write, WIDER.get(call.out.dtype, call.out.dtype)
        given, axes, keeps = laid_out(call, dtype)
        if not axes:
            raise call.refused("of a number has no counterpart in ONNX")
        away = write.op("Sub", given, reduce(write, "ReduceMean", given, axes, keeps=True))
        total = reduce(write, "ReduceSum", write.op("Mul", away, away), axes, keeps)
        count = write.op("Sub", write.cast(_count(write, given, axes), dtype), call.tensor("ddof", dtype))
        floor = write.constant(0, dtype)
        made = write.op("Div", total, write.where(write.compare("Less", count, floor), floor, count))
        return call.result(write.op("Sqrt", made) if is_root else made)

    return rule


def any_nan(write: Writer, tensor: Tensor, axes: Sequence[int], keeps: bool) -> Tensor:
    """Whether there is a NaN along axes."""
    flags = write.cast(write.op("IsNaN", tensor, dtype=BOOL), np.dtype(np.int32))
    return write.cast(reduce(write, "ReduceMax", flags, axes, keeps), BOOL)


def _extreme(op: str) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        write, dtype = call.write, call.out.dtype
        given, axes, keeps = laid_out(call, dtype)
        wide = write.cast(given, WIDER.get(dtype, dtype))
        made = write.cast(reduce(write, op, wide, axes, keeps), dtype)
        if dtype.kind == "f":
            made = write.where(any_nan(write, given, axes, keeps), write.constant(np.nan, dtype), made)
        return call.result(made)

    return rule


def _place(op: str) -> Rule:
    """``argmax`` or ``argmin``: the first place, of a NaN if there is one."""

    def rule(call: OnnxCall) -> Tensor:
        write, given = call.write, call.tensor("a")
        keeps = bool(call.known("keepdims", bool, type(None)))
        if call["axis"] is None:
            if keeps:
                raise call.refused("with keepdims needs an axis in ONNX")
            given = write.reshape(given, (-1,))
        axis = 0 if call["axis"] is None else call.axis("axis", given.rank)
        rank = given.rank if keeps else given.rank - 1
        wide = write.cast(given, WIDER.get(given.dtype, given.dtype))
        made = write.op(op, wide, dtype=INT64, rank=rank, axis=axis, keepdims=int(keeps))
        if given.dtype.kind == "f":
            flags = write.cast(write.op("IsNaN", given, dtype=BOOL), np.dtype(np.int32))
            first = write.op("ArgMax", flags, dtype=INT64, rank=rank, axis=axis, keepdims=int(keeps))
            made = write.where(any_nan(write, given, [axis], keeps), first, made)
        return call.result(made)

    return rule


def _truth(is_any: bool) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        write = call.write
        given, axes, keeps = laid_out(call, BOOL)
        flags = given if is_any else write.op("Not", given)
        found = write.cast(reduce(write, "ReduceSum", write.cast(flags, INT64), axes, keeps), BOOL)
        return call.result(found if is_any else write.op("Not", found))

    return rule


def _nonzero_count(call: OnnxCall) -> Tensor:
    given, axes, keeps = laid_out(call, BOOL)
    return call.result(reduce(call.write, "ReduceSum", call.write.cast(given, INT64), axes, keeps))


def _running_sum(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    given = call.tensor("a", dtype)
    flat = write.reshape(given, (-1,)) if call["axis"] is None else given
    axis = 0 if call["axis"] is None else call.axis("axis", flat.rank)
    wide = write.cast(flat, summed_as(dtype))
    return call.result(write.op("CumSum", wide, write.constant(axis), rank=flat.rank))


def _sum_of_numbers(call: OnnxCall) -> Tensor:
    """Python's ``sum`` of a tuple or list of numbers or arrays, whose length is known."""
    write, items = call.write, call["a"]
    if not isinstance(items, tuple | list) or not items:
        raise call.refused("has a counterpart in ONNX for tuples and lists", "use np.sum")
    parts = [call["start"], *items]
    types = {one for part in parts for one in types_of(part)}
    if len({types_of(part) for part in items}) > 1 or len(types) > 2:
        raise call.refused("adds values of several dtypes", "use +")
    first, *rest = types
    dtype = np.add.resolve_dtypes((first, rest[0] if rest else first, None))[-1] if _typed(types) else None
    kind = PYTHON_DTYPES[float if float in types else int] if dtype is None else dtype
    total, *others = (call.as_tensor(part, kind) for part in parts)
    for other in others:
        total = write.op("Add", total, other)
    return total


def _typed(types: Iterable[object]) -> bool:
    """Return whether NumPy adds, and not Python."""
    return any(isinstance(one, np.dtype) for one in types)


# -- products ---------------------------------------------------------------------------------------------


def _factors(call: OnnxCall) -> tuple[Tensor, Tensor]:
    """The operands of a product, in a dtype that ONNX multiplies."""
    dtype = call.out.dtype
    if dtype == BOOL:
        raise call.refused("of booleans has no counterpart in ONNX")
    wide = dtype if dtype.kind == "f" else INT64
    return call.tensor("x1", wide), call.tensor("x2", wide)


def _matmul(call: OnnxCall) -> Tensor:
    left, right = _factors(call)
    if not left.rank or not right.rank:
        raise call.refused("of a number has no counterpart in ONNX")
    return call.result(product(call.write, left, right))


def product(write: Writer, left: Tensor, right: Tensor) -> Tensor:
    """The matrix product; vectors are rows on the left and columns on the right."""
    squeezed = [-1] * (right.rank == 1) + [-2] * (left.rank == 1)
    rows = write.unsqueeze(left, [0]) if left.rank == 1 else left
    columns = write.unsqueeze(right, [1]) if right.rank == 1 else right
    made = write.op("MatMul", rows, columns)
    return write.squeeze(made, sorted(squeezed))


def _dot(call: OnnxCall) -> Tensor:
    left, right = _factors(call)
    if not left.rank or not right.rank:
        return call.result(call.write.op("Mul", left, right))
    if right.rank > 2:
        raise call.refused(
            "with a right operand of more than two dimensions has no counterpart in ONNX", "use @"
        )
    return call.result(product(call.write, left, right))


def _outer(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    left = write.reshape(call.tensor("x1", dtype), (-1, 1))
    return call.result(write.op("Mul", left, write.reshape(call.tensor("x2", dtype), (1, -1))))


def _einsum(call: OnnxCall) -> Tensor:
    write, equation = call.write, call.known("subscripts", str)
    given = [call[name] for name in ("x1", "x2", "x3") if call[name] is not None]
    wide = call.out.dtype if call.out.dtype.kind == "f" else INT64
    parts = [call.as_tensor(one, wide) for one in given]
    if call.out.dtype == BOOL:
        raise call.refused("of booleans has no counterpart in ONNX")
    return call.result(write.op("Einsum", *parts, rank=len(call.out.shape), equation=equation))


def _pair(name: str, rule: Rule, **defaults: object) -> dict[str, Row]:
    """A reduction as a function and as a method."""
    made = row(rule, "a", ignored="dtype", **defaults)
    return {f"np.{name}": made, f"ndarray.{name}": made}


def _one(name: str, rule: Rule) -> dict[str, Row]:
    """A reduction that is one op as a function and as a method."""
    return {f"np.{name}": row(rule, "a", axis=None, out=None, keepdims=False)}


OVER: Final[Mapping[str, object]] = {"axis": None, "dtype": None, "out": None, "keepdims": False}
SPREAD: Final[Mapping[str, object]] = {"axis": None, "dtype": None, "out": None, "ddof": 0, "keepdims": False}
ROWS: Final[Mapping[str, Row]] = {
    **_pair("sum", _sum("ReduceSum"), **OVER),
    **_pair("prod", _sum("ReduceProd"), **OVER),
    **_pair("mean", _mean, **OVER),
    **_pair("var", _variance(is_root=False), **SPREAD),
    **_pair("std", _variance(is_root=True), **SPREAD),
    **_one("max", _extreme("ReduceMax")),
    **_one("min", _extreme("ReduceMin")),
    **_one("amax", _extreme("ReduceMax")),
    **_one("amin", _extreme("ReduceMin")),
    **_one("any", _truth(is_any=True)),
    **_one("all", _truth(is_any=False)),
    **_one("argmax", _place("ArgMax")),
    **_one("argmin", _place("ArgMin")),
    **_pair("cumsum", _running_sum, axis=None, dtype=None, out=None),
    "np.count_nonzero": row(_nonzero_count, "a", axis=None, keepdims=False),
    "sum": row(_sum_of_numbers, "a", start=0),
    "matmul": row(_matmul, "x1 x2"),
    "np.matmul": row(_matmul, "x1 x2"),
    "np.dot": row(_dot, "x1 x2", out=None),
    "np.einsum": row(_einsum, "subscripts x1", x2=None, x3=None),
    "np.outer": row(_outer, "x1 x2"),
}
