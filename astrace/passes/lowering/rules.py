"""Rules of leaf nodes: one function for each group of ops, from forms of the arguments to the form of the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import GenericSpec, ScalarSpec, Spec, UnionSpec, options_of
from astrace.ops.numpy.ufunc_loops import dtypes_of
from astrace.ops.python.operators import COMPARISON, INPLACE
from astrace.passes.lowering.arrays import check_fits, elementwise, materialised, store_all
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.complex_numbers import Arithmetic, complexes
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    Form,
    NumberForm,
    StaticForm,
    TupleForm,
    dtype_of,
    is_machine_dtype,
)
from astrace.passes.lowering.gathers import array_of, gathered, names_items, put, written_items
from astrace.passes.lowering.items import item, part_of, parts_of
from astrace.passes.lowering.layouts import require_forward, require_no_overlap
from astrace.passes.lowering.numbers import (
    UFUNCS,
    beside_unsigned,
    check_shift,
    fitted,
    floats,
    number,
    resolved,
    to_integer,
)
from astrace.passes.lowering.unions import as_numpys, literal_of, operator, present, there

Kwargs: TypeAlias = Mapping[str, Any]
Rule: TypeAlias = Callable[[LoweredWriter, Node, Sequence[Any], Kwargs], "Form | None"]
"""Writes what a node does; the arguments come laid out as in the call, with forms for values and constants."""


def form_of(writer: LoweredWriter, value: Any) -> Form:
    """An argument as a form."""
    if isinstance(value, Form):
        return value
    found = number(writer, value)
    return StaticForm(value) if found is None else found


def numeric(writer: LoweredWriter, value: Any) -> NumberForm | ArrayForm:
    """An argument that has to be a number or an array.

    Raises:
        Unlowered: it is something else.
    """
    form = form_of(writer, there(writer, value))
    if isinstance(form, NumberForm | ArrayForm):
        return form
    raise writer.refusal("an operand that is neither a number nor an array")


def scalar(writer: LoweredWriter, value: Any) -> NumberForm:
    """An argument that has to be a number.

    Raises:
        Unlowered: it is something else.
    """
    form = numeric(writer, value)
    if isinstance(form, NumberForm):
        return form
    raise writer.refusal("an array in place of a number")


# -- operators ---------------------------------------------------------------------------------------------


def apply(writer: LoweredWriter, name: str, args: Sequence[Any], spec: Spec) -> NumberForm | ArrayForm:
    """An operator on numbers or arrays."""
    forms = [numeric(writer, one) for one in beside_unsigned(args)]
    numbers = [form for form in forms if isinstance(form, NumberForm)]
    if len(numbers) == len(forms):
        return operator(writer, name, numbers, spec)
    return _on_arrays(writer, name, [_of_one_type(writer, name, form, forms) for form in forms])


def _of_one_type(
    writer: LoweredWriter, name: str, form: NumberForm | ArrayForm, forms: Sequence[NumberForm | ArrayForm]
) -> NumberForm | ArrayForm:
    """A number beside arrays that may be of several types, as one of NumPy's, where NumPy computes the same with each.

    Raises:
        Unlowered: it does not.
    """
    if isinstance(form, ArrayForm) or not isinstance(form.spec, UnionSpec):
        return form
    options = [NumberForm(form.operand, option) for option in form.spec.options]
    if name in UFUNCS and all(dtype_of(one.spec) is not None for one in options):
        found = {
            resolved(writer, name, [one if other is form else _stand_in(other) for other in forms])
            for one in options
        }
        if len(found) == 1:
            dtype = found.pop()[forms.index(form)]
            return NumberForm(fitted(writer, form, dtype, stored=True), GenericSpec(dtype))
    raise writer.refusal("an array beside a number of several types")


def _on_arrays(writer: LoweredWriter, name: str, forms: Sequence[NumberForm | ArrayForm]) -> ArrayForm:
    """An operator on elements: NumPy's loop of the same name."""
    if name not in UFUNCS:
        raise writer.refusal(f"`{name}` of arrays")
    stand_ins = [_stand_in(form) for form in forms]
    dtypes = resolved(writer, name, stand_ins)
    dtype, result = dtypes[0], dtypes[-1]
    if dtype.kind == "c" and name == "mul":
        require_forward(writer, forms, "a complex product")
    operands = [
        form if isinstance(form, ArrayForm) else NumberForm(fitted(writer, form, dtype), GenericSpec(dtype))
        for form in forms
    ]

    def compute(atoms: Sequence[Operand]) -> Operand:
        cast = [writer.cast(atom, form.dtype, dtype) for atom, form in zip(atoms, operands, strict=True)]
        return elements(writer, name, cast, dtype, result)

    return elementwise(writer, operands, result, compute)


def _stand_in(form: NumberForm | ArrayForm) -> NumberForm:
    """A number of an array's dtype, to ask in which dtype NumPy computes."""
    if isinstance(form, NumberForm):
        return form
    return NumberForm(Constant(form.dtype.type(1)), GenericSpec(form.dtype))


def elements(
    writer: LoweredWriter,
    name: str,
    operands: Sequence[Operand],
    dtype: np.dtype[Any],
    result: np.dtype[Any],
) -> Operand:
    """An operator on elements, which wrap around in silence."""
    if dtype.kind == "c":
        return complexes(writer, name, operands, dtype, Arithmetic.ELEMENT)
    if name in COMPARISON:
        return writer.emit(name, tuple(operands), BOOL)
    if result.kind == "f":
        casts = [writer.cast(one, dtype, result) for one in operands]
        return floats(writer, name, casts, result, checks_zero=False)
    if dtype == BOOL and name == "invert":
        return writer.inverted(operands[0])
    if name in ("floordiv", "mod"):
        _check_divisors(writer, operands, dtype)
    if name in ("lshift", "rshift"):
        check_shift(writer, operands[1], dtype)
    return operands[0] if name == "abs" and dtype.kind == "u" else writer.emit(name, tuple(operands), dtype)


def _check_divisors(writer: LoweredWriter, operands: Sequence[Operand], dtype: np.dtype[Any]) -> None:
    """NumPy warns where an integer is divided by zero, or the least one by minus one."""
    if dtype.kind == "u":
        writer.deopt(writer.emit("eq", (operands[1], Constant(dtype.type(0))), BOOL))
        return
    dividend, divisor = (writer.cast(one, dtype, INT) for one in operands)
    if isinstance(divisor, Constant) and divisor.value > 0:
        return
    writer.deopt(writer.emit("eq", (divisor, Constant(0)), BOOL))
    least = writer.emit("eq", (dividend, Constant(int(np.iinfo(dtype).min))), BOOL)
    writer.deopt(writer.both(least, writer.emit("eq", (divisor, Constant(-1)), BOOL)))


def _plain(name: str) -> Rule:
    return with_out(UFUNCS[name], lambda writer, node, args: apply(writer, name, args, node.output.spec))


def _function(name: str) -> Rule:
    """A ufunc that is called by its name: of Python's numbers alone, too, it gives NumPy's."""

    def plain(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> NumberForm | ArrayForm:
        forms = [numeric(writer, one) for one in args]
        numbers = [present(writer, form) for form in forms if isinstance(form, NumberForm)]
        if len(numbers) < len(forms):
            return apply(writer, name, args, node.output.spec)
        numbers = as_numpys(writer, numbers)
        if not any(form.dtype.kind == "c" for form in numbers):
            return operator(writer, name, numbers, node.output.spec)
        dtypes = resolved(writer, name, numbers)
        operands = [fitted(writer, form, dtypes[0]) for form in numbers]
        found = elements(writer, name, operands, dtypes[0], dtypes[-1])
        return NumberForm(found, GenericSpec(dtypes[-1]))

    return with_out(UFUNCS[name], plain)


def into(
    writer: LoweredWriter,
    target: Any,
    result: NumberForm | ArrayForm,
    operands: Sequence[Any],
    ufunc: np.ufunc,
) -> ArrayForm:
    """A result of a ufunc of some operands that is stored into an array, which comes out."""
    if not isinstance(target, ArrayForm) or not isinstance(result, ArrayForm):
        raise writer.refusal("`out` that is no array")
    if target.view is None:  # nothing but this operation has it
        target = materialised(writer, target)
    if not np.can_cast(result.dtype, target.dtype, "same_kind") or len(result.shape) > len(target.shape):
        raise writer.refusal("an operation in place whose result does not fit")
    if result.dtype.kind == "c" and (ufunc, result.dtype.char) not in SAME_ALONE:
        _check_several(writer, target)
    require_no_overlap(writer, target, operands, ufunc)
    store(writer, target, result)
    return target


SAME_ALONE: Final = frozenset({(np.add, "D"), (np.subtract, "D"), (np.subtract, "F")})
"""The ufuncs that give one complex element alone the bits that it has among several."""


def _check_several(writer: LoweredWriter, target: ArrayForm) -> None:
    """Give up where there is one complex element: NumPy's loop takes it for a reduction, which rounds in another way."""
    single: Operand = Constant(True)
    for size in target.shape:
        one = (
            Constant(size.known == 1)
            if size.known is not None
            else writer.emit("eq", (size.operand, Constant(1)), BOOL)
        )
        single = writer.both(single, one)
    writer.deopt(single)


def _inplace(name: str) -> Rule:
    plain = INPLACE[name]

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        target = numeric(writer, args[0])
        if isinstance(target, NumberForm):
            return apply(writer, plain, args, node.output.spec)
        found = apply(writer, plain, (target, args[1]), node.output.spec)
        return into(writer, target, found, args, UFUNCS[plain])

    return rule


# -- storing -----------------------------------------------------------------------------------------------


def store(writer: LoweredWriter, target: ArrayForm, value: ArrayForm | NumberForm) -> None:
    """Store into a view: elements are converted, shapes have to fit."""
    assert target.view is not None
    converted = converted_to(writer, value, target.dtype)
    if isinstance(converted, ArrayForm):
        check_fits(writer, target.shape, converted)
    store_all(writer, target.view, target.shape, converted)


def converted_to(
    writer: LoweredWriter, value: ArrayForm | NumberForm, dtype: np.dtype[Any]
) -> ArrayForm | NumberForm:
    """What is stored, in the dtype of the place."""
    if value.dtype.kind == "f" and dtype == BOOL:
        raise writer.refusal("floats stored among truth values")
    if value.dtype.kind == "c" and dtype.kind != "c":
        raise writer.refusal("complex numbers stored among others")
    cut = value.dtype.kind == "f" and dtype.kind in "iu"
    if isinstance(value, NumberForm):
        if cut:
            return NumberForm(to_integer(writer, value.operand, value.dtype, dtype), GenericSpec(dtype))
        return NumberForm(fitted(writer, value, dtype, stored=True), GenericSpec(dtype))
    if value.dtype == dtype:
        return value
    given, change = value.dtype, to_integer if cut else LoweredWriter.cast
    return elementwise(writer, [value], dtype, lambda atoms: change(writer, atoms[0], given, dtype))


def _set_item(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> None:
    owner, key, value = args
    if not isinstance(owner, ArrayForm) or owner.view is None:
        raise writer.refusal("an item of something else than an array is stored")
    items = written_items(value)
    form = numeric(writer, value) if items is None else array_of(writer, items, owner.dtype)
    if isinstance(form, NumberForm):
        form = present(writer, form)
    several = isinstance(form, NumberForm) and isinstance(form.spec, UnionSpec)
    if several and form.dtype not in (INT, BOOL) and owner.dtype.kind not in "fc":
        raise writer.refusal("a number of several types is stored")
    parts = parts_of(writer, key, arrays=True)
    if names_items(parts):
        put(writer, owner, parts, converted_to(writer, form, owner.dtype))
        return
    view, shape = part_of(writer, owner.view, owner.shape, parts)
    store(writer, ArrayForm(owner.dtype, shape, owner.element, (view,), view), form)


def _get_item(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    owner, key = args
    if isinstance(owner, TupleForm):
        found = form_of(writer, key)
        if isinstance(found, NumberForm) and found.known is not None and found.dtype == INT:
            return owner.items[found.known]
    if not isinstance(owner, ArrayForm):
        raise writer.refusal("an item of something else than an array")
    parts = parts_of(writer, key, arrays=True)
    return gathered(writer, owner, parts) if names_items(parts) else item(writer, owner, key)


def _ufunc(op: str, ufunc: np.ufunc, kinds: str) -> Rule:
    """A ufunc that is written as an op on elements, for dtypes of some kinds."""

    def plain(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> NumberForm | ArrayForm:
        forms = [numeric(writer, one) for one in args]
        dtypes = loop_of(writer, ufunc, forms)
        dtype = dtypes[0]
        if dtype.kind not in kinds or set(dtypes) != {dtype}:
            raise writer.refusal(f"`{node.op}` of {dtype}")

        forms = [
            NumberForm(fitted(writer, form, dtype), GenericSpec(dtype))
            if isinstance(form, NumberForm)
            else form
            for form in forms
        ]

        def compute(atoms: Sequence[Operand]) -> Operand:
            casts = tuple(
                writer.cast(atom, form.dtype, dtype) for atom, form in zip(atoms, forms, strict=True)
            )
            writer.uses_floats |= dtype.kind == "f"
            return writer.emit(op, casts, dtype)

        if not any(isinstance(form, ArrayForm) for form in forms):
            numbers = [form for form in forms if isinstance(form, NumberForm)]
            return NumberForm(compute([form.operand for form in numbers]), GenericSpec(dtype))
        return elementwise(writer, forms, dtype, compute)

    return with_out(ufunc, plain)


EXTREMES: Final = (np.minimum, np.maximum)
Plain: TypeAlias = Callable[[LoweredWriter, Node, Sequence[Any]], NumberForm | ArrayForm]
"""Writes what a node does with its operands alone."""


def with_out(ufunc: np.ufunc, plain: Plain) -> Rule:
    """The rule of a ufunc, which may be given the array for its result."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        operands, targets = args[: ufunc.nin], [*args[ufunc.nin :], *kwargs.values()]
        if len(operands) < ufunc.nin or len(targets) > 1 or kwargs.keys() - {"out"}:
            raise writer.refusal(f"`{node.op}` with more arguments")
        if ufunc in EXTREMES and len(args) > ufunc.nin:
            raise writer.refusal(f"`{node.op}` that NumPy warns of")
        result = plain(writer, node, operands)
        return into(writer, targets[0], result, operands, ufunc) if targets else result

    return rule


def loop_of(
    writer: LoweredWriter, ufunc: np.ufunc, forms: Sequence[NumberForm | ArrayForm]
) -> tuple[Any, ...]:
    """The dtypes of the loop that NumPy takes; of numbers of several types the one that it takes for all of these."""
    given = [
        [one if isinstance(one, ScalarSpec) else dtype_of(one) or form.dtype for one in options_of(form.spec)]
        if isinstance(form, NumberForm)
        else [form.dtype]
        for form in forms
    ]
    if any(isinstance(form, NumberForm) and literal_of(form) is not None for form in forms):
        raise writer.refusal("a number of several types")
    loops = {dtypes_of(ufunc, one) for one in product(*given)}
    found = loops.pop()
    if loops:
        raise writer.refusal("a number of several types")
    if not found or any(not is_machine_dtype(dtype) for dtype in found):
        raise writer.refusal(f"`np.{ufunc.__name__}` of {', '.join(str(form.dtype) for form in forms)}")
    return found


RULES: Final[Mapping[str, Rule]] = {
    **{name: _plain(name) for name in UFUNCS},
    **{name: _inplace(name) for name in INPLACE if INPLACE[name] in UFUNCS},
    "get_item": _get_item,
    "set_item": _set_item,
    "np.sqrt": _ufunc("square_root", np.sqrt, "f"),
    "np.minimum": _ufunc("minimum", np.minimum, "iuf"),
    "np.maximum": _ufunc("maximum", np.maximum, "iuf"),
    "np.absolute": _function("abs"),
    "np.negative": _function("neg"),
    **{f"np.{ufunc.__name__}": _function(name) for name, ufunc in UFUNCS.items() if ufunc.nin == 2},
}
