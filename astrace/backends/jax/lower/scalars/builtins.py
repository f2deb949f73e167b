"""Rules of Python's builtin functions and of ``math``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.functions.methods import item_atom
from astrace.backends.jax.lower.rule import Rule, array_of, needed, value_dtype
from astrace.backends.jax.lower.scalars import operators
from astrace.ir.block import Constant, Node
from astrace.ir.specs import COMPLEX, FLOAT, GenericSpec, ScalarSpec, UnionSpec
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ops.python.builtins import NUMPY_NAMES
from astrace.passes.functional.control.loop_sources import range_length
from astrace.passes.functional.conversions import converted, fits
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import FULL, Array, Either, Form, Items, Number, Stack
from astrace.passes.functional.indexing.padded_lengths import reducible
from astrace.passes.functional.layout import lists
from astrace.passes.functional.layout.flatten import cast, flatten, layout, narrowed, select, unflatten
from astrace.passes.functional.operands import atom_of, made, numeric
from astrace.passes.functional.program import Atom, Lit, is_host
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import size

FLOAT_DTYPE: Final = np.dtype(np.float64)
TESTS: Final = ("isnan", "isinf", "isfinite")


def scalar(state: Lowering, value: Any) -> Number:
    """Return an argument as a number; an array with one item is one."""
    form = state.given(value)
    if isinstance(form, Array):
        return Number(item_atom(state, form), GenericSpec(form.dtype))
    return needed(state, Number, form, "the conversion")


def as_float(state: Lowering, value: Any) -> Atom:
    """Return an argument as a Python float."""
    number = scalar(state, value)
    if number.dtype.kind == "c":
        raise state.refusal("AT304", "a complex number as a float")
    return cast(state, number.atom, number.dtype, FLOAT_DTYPE)


def _float(state: Lowering, node: Node, value: Any) -> Form:
    if isinstance(value, str):  # only its identity tells the result from others, which arrays do not keep
        return state.constant(float(value))
    return Number(as_float(state, value), FLOAT)


def _complex(state: Lowering, node: Node, *parts: Any) -> Form:
    numbers = [scalar(state, one) for one in parts]
    dtype = np.dtype(np.complex128)
    if len(numbers) == 1:
        return Number(cast(state, numbers[0].atom, numbers[0].dtype, dtype), COMPLEX)
    if len(numbers) != 2 or any(one.dtype.kind == "c" for one in numbers):
        raise state.refusal("AT304", "a complex number of complex parts")
    floats = [cast(state, one.atom, one.dtype, FLOAT_DTYPE) for one in numbers]
    return Number(state.expr("complex", floats, dtype), COMPLEX)


def _int(state: Lowering, node: Node, value: Any) -> Form:
    return to_int(state, scalar(state, value), "xp.trunc")


KNOWN_ROUNDING: Final = {
    "xp.trunc": "int",
    "xp.round": "round",
    "xp.floor": "math.floor",
    "xp.ceil": "math.ceil",
}
"""Python's functions of numbers that are known when JAX traces."""


def to_int(state: Lowering, number: Number, rounding: str) -> Form:
    """Convert a number to a Python integer; one that 64 bits do not hold is left to Python."""
    atom, dtype = number.atom, number.dtype
    if dtype.kind == "c":
        raise state.refusal("AT304", f"an integer from {dtype}")
    if dtype == np.dtype(np.uint64) and not is_host(atom):
        state.check(state.expr("le", (atom, Lit(FULL[1])), BOOL))
    if dtype.kind in "biu":
        bounds = (0, 1) if dtype.kind == "b" else number.bounds
        plain = atom if is_host(atom) and dtype.kind != "b" else cast(state, atom, dtype, INT)
        return Number(plain, PYTHON_INT, bounds, number.inputs, number.most, number.exact)
    if is_host(atom) and not isinstance(atom, Constant):
        known = state.expr(KNOWN_ROUNDING[rounding], (atom,), None)
        return Number(known, PYTHON_INT, FULL, number.inputs)
    whole = state.expr(rounding, (atom,), dtype)
    state.check(state.expr("support.fits_integer", (whole, Lit(INT)), BOOL))
    return Number(cast(state, whole, dtype, INT), PYTHON_INT)


def _round(state: Lowering, node: Node, number: Any, *ndigits: Any) -> Form:
    if ndigits or not isinstance(node.output.spec, ScalarSpec):
        raise state.refusal("AT304", "round to a number of digits")
    return to_int(state, scalar(state, number), "xp.round")


def _len(state: Lowering, node: Node, owner: Any) -> Form:
    if isinstance(owner, Array) and owner.spec.shape:
        return size(state, owner, 0)
    if isinstance(owner, Stack):
        return lists.length_of(state, owner)
    if isinstance(owner, Items | tuple):
        return state.constant(len(owner.items if isinstance(owner, Items) else owner))
    raise state.refusal("AT301", "the length of a value that is not an array")


# -- the largest and the smallest ----------------------------------------------------------------------------


def _extreme(name: str) -> Rule:
    """Return the rule of ``max`` or ``min``: the first that no other one beats."""

    def make(state: Lowering, node: Node, *args: Any) -> Form:
        several = args[0].items if isinstance(args[0], Items) else args[0]
        if len(args) == 1 and type(several) is tuple and several:
            args = several
        if len(args) == 1:
            return _extreme_of_array(state, node, args[0], name)
        forms = [_numbers_of(state, one) for one in map(state.given, args)]
        best = forms[0]
        for form in forms[1:]:
            best = _better(state, node, name, best, form)
        return best

    return Rule(make, unions=True)


def _numbers_of(state: Lowering, form: Form) -> Form:
    """Return an ``Either`` without the options that are no numbers, for which Python raises."""
    if not isinstance(form, Either):
        return form
    found = [one.spec for one in form.options if isinstance(one, Number)]
    if not found or len(found) == len(form.options):
        return form
    return narrowed(state, form, found[0] if len(found) == 1 else UnionSpec(tuple(found)))


def _better(state: Lowering, node: Node, name: str, best: Form, other: Form) -> Form:
    """Return ``other`` if it beats ``best`` where ``max`` or ``min`` is asked for, else ``best``."""
    spec = node.output.spec
    answer = _answer(state, "gt" if name == "max" else "lt", other, best)
    if isinstance(best, Number) and isinstance(other, Number) and best.spec == other.spec:
        host = all(map(is_host, (best.atom, other.atom)))
        pick = max if name == "max" else min
        op = name if host else "xp.where"
        args = (best.atom, other.atom) if host else (answer, other.atom, best.atom)
        atom = state.expr(op, args, None if host else best.dtype)
        bounds = (pick(best.bounds[0], other.bounds[0]), pick(best.bounds[1], other.bounds[1]))
        most = (best.most or other.most) if name == "min" else None
        return Number(atom, best.spec, bounds if best.dtype.kind in "iu" else FULL, None, most)
    if not isinstance(spec, UnionSpec):
        raise state.refusal("AT301", f"a result of type {spec}")
    pairs = zip(*(flatten(state, form, spec) for form in (best, other)), layout(spec), strict=True)
    atoms = [state.expr("xp.where", (answer, b, a), *place) for a, b, place in pairs]
    return unflatten(state, spec, iter(atoms))


def _answer(state: Lowering, name: str, left: Form, right: Form) -> Atom:
    """Write a comparison of two numbers, whatever types they have."""
    if isinstance(left, Either):
        return select(state, left.tag, [_answer(state, name, one, right) for one in left.options], BOOL)
    if isinstance(right, Either):
        return select(state, right.tag, [_answer(state, name, left, one) for one in right.options], BOOL)
    if not isinstance(left, Number) or not isinstance(right, Number):
        raise state.refusal("AT301", "`max` or `min` of values other than numbers")
    both = isinstance(left.spec, ScalarSpec) and isinstance(right.spec, ScalarSpec)
    spec = ScalarSpec("bool") if both else GenericSpec(BOOL)
    answer = operators.apply(state, name, (left, right), spec)
    assert isinstance(answer, Number)
    return answer.atom


def _extreme_of_array(state: Lowering, node: Node, given: Any, name: str) -> Form:
    array = array_of(state, given)
    if array.rank != 1:
        raise state.refusal("AT304", f"{name} of an array with several dimensions")
    array = reducible(state, array, name, [0]) if array.extents else array
    atom = state.read(array)
    state.check(state.expr("more_rows", (atom, Lit(0)), None))
    if array.dtype.kind == "f":
        state.check(state.expr("no_nan", (atom,), BOOL))
    if array.dtype.kind == "c":
        raise state.refusal("AT304", f"{name} of complex numbers")
    return made(state, state.expr(f"xp.{name}", (atom,), array.dtype), node.output.spec)


def _sum(state: Lowering, node: Node, items: Any, *start: Any, **named: Any) -> Form:
    """Write ``sum`` of an array with one dimension; without items it is an ``int``, which is left to Python."""
    array = lists.as_array(state, items) if isinstance(items, Stack) else items
    if start or named or not isinstance(array, Array) or array.rank != 1:
        raise state.refusal("AT304", "sum of a value that is not an array")
    dtype = array.dtype
    if dtype.kind == "b":
        raise state.refusal("AT304", "sum of truth values")
    array = reducible(state, array, "sum", [0]) if array.extents else array
    atom = state.read(array)
    state.check(state.expr("more_rows", (atom, Lit(0)), None))
    spec = items.element if isinstance(items, Stack) else GenericSpec(dtype)
    if isinstance(spec, ScalarSpec) and dtype.kind == "i":
        state.check(state.expr("sum_within", (atom, Lit(2.0**62)), BOOL))
    wide = np.result_type(dtype, np.int64) if dtype.kind in "iu" else dtype
    if dtype.kind in "iu" and wide != dtype:
        raise state.refusal("AT304", "sum of integers of few bits")
    return made(state, state.expr("xp.sum", (atom,), dtype), spec)


def _quantified(name: str) -> Rule:
    """Return the rule of ``any`` or ``all``."""

    def make(state: Lowering, node: Node, array: Any) -> Form:
        if not isinstance(array, Array) or array.rank != 1:
            raise state.refusal("AT304", f"{name} of a value that is not an array with one dimension")
        atom = state.expr(f"xp.{name}", (state.read(array),), BOOL)
        return Number(atom, ScalarSpec("bool"))

    return Rule(make)


def _divmod(state: Lowering, node: Node, left: Any, right: Any) -> Form:
    spec = node.output.spec
    items = getattr(spec, "items", None)
    if items is None:
        raise state.refusal("AT301", f"a result of type {spec}")
    pairs = zip(("floordiv", "mod"), items, strict=True)
    return Items(tuple(operators.apply(state, name, (left, right), item) for name, item in pairs))


def _extent(state: Lowering, node: Node, *bounds: Any) -> Form:
    """Write the number of integers in a range."""
    return range_length(state, [scalar(state, one) for one in bounds])


# -- math --------------------------------------------------------------------------------------------------


def _math(name: str) -> Rule:
    """Return the rule of a function of ``math``; arguments and results that are not finite are left to Python."""

    def make(state: Lowering, node: Node, *args: Any) -> Form:
        if name == "log" and len(args) != 1:
            raise state.refusal("AT304", "a logarithm to a base")
        atoms = [as_float(state, one) for one in args]
        atom = state.expr(f"xp.{NUMPY_NAMES[name]}", _computed(state, atoms), FLOAT_DTYPE)
        for one in (*atoms, atom):
            if not isinstance(one, Constant):
                state.check(state.expr("xp.isfinite", (one,), BOOL))
        return Number(atom, FLOAT)

    return Rule(make)


def _computed(state: Lowering, atoms: Sequence[Atom]) -> list[Atom]:
    return [
        state.expr("xp.float64", (one,), FLOAT_DTYPE)
        if is_host(one) and not isinstance(one, Constant)
        else one
        for one in atoms
    ]


def _math_test(name: str) -> Rule:
    def make(state: Lowering, node: Node, value: Any) -> Form:
        atom = as_float(state, value)
        return Number(state.expr(f"xp.{name}", (atom,), BOOL), ScalarSpec("bool"))

    return Rule(make)


def _math_whole(rounding: str) -> Rule:
    def make(state: Lowering, node: Node, value: Any) -> Form:
        number = scalar(state, value)
        if isinstance(number.spec, GenericSpec) and number.dtype.kind == "f" and number.dtype != FLOAT_DTYPE:
            number = Number(cast(state, number.atom, number.dtype, FLOAT_DTYPE), FLOAT)
        return to_int(state, number, rounding)

    return Rule(make)


def _scalar_type(cls: type[np.generic]) -> Rule:
    """Return the rule of ``np.float32(x)`` and types like it."""

    def make(state: Lowering, node: Node, value: Any) -> Form:
        spec, form = node.output.spec, numeric(state, state.given(value))
        wanted = value_dtype(state, spec)
        if form.dtype.kind == "c" and wanted.kind in "fiu":
            raise state.refusal("AT304", f"np.{cls.__name__} of {form.dtype}")
        if isinstance(form, Number) and isinstance(form.spec, ScalarSpec):
            fits(state, form, wanted)
        if form.dtype == wanted and form.rank:
            return form
        return made(state, converted(state, atom_of(state, form), form.dtype, wanted), spec)

    return Rule(make)


SCALARS: Final = (
    *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
    *(np.float16, np.float32, np.float64, np.complex64, np.complex128, np.bool_),
)
RULES: Final = {
    "float": Rule(_float),
    "int": Rule(_int),
    "complex": Rule(_complex),
    "round": Rule(_round),
    "len": Rule(_len),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sum": Rule(_sum),
    "any": _quantified("any"),
    "all": _quantified("all"),
    "divmod": Rule(_divmod),
    "extent": Rule(_extent),
    **{f"math.{name}": _math(name) for name in NUMPY_NAMES if hasattr(math, name)},
    **{f"math.{name}": _math_test(name) for name in TESTS},
    "math.floor": _math_whole("xp.floor"),
    "math.ceil": _math_whole("xp.ceil"),
    "math.trunc": _math_whole("xp.trunc"),
    **{f"np.{cls.__name__}": _scalar_type(cls) for cls in SCALARS},
}
