"""NumPy's functions that are run by its own loops: transcendental functions, reductions, products of matrices.

A loop is given memory.  An expression is therefore put into memory first, and a view is handed on as it is, since
the strides decide which way a loop takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec
from astrace.passes.analysis.int_ranges import FULL
from astrace.passes.lowering.arrays import (
    allocated,
    check_equal,
    common_shape,
    element_at,
    elementwise,
    lay_out_as,
    materialised,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    FLOAT,
    INT,
    ArrayForm,
    Form,
    MemoryView,
    NumberForm,
    RunningAxis,
)
from astrace.passes.lowering.numbers import floats
from astrace.passes.lowering.rules import Kwargs, Rule, loop_of, numeric
from astrace.passes.lowering.unions import operator, present

UFUNCS: Final = (
    *(
        "sin",
        "cos",
        "tan",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
        "arcsinh",
        "arccosh",
        "arctanh",
    ),
    *(
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "cbrt",
        "rint",
        "floor",
        "ceil",
        "trunc",
        "fabs",
    ),
    *("sign", "square", "reciprocal", "deg2rad", "rad2deg", "degrees", "radians", "spacing"),
    *(
        "arctan2",
        "hypot",
        "logaddexp",
        "logaddexp2",
        "fmod",
        "copysign",
        "fmax",
        "fmin",
        "heaviside",
        "nextafter",
    ),
    *("isnan", "isinf", "isfinite", "signbit"),
)
"""The ufuncs of which NumPy's loops are called."""
REDUCTIONS: Final = {
    "sum": "add",
    "prod": "multiply",
    "max": "maximum",
    "min": "minimum",
    "any": "logical_or",
    "all": "logical_and",
}


def _ufunc(name: str) -> Rule:
    ufunc: np.ufunc = getattr(np, name)

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if kwargs or len(args) != ufunc.nin:
            raise writer.refusal(f"`{node.op}` with more arguments")
        forms = [numeric(writer, one) for one in args]
        dtypes = loop_of(writer, ufunc, forms)
        if any(dtype.kind != "f" for dtype in dtypes[: ufunc.nin]):
            raise writer.refusal(f"`{node.op}` of {', '.join(map(str, dtypes))}")
        writer.uses_floats = True
        if any(isinstance(form, ArrayForm) for form in forms):
            return applied(writer, name, forms, dtypes)
        numbers = [present(writer, form) for form in forms if isinstance(form, NumberForm)]
        operands = tuple(writer.cast(form.operand, form.dtype, dtypes[0]) for form in numbers)
        return NumberForm(_call(writer, name, operands, dtypes[-1]), GenericSpec(dtypes[-1]))

    return rule


def _call(writer: LoweredWriter, name: str, operands: tuple[Operand, ...], dtype: np.dtype[Any]) -> Operand:
    if all(isinstance(one, Constant) for one in operands):
        raise writer.refusal("arithmetic on constants alone")
    output = Value(GenericSpec(dtype))
    writer.nodes.append(Node("call_ufunc", operands, (output,), {"ufunc": name}, location=writer.location))
    return output


def applied(
    writer: LoweredWriter, name: str, forms: Sequence[ArrayForm | NumberForm], dtypes: Sequence[np.dtype[Any]]
) -> ArrayForm:
    """A ufunc of arrays: operands are put into memory in C order, so is the result."""
    writer.needs_forward = True
    shape = common_shape(writer, [form.shape for form in forms if isinstance(form, ArrayForm)])
    given: list[Value] = []
    for form, dtype in zip(forms, dtypes, strict=False):
        whole = _broadcast(writer, form, dtype, shape)
        given.append(base_of(materialised(writer, whole)))
    made = allocated(writer, dtypes[-1], shape, "result")
    for form in forms:
        if isinstance(form, ArrayForm):
            lay_out_as(writer, made, form)
    out = base_of(made)
    writer.nodes.append(Node("apply_ufunc", (out, *given), (), {"ufunc": name}, location=writer.location))
    return made


def _broadcast(
    writer: LoweredWriter, form: ArrayForm | NumberForm, dtype: np.dtype[Any], shape: tuple[NumberForm, ...]
) -> ArrayForm:
    """An operand in the dtype that is computed in, in the common shape."""
    if isinstance(form, NumberForm):
        operand = writer.cast(form.operand, form.dtype, dtype)
        return ArrayForm(dtype, shape, lambda indices: operand, ())
    return ArrayForm(
        dtype,
        shape,
        lambda indices: writer.cast(element_at(form, indices), form.dtype, dtype),
        form.reads,
    )


def base_of(array: ArrayForm) -> Value:
    """The array whose memory a view is in."""
    assert array.view is not None
    return array.view.base


# -- views as they are in memory -----------------------------------------------------------------------------


def in_memory(writer: LoweredWriter, array: ArrayForm) -> Value:
    """An array as a value that a loop can be given: a view as it is, an expression in memory of its own.

    Raises:
        Unlowered: it is a view whose axes have another order, or run backwards.
    """
    if array.view is None:
        return base_of(materialised(writer, array))
    view = array.view
    along = [place for place in view.places if isinstance(place, RunningAxis)]
    in_order = [place.axis for place in along] == list(range(len(array.shape)))
    forward = all(isinstance(place.step, Constant) and place.step.value > 0 for place in along)
    if not in_order or not forward:
        raise writer.refusal("a view whose axes do not run as those of the array")
    return _sliced(writer, array, view)


def _sliced(writer: LoweredWriter, array: ArrayForm, view: MemoryView) -> Value:
    places: list[Operand] = []
    axes = ""
    for place in view.places:
        if isinstance(place, RunningAxis):
            places += [place.start, array.shape[place.axis].operand, place.step]
            axes += ":"
        else:
            places.append(place.index)
            axes += "i"
    out = Value(ArraySpec((None,) * len(array.shape), array.dtype), "part")
    node = Node("slice_of", (view.base, *places), (out,), {"axes": axes}, location=writer.location)
    writer.nodes.append(node)
    return out


# -- reductions ----------------------------------------------------------------------------------------------


def _reduction(name: str) -> Rule:
    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if kwargs or len(args) != 1 or not isinstance(args[0], ArrayForm) or len(args[0].shape) != 1:
            raise writer.refusal(f"`{node.op}` of other things than one array of one axis")
        spec = node.output.spec
        known = (FLOAT, np.dtype(np.float32), INT) if name not in ("any", "all") else (args[0].dtype,)
        if not isinstance(spec, GenericSpec) or spec.dtype not in known:
            raise writer.refusal(f"`{node.op}` that gives {spec}")
        return reduced(writer, name, args[0], spec.dtype)

    return rule


def reduced(writer: LoweredWriter, name: str, array: ArrayForm, dtype: np.dtype[Any]) -> NumberForm:
    """The reduction of an array of one axis."""
    writer.uses_floats |= dtype.kind == "f"
    writer.needs_forward = True
    if name in ("max", "min"):
        writer.deopt(writer.emit("eq", (array.shape[0].operand, Constant(0)), BOOL))
    if array.dtype != dtype:
        given = array.dtype
        array = elementwise(writer, [array], dtype, lambda atoms: writer.cast(atoms[0], given, dtype))
    base = in_memory(writer, array)
    out = Value(GenericSpec(dtype))
    attrs = {"ufunc": REDUCTIONS[name]}
    writer.nodes.append(Node("reduce_ufunc", (base,), (out,), attrs, location=writer.location))
    return NumberForm(out, GenericSpec(dtype), FULL)


def _mean(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """The mean: a sum divided by the number of items; of nothing NumPy warns."""
    (array,) = args if len(args) == 1 else (None,)
    if kwargs or not isinstance(array, ArrayForm) or len(array.shape) != 1 or array.dtype != FLOAT:
        raise writer.refusal(f"`{node.op}` of other things than one array of floats")
    total = reduced(writer, "sum", array, FLOAT)
    size = array.shape[0]
    writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))
    count = writer.cast(size.operand, INT, FLOAT)
    return NumberForm(
        floats(writer, "truediv", (total.operand, count), FLOAT, checks_zero=False), GenericSpec(FLOAT)
    )


# -- products ------------------------------------------------------------------------------------------------


def _product(ranks: int) -> Rule:
    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        arrays = [one for one in args if isinstance(one, ArrayForm)]
        if kwargs or len(args) != 2 or len(arrays) != 2:
            raise writer.refusal(f"`{node.op}` of other things than two arrays")
        left, right = arrays
        known = left.dtype == right.dtype and left.dtype in (FLOAT, np.dtype(np.float32))
        if not known or not all(1 <= len(one.shape) <= 2 for one in arrays):
            raise writer.refusal(f"`{node.op}` of {left.dtype} and {right.dtype}")
        if len(left.shape) + len(right.shape) > ranks:
            raise writer.refusal(f"`{node.op}` of matrices")
        return multiplied(writer, left, right)

    return rule


def _factor(writer: LoweredWriter, array: ArrayForm) -> Value:
    """A factor in memory, its axes in NumPy's order, on which the bits of a product depend.

    Raises:
        Unlowered: that order is not known.
    """
    made = in_memory(writer, array)
    base = made if array.view is None else array.view.base
    if len(array.shape) > 1:
        writer.needs_c_order = True
        if base in writer.unordered:
            raise writer.refusal("a product of a matrix whose axes may be in another order")
    return made


def multiplied(writer: LoweredWriter, left: ArrayForm, right: ArrayForm) -> Form:
    """``left @ right``."""
    writer.uses_floats = True
    writer.needs_forward = True
    check_equal(writer, left.shape[-1], right.shape[0])
    bases = _factor(writer, left), _factor(writer, right)
    shape = (*left.shape[:-1], *right.shape[1:])
    location = writer.location
    if not shape:
        number = Value(GenericSpec(left.dtype))
        writer.nodes.append(Node("dot", bases, (number,), location=location))
        return NumberForm(number, GenericSpec(left.dtype))
    made = allocated(writer, left.dtype, shape, "product")
    out = base_of(made)
    writer.nodes.append(Node("multiply_matrices", (out, *bases), (), location=location))
    return made


# -- powers --------------------------------------------------------------------------------------------------


def power(writer: LoweredWriter, forms: Sequence[NumberForm], spec: Spec) -> NumberForm:
    """``x ** y`` of floats: the C library's."""
    base, exponent = forms
    dtypes = {form.dtype for form in forms}
    python = all(isinstance(form.spec, ScalarSpec) for form in forms)
    small = exponent.known == 2 and dtypes == {INT} and python
    if small:
        return operator(writer, "mul", (base, base), spec)
    if base.dtype != FLOAT or not dtypes <= {FLOAT, INT} or isinstance(base.operand, Constant):
        raise writer.refusal("a power of other numbers than floats")
    other = writer.cast(exponent.operand, exponent.dtype, FLOAT)
    found = writer.emit("power", (base.operand, other), FLOAT)
    writer.deopt(
        writer.inverted(writer.emit("is_finite", (found,), BOOL))
    )  # Python or NumPy may raise or warn
    return NumberForm(found, PYTHON_FLOAT if python else GenericSpec(FLOAT))


def _pow(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    forms = [numeric(writer, one) for one in args]
    numbers = [form for form in forms if isinstance(form, NumberForm)]
    if len(numbers) == len(forms):
        numbers = [present(writer, form) for form in numbers]
        if any(form.tag is not None for form in numbers):
            raise writer.refusal("a power of numbers of several types")
        return power(writer, numbers, node.output.spec)
    return _array_power(writer, forms)


def _array_power(writer: LoweredWriter, forms: Sequence[NumberForm | ArrayForm]) -> ArrayForm:
    """``array ** 2``, which NumPy computes as a product."""
    base, exponent = forms
    square = (
        isinstance(exponent, NumberForm) and exponent.known == 2 and isinstance(exponent.spec, ScalarSpec)
    )
    if not square or not isinstance(base, ArrayForm) or base.dtype.kind != "f":
        raise writer.refusal("a power other than the square of an array of floats")

    def compute(atoms: Sequence[Operand]) -> Operand:
        return floats(writer, "mul", (atoms[0], atoms[0]), base.dtype, checks_zero=False)

    return elementwise(writer, [base], base.dtype, compute)


RULES: Final = {
    **{f"np.{name}": _ufunc(name) for name in UFUNCS},
    **{f"{owner}.{name}": _reduction(name) for name in REDUCTIONS for owner in ("np", "ndarray")},
    "np.mean": _mean,
    "ndarray.mean": _mean,
    "matmul": _product(4),
    "np.matmul": _product(4),
    "np.dot": _product(2),
    "pow": _pow,
}
