"""Functions of complex numbers: parts, conjugates, absolute values and angles, ``complex`` itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import COMPLEX as PYTHON_COMPLEX
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import GenericSpec, ScalarSpec
from astrace.passes.lowering.arrays import computed, elementwise, viewed
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.complex_numbers import PYTHON_IS_KNOWN, conjugate, part, parts_of
from astrace.passes.lowering.forms import BOOL, COMPLEX, FLOAT, ArrayForm, Form, NumberForm, part_dtype
from astrace.passes.lowering.functions.array_making import RULES as MAKING
from astrace.passes.lowering.functions.numpy_calls import call_of
from astrace.passes.lowering.functions.python_calls import c_function
from astrace.passes.lowering.numbers import as_float
from astrace.passes.lowering.rules import RULES as OPERATORS
from astrace.passes.lowering.rules import Kwargs, Rule, numeric, scalar, with_out
from astrace.passes.lowering.unions import present

PARTS: Final = {"real": "real_part", "imag": "imaginary_part"}
TAKES_COMPLEX: Final = frozenset(
    {
        *("add", "sub", "mul", "truediv", "neg", "pos", "eq", "ne", "pow", "matmul", "not_", "bool"),
        *("iadd", "isub", "imul", "itruediv", "abs", "complex", "get_item", "set_item", "get_attr", "dim"),
        *("cmath.exp", "cmath.phase"),
        *("make_tuple", "make_list", "check_defined", "check_next", "np.complex64", "np.complex128"),
        *(f"np.{name}" for name in ("add", "subtract", "multiply", "divide", "true_divide", "negative")),
        *(f"np.{name}" for name in ("absolute", "conjugate", "real", "imag", "angle", "sqrt", "square")),
        *(f"np.{name}" for name in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "expm1")),
        "np.power",
        *(f"np.{name}" for name in ("equal", "not_equal", "isnan", "isinf", "isfinite", "matmul", "dot")),
        *(
            f"np.{name}"
            for name in ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like")
        ),
        *(
            f"np.{name}"
            for name in ("copy", "where", "array", "outer", "concatenate", "roll", "broadcast_to")
        ),
        *(f"np.{name}" for name in ("sum", "mean", "any", "all", "diff", "cumsum")),
        *(f"np.{name}.outer" for name in ("add", "subtract", "multiply")),
        *(
            f"np.{name}"
            for name in ("reshape", "ravel", "asarray", "pad", "stack", "vstack", "hstack", "column_stack")
        ),
        *(f"np.linalg.{name}" for name in ("solve", "inv", "det", "cholesky")),
        *(f"ndarray.{name}" for name in ("conj", "conjugate", "copy", "astype", "sum", "any", "all")),
        *(f"ndarray.{name}" for name in ("reshape", "flatten", "mean", "cumsum")),
    }
)
"""The ops whose rules know what complex numbers are."""


def is_complex(form: Any) -> bool:
    """Return whether a form is that of complex numbers."""
    return isinstance(form, NumberForm | ArrayForm) and form.dtype.kind == "c"


def _part(writer: LoweredWriter, form: NumberForm | ArrayForm, name: str) -> Form:
    """``z.real`` or ``z.imag``: of an array a view."""
    op, dtype = PARTS[name], part_dtype(form.dtype)
    if isinstance(form, NumberForm):
        form = present(writer, form)
        if form.tag is not None:
            raise writer.refusal("a part of a number of several types")
        spec = ScalarSpec("float") if isinstance(form.spec, ScalarSpec) else GenericSpec(dtype)
        return NumberForm(part(writer, op, form.operand, form.dtype), spec)
    array = computed(writer, form)
    assert array.view is not None
    return viewed(writer, replace(array.view, part=op), dtype, array.shape)


def _attribute(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
    form, name = args
    if name in PARTS and is_complex(form):
        return _part(writer, form, name)
    return MAKING["get_attr"](writer, node, args, kwargs)


def _part_of(name: str) -> Rule:
    """``np.real`` and ``np.imag``."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        form = numeric(writer, args[0])
        if kwargs or not is_complex(form):
            raise writer.refusal(f"`{node.op}` of other things than complex numbers")
        return _part(writer, form, name)

    return rule


def _conjugate(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> NumberForm | ArrayForm:
    form = numeric(writer, args[0])
    if not is_complex(form):
        raise writer.refusal(f"`{node.op}` of other things than complex numbers")
    if isinstance(form, ArrayForm):
        return elementwise(writer, [form], form.dtype, lambda atoms: conjugate(writer, atoms[0], form.dtype))
    form = present(writer, form)
    if form.tag is not None:
        raise writer.refusal(f"`{node.op}` of a number of several types")
    spec = form.spec if node.op.startswith("ndarray") else GenericSpec(form.dtype)
    return NumberForm(conjugate(writer, form.operand, form.dtype), spec)


def _conjugate_method(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if kwargs or len(args) != 1:
        raise writer.refusal(f"`{node.op}` with more arguments")
    return _conjugate(writer, node, args)


def _by_loop(op: str, name: str) -> Rule:
    """A ufunc that of complex numbers is a loop of NumPy's, and of others is written in another way."""
    of_complex = with_out(getattr(np, name), call_of(name))

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        form = numeric(writer, args[0])
        called = is_complex(form) and (op.startswith("np.") or isinstance(form, ArrayForm))
        return (of_complex if called else OPERATORS[op])(writer, node, args, kwargs)

    return rule


def _angle(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.angle`` in radians."""
    form = numeric(writer, args[0])
    if kwargs or len(args) != 1 or not is_complex(form):
        raise writer.refusal(f"`{node.op}` of other things than complex numbers")
    parts = [_part(writer, form, name) for name in ("imag", "real")]
    return call_of("arctan2")(writer, node, parts)


def _complex(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``complex`` of a number, or of two that are not complex."""
    forms = [present(writer, scalar(writer, one)) for one in args]
    if kwargs or not forms or not PYTHON_IS_KNOWN or any(form.tag is not None for form in forms):
        raise writer.refusal("`complex` of numbers of several types")
    if len(forms) == 1:
        return NumberForm(writer.cast(forms[0].operand, forms[0].dtype, COMPLEX), PYTHON_COMPLEX)
    if any(map(is_complex, forms)):
        raise writer.refusal("`complex` of complex numbers")
    parts = tuple(as_float(writer, form) for form in forms)
    return NumberForm(writer.emit("complex_number", parts, COMPLEX), PYTHON_COMPLEX)


def _number(writer: LoweredWriter, node: Node, value: Any) -> tuple[Operand, Operand]:
    """The parts of an argument of a function of ``cmath``.

    Raises:
        Unlowered: its type is not known.
    """
    form = present(writer, scalar(writer, value))
    if not PYTHON_IS_KNOWN or form.tag is not None or isinstance(form.operand, Constant):
        raise writer.refusal(f"`{node.op}` of a constant, or of a number of several types")
    return parts_of(writer, writer.cast(form.operand, form.dtype, COMPLEX), COMPLEX)


LARGEST_EXPONENT: Final = 708.0
"""Up to it ``cmath.exp`` is a product of what ``exp``, ``cos`` and ``sin`` give, as here."""


def _exponential(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``cmath.exp``."""
    real, imaginary = _number(writer, node, args[0])
    writer.deopt(writer.emit("gt", (real, Constant(LARGEST_EXPONENT)), BOOL))
    return _turned(writer, c_function(writer, "exp", [real]), imaginary)


def _turned(writer: LoweredWriter, size: Operand, angle: Operand) -> NumberForm:
    """A complex number by its size and angle."""
    parts = tuple(
        writer.emit("mul", (size, c_function(writer, name, [angle])), FLOAT) for name in ("cos", "sin")
    )
    return NumberForm(writer.emit("complex_number", parts, COMPLEX), PYTHON_COMPLEX)


def _rect(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``cmath.rect``."""
    size, angle = (as_float(writer, present(writer, scalar(writer, one))) for one in args)
    if isinstance(angle, Constant):
        raise writer.refusal("arithmetic on constants alone")
    if not isinstance(size, Constant):
        writer.deopt(writer.inverted(writer.emit("is_finite", (size,), BOOL)))
    return _turned(writer, size, angle)


def _phase(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``cmath.phase``; what is not finite has angles of its own."""
    real, imaginary = _number(writer, node, args[0])
    for one in (real, imaginary):
        writer.deopt(writer.inverted(writer.emit("is_finite", (one,), BOOL)))
    return NumberForm(c_function(writer, "atan2", [imaginary, real]), PYTHON_FLOAT)


RULES: Final[Mapping[str, Rule]] = {
    "get_attr": _attribute,
    "np.real": _part_of("real"),
    "np.imag": _part_of("imag"),
    "np.conjugate": with_out(np.conjugate, _conjugate),
    "ndarray.conj": _conjugate_method,
    "ndarray.conjugate": _conjugate_method,
    "abs": _by_loop("abs", "absolute"),
    "np.absolute": _by_loop("np.absolute", "absolute"),
    "np.sqrt": _by_loop("np.sqrt", "sqrt"),
    "np.angle": _angle,
    "complex": _complex,
    "cmath.exp": _exponential,
    "cmath.rect": _rect,
    "cmath.phase": _phase,
}
