"""Rules of NumPy's functions of one array: JAX's of the same name, in the dtype that NumPy computes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.functions.call_rows import CallRow, counterpart
from astrace.backends.jax.lower.indexing import views
from astrace.backends.jax.lower.indexing.padded_lengths import (
    ITEM_BY_ITEM,
    NEUTRAL,
    left_over,
    reduced_axes,
    reducible,
    whole,
    with_extents,
)
from astrace.backends.jax.lower.rule import (
    Kwargs,
    Rule,
    array_of,
    constant_of,
    parameters_of,
    signature,
)
from astrace.backends.jax.lower.scalars import arithmetic
from astrace.backends.jax.lower.scalars.operators import write_out
from astrace.backends.jax.lower.scalars.symbolic_sizes import size
from astrace.backends.jax.lower.state import Lowering
from astrace.backends.jax.lower.value_forms import Array, Form, Number
from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ops.numpy import array_methods
from astrace.ops.numpy.names import SUMMING

NOT_COMPLEX: Final = frozenset(("min", "max", "amin", "amax", "argmin", "argmax", "sort")).union(
    ("std", "var", "nanstd", "nanvar", "median", "nanmedian")
)
"""Functions of complex numbers whose results differ between NumPy and JAX."""
SORTS: Final = (None, "stable", "quicksort", "mergesort", "heapsort")


def _of_one_array(name: str, row: CallRow) -> Rule:
    """Return the rule of a function of one array, of which only the first items may count; the result may be stored."""
    function: Callable[..., Any] = getattr(np, name)
    rule = counterpart(f"np.{name}", row)

    def make(state: Lowering, node: Node, *args: Any, **kwargs: Any) -> Form:
        given = signature(state, function, args, kwargs)
        array = array_of(state, given.pop(next(iter(given))))
        out, _ = given.pop("out", None), given.pop("dtype", None)  # the result tells the dtype
        odd = name == "clip" and array.dtype.kind == "b"  # NumPy clips integers then
        if out is not None and (odd or not isinstance(out, Array) or out.dtype != array.dtype):
            raise state.refusal("AT304", f"an `out` of another dtype for np.{name}")
        if given.pop("kind", None) not in SORTS:
            raise state.refusal("AT304", "an argument that JAX has no counterpart for")
        made = node if out is None else replace(node, outputs=(Value(out.spec),))
        _check_first(state, name, array, given, made.output.spec)
        if array.extents:
            return _padded(state, node, name, array, given, out)
        form = rule.make(state, made, array, **given)
        return form if out is None else write_out(state, out, form)

    return Rule(make)


def _padded(state: Lowering, node: Node, name: str, array: Array, given: Kwargs, out: Any) -> Form:
    """Write a function of an array of which only the first items count."""
    others = {key: one for key, one in given.items() if one is not None}
    if out is not None or (name not in NEUTRAL and name not in ITEM_BY_ITEM):
        raise state.unknown_size()
    if name in ITEM_BY_ITEM:
        return _item_by_item(state, node, name, array, others)
    if set(others) - {"axis"}:
        raise state.unknown_size()
    axes = reduced_axes(state, array, constant_of(state, others.get("axis")))
    plain = reducible(state, array, name, axes)
    if name != "mean":
        found = RULES[f"np.{name}"].make(state, node, plain, **others)
    elif len(axes) != 1 or not isinstance(node.output.spec, ArraySpec | GenericSpec):
        raise state.unknown_size()
    else:
        found = RULES["np.sum"].make(state, node, plain, **others)
        count = size(state, array, axes[0])
        found = arithmetic.ufunc(state, np.true_divide, [found, count], node.output.spec)
    return with_extents(found, left_over(array, axes))


def _item_by_item(state: Lowering, node: Node, name: str, array: Array, others: Kwargs) -> Form:
    """Write a function whose items follow from those before them alone, of an array of which the first items count."""
    if any(isinstance(one, Array) for one in others.values()) or array.rank != 1:
        raise state.unknown_size()
    plain = whole(state, array, state.padded(array))
    return with_extents(RULES[f"np.{name}"].make(state, node, plain, **others), array.extents)


def _check_first(state: Lowering, name: str, array: Array, given: Kwargs, spec: Spec) -> None:
    """Refuse what a function computes with before it converts it, returns as it is, or raises for."""
    dtype = array.dtype
    small = dtype.kind in "bu" or (dtype.kind == "i" and dtype.itemsize < 8)
    if (name in ("trapezoid", "unwrap") and small) or (dtype.kind == "c" and name in NOT_COMPLEX):
        raise state.refusal("AT304", f"np.{name} of {'complex numbers' if dtype.kind == 'c' else dtype}")
    if name == "diff" and constant_of(state, given.get("n", 1)) == 0:
        raise state.refusal("AT302", "the result may be the argument itself")
    if name != "clip" or not isinstance(spec, ArraySpec | GenericSpec) or spec.dtype.kind not in "iu":
        return
    limits = np.iinfo(spec.dtype)
    for one in given.values():
        known = one.atom.value if isinstance(one, Number) and isinstance(one.atom, Constant) else one
        if type(known) is int and not limits.min <= known <= limits.max:
            raise state.refusal("AT304", f"a bound of np.clip that is no number of dtype {spec.dtype}")


# -- the table -----------------------------------------------------------------------------------------------

COMPUTED: Final = SUMMING.union(
    ("nancumsum", "nancumprod", "median", "nanmedian", "clip", "tril", "triu", "round", "around"),
    ("sinc", "unwrap", "ediff1d", "roll", "nan_to_num"),
)
"""Functions of one array that compute in the dtype of the result."""
WIDE: Final = frozenset(
    ("sum", "prod", "cumsum", "cumprod", "trace", "nansum", "nanprod", "nancumsum", "nancumprod")
)
"""Those in which sums of small integers are large ones."""
PLAIN: Final = ("nanmin", "nanmax", "ptp", "sort", "diag", "diagflat", "min", "max", "amin", "amax")
"""Functions of one array that return items of it."""
TESTS: Final = ("any", "all", "iscomplex", "isreal", "isneginf", "isposinf")
COUNTS: Final = ("argmin", "argmax", "nanargmin", "nanargmax", "count_nonzero")
EXTREMES: Final = {"max": "largest", "amax": "largest", "min": "least", "amin": "least", "ptp": "spread"}
"""Functions in which XLA would lose NaN."""


def _row(name: str, computes: str, gives: str) -> CallRow:
    """Return the row of a function of one array."""
    first = next(iter(parameters_of(getattr(np, name)).parameters))
    arrays = f"{first} prepend append shift a_min a_max min max rtol atol period"
    fixed = "axis keepdims ddof offset k decimals n equal_nan"
    of_floats = f"support.{EXTREMES[name]}" if name in EXTREMES else ""
    return CallRow(arrays, "", fixed, computes, gives, of_floats=of_floats)


ROWS: Final[Mapping[str, CallRow]] = {
    name: _row(name, computes, gives)
    for names, computes, gives in (
        (COMPUTED - WIDE, "result", ""),
        (WIDE, "result", "wide"),
        (PLAIN, "", ""),
        (TESTS, "", "bool"),
        (COUNTS, "", "int64"),
    )
    for name in names
    if hasattr(np, name)
}
RULES: Final = {
    **views.RULES,
    **{f"np.{name}": _of_one_array(name, row) for name, row in ROWS.items()},
    **{f"ndarray.{name}": _of_one_array(name, ROWS[name]) for name in array_methods.WARNING},
}
