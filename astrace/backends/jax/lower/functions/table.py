"""The tables of functions that NumPy and JAX have under the same name: arguments that are arrays, or have to be known.

Functions of one array are computed in the dtype that NumPy computes in; of the array only the first items may count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.functions import views
from astrace.backends.jax.lower.functions.call_rows import CallRow, PendingCall, counterpart
from astrace.backends.jax.lower.rule import Kwargs, Rule, array_of, constant_of, parameters_of, signature
from astrace.backends.jax.lower.scalars import arithmetic
from astrace.backends.jax.lower.scalars.operators import write_out
from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ops.numpy import array_methods
from astrace.ops.numpy.names import SUMMING
from astrace.ops.numpy.reductions import has_neutral_item
from astrace.ops.numpy.rows import numpy_object
from astrace.passes.functional.forms import Array, Form, Number
from astrace.passes.functional.indexing.padded_lengths import (
    left_over,
    reduced_axes,
    reducible,
    whole,
    with_extents,
)
from astrace.passes.functional.program import Lit
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import size

# -- checks ------------------------------------------------------------------------------------------------


def _holds(op: str, *names: str) -> Callable[[PendingCall], None]:
    """Return a check that an op on arguments gives true."""
    return lambda call: call.check(op, *names)


def _weighs(call: PendingCall) -> None:
    """Check that no sum of weights is zero and that there are items, else NumPy raises."""
    call.check("has_items", "a", dtype=None)
    if "weights" in call.named:
        axis = constant_of(call.state, call.given.get("axis"))
        call.check("weighs", "weights", "a", others=(Lit(axis),))


def _in_range(call: PendingCall) -> None:
    """Check that indices along an axis are in bounds, else NumPy raises."""
    axis = constant_of(call.state, call.given.get("axis", -1))
    op = "in_size" if axis is None else "in_dim"
    call.check(op, "indices", "arr", others=() if axis is None else (Lit(axis),))


def _in_shape(call: PendingCall) -> None:
    """Check that indices lie inside a shape and are not negative, else NumPy raises."""
    call.check("support.are_below", "indices", others=(call.sizes["shape"],))


def _changes(name: str, value: int) -> Callable[[PendingCall], None]:
    """Return a check that refuses the value of an argument for which the result is the array that is given."""

    def check(call: PendingCall) -> None:
        if type(call.given.get(name, value + 1)) is not int or call.given.get(name) == value:
            raise call.state.refusal("AT302", "the result may be the argument itself")

    return check


def _derives(call: PendingCall) -> None:
    """Refuse the derivative of order zero, which is the polynomial itself, and results other than floats."""
    _changes("m", 0)(call)
    _in_floats(call)


def _some(call: PendingCall) -> None:
    """Check that there are frequencies, else NumPy raises."""
    call.state.check(call.state.expr("gt", (call.sizes["n"], Lit(0)), None))


def _some_items(call: PendingCall) -> None:
    """Check that each axis has several items: for none, and for one backwards, NumPy reads stray memory or raises."""
    call.check("is_long", *call.named, dtype=None)


def _along(call: PendingCall) -> None:
    """Check as `_some_items`, and refuse a transform along no axis, which gives the array that is given."""
    _some_items(call)
    if call.given.get("axes") == ():
        raise call.state.refusal("AT302", "the result may be the argument itself")


def _sums(call: PendingCall) -> None:
    """Refuse an ``einsum`` of one array without a sum, whose result is a view."""
    pattern, *operands = call.given["operands"]
    if not isinstance(pattern, str):
        raise call.state.refusal("AT304", "an einsum whose subscripts are lists")
    before, _, after = pattern.replace(" ", "").partition("->")
    summed = "->" in pattern and not set(before) <= set(after)
    summed |= "->" not in pattern and len(set(before)) < len(before)
    if len(operands) == 1 and not summed:
        raise call.state.refusal("AT302", "the result may be a part of the argument")


def _quantiles(high: int) -> Callable[[PendingCall], None]:
    """Return a check of ``q``, and that there is no infinity: between two, JAX and NumPy interpolate differently."""

    def check(call: PendingCall) -> None:
        if isinstance(call.given["q"], int | float):
            call.state.check(Lit(0 <= call.given["q"] <= high))
        else:
            call.check("all_within", "q", others=(Lit(0), Lit(high)))
        call.check("no_infinity", "a")

    return check


def _fills(call: PendingCall) -> None:
    """Refuse to pad integers with other numbers, of which NumPy warns, or raises."""
    spec, value = call.spec, call.given.get("constant_values", 0)
    whole = isinstance(value, int | np.integer) or "constant_values" not in call.given
    if isinstance(spec, ArraySpec) and spec.dtype.kind in "biu" and not whole:
        raise call.state.refusal("AT304", "np.pad of integers with other numbers")


def _in_floats(call: PendingCall) -> None:
    """Refuse results other than floats: JAX computes in floats, NumPy in integers, or in half precision."""
    if not isinstance(call.spec, ArraySpec | GenericSpec) or call.spec.dtype.char not in "fdFD":
        raise call.state.refusal("AT304", f"{call.name} with a result of type {call.spec}")


def _square(call: PendingCall) -> None:
    """Check that a matrix is finite, and square if the whole basis is asked for, which else is not determined."""
    constant_of(call.state, call.given.get("compute_uv", True))
    if call.given.get("full_matrices", True) and call.given.get("compute_uv", True):
        call.check("is_square", "a", dtype=None)
    call.check("all_finite", "a")


def _fft(arrays: str = "a", sizes: str = "n", fixed: str = "axis norm", computes: str = "float") -> CallRow:
    return CallRow(arrays, sizes, fixed, computes, check=_some_items)


# -- the table ---------------------------------------------------------------------------------------------


ROWS: Final[Mapping[str, CallRow]] = {
    # -- parts put together, or repeated
    "np.append": CallRow("arr values", "", "axis", "result"),
    "np.block": CallRow("arrays", computes="result"),
    "np.pad": CallRow("array constant_values", "pad_width", "mode reflect_type", check=_fills),
    "np.repeat": CallRow("a", "repeats", "axis"),
    "np.resize": CallRow("a", "new_shape"),
    "np.tile": CallRow("A", "reps"),
    "np.select": CallRow("condlist choicelist default", computes="result"),
    "np.take_along_axis": CallRow("arr indices", "", "axis", check=_in_range),
    # -- made of numbers
    "np.meshgrid": CallRow("xi", "", "indexing sparse"),
    "np.tri": CallRow("", "N M k", gives="float32"),
    "np.vander": CallRow("x", "N", "increasing", "result"),
    "np.logspace": CallRow("start stop", "num", "endpoint base axis", "float"),
    "np.geomspace": CallRow("start stop", "num", "endpoint axis", "float"),
    "np.hamming": CallRow("", "M"),
    "np.hanning": CallRow("", "M"),
    "np.blackman": CallRow("", "M"),
    "np.bartlett": CallRow("", "M"),
    # -- statistics
    "np.percentile": CallRow("a q", "", "axis method keepdims", "result", check=_quantiles(100), real=True),
    "np.nanpercentile": CallRow(
        "a q", "", "axis method keepdims", "result", check=_quantiles(100), real=True
    ),
    "np.quantile": CallRow("a q", "", "axis method keepdims", "result", check=_quantiles(1), real=True),
    "np.nanquantile": CallRow("a q", "", "axis method keepdims", "result", check=_quantiles(1), real=True),
    "np.average": CallRow("a weights", "", "axis keepdims", "result", check=_weighs),
    "np.cov": CallRow("m y fweights aweights", "", "rowvar bias ddof", "result"),
    "np.digitize": CallRow(
        "x bins", "", "right", "common", "int32", check=_holds("support.is_monotonic", "bins"), real=True
    ),
    "np.gradient": CallRow("f varargs", "", "axis edge_order", "result"),
    "np.cumulative_sum": CallRow("x", "", "axis include_initial", "result"),
    "np.cumulative_prod": CallRow("x", "", "axis include_initial", "result"),
    # -- comparisons
    "np.allclose": CallRow("a b rtol atol", "", "equal_nan", "common"),
    "np.isclose": CallRow("a b rtol atol", "", "equal_nan", "common"),
    "np.array_equal": CallRow("a1 a2", "", "equal_nan", "common"),
    "np.array_equiv": CallRow("a1 a2", computes="common"),
    "np.isin": CallRow("element test_elements", "", "assume_unique invert", "common"),
    "np.lexsort": CallRow("keys", "", "axis", gives="int32", real=True),
    # -- products
    "np.cross": CallRow("a b", "", "axisa axisb axisc axis", "result"),
    "np.correlate": CallRow("a v", "", "mode", "result", check=_in_floats),
    "np.einsum": CallRow("operands", "", "", "result", check=_sums),
    "np.vecdot": CallRow("x1 x2", "", "axis", "result"),
    "np.matvec": CallRow("x1 x2", computes="result"),
    "np.vecmat": CallRow("x1 x2", computes="result"),
    "np.polyval": CallRow("p x", computes="result"),
    "np.polyadd": CallRow("a1 a2", computes="result", vectors=True),
    "np.polysub": CallRow("a1 a2", computes="result", vectors=True),
    "np.polyder": CallRow("p", "m", computes="result", check=_derives, vectors=True),
    "np.angle": CallRow("z", "", "deg", "float", check=_in_floats),
    "np.unravel_index": CallRow("indices", "shape", check=_in_shape),
    # Of infinity JAX's ``modf`` gives NaN.
    "np.modf": CallRow("x", computes="result", check=_holds("no_infinity", "x")),
    # -- transforms
    **{f"np.fft.{name}": _fft() for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{
        f"np.fft.{name}": CallRow("a", "s", "axes norm", "float", check=_along)
        for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
    },
    **{f"np.fft.{name}": _fft("x", "", "axes", "") for name in ("fftshift", "ifftshift")},
    **{f"np.fft.{name}": CallRow("d", "n", check=_some) for name in ("fftfreq", "rfftfreq")},
    # -- linear algebra
    "np.linalg.cholesky": CallRow("a", computes="result", finite=True),
    "np.linalg.cond": CallRow("x", "", "p", "float"),
    "np.linalg.det": CallRow("a", computes="result"),
    "np.linalg.eigh": CallRow("a", "", "UPLO", "float", check=_holds("all_finite", "a"), apart=0, real=True),
    "np.linalg.svd": CallRow("a", "", "full_matrices compute_uv", "float", check=_square, apart=1, real=True),
    "np.linalg.eigvalsh": CallRow("a", "", "UPLO", "float", check=_holds("all_finite", "a")),
    "np.linalg.inv": CallRow("a", computes="result", finite=True),
    "np.linalg.matrix_power": CallRow("a", "n", computes="result", check=_changes("n", 1)),
    "np.linalg.matrix_rank": CallRow("A", computes="float"),
    "np.linalg.multi_dot": CallRow("arrays", computes="result"),
    "np.linalg.pinv": CallRow("a", "", "hermitian", "float", check=_holds("all_finite", "a")),
    "np.linalg.qr": CallRow("a", "", "mode", "float", check=_holds("all_finite", "a"), real=True),
    "np.linalg.slogdet": CallRow("a", computes="float"),
    "np.linalg.solve": CallRow("a b", computes="result", finite=True),
    "np.linalg.svdvals": CallRow("x", computes="float"),
}


DEPENDING: Final = (
    *("unique", "nonzero", "flatnonzero", "argwhere", "extract", "compress", "trim_zeros", "bincount"),
)
"""Functions that give as many items as data tell."""


def _depends(state: Lowering, node: Node, *args: Any, **kwargs: Any) -> Form:
    raise state.refusal("AT303", f"the number of items that `{node.op}` gives depends on data")


# -- functions of one array ----------------------------------------------------------------------------------


NOT_COMPLEX: Final = frozenset(("min", "max", "amin", "amax", "argmin", "argmax", "sort")).union(
    ("std", "var", "nanstd", "nanvar", "median", "nanmedian")
)
"""Functions of complex numbers whose results differ between NumPy and JAX."""
ITEM_BY_ITEM: Final = frozenset({"clip", "round", "around", "nan_to_num", "cumsum", "cumprod"})
"""Functions whose items follow from those before them alone."""
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
    if out is not None or not (has_neutral_item(name) or name in ITEM_BY_ITEM):
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


OF_ONE_ARRAY: Final[Mapping[str, CallRow]] = {
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
    **{f"np.{name}": Rule(_depends) for name in DEPENDING},
    **{name: counterpart(name, row) for name, row in ROWS.items() if numpy_object(name) is not None},
    **views.RULES,
    **{f"np.{name}": _of_one_array(name, row) for name, row in OF_ONE_ARRAY.items()},
    **{f"ndarray.{name}": _of_one_array(name, OF_ONE_ARRAY[name]) for name in array_methods.WARNING},
}
