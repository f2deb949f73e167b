"""Functions that ONNX has not, written with those that it has: logarithms near 1, roots, closeness, what skips NaN.

Takes calls, gives tensors.  Where a formula would lose digits, that of Kahan is taken, which keeps them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, Rule, row, types_of
from astrace.bundle.exports.onnx_elementwise import both
from astrace.bundle.exports.onnx_reductions import WIDER, any_nan, laid_out, mean, product, reduce, summed_as
from astrace.bundle.exports.onnx_values import PYTHON_DTYPES, DTypeLike, Tensor
from astrace.bundle.exports.onnx_writer import BOOL, INT64, Writer

OfOne: TypeAlias = "Callable[[Writer, Tensor], Tensor]"


def _of_floats(write_it: OfOne) -> Rule:
    """A function of one number, computed in the dtype of its result."""

    def rule(call: OnnxCall) -> Tensor:
        given = call.tensor("x", call.out.dtype)
        wide = WIDER.get(given.dtype, given.dtype)
        return call.result(write_it(call.write, call.write.cast(given, wide)))

    return rule


def _log1p(write: Writer, x: Tensor) -> Tensor:
    """``log(1 + x)``: what the sum loses, the quotient gives back."""
    one = write.constant(1, x.dtype)
    u = write.op("Add", one, x)
    log = write.op("Log", u)
    exact = write.op("Div", write.op("Mul", log, x), write.op("Sub", u, one))
    plain = write.op(
        "Or", write.op("IsInf", u, dtype=BOOL), write.compare("Equal", x, write.constant(-1, x.dtype))
    )
    return write.where(write.compare("Equal", u, one), x, write.where(plain, log, exact))


def _expm1(write: Writer, x: Tensor) -> Tensor:
    """``exp(x) - 1``, likewise."""
    one = write.constant(1, x.dtype)
    u = write.op("Exp", x)
    less = write.op("Sub", u, one)
    exact = write.op("Div", write.op("Mul", less, x), write.op("Log", u))
    end = write.compare("Equal", less, write.constant(-1, x.dtype))
    plain = write.op("Or", write.op("IsInf", u, dtype=BOOL), end)
    return write.where(write.compare("Equal", u, one), x, write.where(plain, less, exact))


def _log_to(base: float) -> OfOne:
    def write_it(write: Writer, x: Tensor) -> Tensor:
        return write.op("Div", write.op("Log", x), write.constant(math.log(base), x.dtype))

    return write_it


def _exp2(write: Writer, x: Tensor) -> Tensor:
    return write.op("Pow", write.constant(2, x.dtype), x)


def _cbrt(write: Writer, x: Tensor) -> Tensor:
    """The cube root, with a step of Newton's method where that is finite."""
    size, zero = write.op("Abs", x), write.constant(0, x.dtype)
    root = write.op("Pow", size, write.constant(1 / 3, x.dtype))
    square = write.op("Mul", root, root)
    excess = write.op("Sub", write.op("Mul", square, root), size)
    step = write.op("Div", excess, write.op("Mul", write.constant(3, x.dtype), square))
    ends = write.op("Or", write.op("IsInf", size, dtype=BOOL), write.compare("Equal", size, zero))
    better = write.where(ends, size, write.op("Sub", root, step))
    return write.where(write.compare("Less", x, zero), write.op("Neg", better), write.where(ends, x, better))


def _hypot(call: OnnxCall) -> Tensor:
    """The length of two sides, whose squares need not fit."""
    write, dtype = call.write, call.out.dtype
    sides = [write.cast(one, WIDER.get(dtype, dtype)) for one in both(call)]
    left, right = (write.op("Abs", one) for one in sides)
    is_more = write.compare("Less", left, right)
    high, low = write.where(is_more, right, left), write.where(is_more, left, right)
    zero, one = write.constant(0, high.dtype), write.constant(1, high.dtype)
    ratio = write.op("Div", low, write.where(write.compare("Equal", high, zero), one, high))
    made = write.op("Mul", high, write.op("Sqrt", write.op("Add", one, write.op("Mul", ratio, ratio))))
    endless = write.op("Or", *(write.op("IsInf", side, dtype=BOOL) for side in sides))
    nan = write.op("Or", *(write.op("IsNaN", side, dtype=BOOL) for side in sides))
    made = write.where(nan, write.constant(np.nan, high.dtype), made)
    return call.result(write.where(endless, write.constant(np.inf, high.dtype), made))


def _logaddexp(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    left, right = (write.cast(one, WIDER.get(dtype, dtype)) for one in both(call))
    apart = write.op("Sub", left, right)
    high = write.where(write.compare("Less", left, right), right, left)
    grown = write.op("Add", high, _log1p(write, write.op("Exp", write.op("Neg", write.op("Abs", apart)))))
    same = write.op("Add", left, write.constant(math.log(2.0), left.dtype))
    made = write.where(write.compare("Equal", left, right), same, grown)
    return call.result(
        write.where(
            write.op("IsNaN", apart, dtype=BOOL),
            write.where(write.compare("Equal", left, right), same, apart),
            made,
        )
    )


def _fmod(call: OnnxCall) -> Tensor:
    left, right = both(call)
    if left.dtype.kind != "f":
        raise call.refused("of integers has no counterpart in ONNX", "use %")
    return call.result(call.write.op("Mod", left, right, fmod=1))


def _heaviside(call: OnnxCall) -> Tensor:
    write = call.write
    given, at_zero = both(call)
    zero, one = write.constant(0, given.dtype), write.constant(1, given.dtype)
    made = write.where(write.compare("Less", given, zero), zero, one)
    made = write.where(write.compare("Equal", given, zero), at_zero, made)
    return call.result(write.where(write.op("IsNaN", given, dtype=BOOL), given, made))


def _endless(sign: int) -> Rule:
    """Whether numbers are infinite, with one sign."""

    def rule(call: OnnxCall) -> Tensor:
        given = call.tensor("x")
        if given.dtype.kind != "f":
            given = call.write.cast(given, np.dtype(np.float64))
        return call.result(
            call.write.compare("Equal", given, call.write.constant(sign * np.inf, given.dtype))
        )

    return rule


# -- closeness ------------------------------------------------------------------------------------------------


def _own_dtype(call: OnnxCall, name: str) -> DTypeLike:
    (kind,) = {PYTHON_DTYPES.get(one, one) for one in types_of(call[name])}
    return np.dtype(kind)


def _close(call: OnnxCall) -> Tensor:
    """NumPy's formula; in it Python's numbers are float64, too."""
    write = call.write
    dtype = np.result_type(_own_dtype(call, "a"), _own_dtype(call, "b"), np.float16)
    if dtype.kind != "f" or dtype.itemsize > 8:
        raise call.refused(f"of {dtype} has no counterpart in ONNX")
    dtype = WIDER.get(dtype, dtype)
    left, right = call.tensor("a", dtype), call.tensor("b", dtype)
    size = write.op("Mul", call.tensor("rtol", dtype), write.op("Abs", right))
    most = write.op("Add", call.tensor("atol", dtype), size)
    near = write.compare("LessOrEqual", write.op("Abs", write.op("Sub", left, right)), most)
    ends = [write.op(test, right, dtype=BOOL) for test in ("IsNaN", "IsInf")]
    finite = write.op("Not", write.op("Or", *ends))
    made = write.op("Or", write.op("And", near, finite), write.compare("Equal", left, right))
    if call.known("equal_nan", bool):
        nan = [write.op("IsNaN", one, dtype=BOOL) for one in (left, right)]
        made = write.op("Or", made, write.op("And", *nan))
    return made


def _is_close(call: OnnxCall) -> Tensor:
    return call.result(_close(call))


def _all_close(call: OnnxCall) -> Tensor:
    write, flags = call.write, _close(call)
    apart = write.cast(write.op("Not", flags), INT64)
    count = reduce(write, "ReduceSum", apart, list(range(flags.rank)), keeps=False)
    return call.result(write.op("Not", write.cast(count, BOOL)))


def _nan_to_number(call: OnnxCall) -> Tensor:
    write, given = call.write, call.tensor("x")
    if given.dtype.kind != "f":
        return call.result(given)
    info = np.finfo(given.dtype)
    made = write.where(write.op("IsNaN", given, dtype=BOOL), call.tensor("nan", given.dtype), given)
    for name, sign, most in (("posinf", 1, info.max), ("neginf", -1, info.min)):
        value = write.constant(most, given.dtype) if call[name] is None else call.tensor(name, given.dtype)
        flags = write.compare("Equal", given, write.constant(sign * np.inf, given.dtype))
        made = write.where(flags, value, made)
    return call.result(made)


# -- reductions -----------------------------------------------------------------------------------------------


def _skipping(op: str, instead: float) -> Rule:
    """A sum or product in which NaN counts as nothing."""

    def rule(call: OnnxCall) -> Tensor:
        write, dtype = call.write, call.out.dtype
        if dtype == BOOL:
            raise call.refused("of dtype bool has no counterpart in ONNX")
        given, axes, keeps = laid_out(call, dtype)
        if dtype.kind == "f":
            given = write.where(write.op("IsNaN", given, dtype=BOOL), write.constant(instead, dtype), given)
        return call.result(reduce(write, op, write.cast(given, summed_as(dtype)), axes, keeps))

    return rule


def _mean_of_numbers(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    wide = WIDER.get(dtype, dtype)
    given, axes, keeps = laid_out(call, wide)
    flags = write.op("IsNaN", given, dtype=BOOL)
    filled = write.where(flags, write.constant(0, wide), given)
    total = reduce(write, "ReduceSum", filled, axes, keeps)
    count = reduce(write, "ReduceSum", write.cast(write.op("Not", flags), INT64), axes, keeps)
    return call.result(write.op("Div", total, write.cast(count, wide)))


def _extreme_of_numbers(op: str, instead: float) -> Rule:
    """The largest or smallest number that is none of NaN; NaN where there is none."""

    def rule(call: OnnxCall) -> Tensor:
        write, dtype = call.write, call.out.dtype
        given, axes, keeps = laid_out(call, dtype)
        wide = write.cast(given, WIDER.get(dtype, dtype))
        if dtype.kind != "f":
            return call.result(reduce(write, op, wide, axes, keeps))
        flags = write.op("IsNaN", wide, dtype=BOOL)
        filled = write.where(flags, write.constant(instead, wide.dtype), wide)
        made = reduce(write, op, filled, axes, keeps)
        counts = write.cast(write.op("Not", flags), INT64)
        some = write.cast(reduce(write, "ReduceSum", counts, axes, keeps), BOOL)
        return call.result(write.where(some, made, write.constant(np.nan, wide.dtype)))

    return rule


def _spread(call: OnnxCall) -> Tensor:
    """The largest number less the smallest."""
    write, dtype = call.write, call.out.dtype
    if dtype == BOOL:
        raise call.refused("of booleans has no counterpart in ONNX")
    given, axes, keeps = laid_out(call, dtype)
    wide = write.cast(given, WIDER.get(dtype, dtype))
    ends = [write.cast(reduce(write, op, wide, axes, keeps), dtype) for op in ("ReduceMax", "ReduceMin")]
    made = write.op("Sub", *ends)
    if dtype.kind == "f":
        made = write.where(any_nan(write, given, axes, keeps), write.constant(np.nan, dtype), made)
    return call.result(made)


def _average(call: OnnxCall) -> Tensor:
    if call["weights"] is not None:
        raise call.refused("with weights has no counterpart in ONNX", "multiply and divide by their sum")
    return call.result(mean(call))


def _norm(call: OnnxCall) -> Tensor:
    """The square root of the sum of squares, over everything or one axis."""
    write, dtype = call.write, call.out.dtype
    given, axes, keeps = laid_out(call, dtype)
    is_plain = call["ord"] is None or (call["ord"] == 2 and len(axes) == 1 and type(call["ord"]) is int)
    if not is_plain or (call["axis"] is not None and len(axes) > 1):
        raise call.refused("has a counterpart in ONNX for sums of squares", "leave out `ord`")
    wide = write.cast(given, WIDER.get(dtype, dtype))
    total = reduce(write, "ReduceSum", write.op("Mul", wide, wide), axes, keeps)
    return call.result(write.op("Sqrt", total))


def _inner(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    wide = dtype if dtype.kind == "f" else INT64
    left, right = call.tensor("a", wide), call.tensor("b", wide)
    if not 0 < left.rank < 3 or not 0 < right.rank < 3 or dtype == BOOL:
        raise call.refused("has a counterpart in ONNX for numbers in one or two dimensions")
    turned = write.op("Transpose", right, perm=[1, 0]) if right.rank == 2 else right
    return call.result(product(write, left, turned))


def _vdot(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    if dtype == BOOL:
        raise call.refused("of booleans has no counterpart in ONNX")
    parts = (call.tensor(name, dtype if dtype.kind == "f" else INT64) for name in ("a", "b"))
    return call.result(product(write, *(write.reshape(one, (-1,)) for one in parts)))


NUMBERS: Final[Mapping[str, OfOne]] = {
    "log1p": _log1p, "expm1": _expm1, "log2": _log_to(2.0), "log10": _log_to(10.0), "exp2": _exp2, "cbrt": _cbrt,
}  # fmt: skip
OVER: Final[Mapping[str, Any]] = {"axis": None, "dtype": None, "out": None, "keepdims": False}
ENDS: Final[Mapping[str, Any]] = {"axis": None, "out": None, "keepdims": False}
CLOSE: Final[Mapping[str, Any]] = {"rtol": 1e-5, "atol": 1e-8, "equal_nan": False}
ROWS: Final[Mapping[str, Row]] = {
    **{f"np.{name}": row(_of_floats(rule), "x") for name, rule in NUMBERS.items()},
    **{f"math.{name}": row(_of_floats(rule), "x") for name, rule in NUMBERS.items()},
    "np.hypot": row(_hypot, "x1 x2"),
    "math.hypot": row(_hypot, "x1 x2"),
    "np.logaddexp": row(_logaddexp, "x1 x2"),
    "np.fmod": row(_fmod, "x1 x2"),
    "math.fmod": row(_fmod, "x1 x2"),
    "np.heaviside": row(_heaviside, "x1 x2"),
    "np.isposinf": row(_endless(1), "x", out=None),
    "np.isneginf": row(_endless(-1), "x", out=None),
    "np.isclose": row(_is_close, "a b", **CLOSE),
    "np.allclose": row(_all_close, "a b", **CLOSE),
    "np.nan_to_num": row(_nan_to_number, "x", nan=0.0, posinf=None, neginf=None, ignored="copy"),
    "np.nansum": row(_skipping("ReduceSum", 0), "a", **OVER, ignored="dtype"),
    "np.nanprod": row(_skipping("ReduceProd", 1), "a", **OVER, ignored="dtype"),
    "np.nanmean": row(_mean_of_numbers, "a", **OVER, ignored="dtype"),
    "np.nanmax": row(_extreme_of_numbers("ReduceMax", -np.inf), "a", **ENDS),
    "np.nanmin": row(_extreme_of_numbers("ReduceMin", np.inf), "a", **ENDS),
    "np.ptp": row(_spread, "a", **ENDS),
    "np.average": row(_average, "a", axis=None, weights=None, keepdims=False),
    "np.linalg.norm": row(_norm, "a", ord=None, axis=None, keepdims=False),
    "np.inner": row(_inner, "a b"),
    "np.vdot": row(_vdot, "a b"),
}
