"""Floor division and remainder as Python and NumPy define them, out of ONNX's truncating ones.

Takes and gives tensors of one dtype.  NumPy's integers give 0 where they are divided by 0; no processor traps on that, or on
the smallest integer divided by -1, since neither divisor reaches ONNX's ``Div``.
"""

from __future__ import annotations

from astrace.bundle.exports.onnx_values import Tensor
from astrace.bundle.exports.onnx_writer import Writer


def floor_divide(write: Writer, left: Tensor, right: Tensor) -> Tensor:
    """The quotient, rounded down, of tensors of one dtype; as NumPy does it."""
    if left.dtype.kind == "f":
        return _floor_divide_floats(write, left, right)
    divisor = _divisor(write, right)
    quotient = write.op("Div", left, divisor)
    if left.dtype.kind == "i":
        rest = write.op("Sub", left, write.op("Mul", quotient, divisor))
        zero = write.constant(0, left.dtype)
        signs = write.op("Xor", write.compare("Less", rest, zero), write.compare("Less", divisor, zero))
        is_less = write.op("And", signs, write.op("Not", write.compare("Equal", rest, zero)))
        quotient = write.op("Sub", quotient, write.cast(is_less, left.dtype))
        minus = write.compare("Equal", right, write.constant(-1, left.dtype))
        quotient = write.where(minus, write.op("Sub", zero, left), quotient)
    none = write.compare("Equal", right, write.constant(0, left.dtype))
    return write.where(none, write.constant(0, left.dtype), quotient)


def _divisor(write: Writer, right: Tensor) -> Tensor:
    """An integer divisor that no processor traps on: 1 in place of 0 and -1."""
    bad = write.compare("Equal", right, write.constant(0, right.dtype))
    if right.dtype.kind == "i":
        bad = write.op("Or", bad, write.compare("Equal", right, write.constant(-1, right.dtype)))
    return write.where(bad, write.constant(1, right.dtype), right)


def _floor_divide_floats(write: Writer, left: Tensor, right: Tensor) -> Tensor:
    zero = write.constant(0, left.dtype)
    rest = write.op("Mod", left, right, fmod=1)
    quotient = write.op("Div", write.op("Sub", left, rest), right)
    signs = write.op("Xor", write.compare("Less", rest, zero), write.compare("Less", right, zero))
    is_less = write.op("And", signs, write.op("Not", write.compare("Equal", rest, zero)))
    quotient = write.op("Sub", quotient, write.cast(is_less, left.dtype))
    floor = write.op("Floor", quotient)
    over = write.compare("Greater", write.op("Sub", quotient, floor), write.constant(0.5, left.dtype))
    floor = write.op("Add", floor, write.cast(over, left.dtype))
    none = write.compare("Equal", right, zero)
    return write.where(none, write.op("Div", left, right), floor)


def remainder(write: Writer, left: Tensor, right: Tensor) -> Tensor:
    """The rest, of the sign of the divisor, of tensors of one dtype."""
    if left.dtype.kind != "f":
        return write.op("Mod", left, _divisor(write, right))
    zero = write.constant(0, left.dtype)
    rest = write.op("Mod", left, right, fmod=1)
    signs = write.op("Xor", write.compare("Less", rest, zero), write.compare("Less", right, zero))
    moved = write.where(signs, write.op("Add", rest, right), rest)
    minus = write.compare("Less", right, zero)
    signed = write.where(minus, write.constant(-0.0, left.dtype), zero)
    return write.where(write.compare("Equal", rest, zero), signed, moved)
