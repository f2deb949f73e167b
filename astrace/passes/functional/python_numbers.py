"""Operators on Python's own numbers: integers do not wrap around, division by zero raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from astrace.ir.block import Constant
from astrace.ir.specs import ScalarSpec, Spec, UnionSpec
from astrace.ops.python.operators import COMPARISON, computed_kind
from astrace.passes.analysis.int_ranges import EXACT, bounds_of, most_of, overflow_test
from astrace.passes.functional.dtypes import BOOL, INT, PYTHON_DTYPES
from astrace.passes.functional.forms import FULL, Form, Number
from astrace.passes.functional.layout.flatten import cast, tag_of
from astrace.passes.functional.program import Atom, Lit, is_host, scalar_type
from astrace.passes.functional.refusal import no_form
from astrace.passes.functional.state import Lowering

INTEGRAL: Final = frozenset({"add", "sub", "mul", "floordiv", "mod", "neg", "abs", "pos"})
"""Operators whose results are integers if the operands are."""


def is_python(forms: Sequence[Form]) -> bool:
    """Return whether all operands are Python's own numbers."""
    return all(isinstance(form, Number) and isinstance(form.spec, ScalarSpec) for form in forms)


def kind_of(form: Number) -> str:
    """Return ``bool``, ``int``, ``float`` or ``complex``."""
    assert isinstance(form.spec, ScalarSpec)
    return form.spec.kind


def operator(state: Lowering, name: str, forms: Sequence[Number], spec: Spec) -> Form:
    """Write an operator on Python's numbers."""
    if all(is_host(form.atom) for form in forms):
        return _on_host(state, name, forms, spec)
    if len(forms) == 1:
        return _unary(state, name, forms[0], spec)
    left, right = forms
    kind = computed_kind(name, list(map(kind_of, forms)))
    if name in COMPARISON:
        return _compare(state, name, left, right, kind)
    if kind == "bool":
        return Number(state.expr(name, (left.atom, right.atom), BOOL), ScalarSpec("bool"))
    if name == "pow":
        return _power(state, left, right, spec)
    if kind == "int":
        return _integers(state, name, left, right)
    return _floats(state, name, left, right, kind)


def _on_host(state: Lowering, name: str, forms: Sequence[Number], spec: Spec) -> Form:
    """Write an operator on numbers that are known at compile time, which Python computes."""
    if isinstance(spec, UnionSpec) and all(form.dtype.kind == "i" for form in forms):
        whole = name in INTEGRAL or (name == "pow" and forms[1].bounds[0] >= 0)
        spec = ScalarSpec("int") if whole else spec  # a negative exponent would give a float
    options = spec.options if isinstance(spec, UnionSpec) else (spec,)
    plain = [one for one in options if isinstance(one, ScalarSpec)]
    if len(plain) != 1:
        raise state.refusal("AT301", no_form(spec))
    spec = plain[0]
    atoms = [form.atom for form in forms]
    inputs = frozenset[int]().union(*(form.inputs or () for form in forms))
    bounds = bounds_of(name, forms) if spec.kind == "int" else (0, 1) if spec.kind == "bool" else FULL
    most, exact = limit(name, forms)
    atom = state.expr(name, atoms, None)
    if spec.kind == "int" and all(form.dtype.kind == "i" for form in forms):
        state.sums.note(name, atom, atoms)
    return Number(atom, spec, bounds, inputs, most, exact)


def limit(name: str, forms: Sequence[Number]) -> tuple[tuple[str, int] | None, bool]:
    """Return the named size that a result is at most, and whether it is just that."""
    counted = len(forms) == 2 and name in ("add", "sub")
    exact = counted and any(
        one.exact and other.bounds[0] == other.bounds[1] and (name == "add" or one is forms[0])
        for one, other in (forms, forms[::-1])
    )
    return most_of(name, forms), exact


def _integers(state: Lowering, name: str, left: Number, right: Number) -> Form:
    """Write an operator on integers; a result that does not fit 64 bits is left to Python."""
    a, b = (
        cast(state, form.atom, form.dtype, INT) if not is_host(form.atom) else form.atom
        for form in (left, right)
    )
    bounds = bounds_of(name, (left, right))
    inputs = None if left.inputs is None or right.inputs is None else left.inputs | right.inputs
    if name in ("floordiv", "mod"):
        _check_divisor(state, right, b)
        if left.bounds[0] == FULL[0]:
            state.check(state.expr("gt", (a, Lit(FULL[0])), BOOL))
    elif name in ("lshift", "rshift"):
        state.check(state.expr("support.shift_fits", (a, b, Lit(name == "lshift")), BOOL))
    elif (test := overflow_test(name, left.bounds, right.bounds)) is not None:
        state.check(state.expr(f"support.{test}", (a, b), BOOL))
    most, exact = limit(name, (left, right))
    atom = state.expr(name, (a, b), INT)
    state.sums.note(name, atom, (a, b))
    return Number(atom, ScalarSpec("int"), bounds, inputs, most, exact)


def _check_divisor(state: Lowering, divisor: Number, atom: Atom) -> None:
    """Check that a divisor is not zero, else Python raises."""
    low, high = divisor.bounds
    if divisor.dtype.kind in "iu" and (low > 0 or high < 0):
        return
    if isinstance(atom, Constant):
        if not atom.value:
            state.fail()
        return
    state.check(state.arithmetic("ne", (atom, Lit(0)), BOOL))


def as_kind(state: Lowering, form: Number, kind: str) -> Atom:
    """Convert a number to a wider kind; integers that floats can't hold are left to Python."""
    dtype = PYTHON_DTYPES[kind]
    if isinstance(form.atom, Constant):
        return Lit(dtype.type(form.atom.value).item())
    if form.dtype == dtype or (is_host(form.atom) and kind == "float" and kind_of(form) == "int"):
        return form.atom
    if kind_of(form) == "int" and max(map(abs, form.bounds)) > EXACT:
        state.check(state.expr("magnitude_within", (form.atom, Lit(EXACT)), BOOL))
    return cast(state, form.atom, form.dtype, dtype)


def _floats(state: Lowering, name: str, left: Number, right: Number, kind: str) -> Form:
    a, b = as_kind(state, left, kind), as_kind(state, right, kind)
    if name in ("truediv", "floordiv", "mod"):
        _check_divisor(state, right, b)
    op = {"floordiv": "support.floor_divide", "mod": "support.remainder"}.get(name, name)
    dtype = PYTHON_DTYPES[kind]
    a = state.expr(scalar_type(dtype), (a,), dtype) if is_host(a) and is_host(b) else a
    return Number(state.expr(op, (a, b), dtype), ScalarSpec(kind))  # type: ignore[arg-type]


def _compare(state: Lowering, name: str, left: Number, right: Number, kind: str) -> Form:
    if kind in ("bool", "int"):
        a, b = left.atom, right.atom
    else:
        a, b = as_kind(state, left, kind), as_kind(state, right, kind)
    return Number(state.expr(name, (a, b), BOOL), ScalarSpec("bool"))


def _power(state: Lowering, left: Number, right: Number, spec: Spec) -> Form:
    """Write ``x ** y``; where Python would give another type, or raise, the call is left to it."""
    kinds = {kind_of(left), kind_of(right)}
    if "complex" in kinds:
        raise state.refusal("AT304", "a complex power of Python numbers")
    if "float" not in kinds:
        return _integer_power(state, left, right, spec)
    a, b = as_kind(state, left, "float"), as_kind(state, right, "float")
    result = state.expr("xp.power", (a, b), PYTHON_DTYPES["float"])
    state.check(state.expr("xp.isfinite", (result,), BOOL))
    return _option(Number(result, ScalarSpec("float")), spec)


def _integer_power(state: Lowering, left: Number, right: Number, spec: Spec) -> Form:
    a, b = (cast(state, form.atom, form.dtype, INT) for form in (left, right))
    if right.bounds[0] < 0:
        state.check(state.expr("ge", (b, Lit(0)), BOOL))
    state.check(state.expr("support.power_fits", (a, b), BOOL))
    return _option(Number(state.expr("pow", (a, b), INT), ScalarSpec("int")), spec)


def _option(form: Number, spec: Spec) -> Form:
    """Return a number where a union is expected, of which it has to be an option."""
    if isinstance(spec, UnionSpec):
        tag_of(form, spec)
    return form


def _unary(state: Lowering, name: str, form: Number, spec: Spec) -> Form:
    atom = form.atom
    if kind_of(form) == "bool" and name != "invert":
        atom = cast(state, atom, BOOL, INT)
    if name == "abs" and kind_of(form) == "complex":
        raise state.refusal("AT304", "the absolute value of a Python complex number")
    if form.dtype == INT and name in ("neg", "abs") and form.bounds[0] == FULL[0]:
        state.check(state.expr("gt", (atom, Lit(FULL[0])), BOOL))
    if name == "pos":
        return Number(atom, ScalarSpec("int") if kind_of(form) == "bool" else form.spec, form.bounds)
    if not isinstance(spec, ScalarSpec) or kind_of(form) == "bool":
        raise state.refusal("AT304", f"`{name}` of a truth value")
    made = state.expr("xp.abs" if name == "abs" else name, (atom,), form.dtype)
    bounds = bounds_of(name, (form,)) if form.dtype == INT else FULL
    return Number(made, spec, bounds, form.inputs)
