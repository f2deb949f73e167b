"""NumPy's functions that are run by its own loops: transcendental functions, and arrays as such loops are given them.

A loop is given memory.  An expression is therefore put into memory first, and a view is handed on as it is, since
the strides decide which way a loop takes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec, UnionSpec
from astrace.ops.numpy.method_aliases import with_methods
from astrace.ops.numpy.names import FLOAT_PARTS, FLOAT_TESTS, ROUNDING, TRANSCENDENTAL
from astrace.passes.lowering.arrays import allocated, common_shape, element_at, elementwise, materialised
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    FLOAT,
    INT,
    ArrayForm,
    FixedAxis,
    Form,
    MemoryView,
    NumberForm,
    RunningAxis,
    integer,
)
from astrace.passes.lowering.functions.accumulation import INLINE
from astrace.passes.lowering.layouts import lay_out_as, require_forward
from astrace.passes.lowering.numbers import floats
from astrace.passes.lowering.rules import Kwargs, Plain, Rule, loop_of, numeric, with_out
from astrace.passes.lowering.unions import present

UFUNCS: Final = TRANSCENDENTAL.union(
    ROUNDING, FLOAT_TESTS, FLOAT_PARTS, ("square", "reciprocal", "fmod", "spacing")
)
"""The ufuncs of which NumPy's loops are called."""


COMPLEX_UFUNCS: Final = frozenset(
    {"exp", "expm1", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt", "square"}
    | {"absolute", "isnan", "isinf", "isfinite", "power"}
)
"""Those of which NumPy's loops of complex numbers are called, too."""


def _ufunc(name: str) -> Rule:
    return with_out(getattr(np, name), call_of(name))


def call_of(name: str) -> Plain:
    """Return what writes the call of a ufunc's loop."""
    ufunc: np.ufunc = getattr(np, name)
    kinds = "fc" if name in COMPLEX_UFUNCS else "f"

    def plain(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> NumberForm | ArrayForm:
        forms = [numeric(writer, one) for one in args]
        dtypes = loop_of(writer, ufunc, forms)
        if any(dtype.kind not in kinds for dtype in dtypes[: ufunc.nin]):
            raise writer.refusal(f"`{node.op}` of {', '.join(map(str, dtypes))}")
        writer.uses_floats = True
        if name in ROUNDING:
            return _element_wise(
                writer, forms[0], dtypes[0], lambda atom: writer.emit(name, (atom,), dtypes[0])
            )
        if name in QUIET_TESTS and dtypes[0].kind == "f":
            return _element_wise(
                writer, forms[0], dtypes[0], lambda atom: QUIET_TESTS[name](writer, atom, dtypes[0]), BOOL
            )
        if name in ANGLES and dtypes[0] == FLOAT and are_products():
            factor = Constant(ANGLES[name])
            return _element_wise(
                writer,
                forms[0],
                FLOAT,
                lambda atom: floats(writer, "mul", (atom, factor), FLOAT, checks_zero=False),
            )
        if any(isinstance(form, ArrayForm) for form in forms):
            return (inlined if name in INLINE and not writer.exact else applied)(writer, name, forms, dtypes)
        numbers = [present(writer, form) for form in forms if isinstance(form, NumberForm)]
        operands = tuple(writer.cast(form.operand, form.dtype, dtypes[0]) for form in numbers)
        return NumberForm(call_for_number(writer, name, operands, dtypes[-1]), GenericSpec(dtypes[-1]))

    return plain


ANGLES: Final = {
    **dict.fromkeys(("radians", "deg2rad"), math.pi / 180.0),
    **dict.fromkeys(("degrees", "rad2deg"), 180.0 / math.pi),
}
"""The ufuncs that are a product with a number, of floats of 64 bits (`numpy/_core/src/npymath/npy_math_internal.h.src`)."""


@functools.cache
def are_products() -> bool:
    """Return whether NumPy's loops of `ANGLES` give the bits of these products, for numbers of all sizes."""
    rng = np.random.default_rng(0)
    items = np.append(rng.normal(size=300) * 10.0 ** rng.uniform(-320, 300, 300), [0.0, -0.0, np.inf, np.nan])
    with np.errstate(all="ignore"):
        return all(
            getattr(np, name)(items).tobytes() == (items * factor).tobytes()
            for name, factor in ANGLES.items()
        )


def _element_wise(
    writer: LoweredWriter,
    form: ArrayForm | NumberForm,
    dtype: np.dtype[Any],
    apply: Callable[[Operand], Operand],
    result: np.dtype[Any] | None = None,
) -> ArrayForm | NumberForm:
    """What is a few instructions for an element, with the bits of NumPy's loop.

    Args:
        writer: writes nodes.
        form: an array or number.
        dtype: that of the loop.
        apply: writes the operation.
        result: the dtype that comes out, if it is another one.
    """
    found = result or dtype

    def compute(atoms: Sequence[Operand]) -> Operand:
        return apply(writer.cast(atoms[0], form.dtype, dtype))

    if isinstance(form, ArrayForm):
        return elementwise(writer, [form], found, compute)
    number = present(writer, form)
    if isinstance(number.operand, Constant):
        raise writer.refusal("arithmetic on constants alone")
    return NumberForm(compute([number.operand]), GenericSpec(found))


def _is_nan(writer: LoweredWriter, atom: Operand, dtype: np.dtype[Any]) -> Operand:
    return writer.emit("ne", (atom, atom), BOOL)


def _is_infinite(writer: LoweredWriter, atom: Operand, dtype: np.dtype[Any]) -> Operand:
    size = writer.emit("abs", (atom,), dtype)
    return writer.emit("eq", (size, Constant(dtype.type(math.inf))), BOOL)


def _is_finite(writer: LoweredWriter, atom: Operand, dtype: np.dtype[Any]) -> Operand:
    others = _is_nan(writer, atom, dtype), _is_infinite(writer, atom, dtype)
    return writer.inverted(writer.either(*others))


QUIET_TESTS: Final = {"isnan": _is_nan, "isinf": _is_infinite, "isfinite": _is_finite}
"""Tests of floats that are comparisons for equality, which raise no flag of the processor's."""


def _round(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
    """``np.round`` of floats to whole ones."""
    decimals = [*args[1:2], *(kwargs[name] for name in kwargs if name == "decimals")]
    form = numeric(writer, args[0])
    if form.dtype.kind != "f" or any(not is_zero(one) for one in decimals):
        raise writer.refusal(f"`{node.op}` to decimals, or of other things than floats")
    targets = {name: value for name, value in kwargs.items() if name != "decimals"}
    return ROUND(writer, node, [form, *args[2:]], targets)


def is_zero(value: Any) -> bool:
    """Return whether an argument is the integer zero."""
    known = value.known if isinstance(value, NumberForm) else value
    return type(known) is int and known == 0


def call_for_number(
    writer: LoweredWriter, name: str, operands: tuple[Operand, ...], dtype: np.dtype[Any]
) -> Operand:
    """Write the call of a ufunc's loop for one number.

    Args:
        writer: writes nodes.
        name: of the ufunc.
        operands: numbers of the dtypes that the loop takes.
        dtype: of the result.
    """
    if all(isinstance(one, Constant) for one in operands):
        raise writer.refusal("arithmetic on constants alone")
    output = Value(GenericSpec(dtype))
    writer.nodes.append(Node("call_ufunc", operands, (output,), {"ufunc": name}, location=writer.location))
    return output


def inlined(
    writer: LoweredWriter, name: str, forms: Sequence[ArrayForm | NumberForm], dtypes: Sequence[np.dtype[Any]]
) -> ArrayForm:
    """A ufunc of arrays that is called element by element, where its operands are used.

    Args:
        writer: writes nodes.
        name: of it.
        forms: the operands.
        dtypes: those of the operands and of the result.
    """

    def compute(atoms: Sequence[Operand]) -> Operand:
        casts = (
            writer.cast(atom, form.dtype, dtype)
            for atom, form, dtype in zip(atoms, forms, dtypes, strict=False)
        )
        return call_for_number(writer, name, tuple(casts), dtypes[-1])

    return elementwise(writer, forms, dtypes[-1], compute)


def applied(
    writer: LoweredWriter,
    name: str,
    forms: Sequence[ArrayForm | NumberForm],
    dtypes: Sequence[np.dtype[Any]],
    made: ArrayForm | None = None,
) -> ArrayForm:
    """A ufunc of arrays: operands are put into memory in C order, so is the result.

    Args:
        writer: writes nodes.
        name: of the ufunc.
        forms: its operands.
        dtypes: those that its loop takes, and the one that it gives.
        made: an array for the result, which the program has made.

    Raises:
        Unlowered: an operand is a view that may run backwards: NumPy's loops take another way, and give other bits.
    """
    require_forward(writer, forms, f"`np.{name}`")
    shape = common_shape(writer, [form.shape for form in forms if isinstance(form, ArrayForm)])
    single = SINGLE if shape else shape
    given: list[Value] = []
    for form, dtype in zip(forms, dtypes, strict=False):
        whole = _broadcast(writer, form, dtype, shape if isinstance(form, ArrayForm) else single)
        given.append(base_of(materialised(writer, whole)))
    made = made or allocated(writer, dtypes[-1], shape, "result")
    for form in forms:
        if isinstance(form, ArrayForm):
            lay_out_as(writer, made, form)
    out = base_of(made)
    writer.nodes.append(Node("apply_ufunc", (out, *given), (), {"ufunc": name}, location=writer.location))
    return made


def _sinc(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.sinc``: the sine of pi times a number divided by that, which is not zero here, since something tiny takes its place."""
    form = numeric(writer, args[0]) if len(args) == 1 and not kwargs else None
    if form is None or form.dtype not in (FLOAT, INT) or isinstance(getattr(form, "spec", None), UnionSpec):
        raise writer.refusal(f"`{node.op}` of other things than floats of 64 bits")
    given = form.dtype

    def scaled(atom: Operand) -> Operand:
        operands = writer.cast(atom, given, FLOAT), Constant(math.pi)
        found = floats(writer, "mul", operands, FLOAT, checks_zero=False)
        is_some = writer.emit("ne", (found, Constant(0.0)), BOOL)
        return writer.choose(is_some, found, Constant(float(np.finfo(FLOAT).eps)), FLOAT)

    def ratio(atoms: Sequence[Operand]) -> Operand:
        return floats(writer, "truediv", atoms, FLOAT, checks_zero=False)

    writer.uses_floats = True
    if isinstance(form, NumberForm):
        angle = scaled(form.operand)
        return NumberForm(ratio([call_for_number(writer, "sin", (angle,), FLOAT), angle]), GenericSpec(FLOAT))
    angles = materialised(writer, elementwise(writer, [form], FLOAT, lambda atoms: scaled(atoms[0])))
    sines = applied(writer, "sin", [angles], (FLOAT, FLOAT))
    return elementwise(writer, [sines, angles], FLOAT, ratio)


SINGLE: Final = (integer(1),)
"""The shape of a number beside arrays: NumPy's loops are given a step of zero."""


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
        Unlowered: it is a view that repeats elements, has new axes or several axes in another order.
    """
    if array.view is None or array.view.part:
        return base_of(materialised(writer, array))
    view = array.view
    order = [place.axis for place in view.places if isinstance(place, RunningAxis)]
    turned = order == [1, 0]
    if not view.writeable or (order != list(range(len(array.shape))) and not turned):
        raise writer.refusal("a view whose axes do not run as those of the array")
    made = _sliced(writer, array, view)
    if not turned:
        return made
    out = Value(made.spec, "turned")
    writer.nodes.append(Node("transpose_of", (made,), (out,), location=writer.location))
    return out


def _sliced(writer: LoweredWriter, array: ArrayForm, view: MemoryView) -> Value:
    """The part of the array whose memory it is in, or that array where it is the whole of it."""
    if all(_is_whole(writer, array, view.base, axis, place) for axis, place in enumerate(view.places)):
        return view.base
    places: list[Operand] = []
    axes = ""
    for place in view.places:
        if isinstance(place, RunningAxis):
            places += [place.start, array.shape[place.axis].operand, place.step]
            axes += _direction(writer, place)
        else:
            places.append(place.index)
            axes += "i"
    return part_in_memory(writer, view.base, places, axes)


def _is_whole(
    writer: LoweredWriter, array: ArrayForm, base: Value, axis: int, place: FixedAxis | RunningAxis
) -> bool:
    """Return whether an axis of an array runs through all of one in memory."""
    if not isinstance(place, RunningAxis) or (_known(place.start), _known(place.step)) != (0, 1):
        return False
    size, whole = array.shape[place.axis].operand, writer.size(base, axis).operand
    return size is whole or _known(size) == _known(whole) is not None


def _known(operand: Operand) -> int | None:
    return operand.value if isinstance(operand, Constant) else None


def _direction(writer: LoweredWriter, place: RunningAxis) -> str:
    """Return how `slice_of` writes an axis.

    Raises:
        Unlowered: the sign of its step is not known.
    """
    if place.is_forward:
        return ":"
    if not isinstance(place.step, Constant) or not place.step.value:
        raise writer.refusal("a view with a step that is not known")
    writer.needs_forward = True
    return "-"


def part_in_memory(writer: LoweredWriter, base: Value, places: Sequence[Operand], axes: str) -> Value:
    """A view of an array as a value, as `slice_of` has it."""
    assert isinstance(base.spec, ArraySpec)
    out = Value(ArraySpec((None,) * (len(axes) - axes.count("i")), base.spec.dtype), "part")
    node = Node("slice_of", (base, *places), (out,), {"axes": axes}, location=writer.location)
    writer.nodes.append(node)
    return out


def check_forward(writer: LoweredWriter, array: ArrayForm) -> None:
    """Make sure that a view runs forward: else NumPy's loops may take another way.

    Raises:
        Unlowered: it may run backwards.
    """
    if not runs_forward(array):
        raise writer.refusal("a view that runs backwards")


def runs_forward(array: ArrayForm) -> bool:
    """Return whether an array is known to run forward, as the arrays do that the program is given."""
    places = array.view.places if array.view is not None else ()
    return all(place.is_forward for place in places if isinstance(place, RunningAxis))


ROUND: Final = _ufunc("rint")
RULES: Final = with_methods({"np.round": _round}) | {
    **{f"np.{name}": _ufunc(name) for name in UFUNCS},
    "np.power": _ufunc("power"),  # of complex numbers; others are operators' business (`written.algebra`)
    "np.sinc": _sinc,
}
