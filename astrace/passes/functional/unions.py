"""Operands whose type only the running program knows: a node is written for each option, and the result that counts is chosen."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ops import OPS
from astrace.passes.functional.dtypes import INT
from astrace.passes.functional.forms import Array, Either, Form, Items, Number, Static
from astrace.passes.functional.layout.flatten import cast, flatten, layout, select, tag_is, unflatten
from astrace.passes.functional.program import Atom, is_host
from astrace.passes.functional.state import TRUE, Lowering

MOST_COMBINATIONS: Final = 16
"""The most combinations of options for which a node is written."""


def takes_either(node: Node, forms: Sequence[Form]) -> bool:
    """Return whether a Python number and a NumPy scalar act alike: beside an array, unless integers are stored."""
    if node.op == "set_item":
        owner = forms[0]
        return isinstance(owner, Array) and owner.dtype.kind in "fc"
    return len(node.outputs) == 1 and isinstance(node.output.spec, ArraySpec)


def merged(state: Lowering, form: Form) -> Form:
    """Return a number whose type alone depends on data as one of either type; other forms as they are."""
    match form:
        case Items():
            return Items(tuple(merged(state, item) for item in form.items), form.cls)
        case Either():
            numbers = [one for one in form.options if isinstance(one, Number)]
            if len(numbers) < len(form.options) or len({one.dtype for one in numbers}) > 1:
                return form
            atom = select(state, form.tag, [one.atom for one in numbers], numbers[0].dtype)
            spec = next((one.spec for one in numbers if isinstance(one.spec, GenericSpec)), numbers[0].spec)
            return Number(atom, spec)
        case _:
            return form


def as_one_number(state: Lowering, form: Form, dtype: np.dtype[Any]) -> Form:
    """Return a number of several types as one of the dtype of the array that it is stored in; other forms as they are."""
    kinds = "biuf" if dtype.kind == "f" else "biufc" if dtype.kind == "c" else "bi" if dtype == INT else ""
    if not isinstance(form, Either):
        return form
    numbers = [one for one in form.options if isinstance(one, Number) and one.dtype.kind in kinds]
    if len(numbers) < len(form.options):
        return form
    atoms = [cast(state, one.atom, one.dtype, dtype) for one in numbers]
    return Number(select(state, form.tag, atoms, dtype), GenericSpec(dtype))


def by_option(
    state: Lowering,
    node: Node,
    forms: Sequence[Form],
    unions: Sequence[int],
    apply: Callable[[Lowering, Node, Sequence[Form]], Form],
) -> Form:
    """Write the rule for each combination of options, and choose the result that counts."""
    choices = [forms[index] for index in unions]
    counts = [range(len(one.options)) for one in choices if isinstance(one, Either)]
    combinations = list(itertools.product(*counts))
    if len(combinations) > MOST_COMBINATIONS:
        raise state.refusal("AT301", "operands of too many types")
    if len(node.outputs) != 1:
        raise state.refusal("AT301", "an operand of several types")
    spec = node.outputs[0].spec
    found: list[tuple[Atom, list[Atom]]] = []
    for combination in combinations:
        given = list(forms)
        condition: Atom = TRUE
        for index, option in zip(unions, combination, strict=True):
            form = forms[index]
            assert isinstance(form, Either)
            given[index] = form.options[option]
            condition = state.logical("both", condition, tag_is(state, form.tag, option))
        if not _is_possible(node, given):
            state.check(state.invert(condition))
            continue
        with state.guarded(condition):
            result = apply(state, node, given)
            found.append((condition, flatten(state, result, spec)))
    return _chosen(state, spec, found)


def _is_possible(node: Node, forms: Sequence[Form]) -> bool:
    """Return whether an operator takes these operands: not ``None``, nor a name without a value."""
    symbol = OPS[node.op].symbol
    if not symbol or node.op in ("eq", "ne"):
        return True
    return not any(isinstance(form, Static | Items) for form in forms)


def _chosen(state: Lowering, spec: Spec, found: Sequence[tuple[Atom, list[Atom]]]) -> Form:
    if not found:
        state.fail()
        raise state.refusal("AT304", "it always raises")
    places = list(layout(spec, state.device))
    chosen: list[Atom] = []
    for position, (dtype, rank) in enumerate(places):
        result = found[-1][1][position]
        for condition, atoms in reversed(found[:-1]):
            args = (condition, atoms[position], result)
            result = state.expr("xp.where", args, dtype, rank)
        chosen.append(result)
    held = [_held(state, atom, place) for atom, place in zip(chosen, places, strict=True)]
    return unflatten(state, spec, iter(held))


def _held(state: Lowering, atom: Atom, place: tuple[Any, int]) -> Value:
    """Return an atom as a variable."""
    if isinstance(atom, Value) and not is_host(atom):
        return atom
    return state.expr("xp.asarray", (atom,), *place)
