"""Elementwise rules: arithmetic, comparisons, ufuncs, selection; NumPy's promotion as casts.

Takes calls, gives tensors.  Arithmetic is done in the dtype of the result, which NumPy's inference has found;
comparisons in the dtype of the loop that NumPy would take.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

import numpy as np

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, Rule, is_number, row, types_of
from astrace.bundle.exports.onnx_division import floor_divide, remainder
from astrace.bundle.exports.onnx_values import DTypeLike, Tensor
from astrace.bundle.exports.onnx_writer import BOOL

MOST_FACTORS: Final = 64
"""The largest exponent of an integer power, which is written as products."""


def both(call: OnnxCall) -> tuple[Tensor, Tensor]:
    """Both operands, in the dtype of the result."""
    return call.tensor("x1", call.out.dtype), call.tensor("x2", call.out.dtype)


def arithmetic(op: str, on_booleans: str = "") -> Rule:
    """An operator that computes in the dtype of its result."""

    def rule(call: OnnxCall) -> Tensor:
        left, right = both(call)
        if left.dtype == BOOL and not on_booleans:
            raise call.refused("of booleans has no counterpart in ONNX")
        return call.result(call.write.op(on_booleans if left.dtype == BOOL else op, left, right))

    return rule


# -- division ---------------------------------------------------------------------------------------------


def _floordiv(call: OnnxCall) -> Tensor:
    return call.result(floor_divide(call.write, *both(call)))


def _mod(call: OnnxCall) -> Tensor:
    return call.result(remainder(call.write, *both(call)))


def _divmod(call: OnnxCall) -> tuple[Tensor, Tensor]:
    left, right = common(call)
    if left.dtype == BOOL:
        raise call.refused("of booleans has no counterpart in ONNX")
    return floor_divide(call.write, left, right), remainder(call.write, left, right)


# -- powers -----------------------------------------------------------------------------------------------


def _power(call: OnnxCall) -> Tensor:
    write, dtype, exponent = call.write, call.out.dtype, call["x2"]
    if dtype.kind != "f":
        return call.result(_whole_power(call, dtype))
    base = call.tensor("x1", dtype)
    if is_number(exponent) and exponent == 2:
        return call.result(write.op("Mul", base, base))
    return call.result(write.op("Pow", base, call.tensor("x2", dtype)))


def _whole_power(call: OnnxCall, dtype: DTypeLike) -> Tensor:
    exponent = call["x2"]
    if not is_number(exponent) or not 0 <= exponent <= MOST_FACTORS or dtype == BOOL:
        raise call.refused(
            f"of integers is exported for literal exponents from 0 to {MOST_FACTORS}", "use a float as base"
        )
    base = call.tensor("x1", dtype)
    made = call.write.op("Mul", base, call.write.constant(0, dtype))
    made = call.write.op("Add", made, call.write.constant(1, dtype))
    for _ in range(int(exponent)):
        made = call.write.op("Mul", made, base)
    return made


def _shift(is_left: bool) -> Rule:
    """A shift of integers by a known number of places, which is a product or a quotient."""

    def rule(call: OnnxCall) -> Tensor:
        places, dtype = call["x2"], call.out.dtype
        if not is_number(places) or not 0 <= places < dtype.itemsize * 8 - 1 or dtype == BOOL:
            raise call.refused("is exported for a literal number of places")
        left, factor = call.tensor("x1", dtype), call.write.constant(2 ** int(places), dtype)
        done = call.write.op("Mul", left, factor) if is_left else floor_divide(call.write, left, factor)
        return call.result(done)

    return rule


# -- comparisons ------------------------------------------------------------------------------------------


def common(call: OnnxCall) -> tuple[Tensor, Tensor]:
    """Both operands, in the dtype in which NumPy compares them."""
    for name in ("x1", "x2"):
        call.tensor(name)  # refused unless it is one
    found = {
        np.less.resolve_dtypes((*types, None))[:2]
        for types in product(types_of(call["x1"]), types_of(call["x2"]))
        if not all(isinstance(one, type) for one in types)
    }
    for types in product(types_of(call["x1"]), types_of(call["x2"])):
        if all(isinstance(one, type) for one in types):
            kind = np.result_type(*(np.dtype(one) for one in types))
            found.add((kind, kind))
    if len(found) != 1:
        raise call.refused("compares values of several dtypes")
    ((left, right),) = found
    if left != right:
        raise call.refused(f"compares {left} with {right}, which ONNX does not")
    return call.tensor("x1", left), call.tensor("x2", left)


def _comparison(op: str, is_negated: bool = False) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        made = call.write.compare(op, *common(call))
        return call.result(call.write.op("Not", made) if is_negated else made)

    return rule


def _logical(op: str) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        return call.result(call.write.op(op, call.tensor("x1", BOOL), call.tensor("x2", BOOL)))

    return rule


def _bitwise(op: str) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        left, right = both(call)
        return call.result(call.write.op(op if left.dtype == BOOL else f"Bitwise{op}", left, right))

    return rule


# -- of one operand ---------------------------------------------------------------------------------------


def _in_result(op: str) -> Rule:
    """An operator of one operand that computes in the dtype of its result, a float."""

    def rule(call: OnnxCall) -> Tensor:
        given = call.tensor("x", call.out.dtype)
        if given.dtype.kind != "f":  # rounding integers
            return call.result(given)
        return call.result(call.write.op(op, given))

    return rule


def _negative(call: OnnxCall) -> Tensor:
    given = call.tensor("x", call.out.dtype)
    if given.dtype == BOOL:
        raise call.refused("of booleans has no counterpart in ONNX")
    if given.dtype.kind == "u":
        return call.result(call.write.op("Sub", call.write.constant(0, given.dtype), given))
    return call.result(call.write.op("Neg", given))


def _same(call: OnnxCall) -> Tensor:
    return call.result(call.tensor("x", call.out.dtype))


def _absolute(call: OnnxCall) -> Tensor:
    given = call.tensor("x", call.out.dtype)
    return call.result(given if given.dtype.kind in "bu" else call.write.op("Abs", given))


def _sign(call: OnnxCall) -> Tensor:
    given = call.tensor("x", call.out.dtype)
    if given.dtype == BOOL:
        raise call.refused("of booleans has no counterpart in ONNX")
    made = call.write.op("Sign", given)
    if given.dtype.kind == "f":
        made = call.write.where(call.write.op("IsNaN", given, dtype=BOOL), given, made)
    return call.result(made)


def _truncated(call: OnnxCall) -> Tensor:
    given = call.tensor("x", call.out.dtype)
    if given.dtype.kind != "f":
        return call.result(given)
    minus = call.write.compare("Less", given, call.write.constant(0, given.dtype))
    return call.result(call.write.where(minus, call.write.op("Ceil", given), call.write.op("Floor", given)))


def _square(call: OnnxCall) -> Tensor:
    given = call.tensor("x", call.out.dtype)
    return call.result(call.write.op("And" if given.dtype == BOOL else "Mul", given, given))


def _reciprocal(call: OnnxCall) -> Tensor:
    given = call.tensor("x", call.out.dtype)
    if given.dtype.kind != "f":
        raise call.refused("of integers has no counterpart in ONNX")
    return call.result(call.write.op("Div", call.write.constant(1, given.dtype), given))


def _degrees(factor: float) -> Rule:
    def rule(call: OnnxCall) -> Tensor:
        given = call.tensor("x", call.out.dtype)
        return call.result(call.write.op("Mul", given, call.write.constant(factor, given.dtype)))

    return rule


def _invert(call: OnnxCall) -> Tensor:
    given = call.tensor("x", call.out.dtype)
    return call.result(call.write.op("Not" if given.dtype == BOOL else "BitwiseNot", given))


def _not(call: OnnxCall) -> Tensor:
    return call.result(call.write.op("Not", call.tensor("x", BOOL)))


def _kind_of_float(which: str) -> Rule:
    """Whether numbers are NaN, infinite or finite; integers are finite."""

    def rule(call: OnnxCall) -> Tensor:
        write, given = call.write, call.tensor("x")
        if given.dtype.kind != "f":
            same = write.op("Equal", given, given, dtype=BOOL)
            return call.result(same if which == "finite" else write.op("Not", same))
        tests = {"nan": ("IsNaN",), "inf": ("IsInf",), "finite": ("IsNaN", "IsInf")}[which]
        made = [write.op(test, given, dtype=BOOL) for test in tests]
        return call.result(made[0] if len(made) == 1 else write.op("Not", write.op("Or", *made)))

    return rule


# -- rounding, conversion ----------------------------------------------------------------------------


def _round(call: OnnxCall) -> Tensor:
    write, digits = call.write, call.known("decimals", int, type(None)) or 0
    if len(call.out.types) == 1 and isinstance(call.out.types[0], type) and digits:
        raise call.refused("of Python's numbers rounds decimal digits, which ONNX does not", "use np.round")
    given = call.tensor("x")
    if given.dtype.kind != "f":
        if digits < 0:
            raise call.refused("of integers to tens has no counterpart in ONNX")
        return call.result(given)
    factor = write.constant(10.0 ** abs(digits), given.dtype)
    there, back = ("Mul", "Div") if digits > 0 else ("Div", "Mul")
    scaled = write.op(there, given, factor) if digits else given
    done = write.op("Round", scaled)
    return call.result(write.op(back, done, factor) if digits else done)


def _to_integer(op: str) -> Rule:
    """A rounding of `math`, which gives Python's integers."""

    def rule(call: OnnxCall) -> Tensor:
        given = call.tensor("x")
        return call.result(call.write.op(op, given) if given.dtype.kind == "f" else given)

    return rule


def _number(call: OnnxCall) -> Tensor:
    """``int(x)``, ``float(x)``, ``bool(x)``, ``np.float32(x)``: a number of another type."""
    given = call.tensor("x")
    if given.rank != len(call.out.shape):
        given = call.write.reshape(given, ())
    return call.result(given)


BINARY: Final[Mapping[str, tuple[str, Rule]]] = {
    "add": ("add", arithmetic("Add", "Or")),
    "sub": ("subtract", arithmetic("Sub")),
    "mul": ("multiply", arithmetic("Mul", "And")),
    "truediv": ("divide", arithmetic("Div")),
    "floordiv": ("floor_divide", _floordiv),
    "mod": ("remainder", _mod),
    "pow": ("power", _power),
    "and_": ("bitwise_and", _bitwise("And")),
    "or_": ("bitwise_or", _bitwise("Or")),
    "xor": ("bitwise_xor", _bitwise("Xor")),
    "lshift": ("left_shift", _shift(True)),
    "rshift": ("right_shift", _shift(False)),
    "lt": ("less", _comparison("Less")),
    "le": ("less_equal", _comparison("LessOrEqual")),
    "gt": ("greater", _comparison("Greater")),
    "ge": ("greater_equal", _comparison("GreaterOrEqual")),
    "eq": ("equal", _comparison("Equal")),
    "ne": ("not_equal", _comparison("Equal", is_negated=True)),
}
UNARY: Final[Mapping[str, tuple[str, Rule]]] = {
    "neg": ("negative", _negative),
    "pos": ("positive", _same),
    "invert": ("invert", _invert),
    "abs": ("absolute", _absolute),
}
FLOATS: Final[Mapping[str, str]] = {
    "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "sin": "Sin", "cos": "Cos", "tan": "Tan", "arcsin": "Asin",
    "arccos": "Acos", "arctan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "tanh": "Tanh", "arcsinh": "Asinh",
    "arccosh": "Acosh", "arctanh": "Atanh", "floor": "Floor", "ceil": "Ceil", "rint": "Round",
}  # fmt: skip
OTHERS: Final[Mapping[str, Row]] = {
    "divmod": row(_divmod, "x1 x2"),
    "np.divmod": row(_divmod, "x1 x2"),
    "np.logical_and": row(_logical("And"), "x1 x2"),
    "np.logical_or": row(_logical("Or"), "x1 x2"),
    "np.logical_xor": row(_logical("Xor"), "x1 x2"),
    "np.logical_not": row(_not, "x"),
    "not_": row(_not, "x"),
    "np.isnan": row(_kind_of_float("nan"), "x"),
    "np.isinf": row(_kind_of_float("inf"), "x"),
    "np.isfinite": row(_kind_of_float("finite"), "x"),
    "np.sign": row(_sign, "x"),
    "np.trunc": row(_truncated, "x"),
    "np.fix": row(_truncated, "x"),
    "np.square": row(_square, "x"),
    "np.reciprocal": row(_reciprocal, "x"),
    "np.fabs": row(_absolute, "x"),
    "np.deg2rad": row(_degrees(np.pi / 180.0), "x"),
    "np.radians": row(_degrees(np.pi / 180.0), "x"),
    "np.rad2deg": row(_degrees(180.0 / np.pi), "x"),
    "np.degrees": row(_degrees(180.0 / np.pi), "x"),
    "np.round": row(_round, "x", decimals=0),
    "ndarray.round": row(_round, "x", decimals=0),
    "round": row(_round, "x", decimals=None),
    "int": row(_number, "x"),
    "float": row(_number, "x"),
    "ndarray.item": row(_number, "x"),
    "np.float_power": row(_power, "x1 x2"),
    "np.around": row(_round, "x", decimals=0),
    "bool": row(_number, "x"),
    **{f"np.{one.__name__}": row(_number, "x") for one in {np.dtype(code).type for code in "?bhilqBHILQefd"}},
}
MATH: Final[Mapping[str, str]] = {
    "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "Asin", "acos": "Acos",
    "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "tanh": "Tanh", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "erf": "Erf",
}  # fmt: skip
"""Functions of `math` that give a float."""
MATH_OTHERS: Final[Mapping[str, Rule]] = {
    "floor": _to_integer("Floor"),
    "ceil": _to_integer("Ceil"),
    "trunc": _number,
    "fabs": _absolute,
    "isnan": _kind_of_float("nan"),
    "isinf": _kind_of_float("inf"),
    "isfinite": _kind_of_float("finite"),
    "radians": _degrees(np.pi / 180.0),
    "degrees": _degrees(180.0 / np.pi),
}
ROWS: Final[Mapping[str, Row]] = {
    **{name: row(rule, "x1 x2") for name, (_, rule) in BINARY.items()},
    **{f"np.{name}": row(rule, "x1 x2") for name, rule in BINARY.values()},
    **{name: row(rule, "x") for name, (_, rule) in UNARY.items()},
    **{f"np.{name}": row(rule, "x") for name, rule in UNARY.values()},
    **{f"np.{name}": row(_in_result(op), "x") for name, op in FLOATS.items()},
    **{f"math.{name}": row(_in_result(op), "x") for name, op in MATH.items()},
    **{f"math.{name}": row(rule, "x") for name, rule in MATH_OTHERS.items()},
    "math.pow": row(_power, "x1 x2"),
    **OTHERS,
}
UPDATES: Final[Mapping[str, str]] = {f"i{name.rstrip('_')}": name for name in BINARY}
"""The in-place forms of the operators."""
