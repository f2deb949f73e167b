"""``np.clip`` between two numbers, and ``np.sign``: one of a few numbers for each element, by what it is compared with."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import GenericSpec
from astrace.ops.numpy.method_aliases import with_methods
from astrace.passes.lowering.arrays import elementwise
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, ArrayForm, Form, NumberForm
from astrace.passes.lowering.functions import numpy_calls
from astrace.passes.lowering.numbers import fitted
from astrace.passes.lowering.rules import Kwargs, Rule, loop_of, numeric
from astrace.passes.lowering.unions import present

CLIP: Final[np.ufunc] = importlib.import_module(
    "numpy._core.umath" if hasattr(np, "_core") else "numpy.core.umath"
).clip


def _clip(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if kwargs or len(args) != 3:
        raise writer.refusal(f"`{node.op}` without two bounds, or with more arguments")
    forms = [numeric(writer, one) for one in args]
    forms = [present(writer, one) if isinstance(one, NumberForm) else one for one in forms]
    dtypes = loop_of(writer, CLIP, forms)
    dtype = dtypes[0]
    given, *bounds = forms
    numbers = [one for one in bounds if isinstance(one, NumberForm)]
    if len(numbers) < 2 or dtype.kind not in "iuf" or set(dtypes) != {dtype}:
        raise writer.refusal(f"`{node.op}` between other things than two numbers")
    low, high = (fitted(writer, one, dtype) for one in numbers)
    for one in (low, high):
        _check_ordered(writer, one, dtype)

    def compute(operand: Operand) -> Operand:
        above = writer.choose(writer.emit("lt", (operand, low), BOOL), low, operand, dtype)
        return writer.choose(writer.emit("gt", (above, high), BOOL), high, above, dtype)

    if isinstance(given, ArrayForm):
        return elementwise(
            writer, [given], dtype, lambda atoms: compute(writer.cast(atoms[0], given.dtype, dtype))
        )
    return NumberForm(compute(fitted(writer, given, dtype)), GenericSpec(dtype))


def _check_ordered(writer: LoweredWriter, bound: Operand, dtype: np.dtype[Any]) -> None:
    """Give up where a bound is NaN: so are all elements then."""
    if isinstance(bound, Constant):
        writer.deopt(Constant(bool(bound.value != bound.value)))
    elif dtype.kind == "f":
        writer.deopt(writer.emit("ne", (bound, bound), BOOL))


def _sign(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
    """``np.sign`` of numbers that have an order: one, minus one, zero, or NaN."""
    form = numeric(writer, args[0]) if len(args) == 1 and not kwargs else None
    form = present(writer, form) if isinstance(form, NumberForm) else form
    if (
        form is None
        or form.dtype.kind not in "if"
        or loop_of(writer, np.sign, [form])[-1] != form.dtype
        or (isinstance(form, NumberForm) and isinstance(form.operand, Constant))
    ):
        return numpy_calls.RULES[node.op](writer, node, args, kwargs)
    dtype = form.dtype
    one, minus, zero = (writer.cast(Constant(value), INT, dtype) for value in (1, -1, 0))

    def compute(atoms: Sequence[Operand]) -> Operand:
        (atom,) = atoms
        if dtype.kind == "f":  # tests of what is greater would raise a flag for NaN
            rest = writer.choose(
                writer.emit("ne", (atom, atom), BOOL), atom, writer.emit("signed_one", (atom,), dtype), dtype
            )
            return writer.choose(writer.emit("eq", (atom, zero), BOOL), zero, rest, dtype)
        rest = writer.choose(writer.emit("eq", (atom, zero), BOOL), zero, atom, dtype)
        rest = writer.choose(writer.emit("lt", (atom, zero), BOOL), minus, rest, dtype)
        return writer.choose(writer.emit("gt", (atom, zero), BOOL), one, rest, dtype)

    if isinstance(form, ArrayForm):
        return elementwise(writer, [form], dtype, compute)
    return NumberForm(compute([form.operand]), GenericSpec(dtype))


RULES: Final[Mapping[str, Rule]] = {**with_methods({"np.clip": _clip}), "np.sign": _sign}
