"""Functions that NumPy and JAX have under the same name, by table: which arguments are arrays, which have to be known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.functions.call_rows import Call, Row, counterpart
from astrace.backends.jax.lower.indexing import views
from astrace.backends.jax.lower.indexing.keys import shifted
from astrace.backends.jax.lower.rule import Kwargs, Rule
from astrace.backends.jax.lower.state import State
from astrace.backends.jax.lower.value_forms import Form
from astrace.backends.jax.program_ir import Lit
from astrace.ir.block import Node
from astrace.ir.specs import ArraySpec, GenericSpec

# -- checks ------------------------------------------------------------------------------------------------


def _between(low: int, high: int) -> Callable[[Call], None]:
    """The argument ``q`` lies in a range."""

    def check(call: Call) -> None:
        if isinstance(call.given["q"], int | float):
            call.state.check(Lit(low <= call.given["q"] <= high))
        else:
            call.check(f"jnp.all(({{0:7}} >= {low}) & ({{0:7}} <= {high}))", "q")

    return check


def _holds(text: str, *names: str) -> Callable[[Call], None]:
    """An expression of arguments is true."""
    return lambda call: call.check(text, *names)


def _weighs(call: Call) -> None:
    """Weights whose sum is zero raise, and so does an average of nothing."""
    call.check("{0:20}.size > 0", "a", dtype=None)
    if "weights" in call.named:
        (axis,) = views.constants(call.state, [call.given.get("axis")])
        call.check(f"support.weighs({{0}}, {axis!r}, {{1}})", "weights", "a")


def _in_range(call: Call) -> None:
    """Indices along an axis that are out of bounds raise."""
    (axis,) = views.constants(call.state, [call.given.get("axis", -1)])
    size = "{1:20}.size" if axis is None else f"{{1:20}}.shape[{axis}]"
    call.check(f"support.all_inside({{0}}, {size})", "indices", "arr")


def _in_shape(call: Call) -> None:
    """Indices that lie outside of a shape raise, negative ones, too."""
    text, sizes = call.sizes["shape"]
    call.check(f"support.are_below({{0}}, {shifted(text, 1)})", "indices", sizes=sizes)


def _changes(name: str, value: int) -> Callable[[Call], None]:
    """For one value of an argument the result is the array that is given."""

    def check(call: Call) -> None:
        if type(call.given.get(name, value + 1)) is not int or call.given.get(name) == value:
            raise call.state.refusal("AT302", "the result may be the array that is given")

    return check


def _derives(call: Call) -> None:
    """The derivative of order zero is the polynomial itself."""
    _changes("m", 0)(call)
    _in_floats(call)


def _some(call: Call) -> None:
    """No frequencies raise."""
    text, atoms = call.sizes["n"]
    call.state.check(call.state.expr(f"{text} > 0", atoms, None, level=5))


def _some_items(call: Call) -> None:
    """Of nothing NumPy transforms what it finds in memory, or raises; so it does of one number, backwards."""
    call.check("min({0:20}.shape, default=0) > 1", *call.named, dtype=None)


def _along(call: Call) -> None:
    """Along no axis nothing is transformed."""
    _some_items(call)
    if call.given.get("axes") == ():
        raise call.state.refusal("AT302", "the result may be the array that is given")


def _sums(call: Call) -> None:
    """Of one array without a sum the result is a view."""
    pattern, *operands = call.given["operands"]
    if not isinstance(pattern, str):
        raise call.state.refusal("AT304", "an einsum whose subscripts are lists")
    before, _, after = pattern.replace(" ", "").partition("->")
    summed = "->" in pattern and not set(before) <= set(after)
    summed |= "->" not in pattern and len(set(before)) < len(before)
    if len(operands) == 1 and not summed:
        raise call.state.refusal("AT302", "the result may be a part of the array that is given")


def _parts(call: Call) -> None:
    """JAX takes an infinity apart into NaN and itself."""
    call.check("~jnp.any(jnp.isinf({0}))", "x")


def _quantiles(high: int) -> Callable[[Call], None]:
    """Between infinities JAX finds one of them, NumPy nothing."""

    def check(call: Call) -> None:
        _between(0, high)(call)
        call.check("~jnp.any(jnp.isinf({0}))", "a")

    return check


def _fills(call: Call) -> None:
    """What is put around integers is an integer; of others NumPy warns, or raises."""
    spec, value = call.spec, call.given.get("constant_values", 0)
    whole = isinstance(value, int | np.integer) or "constant_values" not in call.given
    if isinstance(spec, ArraySpec) and spec.dtype.kind in "biu" and not whole:
        raise call.state.refusal("AT304", "np.pad of integers with other numbers")


def _finite(call: Call) -> None:
    """NumPy raises where something is infinite or NaN."""
    call.check("jnp.all(jnp.isfinite({0}))", "a")


def _in_floats(call: Call) -> None:
    """JAX computes in floats, NumPy in integers, or in half precision."""
    if not isinstance(call.spec, ArraySpec | GenericSpec) or call.spec.dtype.char not in "fdFD":
        raise call.state.refusal("AT304", f"{call.name} with a result of type {call.spec}")


def _square(call: Call) -> None:
    """Of a matrix that is not square some vectors of the whole basis are not determined."""
    views.constants(call.state, [call.given.get("compute_uv", True)])
    if call.given.get("full_matrices", True) and call.given.get("compute_uv", True):
        call.check("{0:20}.shape[-1] == {0:20}.shape[-2]", "a", dtype=None)
    call.check("jnp.all(jnp.isfinite({0}))", "a")


def _fft(arrays: str = "a", sizes: str = "n", fixed: str = "axis norm", computes: str = "float") -> Row:
    return Row(arrays, sizes, fixed, computes, check=_some_items)


# -- the table ---------------------------------------------------------------------------------------------


ROWS: Final[Mapping[str, Row]] = {
    # -- parts put together, or repeated
    "np.append": Row("arr values", "", "axis", "result"),
    "np.block": Row("arrays", computes="result"),
    "np.pad": Row("array constant_values", "pad_width", "mode reflect_type", check=_fills),
    "np.repeat": Row("a", "repeats", "axis"),
    "np.resize": Row("a", "new_shape"),
    "np.tile": Row("A", "reps"),
    "np.select": Row("condlist choicelist default", computes="result"),
    "np.take_along_axis": Row("arr indices", "", "axis", check=_in_range),
    # -- made of numbers
    "np.meshgrid": Row("xi", "", "indexing sparse"),
    "np.tri": Row("", "N M k", gives="float32"),
    "np.vander": Row("x", "N", "increasing", "result"),
    "np.logspace": Row("start stop", "num", "endpoint base axis", "float"),
    "np.geomspace": Row("start stop", "num", "endpoint axis", "float"),
    "np.hamming": Row("", "M"),
    "np.hanning": Row("", "M"),
    "np.blackman": Row("", "M"),
    "np.bartlett": Row("", "M"),
    # -- statistics
    "np.percentile": Row("a q", "", "axis method keepdims", "result", check=_quantiles(100), real=True),
    "np.nanpercentile": Row("a q", "", "axis method keepdims", "result", check=_quantiles(100), real=True),
    "np.quantile": Row("a q", "", "axis method keepdims", "result", check=_quantiles(1), real=True),
    "np.nanquantile": Row("a q", "", "axis method keepdims", "result", check=_quantiles(1), real=True),
    "np.average": Row("a weights", "", "axis keepdims", "result", check=_weighs),
    "np.cov": Row("m y fweights aweights", "", "rowvar bias ddof", "result"),
    "np.digitize": Row(
        "x bins", "", "right", "common", "int32", check=_holds("support.is_monotonic({0})", "bins"), real=True
    ),
    "np.gradient": Row("f varargs", "", "axis edge_order", "result"),
    "np.cumulative_sum": Row("x", "", "axis include_initial", "result"),
    "np.cumulative_prod": Row("x", "", "axis include_initial", "result"),
    # -- comparisons
    "np.allclose": Row("a b rtol atol", "", "equal_nan", "common"),
    "np.isclose": Row("a b rtol atol", "", "equal_nan", "common"),
    "np.array_equal": Row("a1 a2", "", "equal_nan", "common"),
    "np.array_equiv": Row("a1 a2", computes="common"),
    "np.isin": Row("element test_elements", "", "assume_unique invert", "common"),
    "np.lexsort": Row("keys", "", "axis", gives="int32", real=True),
    # -- products
    "np.cross": Row("a b", "", "axisa axisb axisc axis", "result"),
    "np.correlate": Row("a v", "", "mode", "result", check=_in_floats),
    "np.einsum": Row("operands", "", "", "result", check=_sums),
    "np.vecdot": Row("x1 x2", "", "axis", "result"),
    "np.matvec": Row("x1 x2", computes="result"),
    "np.vecmat": Row("x1 x2", computes="result"),
    "np.polyval": Row("p x", computes="result"),
    "np.polyadd": Row("a1 a2", computes="result", vectors=True),
    "np.polysub": Row("a1 a2", computes="result", vectors=True),
    "np.polyder": Row("p", "m", computes="result", check=_derives, vectors=True),
    "np.angle": Row("z", "", "deg", "float", check=_in_floats),
    "np.unravel_index": Row("indices", "shape", check=_in_shape),
    "np.modf": Row("x", computes="result", check=_parts),
    # -- transforms
    **{f"np.fft.{name}": _fft() for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{
        f"np.fft.{name}": Row("a", "s", "axes norm", "float", check=_along)
        for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
    },
    **{f"np.fft.{name}": _fft("x", "", "axes", "") for name in ("fftshift", "ifftshift")},
    **{f"np.fft.{name}": Row("d", "n", check=_some) for name in ("fftfreq", "rfftfreq")},
    # -- linear algebra
    "np.linalg.cond": Row("x", "", "p", "float"),
    "np.linalg.eigh": Row("a", "", "UPLO", "float", check=_finite, apart=0, real=True),
    "np.linalg.svd": Row("a", "", "full_matrices compute_uv", "float", check=_square, apart=1, real=True),
    "np.linalg.eigvalsh": Row("a", "", "UPLO", "float", check=_finite),
    "np.linalg.matrix_power": Row("a", "n", computes="result", check=_changes("n", 1)),
    "np.linalg.matrix_rank": Row("A", computes="float"),
    "np.linalg.multi_dot": Row("arrays", computes="result"),
    "np.linalg.pinv": Row("a", "", "hermitian", "float", check=_finite),
    "np.linalg.qr": Row("a", "", "mode", "float", check=_finite, real=True),
    "np.linalg.slogdet": Row("a", computes="float"),
    "np.linalg.svdvals": Row("x", computes="float"),
}


def _depends(state: State, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    raise state.refusal("AT303", f"how many items `{node.op}` gives depends on data")


def _names() -> Iterator[tuple[str, Rule]]:
    """The rules; functions that this NumPy does not have are left out."""
    for name, row in ROWS.items():
        holder = getattr(np, name.split(".")[1]) if name.count(".") == 2 else np
        if hasattr(holder, name.rpartition(".")[2]):
            yield name, counterpart(name, row)


RULES: Final = {
    **{
        f"np.{name}": Rule(_depends)
        for name in (
            "unique",
            "nonzero",
            "flatnonzero",
            "argwhere",
            "extract",
            "compress",
            "trim_zeros",
            "bincount",
        )
    },
    **dict(_names()),
}
