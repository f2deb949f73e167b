"""Python's builtins and what only looks at values: ``min``, ``bool``, the size of an array, a tuple."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.constants import UNDEFINED
from astrace.ir.specs import BOOL as PYTHON_BOOL
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, LiteralSpec, ScalarSpec, Spec, TupleSpec, options_of
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.passes.legalise.reductions import ADDS_IN_TURN
from astrace.passes.lowering.arrays import computed
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    FLOAT,
    INT,
    MADE_HERE,
    ArrayForm,
    Form,
    NumberForm,
    NumberListForm,
    OptionalForm,
    StaticForm,
    TupleForm,
    dtype_of,
    narrowed,
)
from astrace.passes.lowering.gathers import written_items
from astrace.passes.lowering.lists import size_of
from astrace.passes.lowering.numbers import check_exact, to_integer, truth
from astrace.passes.lowering.rules import Kwargs, Rule, form_of, numeric, scalar
from astrace.passes.lowering.unions import is_literal, literal_of, operator, present, tags_of


def truth_of(writer: LoweredWriter, value: Any) -> Operand:
    """Python's truth of a number, which may be ``None`` instead, or of a list."""
    if isinstance(value, NumberListForm):
        return writer.emit("ne", (size_of(writer, value).operand, Constant(0)), BOOL)
    form = scalar(writer, value)
    place = literal_of(form)
    if place is None:
        return truth(writer, form)
    literal: Any = options_of(form.spec)[place]
    if literal.value is not None:
        return truth(writer, present(writer, form))
    there = writer.inverted(is_literal(writer, form))
    return writer.both(there, truth(writer, NumberForm(form.operand, options_of(form.spec)[1 - place])))


def _truth(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    return NumberForm(truth_of(writer, args[0]), PYTHON_BOOL)


def _not(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    return NumberForm(writer.inverted(truth_of(writer, args[0])), PYTHON_BOOL)


def _identity(positive: bool) -> Rule:
    """``is`` of a number that may be a literal, and that literal."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        left, right = (form_of(writer, one) for one in args)
        if isinstance(left, StaticForm):
            left, right = right, left
        if isinstance(left, OptionalForm) and isinstance(right, StaticForm):
            same = LiteralSpec(left.literal) == LiteralSpec(right.value)
            answer = left.absent if same else Constant(False)
            return NumberForm(answer if positive else writer.inverted(answer), PYTHON_BOOL)
        if not isinstance(left, NumberForm) or not isinstance(right, StaticForm):
            raise writer.refusal("the identity of a value")
        same = LiteralSpec(right.value) in options_of(left.spec)
        answer = is_literal(writer, left) if same else Constant(False)
        return NumberForm(answer if positive else writer.inverted(answer), PYTHON_BOOL)

    return rule


def _positive(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    form = numeric(writer, args[0])
    if isinstance(form, ArrayForm) or form.dtype == BOOL or form.tag is not None:
        raise writer.refusal("`+` of an array or a truth value")
    return form if isinstance(form.spec, ScalarSpec) else replace(form, origin=MADE_HERE)


def _extreme(test: str) -> Rule:
    """``min`` and ``max`` of numbers: the first of the extreme ones."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        forms = [present(writer, scalar(writer, one)) for one in args]
        spec = narrowed(node.output.spec)
        if len(forms) < 2 or kwargs:
            raise writer.refusal("an extreme of other things than several numbers")
        best = forms[0]
        for other in forms[1:]:
            better = operator(writer, test, [other, best], PYTHON_BOOL).operand
            best = _chosen(writer, better, other, best, spec)
        if any(form.dtype != INT for form in forms):
            return best
        pick = max if test == "gt" else min
        bounds = pick(form.bounds[0] for form in forms), pick(form.bounds[1] for form in forms)
        most = next((form.most for form in forms if form.most is not None), None)
        return replace(best, bounds=bounds, most=most if test == "lt" else best.most)

    return rule


def _sum(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``sum`` of numbers that are written down: one after the other is added to the integer 0."""
    items = written_items(args[0])
    start = [scalar(writer, one) for one in args[1:]]
    if items is None or kwargs or any((one.spec, one.known) != (PYTHON_INT, 0) for one in start):
        raise writer.refusal("a sum of other things than numbers")
    found = scalar(writer, 0)
    for item in items:
        added = scalar(writer, item)
        if not ADDS_IN_TURN and PYTHON_FLOAT in options_of(added.spec):
            raise writer.refusal("a sum of Python's floats, of which Python carries what is lost")
        (spec,) = infer(OPS["add"], (Value(found.spec), Value(added.spec)), {}, 1)
        found = operator(writer, "add", [found, added], spec)
    return found


def _chosen(
    writer: LoweredWriter, test: Operand, then: NumberForm, orelse: NumberForm, spec: Spec
) -> NumberForm:
    """One of two numbers; of two types, with the tag that tells which."""
    if isinstance(test, Constant):
        return then if test.value else orelse
    is_one_type = then.spec == orelse.spec and then.tag is None and orelse.tag is None
    dtype = then.dtype if is_one_type else dtype_of(spec)
    if dtype is None:
        raise writer.refusal("an extreme of numbers of several types")
    if dtype != INT:
        check_exact(writer, [then, orelse])
    operands = [writer.cast(form.operand, form.dtype, dtype) for form in (then, orelse)]
    picked = writer.emit("select", (test, *operands), dtype)
    bounds = min(then.bounds[0], orelse.bounds[0]), max(then.bounds[1], orelse.bounds[1])
    origin = then.origin
    if then.origin is not orelse.origin:
        origin = writer.choose(test, then.origin, orelse.origin, INT)
    if is_one_type:
        return NumberForm(picked, then.spec, bounds, origin=origin)
    pairs = zip(tags_of(writer, then, spec), tags_of(writer, orelse, spec), strict=True)
    tags = tuple(
        writer.either(writer.both(test, one), writer.both(writer.inverted(test), other))
        for one, other in pairs
    )
    return NumberForm(picked, spec, bounds, tags=tags, origin=origin)


def _float(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if args[0] in ("nan", "NaN", "NAN") and not writer.lists:  # lists tell one such object from another
        return NumberForm(Constant(float(args[0])), PYTHON_FLOAT)
    form = present(writer, scalar(writer, args[0]))
    origin = form.origin if form.spec == PYTHON_FLOAT else MADE_HERE
    return NumberForm(writer.cast(form.operand, form.dtype, FLOAT), PYTHON_FLOAT, origin=origin)


def _int(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    form = present(writer, scalar(writer, args[0]))
    if form.dtype.kind not in "iubf" or len(args) > 1 or _is_given_integer(form):
        raise writer.refusal("`int` of numbers of several types")
    if form.dtype.kind == "f":  # whatever type it is of: an integer that is held as a float is held exactly
        return NumberForm(to_integer(writer, form.operand, form.dtype, INT), PYTHON_INT)
    bounds = (0, 1) if form.dtype == BOOL else form.bounds
    origin = form.origin if form.spec == PYTHON_INT else MADE_HERE
    return NumberForm(
        writer.cast(form.operand, form.dtype, INT), PYTHON_INT, bounds, form.most, origin=origin
    )


def _is_given_integer(form: NumberForm) -> bool:
    """Return whether a number may be an integer from outside, whose object ``int`` gives, or something else."""
    return form.tag is not None and form.origin is not MADE_HERE and PYTHON_INT in options_of(form.spec)


def _math_sqrt(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    form = present(writer, scalar(writer, args[0]))
    operand = writer.cast(form.operand, form.dtype, FLOAT)
    if isinstance(operand, Constant):
        raise writer.refusal("arithmetic on constants alone")
    writer.deopt(writer.emit("lt", (operand, Constant(0.0)), BOOL))
    return NumberForm(writer.emit("square_root", (operand,), FLOAT), PYTHON_FLOAT)


def _math(name: str, count: int = 1) -> Rule:
    """A function of ``math`` that calls the C library's; where it would raise, or gives no finite number."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if len(args) != count:
            raise writer.refusal(f"`{node.op}` with more arguments")
        operands = [float_operand(writer, one) for one in args]
        return NumberForm(c_function(writer, name, operands), PYTHON_FLOAT)

    return rule


def c_function(writer: LoweredWriter, name: str, operands: Sequence[Operand]) -> Operand:
    """A call of a function of the C library; given up where it gives no finite number.

    Args:
        writer: writes nodes.
        name: of the function.
        operands: floats.
    """
    if all(isinstance(one, Constant) for one in operands):
        raise writer.refusal("arithmetic on constants alone")
    found = Value(GenericSpec(FLOAT))
    attrs = {"function": name}
    writer.nodes.append(Node("call_math", tuple(operands), (found,), attrs, location=writer.location))
    writer.deopt(writer.inverted(writer.emit("is_finite", (found,), BOOL)))
    return found


def _divmod(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``divmod`` of two numbers: what ``//`` and ``%`` give."""
    forms = [scalar(writer, one) for one in args]
    spec = node.output.spec
    if any(form.dtype.kind not in "iuf" for form in forms) or not isinstance(spec, TupleSpec):
        raise writer.refusal(f"`{node.op}` of other things than two numbers")
    pairs = zip(("floordiv", "mod"), spec.items, strict=True)
    return TupleForm(tuple(operator(writer, name, forms, item) for name, item in pairs))


def _scaled(factor: float) -> Rule:
    """``math.radians`` and ``math.degrees``: a product."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        operand = float_operand(writer, args[0])
        if isinstance(operand, Constant):
            raise writer.refusal("arithmetic on constants alone")
        return NumberForm(writer.emit("mul", (operand, Constant(factor)), FLOAT), PYTHON_FLOAT)

    return rule


def float_operand(writer: LoweredWriter, value: Any) -> Operand:
    """A number as what ``float`` makes of it: of a large integer the float that is next to it, as in machine code."""
    form = present(writer, scalar(writer, value))
    if form.dtype.kind not in "iubf":
        raise writer.refusal("a complex number")
    return writer.cast(form.operand, form.dtype, FLOAT)


def _rounded(name: str) -> Rule:
    """``math.floor`` and the like, and ``round`` to no digits: an integer."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if len(args) != 1 or kwargs:
            raise writer.refusal(f"`{node.op}` with more arguments")
        form = present(writer, scalar(writer, args[0]))
        has_none = name == "trunc" and not _has_trunc(form)
        if (
            form.dtype.kind != "f"
            or has_none
            or _is_given_integer(form)
            or isinstance(form.operand, Constant)
        ):
            raise writer.refusal(f"`{node.op}` of other things than floats")
        found = writer.emit(name, (writer.cast(form.operand, form.dtype, FLOAT),), FLOAT)
        return NumberForm(to_integer(writer, found, FLOAT, INT), PYTHON_INT)

    return rule


def _has_trunc(form: NumberForm) -> bool:
    """Return whether ``math.trunc`` takes a number: of NumPy's it takes what is a float of Python's, too."""
    return all(isinstance(one, ScalarSpec) or dtype_of(one) == FLOAT for one in options_of(form.spec))


def _is_special(finite: bool | None) -> Rule:
    """``math.isfinite``, ``math.isinf`` and, for ``None``, ``math.isnan``."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        operand = float_operand(writer, args[0])
        if isinstance(operand, Constant):
            raise writer.refusal("arithmetic on constants alone")
        other = writer.emit("ne", (operand, operand), BOOL)
        if finite is None:
            return NumberForm(other, PYTHON_BOOL)
        found = writer.emit("is_finite", (operand,), BOOL)
        return NumberForm(found if finite else writer.inverted(writer.either(found, other)), PYTHON_BOOL)

    return rule


def _dim(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    array, axis = args
    axis = form_of(writer, axis)
    if isinstance(array, ArrayForm) and isinstance(axis, NumberForm) and axis.known is not None:
        return computed(writer, array).shape[axis.known]
    raise writer.refusal("the size of something else than an array")


def _slice(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    return StaticForm(slice(*args))


def _tuple(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    return TupleForm(tuple(form_of(writer, one) for one in args))


def _defined(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """A name that has to have a value; one without raises."""
    form = form_of(writer, args[0])
    if isinstance(form, NumberForm):
        return present(writer, form)
    if isinstance(form, OptionalForm) and form.literal is UNDEFINED:
        writer.deopt(form.absent)
        return form.other
    if isinstance(form, StaticForm) and form.value is UNDEFINED:
        raise writer.refusal("a name that may have no value")
    return form


def _bound(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """The bound of a range, which raises for what is no integer."""
    form = present(writer, scalar(writer, args[0]))
    if form.spec != PYTHON_INT:
        raise writer.refusal("the bound of a range that may be no integer")
    return form


def _step(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """The step of a range: zero raises."""
    form = present(writer, scalar(writer, args[0]))
    writer.deopt(writer.emit("eq", (form.operand, Constant(0)), BOOL))
    return form


MATH: Final = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "expm1", "log", "log2", "log10", "log1p", "erf", "erfc", "fabs"),
)
"""The functions of ``math`` that are those of the C library for numbers for which they do not raise."""
RULES: Final[Mapping[str, Rule]] = {
    "pos": _positive,
    "not_": _not,
    "bool": _truth,
    "is_": _identity(True),
    "is_not": _identity(False),
    "max": _extreme("gt"),
    "min": _extreme("lt"),
    "sum": _sum,
    "float": _float,
    "int": _int,
    "math.sqrt": _math_sqrt,
    **{f"math.{name}": _math(name) for name in MATH},
    **{f"math.{name}": _math(name, 2) for name in ("atan2", "fmod", "copysign")},
    **{f"math.{name}": _rounded(name) for name in ("floor", "ceil", "trunc")},
    "round": _rounded("rint"),
    "math.radians": _scaled(math.pi / 180.0),
    "math.degrees": _scaled(180.0 / math.pi),
    "math.isfinite": _is_special(True),
    "math.isinf": _is_special(False),
    "math.isnan": _is_special(None),
    "dim": _dim,
    "divmod": _divmod,
    "make_tuple": _tuple,
    "slice": _slice,
    "check_defined": _defined,
    "check_next": _defined,
    "check_bound": _bound,
    "check_step": _step,
}
