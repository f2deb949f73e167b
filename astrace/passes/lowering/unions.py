"""Operators on numbers of which only the running program knows the type: an ``int`` that has become a ``float64``.

One machine number holds either, and a tag tells which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from astrace.ir.block import NO_ATTRS, Constant, Node, Operand
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, LiteralSpec, ScalarSpec, Spec, UnionSpec, options_of
from astrace.ops import OPS
from astrace.ops.python.operators import COMPARISON
from astrace.passes.analysis.int_ranges import EXACT, FULL
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.complex_numbers import WIDENS, Arithmetic
from astrace.passes.lowering.forms import (
    BOOL,
    FLOAT,
    INT,
    NumberForm,
    OptionalForm,
    dtype_of,
    narrowed,
    part_dtype,
    typed,
)
from astrace.passes.lowering.numbers import (
    check_exact,
    computed_by,
    is_pythons,
    plain_operator,
    python_dtype,
    resolved,
    within,
)

Kinds: TypeAlias = Mapping[tuple[int, ...], Spec | None]
"""The type of a result for each combination of the places of the operands' options."""


def results(name: str, forms: Sequence[NumberForm]) -> Kinds:
    """The type of a result for each combination of the operands' options."""
    found: dict[tuple[int, ...], Spec | None] = {}
    for places in product(*(range(len(options_of(form.spec))) for form in forms)):
        specs = tuple(options_of(form.spec)[place] for form, place in zip(forms, places, strict=True))
        result = OPS[name].rule(specs, {})
        found[places] = None if result is None or isinstance(result, tuple) else narrowed(result)
    return found


def literal_of(form: NumberForm) -> int | None:
    """Return the option of a number that is a literal, if one is."""
    options = options_of(form.spec)
    return next((place for place, one in enumerate(options) if isinstance(one, LiteralSpec)), None)


def is_literal(writer: LoweredWriter, form: NumberForm) -> Operand:
    """Write the test that a literal stands in the place of a number: ``None``, or a name without a value."""
    place = literal_of(form)
    if place is None or not form.tags:
        return Constant(False)
    return _is_option(writer, form, place)


def _is_option(writer: LoweredWriter, form: NumberForm, place: int) -> Operand:
    """Write the test that a number of several types is of one of them."""
    if place < len(form.tags):
        return form.tags[place]
    any_other: Operand = Constant(False)
    for tag in form.tags:
        any_other = writer.either(any_other, tag)
    return writer.inverted(any_other)


def is_none(writer: LoweredWriter, form: Any) -> Operand | None:
    """Write the test that an integer is ``None`` instead; ``None`` where the form can't be of such two options."""
    options = options_of(form.spec) if isinstance(form, NumberForm) else ()
    if set(options) != {LiteralSpec(None), PYTHON_INT}:
        return None
    return is_literal(writer, form)


def present(writer: LoweredWriter, form: NumberForm) -> NumberForm:
    """A number that has to be there: in the place of a literal Python raises."""
    place = literal_of(form)
    if place is None:
        return form
    writer.deopt(is_literal(writer, form))
    (spec,) = (one for one in options_of(form.spec) if not isinstance(one, LiteralSpec))
    return NumberForm(form.operand, spec, form.bounds, form.most, origin=form.origin)


def there(writer: LoweredWriter, value: Any) -> Any:
    """What may be a literal instead, where Python would raise; anything else as it is."""
    if not isinstance(value, OptionalForm):
        return value
    writer.deopt(value.absent)
    return value.other


def operator(writer: LoweredWriter, name: str, forms: Sequence[NumberForm], spec: Spec) -> NumberForm:
    """An operator on numbers.

    Args:
        writer: writes nodes.
        name: of the operator.
        forms: the operands.
        spec: what is known of the result.
    """
    forms = [present(writer, form) for form in forms]
    if not any(isinstance(form.spec, UnionSpec) for form in forms):
        return plain_operator(writer, name, forms, spec)
    kinds = results(name, forms)
    spec = result_type(writer, name, kinds.values(), spec)
    writer.uses_floats = True  # what one option computes in silence NumPy may warn of for another
    writer.flags_decide |= name == "truediv"  # a flag tells of a zero, for which Python raises
    if any(map(is_narrower, forms)) or len(_ways(writer, name, forms, kinds)) != 1:
        return for_each(
            writer, lambda options: plain_operator(writer, name, options, spec), forms, kinds, spec
        )
    before = len(writer.nodes)
    merged = plain_operator(writer, name, [_option(form, 1) for form in forms], spec)
    writer.nodes[before:] = map(_unconditional, writer.nodes[before:])
    if not isinstance(spec, UnionSpec):
        return replace(merged, spec=spec, tags=())
    return _tagged(writer, merged, forms, kinds, spec)


def result_type(writer: LoweredWriter, name: str, kinds: Iterable[Spec | None], spec: Spec) -> Spec:
    """The type of a result that has been found for each combination of options.

    Args:
        writer: writes nodes.
        name: of the operator.
        kinds: what has been found.
        spec: what else is known of the result.

    Raises:
        Unlowered: nothing has been found for one of them.
    """
    kinds = list(kinds)
    found = [kind for kind in dict.fromkeys(kinds) if kind is not None]
    if not found or None in kinds:
        raise writer.refusal(f"`{name}` of numbers of several types")
    if len(found) == 1:
        return found[0]
    return spec if set(options_of(spec)) == set(found) else UnionSpec(tuple(found))


def for_each(
    writer: LoweredWriter,
    compute: Callable[[Sequence[NumberForm]], NumberForm],
    forms: Sequence[NumberForm],
    kinds: Kinds,
    spec: Spec,
) -> NumberForm:
    """What is computed anew for each combination of the operands' options, since these are computed in other dtypes.

    Args:
        writer: writes nodes.
        compute: gives the result for numbers of one type each.
        forms: the operands.
        kinds: the type of a result for each combination.
        spec: the type of the result.

    Raises:
        Unlowered: no machine number holds all results.
    """
    dtype = dtype_of(spec)
    if dtype is None:
        raise writer.refusal(f"a result of type {spec}")
    found: NumberForm | None = None
    for places in kinds:
        given = zip(forms, places, strict=True)
        one = compute([_converted(writer, form, place) for form, place in given])
        if dtype != INT:
            check_exact(writer, [one])
        held = replace(one, operand=writer.cast(one.operand, one.dtype, dtype), most=None)
        if found is None:
            found = held
            continue
        bounds = min(found.bounds[0], one.bounds[0]), max(found.bounds[1], one.bounds[1])
        chosen = writer.choose(_are(writer, forms, places), held.operand, found.operand, dtype)
        found = NumberForm(chosen, spec, bounds)
    assert found is not None
    if not isinstance(spec, UnionSpec):
        return replace(found, spec=spec)
    return replace(found, spec=spec, tags=_tags_of(writer, forms, kinds, spec))


def is_narrower(form: NumberForm) -> bool:
    """Return whether a number of several types may be of one that is computed in a smaller dtype than the one that holds it.

    Args:
        form: any number.
    """
    if not isinstance(form.spec, UnionSpec):
        return False
    return not {dtype_of(option) for option in options_of(form.spec)} <= {INT, FLOAT, form.dtype, None}


def _are(writer: LoweredWriter, forms: Sequence[NumberForm], places: Sequence[int]) -> Operand:
    """Write the test that numbers are of the options at some places."""
    condition: Operand = Constant(True)
    for form, place in zip(forms, places, strict=True):
        if form.tags:
            condition = writer.both(condition, _is_option(writer, form, place))
    return condition


def _tags_of(
    writer: LoweredWriter,
    forms: Sequence[NumberForm],
    kinds: Kinds,
    spec: UnionSpec,
) -> tuple[Operand, ...]:
    """Write the tests that a result is of the options of its type."""
    tags: list[Operand] = []
    for option in spec.options[:-1]:
        tag: Operand = Constant(False)
        for places, kind in kinds.items():
            if kind == option:
                tag = writer.either(tag, _are(writer, forms, places))
        tags.append(tag)
    return tuple(tags)


def _tagged(
    writer: LoweredWriter,
    merged: NumberForm,
    forms: Sequence[NumberForm],
    kinds: Kinds,
    spec: UnionSpec,
) -> NumberForm:
    """A result whose type is that of one of several options, as the operands' are."""
    tags = _tags_of(writer, forms, kinds, spec)
    result = replace(merged, spec=spec, tags=tags)
    if merged.dtype != FLOAT:
        return result
    for place, option in enumerate(spec.options):
        if dtype_of(option) == INT:
            found = _exact_integer(writer, result.operand, _is_option(writer, result, place))
            result = replace(result, operand=found)
    return result


def _exact_integer(writer: LoweredWriter, found: Operand, is_int: Operand) -> Operand:
    """Return a float that may hold an integer: given up beyond 53 bits, and without the sign that zero has for floats."""
    size = writer.emit("abs", (found,), FLOAT)
    writer.deopt(writer.both(is_int, writer.emit("ge", (size, Constant(float(EXACT))), BOOL)))
    return writer.choose(is_int, writer.emit("add", (found, Constant(0.0)), FLOAT), found, FLOAT)


def _option(form: NumberForm, place: int) -> NumberForm:
    """A number as one of the options that it may be, where all are computed in the dtype that holds them."""
    if not isinstance(form.spec, UnionSpec):
        return form
    held = NumberForm(form.operand, form.spec.options[place])
    if held.dtype != form.dtype:  # an integer that is held as a float: arithmetic on it is that of floats
        return NumberForm(form.operand, PYTHON_FLOAT, FULL)
    return held


def _converted(writer: LoweredWriter, form: NumberForm, place: int) -> NumberForm:
    """A number as one of the options that it may be, in the dtype of that.

    In the place of a number that is none of this type stands one that nothing raises or warns of.
    """
    if not isinstance(form.spec, UnionSpec):
        return form
    spec = form.spec.options[place]
    dtype = dtype_of(spec)
    if dtype == form.dtype or dtype is None:
        return NumberForm(form.operand, spec, form.bounds if form.dtype == INT else FULL)
    is_it = _are(writer, [form], [place])
    number = writer.choose(is_it, form.operand, Constant(typed(1, form.dtype)), form.dtype)
    bounds = form.bounds if form.dtype == INT else (-EXACT, EXACT)
    bounds = within(bounds, np.iinfo(dtype)) if dtype.kind in "iu" else FULL
    return NumberForm(writer.cast(number, form.dtype, dtype), spec, bounds)


def _unconditional(node: Node) -> Node:
    """Return a test as one for all options: Python's integers do not wrap around, whatever NumPy ignores."""
    return replace(node, attrs=NO_ATTRS) if node.op == "deopt" else node


def _ways(
    writer: LoweredWriter, name: str, forms: Sequence[NumberForm], kinds: Kinds
) -> set[tuple[Any, ...]]:
    """Return the ways in which an operator is computed for combinations of the operands' options."""
    return {tuple(_computed_in(writer, name, list(map(_option, forms, places)))) for places in kinds}


def _computed_in(writer: LoweredWriter, name: str, forms: Sequence[NumberForm]) -> Sequence[Any]:
    """Return the dtypes that an operator is computed in: those of Python's floats are NumPy's."""
    if not is_pythons(forms):
        dtypes = resolved(writer, name, forms)
        return [*(one.char for one in dtypes), _way(name, forms, dtypes[0])]
    dtype = python_dtype(name, forms)
    result = BOOL if name in COMPARISON else part_dtype(dtype) if name == "abs" else dtype
    return [*(dtype.char for _ in forms), result.char, _way(name, forms, dtype)]


def _way(name: str, forms: Sequence[NumberForm], dtype: np.dtype[Any]) -> Arithmetic | None:
    """Return what computes with complex numbers, where that makes a difference."""
    if dtype.kind != "c" or name not in ("mul", "truediv"):
        return None
    by = computed_by(forms, dtype)
    return Arithmetic.SCALAR if by is Arithmetic.PYTHON and WIDENS and name == "mul" else by


def tags_of(writer: LoweredWriter, form: NumberForm, spec: Spec) -> tuple[Operand, ...]:
    """Write the tests that a number is of the options of a union, all but the last one.

    Raises:
        Unlowered: it is none of the options.
    """
    if not isinstance(spec, UnionSpec):
        raise writer.refusal("numbers of several types")
    own = options_of(form.spec)
    if not set(own) <= set(spec.options):
        raise writer.refusal(f"a number of type {form.spec} among {spec}")
    if not form.tags:
        return tuple(Constant(option == form.spec) for option in spec.options[:-1])
    return tuple(
        _is_option(writer, form, own.index(option)) if option in own else Constant(False)
        for option in spec.options[:-1]
    )


def as_numpys(writer: LoweredWriter, forms: Sequence[NumberForm]) -> list[NumberForm]:
    """The operands of a function of NumPy's, which makes its own numbers of those that are all Python's, or may be.

    Raises:
        Unlowered: one of these may be of several dtypes.
    """
    if not all(any(isinstance(one, ScalarSpec) for one in options_of(form.spec)) for form in forms):
        return list(forms)
    for form in forms:
        if len({dtype_of(one) for one in options_of(form.spec)}) > 1:
            raise writer.refusal("a number of several types")
    return [replace(form, spec=GenericSpec(form.dtype), tags=()) for form in forms]
