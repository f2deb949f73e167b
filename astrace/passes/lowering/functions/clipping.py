"""``np.clip`` between two numbers: elements below the lower one become that one, those above the upper one that one."""

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
from astrace.passes.lowering.forms import BOOL, ArrayForm, Form, NumberForm
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


RULES: Final[Mapping[str, Rule]] = with_methods({"np.clip": _clip})
