"""Selection: the larger or smaller of two, bounds, ``np.where``; NaN goes where NumPy lets it go.

Takes calls, gives tensors; ONNX leaves open what ``Max`` and ``Min`` do with NaN, so that comparisons decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, Rule, row
from astrace.bundle.exports.onnx_elementwise import both
from astrace.bundle.exports.onnx_sorting import nonzero
from astrace.bundle.exports.onnx_values import Form, Tensor
from astrace.bundle.exports.onnx_writer import BOOL, Writer


def larger(write: Writer, left: Tensor, right: Tensor, op: str = "Greater") -> Tensor:
    """The larger of two, or NaN where one of them is."""
    keeps = write.compare(f"{op}OrEqual", left, right)
    if left.dtype.kind == "f":
        keeps = write.op("Or", keeps, write.op("IsNaN", left, dtype=BOOL))
    return write.where(keeps, left, right)


def _extreme(op: str, ignores_nan: bool = False) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        left, right = both(call)
        if not ignores_nan or left.dtype.kind != "f":
            return call.result(larger(call.write, left, right, op))
        keeps = call.write.compare(f"{op}OrEqual", left, right)
        keeps = call.write.op("Or", keeps, call.write.op("IsNaN", right, dtype=BOOL))
        return call.result(call.write.where(keeps, left, right))

    return rule


def _python_extreme(op: str) -> Rule:
    """``max(a, b)`` of numbers: the second only where it is larger."""

    def rule(call: OnnxCall) -> Tensor:
        given = [call[name] for name in ("x1", "x2", "x3", "x4") if call[name] is not None]
        if len(given) == 1 and isinstance(given[0], tuple | list):
            given = list(given[0])
        if len(given) < 2 or len(call.out.shape):
            raise call.refused("has a counterpart in ONNX for two to four numbers", "use np.max or np.min")
        kept, *rest = (call.as_tensor(one, call.out.dtype) for one in given)
        for one in rest:
            kept = call.write.where(call.write.compare(op, one, kept), one, kept)
        return call.result(kept)

    return rule


def _clip(call: OnnxCall) -> Tensor:
    write, dtype = call.write, call.out.dtype
    kept = call.tensor("x", dtype)
    for names, op in ((("a_min", "min"), "Greater"), (("a_max", "max"), "Less")):
        bound = next((call[name] for name in names if call[name] is not None), None)
        if bound is not None:
            kept = larger(write, kept, call.as_tensor(bound, dtype), op)
    return call.result(kept)


def _where(call: OnnxCall) -> Form:
    if call["x"] is None or call["y"] is None:
        return nonzero(call, "condition")
    dtype = call.out.dtype
    test = call.tensor("condition", BOOL)
    return call.result(call.write.where(test, call.tensor("x", dtype), call.tensor("y", dtype)))


ROWS: Final[Mapping[str, Row]] = {
    "np.maximum": row(_extreme("Greater"), "x1 x2"),
    "np.minimum": row(_extreme("Less"), "x1 x2"),
    "np.fmax": row(_extreme("Greater", ignores_nan=True), "x1 x2"),
    "np.fmin": row(_extreme("Less", ignores_nan=True), "x1 x2"),
    "max": row(_python_extreme("Greater"), "x1", x2=None, x3=None, x4=None),
    "min": row(_python_extreme("Less"), "x1", x2=None, x3=None, x4=None),
    "np.clip": row(_clip, "x", a_min=None, a_max=None, min=None, max=None),
    "np.where": row(_where, "condition", x=None, y=None),
}
