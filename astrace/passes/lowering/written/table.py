"""The rules of functions that are written in others."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Node
from astrace.ir.specs import ArraySpec, GenericSpec, Spec, TupleSpec
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import ArrayForm, Form, NumberForm, TupleForm
from astrace.passes.lowering.functions.complex_calls import TAKES_COMPLEX, is_complex
from astrace.passes.lowering.rules import Kwargs, Rule, form_of
from astrace.passes.lowering.written import (
    algebra,
    calculus,
    ranges,
    shapes,
    signals,
    statistics,
    summation,
    transforms,
    views,
)
from astrace.passes.lowering.written.terms import Function, Rules, Steps, Term

FUNCTIONS: Final[Mapping[str, Function]] = {
    **calculus.FUNCTIONS,
    **statistics.FUNCTIONS,
    **shapes.FUNCTIONS,
    **ranges.FUNCTIONS,
    **views.FUNCTIONS,
    **algebra.FUNCTIONS,
    **signals.FUNCTIONS,
    **summation.FUNCTIONS,
    **transforms.FUNCTIONS,
}


def with_written(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """Return rules, and those of the functions that are written in others.

    Args:
        rules: by op; they come before what is written out only where that says so.
    """
    found = dict(rules)
    found.update(
        {name: _written(function, lambda: found, rules.get(name)) for name, function in FUNCTIONS.items()}
    )
    return found


def _written(function: Function, rules: Callable[[], Rules], plain: Rule | None) -> Rule:
    """Return the rule of a function that is written out.

    Args:
        function: writes it out; gives `NotImplemented` where that is not needed.
        rules: gives the rules of all ops.
        plain: the rule of the op for what needs not to be written out.
    """

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        steps = Steps(writer, rules(), node)
        steps.is_named = bool(kwargs)
        given = tuple(map(steps.given, args))
        named = {name: steps.given(one) for name, one in kwargs.items()}
        try:
            bound = inspect.signature(function).bind(steps, *given, **named)
        except TypeError:
            raise steps.refusal("more arguments") from None
        try:
            with np.errstate(all="raise"):
                found = function(*bound.args, **bound.kwargs)
        except ArithmeticError:
            raise steps.refusal("constants of which Python or NumPy complains") from None
        if found is not NotImplemented:
            writer.flags_decide = (
                True  # NumPy's own text may leave errors alone, or take another way for them
            )
            form = _form(steps, found)
            steps.require(_has_type(form, node.output.spec), "what NumPy has another type for")
            return form
        if plain is None or (node.op not in TAKES_COMPLEX and any(map(is_complex, args))):
            raise steps.refusal("other arguments")
        return plain(writer, node, args, kwargs)

    return rule


def _has_type(form: Form, spec: Spec) -> bool:
    """Return whether what a function gives has the dtype, and the number of axes, that NumPy gives it."""
    match form, spec:
        case ArrayForm(), ArraySpec():
            return form.dtype == spec.dtype and len(form.shape) == len(spec.shape)
        case NumberForm() | ArrayForm(), GenericSpec():
            return form.dtype == spec.dtype
        case TupleForm(), TupleSpec():
            return len(form.items) == len(spec.items) and all(map(_has_type, form.items, spec.items))
        case _:
            return True


def _form(steps: Steps, found: Any) -> Form:
    """Return what a function gives as a form."""
    if isinstance(found, Term):
        return found.form
    if isinstance(found, tuple):
        given = steps.node.output.spec
        steps.require(isinstance(given, TupleSpec), f"arguments for which it gives {given}")
        return TupleForm(tuple(_form(steps, steps.kept(one)) for one in found))
    return form_of(steps.writer, found)
