"""Rules of Python's operators, plain and in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.rule import Rule, array_of, needed
from astrace.backends.jax.lower.scalars import arithmetic
from astrace.ir.block import Node
from astrace.ir.constants import UNDEFINED, Undefined, same
from astrace.ir.specs import ArraySpec, GenericSpec, LiteralSpec, ScalarSpec, Spec, UnionSpec
from astrace.ops.python.operators import INPLACE, UFUNCS
from astrace.passes.functional import python_numbers
from astrace.passes.functional.conversions import assigned, converted, filled, truth
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.forms import Array, Either, Form, Items, Number, Static, same_form
from astrace.passes.functional.indexing.dynamic_slices import assign
from astrace.passes.functional.indexing.padded_lengths import contracted, is_padded, with_extents
from astrace.passes.functional.layout.flatten import narrowed, tag_is
from astrace.passes.functional.operands import fitted, made, numeric, resolved
from astrace.passes.functional.program import Atom, Lit, is_host, rank_of
from astrace.passes.functional.state import Lowering


def apply(state: Lowering, name: str, args: Sequence[Any], spec: Spec) -> Form:
    """Write an operator."""
    forms = list(map(state.given, args))
    if any(isinstance(form, Static) for form in forms):
        raise state.refusal("AT301", "an operand is neither a number nor an array of numbers")
    numbers = [form for form in forms if isinstance(form, Number)]
    if python_numbers.is_python(forms):
        return python_numbers.operator(state, name, numbers, spec)
    if name == "matmul":
        return matmul(state, [array_of(state, form) for form in forms], spec)
    return arithmetic.ufunc(state, UFUNCS[name], forms, _single(state, spec))


def _single(state: Lowering, spec: Spec) -> Spec:
    """Return the only NumPy spec of a result."""
    if isinstance(spec, UnionSpec):
        kinds = [one for one in spec.options if isinstance(one, ArraySpec | GenericSpec)]
        if len(kinds) == 1:
            return kinds[0]
        raise state.refusal("AT301", f"a result of type {spec}")
    return spec


def matmul(state: Lowering, arrays: Sequence[Array], spec: Spec) -> Form:
    """Write ``a @ b``."""
    if any(map(is_padded, arrays)):
        plain, extents = contracted(state, *arrays)
        return with_extents(matmul(state, plain, spec), extents)
    dtype = resolved(state, np.matmul, arrays)[-1]
    if dtype.kind == "b":
        raise state.refusal("AT304", "a product of truth values")
    atoms = [fitted(state, one, dtype) for one in arrays]
    return made(state, state.expr("matmul", atoms, dtype, rank_of(spec)), spec)


def _plain(name: str) -> Rule:
    def make(state: Lowering, node: Node, *operands: Any) -> Form:
        return apply(state, name, operands, node.output.spec)

    return Rule(make)


def _inplace(name: str) -> Rule:
    plain = INPLACE[name]

    def make(state: Lowering, node: Node, target: Any, value: Any) -> Form:
        if not isinstance(target, Array):
            return apply(state, plain, (target, value), node.output.spec)
        return update(state, target, plain, value)

    return Rule(make)


def update(state: Lowering, target: Array, name: str, value: Any) -> Array:
    """Write ``target += value``: compute, convert, and store in the target."""
    other, dtype = numeric(state, state.given(value)), target.dtype
    found = resolved(state, UFUNCS[name], [target, other])[-1]
    if not np.can_cast(found, dtype, "same_kind"):
        state.fail()
        return target
    spec = ArraySpec(shape_beside([target, other], target), found)
    if name == "matmul":
        result = matmul(state, [target, array_of(state, other)], spec)
    else:
        result = arithmetic.ufunc(state, UFUNCS[name], [target, other], spec)
    assert isinstance(result, Array)
    if is_padded(result) or is_padded(target):
        assign(state, target, result)
        return target
    content = converted(state, state.read(result), found, dtype)
    write_all(state, target, content, fits=spec.shape == target.spec.shape and None not in spec.shape)
    return target


def shape_beside(forms: Sequence[Number | Array], target: Array) -> tuple[Any, ...]:
    """Return the shape of a result before it is checked to be that of the array it is stored in: the same if this is certain."""
    found = [form.spec.shape for form in forms if isinstance(form, Array) and form.spec.shape]
    if found and all(shape == target.spec.shape for shape in found):
        return target.spec.shape
    return (None,) * max(map(len, found), default=0)


def write_all(state: Lowering, target: Array, content: Atom, *, fits: bool) -> None:
    """Replace the contents of an array."""
    state.write(target, lambda whole: content if fits else filled(state, whole, content))


def write_out(state: Lowering, out: Any, form: Form) -> Form:
    """Write a result to the array that was given for it, which has to have its shape, else NumPy raises."""
    target = needed(state, Array, out, "`out`")
    given = form.dtype if isinstance(form, Number | Array) else target.dtype
    if not np.can_cast(given, target.dtype, "same_kind"):
        state.fail()
        return target
    content = assigned(state, form, target.dtype)
    state.check(state.expr("no_shape" if is_host(content) else "same_shape", (content, target.atom), None))
    shape = target.spec.shape
    same = isinstance(form, Array) and form.spec.shape == shape and None not in shape
    write_all(state, target, content, fits=same)
    return target


# -- identity and truth ------------------------------------------------------------------------------------


def _identity(positive: bool) -> Rule:
    def make(state: Lowering, node: Node, left: Any, right: Any) -> Form:
        answer = _is(state, left, right)
        return Number(answer if positive else state.invert(answer), ScalarSpec("bool"))

    return Rule(make, unions=True)


def _is(state: Lowering, left: Any, right: Any) -> Atom:
    """Write ``left is right``, which is known for constants, and for the option that a union has."""
    if isinstance(right, Either):
        left, right = right, left
    if isinstance(left, Either) and not isinstance(right, Form):
        return _shows(state, left, right)
    if isinstance(left, Array) and isinstance(right, Array) and not left.path and not right.path:
        if left.root is right.root:
            return Lit(True)
        if not left.root.may_share(right.root):
            return Lit(False)
    if not isinstance(left, Form) and not isinstance(right, Form):
        return Lit(_one_object(left, right))
    constant = right if isinstance(left, Form) else left
    if not isinstance(constant, Form) and (constant is None or isinstance(constant, type | str | Undefined)):
        return Lit(False)
    raise state.refusal("AT301", "the identity of a value")


def _shows(state: Lowering, form: Either, constant: Any) -> Atom:
    """Write the condition that a union has a certain constant as its option."""
    found: Atom = Lit(False)
    for index, option in enumerate(form.options):
        if isinstance(option, Static):
            same_ = _one_object(option.value, constant)
            found = state.logical("either", found, tag_is(state, form.tag, index)) if same_ else found
        elif constant is not None and constant is not UNDEFINED:
            raise state.refusal("AT301", "the identity of a value")
    return found


def _one_object(left: Any, right: Any) -> bool:
    return left is right or same(left, right)


def _not(state: Lowering, node: Node, value: Any) -> Form:
    return Number(state.invert(truth(state, state.given(value))), PYTHON_BOOL)


def _bool(state: Lowering, node: Node, value: Any) -> Form:
    return Number(truth(state, state.given(value)), PYTHON_BOOL)


def _check_defined(state: Lowering, node: Node, value: Any, *name: Any) -> Form:
    """Write the use of a name; a check fails if it has no value."""
    form = value if isinstance(value, Form) else Static(value)
    if not isinstance(form, Either):
        if isinstance(form, Static) and form.value is UNDEFINED:
            raise state.refusal("AT304", "a name that never has a value")
        return form
    left = tuple(one for one in form.spec.options if one != LiteralSpec(UNDEFINED))
    return narrowed(state, form, left[0] if len(left) == 1 else UnionSpec(left))


def _check_step(state: Lowering, node: Node, step: Any) -> Form:
    """Return the step of a range; a check fails if it is zero."""
    state.check(truth(state, apply(state, "ne", (step, 0), PYTHON_BOOL)))
    return state.given(step)


def _deopt(state: Lowering, node: Node, test: Any, *cause: Any, **named: Any) -> Form:
    """Write a check that fails where a test holds."""
    state.check(state.invert(truth(state, state.given(test))))
    return Static(None)


def _contains(state: Lowering, node: Node, value: Any, several: Any) -> Form:
    """Write ``item in items``, of numbers."""
    item = state.given(value)
    if isinstance(several, Array) and several.rank == 1 and isinstance(item, Number):
        found = apply(state, "eq", (several, item), ArraySpec(several.spec.shape, BOOL))
        return Number(state.expr("xp.any", (state.read(array_of(state, found)),), BOOL), PYTHON_BOOL)
    items = several.items if isinstance(several, Items) else several
    if not isinstance(items, tuple) or not isinstance(item, Number):
        raise state.refusal("AT304", "`in` of values other than numbers")
    answer: Atom = Lit(False)
    for one in map(state.given, items):
        if not isinstance(one, Number):
            raise state.refusal("AT304", "`in` of values other than numbers")
        same = (
            Lit(True) if same_form(one, item) else truth(state, apply(state, "eq", (item, one), PYTHON_BOOL))
        )
        answer = state.logical("either", answer, same)
    return Number(answer, PYTHON_BOOL)


def _lacks(state: Lowering, node: Node, value: Any, several: Any) -> Form:
    """Write ``item not in items``."""
    return Number(state.invert(truth(state, _contains(state, node, value, several))), PYTHON_BOOL)


PYTHON_BOOL: Final = ScalarSpec("bool")
RULES: Final = {
    **{name: _plain(name) for name in UFUNCS},
    **{name: _inplace(name) for name in INPLACE},
    "is_": _identity(True),
    "is_not": _identity(False),
    "in_": Rule(_contains),
    "not_in": Rule(_lacks),
    "not_": Rule(_not, unions=True),
    "bool": Rule(_bool, unions=True),
    "check_defined": Rule(_check_defined, unions=True),
    "check_next": Rule(_check_defined, unions=True),
    "check_step": Rule(_check_step),
    "deopt": Rule(_deopt),
}
