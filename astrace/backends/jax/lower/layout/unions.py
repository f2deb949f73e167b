"""Values that are one of a few forms: with fewer of them, or as one number."""

from __future__ import annotations

from typing import Any

import numpy as np

from astrace.backends.jax.lower.layout.flatten import cast, narrowed, select
from astrace.backends.jax.lower.state import INT, Lowering
from astrace.backends.jax.lower.value_forms import Either, Form, Items, Number
from astrace.ir.specs import GenericSpec, UnionSpec


def merged(state: Lowering, form: Form) -> Form:
    """Return a number whose type alone depends on data as one of either type; other forms as they are."""
    match form:
        case Items():
            return Items(tuple(merged(state, item) for item in form.items), form.cls)
        case Either():
            numbers = [one for one in form.options if isinstance(one, Number)]
            if len(numbers) < len(form.options) or len({one.dtype for one in numbers}) > 1:
                return form
            atom = select(state, form, [one.atom for one in numbers], numbers[0].dtype)
            spec = next((one.spec for one in numbers if isinstance(one.spec, GenericSpec)), numbers[0].spec)
            return Number(atom, spec)
        case _:
            return form


def numbers_of(state: Lowering, form: Form) -> Form:
    """Return an ``Either`` without the options that are no numbers, for which Python raises."""
    if not isinstance(form, Either):
        return form
    found = [one.spec for one in form.options if isinstance(one, Number)]
    if not found or len(found) == len(form.options):
        return form
    return narrowed(state, form, found[0] if len(found) == 1 else UnionSpec(tuple(found)))


def as_one_number(state: Lowering, form: Form, dtype: np.dtype[Any]) -> Form:
    """Return a number of several types as one of the dtype of the array that it is stored in; other forms as they are."""
    kinds = "biuf" if dtype.kind == "f" else "biufc" if dtype.kind == "c" else "bi" if dtype == INT else ""
    if not isinstance(form, Either):
        return form
    numbers = [one for one in form.options if isinstance(one, Number) and one.dtype.kind in kinds]
    if len(numbers) < len(form.options):
        return form
    atoms = [cast(state, one.atom, one.dtype, dtype) for one in numbers]
    return Number(select(state, form, atoms, dtype), GenericSpec(dtype))
