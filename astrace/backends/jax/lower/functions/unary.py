"""Rules of NumPy's functions of one array: JAX's of the same name, in the dtype that NumPy computes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

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
    computed,
    constant_of,
    needed,
    parameters_of,
    result,
    signature,
    value_dtype,
)
from astrace.backends.jax.lower.scalars import arithmetic
from astrace.backends.jax.lower.scalars.conversions import assigned
from astrace.backends.jax.lower.scalars.operators import write_all
from astrace.backends.jax.lower.scalars.symbolic_sizes import size
from astrace.backends.jax.lower.state import BOOL, Lowering
from astrace.backends.jax.lower.value_forms import Array, Form, Number, rank_of
from astrace.backends.jax.program_ir import Atom, Lit, is_host
from astrace.ir.block import Constant, Node
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ops.numpy import array_methods
from astrace.ops.numpy.names import SUMMING

COMPUTED: Final = SUMMING.union(
    ("nancumsum", "nancumprod", "median", "nanmedian", "clip", "tril", "triu", "round", "around"),
    ("sinc", "unwrap", "ediff1d", "roll", "nan_to_num"),
)
"""Functions of one array that compute in the dtype of the result."""
EXTREME_ITEMS: Final = frozenset(["min", "max", "amin", "amax", "argmin", "argmax"])
PLAIN: Final = EXTREME_ITEMS.union(
    ("nanmin", "nanmax", "nanargmin", "nanargmax", "any", "all", "count_nonzero", "ptp", "sort"),
    ("iscomplex", "isreal", "isneginf", "isposinf", "diag", "diagflat"),
)
"""Functions of one array that return items of it, or truth values and counts."""
NOT_COMPLEX: Final = EXTREME_ITEMS | {"std", "var", "nanstd", "nanvar", "median", "nanmedian", "sort"}
"""Functions of complex numbers whose results differ between NumPy and JAX."""
OTHERS: Final = frozenset(["axis", "keepdims", "ddof", "offset", "k", "decimals", "n", "prepend"]).union(
    ("append", "shift", "a_min", "a_max", "min", "max", "rtol", "atol", "equal_nan", "period")
)
"""Arguments beside arrays that are passed on."""


def _one_array(name: str, *, computes: bool) -> Rule:
    function: Callable[..., Any] = getattr(np, name)

    def make(state: Lowering, node: Node, *args: Any, **kwargs: Any) -> Form:
        given = signature(state, function, args, kwargs)
        first = next(iter(given))
        array = array_of(state, given.pop(first))
        out = given.pop("out", None)
        _check_out(state, name, array, out)
        given.pop("dtype", None)
        if given.pop("kind", None) not in (None, "stable", "quicksort", "mergesort", "heapsort"):
            raise state.refusal("AT304", "an argument that JAX has no counterpart for")
        if array.dtype.kind == "c" and name in NOT_COMPLEX:
            raise state.refusal("AT304", f"np.{name} of complex numbers")
        if array.extents:
            return _padded(state, node, name, array, given, out)
        spec = out.spec if isinstance(out, Array) else node.output.spec
        dtype = value_dtype(state, spec) if computes else None
        _check_first(state, name, array, given)
        floats = array.dtype.kind in "fc"
        others = _others(state, name, given, dtype)
        computed_in = _summed(name, dtype) if dtype is not None else _dtype_after(name, array)
        atom = state.expr(
            _function(name, floats), [computed(state, array, dtype)], computed_in, rank_of(spec), others
        )
        form = result(state, atom, computed_in, spec)
        return form if out is None else write_out(state, out, form)

    return Rule(make)


def _check_first(state: Lowering, name: str, array: Array, given: Mapping[str, Any]) -> None:
    """Refuse arrays that a function computes with before it converts them, or returns as they are."""
    dtype = array.dtype
    if name in ("trapezoid", "unwrap") and (dtype.kind in "bu" or (dtype.kind == "i" and dtype.itemsize < 8)):
        raise state.refusal("AT304", f"np.{name} of {dtype}")
    if name == "diff" and (type(given.get("n", 1)) is not int or given.get("n") == 0):
        raise state.refusal("AT302", "the result may be the argument itself")


def _summed(name: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of JAX's result: sums of small integers are large ones."""
    if name.removeprefix("nan") in ("sum", "prod", "cumsum", "cumprod", "trace") and dtype.kind in "biu":
        return np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    return dtype


def _check_out(state: Lowering, name: str, array: Array, out: Any) -> None:
    """Refuse an ``out`` of another dtype, which would decide the dtype that NumPy computes in."""
    odd = name == "clip" and array.dtype.kind == "b"  # NumPy clips integers then
    if out is not None and (odd or not isinstance(out, Array) or out.dtype != array.dtype):
        raise state.refusal("AT304", f"an `out` of another dtype for np.{name}")


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


def _dtype_after(name: str, array: Array) -> np.dtype[Any]:
    """Return the dtype of JAX's result, for functions that do not convert."""
    if name in ("any", "all", "iscomplex", "isreal", "isneginf", "isposinf"):
        return BOOL
    if "arg" in name or name == "count_nonzero":
        return np.dtype(np.int64)
    return array.dtype


def _means(default: Any) -> bool:
    """Return whether leaving out an argument means something else than ``None``."""
    return default is not None and type(default).__name__ != "_NoValueType"


def _others(state: Lowering, name: str, given: Kwargs, dtype: np.dtype[Any] | None) -> dict[str, Atom]:
    """Return all arguments but the first, by name."""
    found: dict[str, Atom] = {}
    parameters = parameters_of(getattr(np, name)).parameters
    for key, value in given.items():
        if type(value).__name__ == "_NoValueType" or (value is None and not _means(parameters[key].default)):
            continue
        if key not in OTHERS:
            raise state.refusal("AT304", f"the argument {key} of np.{name}")
        found[RENAMED.get(key, key)] = _other(state, key, value, dtype)
    return found


def _function(name: str, floats: bool) -> str:
    """Return the op that computes a function of NumPy."""
    if floats and name in EXTREMES:
        return f"support.{EXTREMES[name]}"
    return f"jnp.{RENAMED_FUNCTIONS.get(name, name)}"


EXTREMES: Final = {"max": "largest", "amax": "largest", "min": "least", "amin": "least", "ptp": "spread"}
"""Functions in which XLA would lose NaN."""


RENAMED: Final = {"a_min": "min", "a_max": "max"}
RENAMED_FUNCTIONS: Final = {"amin": "min", "amax": "max", "around": "round"}
STATIC: Final = frozenset({"axis", "keepdims", "ddof", "offset", "k", "decimals", "n", "equal_nan"})


def _other(state: Lowering, key: str, value: Any, dtype: np.dtype[Any] | None) -> Atom:
    if key in STATIC:
        return Lit(constant_of(state, value))
    if key == "shift" and not isinstance(value, Number | Array):
        return Lit(constant_of(state, value))
    known = value.atom.value if isinstance(value, Number) and isinstance(value.atom, Constant) else value
    if (
        dtype is not None
        and dtype.kind in "iu"
        and type(known) is int
        and key in ("a_min", "a_max", "min", "max")
    ):
        limits = np.iinfo(dtype)
        if not limits.min <= known <= limits.max:
            raise state.refusal("AT304", f"a bound of np.clip that is no number of dtype {dtype}")
    return computed(state, value, None if key in ("shift", "rtol", "atol") else dtype)


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


RULES: Final = {
    **views.RULES,
    **{f"np.{name}": _one_array(name, computes=True) for name in COMPUTED if hasattr(np, name)},
    **{f"np.{name}": _one_array(name, computes=False) for name in PLAIN if hasattr(np, name)},
    **{f"ndarray.{name}": _one_array(name, computes=True) for name in array_methods.WARNING},
}
