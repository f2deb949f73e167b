"""NumPy's functions as tables: names by kind, each kind with its rule.

A name is the public path below ``numpy``.  ``PROBED`` functions say themselves what they give (see
``probe``); the others have rules that know shapes given as arguments, or have no rule at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    AnySpec,
    ArraySpec,
    GenericSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
)
from astrace.ops.probe import probe
from astrace.ops.registry import DEEP, Op, Rule
from astrace.ops.rules import (
    dtype_argument,
    elementwise,
    elementwise_safe,
    probed,
    shape_argument,
    spec_of,
    unknown,
)

Kwargs = Mapping[str, Any]

METHODS: Final = frozenset(
    [
        "sum",
        "prod",
        "mean",
        "std",
        "var",
        "min",
        "max",
        "any",
        "all",
        "argmin",
        "argmax",
        "cumsum",
        "cumprod",
        "round",
        "clip",
        "reshape",
        "ravel",
        "transpose",
        "swapaxes",
        "squeeze",
        "repeat",
        "take",
        "diagonal",
        "trace",
        "argsort",
        "argpartition",
        "searchsorted",
        "nonzero",
        "compress",
        "conj",
        "dot",
        "choose",
    ]
)
"""Functions that do exactly what the array's method of the same name does."""

REDUCTIONS: Final = [
    "sum",
    "prod",
    "mean",
    "std",
    "var",
    "min",
    "max",
    "amin",
    "amax",
    "any",
    "all",
    "argmin",
    "argmax",
    "ptp",
    "median",
    "quantile",
    "percentile",
    "average",
    "nansum",
    "nanprod",
    "nanmean",
    "nanstd",
    "nanvar",
    "nanmin",
    "nanmax",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "nanargmin",
    "nanargmax",
    "count_nonzero",
    "cumsum",
    "cumprod",
    "nancumsum",
    "nancumprod",
    "cumulative_sum",
    "cumulative_prod",
]
SAME_SIZE: Final = [
    "round",
    "around",
    "clip",
    "fix",
    "sort",
    "argsort",
    "partition",
    "argpartition",
    "flip",
    "fliplr",
    "flipud",
    "roll",
    "real_if_close",
    "nan_to_num",
    "angle",
    "iscomplex",
    "isreal",
    "isneginf",
    "isposinf",
    "sinc",
    "i0",
    "unwrap",
    "interp",
    "heaviside",
    "tril",
    "triu",
    "zeros_like",
    "ones_like",
    "empty_like",
    "full_like",
    "copy",
    "isclose",
]
VIEWS: Final = [
    "ravel",
    "transpose",
    "swapaxes",
    "moveaxis",
    "rollaxis",
    "squeeze",
    "expand_dims",
    "broadcast_to",
    "broadcast_arrays",
    "diagonal",
    "real",
    "imag",
    "flip",
    "fliplr",
    "flipud",
    "rot90",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "asarray",
    "asanyarray",
    "ascontiguousarray",
    "asfortranarray",
    "asarray_chkfinite",
    "split",
    "array_split",
    "hsplit",
    "vsplit",
    "dsplit",
    "permute_dims",
    "matrix_transpose",
    "reshape",
    "unstack",
    "require",
    "astype",
    "trim_zeros",
    "diag",
    "squeeze",
    "lib.stride_tricks.sliding_window_view",
    "lib.stride_tricks.as_strided",
    "real_if_close",
]
COMBINING: Final = [
    "concatenate",
    "concat",
    "stack",
    "hstack",
    "vstack",
    "dstack",
    "column_stack",
    "block",
    "append",
    "insert",
    "delete",
    "tile",
    "repeat",
    "pad",
    "resize",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "flip",
    "rot90",
    "expand_dims",
    "squeeze",
    "swapaxes",
    "moveaxis",
    "rollaxis",
    "transpose",
    "ravel",
    "broadcast_to",
    "split",
    "array_split",
    "hsplit",
    "vsplit",
    "dsplit",
    "permute_dims",
    "matrix_transpose",
    "unstack",
    "diagonal",
    "meshgrid",
    "broadcast_arrays",
    "kron",
    "outer",
    "cross",
    "inner",
    "dot",
    "vdot",
    "tensordot",
    "trace",
    "diag",
    "diagflat",
    "real",
    "imag",
    "asarray",
    "asanyarray",
    "ascontiguousarray",
    "asfortranarray",
    "asarray_chkfinite",
    "array",
    "require",
    "astype",
    "vander",
    "take",
    "take_along_axis",
    "choose",
    "select",
    "where",
    "lexsort",
    "searchsorted",
    "digitize",
    "ediff1d",
    "diff",
    "gradient",
    "convolve",
    "correlate",
    "cov",
    "corrcoef",
    "trapezoid",
    "allclose",
    "array_equal",
    "array_equiv",
    "isin",
    "in1d",
    "packbits",
    "unpackbits",
    "apply_over_axes",
    "result_type",
    "isscalar",
    "isdtype",
    "poly",
    "polyval",
    "polyadd",
    "polymul",
    "polysub",
    "polyder",
    "polyint",
    "polyfit",
    "hamming",
    "hanning",
    "bartlett",
    "blackman",
    "kaiser",
    "tri",
    "fft.fft",
    "fft.ifft",
    "fft.rfft",
    "fft.irfft",
    "fft.fft2",
    "fft.ifft2",
    "fft.fftn",
    "fft.ifftn",
    "fft.rfft2",
    "fft.irfft2",
    "fft.rfftn",
    "fft.irfftn",
    "fft.hfft",
    "fft.ihfft",
    "fft.fftshift",
    "fft.ifftshift",
    "linalg.norm",
    "linalg.det",
    "linalg.inv",
    "linalg.solve",
    "linalg.qr",
    "linalg.svd",
    "linalg.svdvals",
    "linalg.eigh",
    "linalg.eigvalsh",
    "linalg.cholesky",
    "linalg.matrix_rank",
    "linalg.pinv",
    "linalg.matrix_power",
    "linalg.slogdet",
    "linalg.cond",
    "linalg.multi_dot",
    "linalg.lstsq",
    "linalg.tensorinv",
    "linalg.tensorsolve",
    "linalg.outer",
    "linalg.cross",
    "linalg.diagonal",
    "linalg.trace",
    "linalg.matmul",
    "linalg.tensordot",
    "linalg.vecdot",
    "linalg.vector_norm",
    "linalg.matrix_norm",
    "linalg.matrix_transpose",
    "histogram2d",
    "histogramdd",
    "histogram_bin_edges",
]
DATA_SIZED: Final = [
    "nonzero",
    "flatnonzero",
    "argwhere",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "extract",
    "compress",
    "union1d",
    "intersect1d",
    "setdiff1d",
    "setxor1d",
    "trim_zeros",
    "bincount",
    "histogram",
    "roots",
]
UNKNOWN: Final = [
    "linalg.eig",
    "linalg.eigvals",
    "einsum",
    "einsum_path",
    "ix_",
    "c_",
    "r_",
    "indices",
    "fromfunction",
    "frombuffer",
    "fromiter",
    "fromstring",
    "apply_along_axis",
    "vectorize",
    "piecewise",
    "nditer",
    "ndenumerate",
    "array2string",
    "array_str",
    "array_repr",
    "datetime_as_string",
    "busday_count",
    "busday_offset",
    "is_busday",
    "common_type",
    "mintypecode",
    "min_scalar_type",
    "can_cast",
    "promote_types",
    "shares_memory",
    "may_share_memory",
    "iterable",
    "savez",
    "lib.stride_tricks.as_strided",
    "lib.stride_tricks.sliding_window_view",
    "unravel_index",
    "ravel_multi_index",
    "diag_indices",
    "diag_indices_from",
    "tril_indices",
    "triu_indices",
    "tril_indices_from",
    "triu_indices_from",
    "mask_indices",
    "sort_complex",
    "bmat",
]
WRITERS: Final[Mapping[str, tuple[int | str, ...]]] = {
    "copyto": (0,),
    "put": (0,),
    "place": (0,),
    "putmask": (0,),
    "fill_diagonal": (0,),
    "put_along_axis": (0,),
}
WITH_OUT: Final = frozenset(
    [
        "sum",
        "prod",
        "mean",
        "std",
        "var",
        "min",
        "max",
        "amin",
        "amax",
        "any",
        "all",
        "argmin",
        "argmax",
        "ptp",
        "median",
        "quantile",
        "percentile",
        "round",
        "around",
        "clip",
        "cumsum",
        "cumprod",
        "nancumsum",
        "nancumprod",
        "cumulative_sum",
        "cumulative_prod",
        "nansum",
        "nanprod",
        "nanmean",
        "nanstd",
        "nanvar",
        "nanmin",
        "nanmax",
        "nanmedian",
        "nanpercentile",
        "nanquantile",
        "nanargmin",
        "nanargmax",
        "dot",
        "outer",
        "concatenate",
        "stack",
        "take",
        "choose",
        "trace",
        "compress",
        "fix",
        "isposinf",
        "isneginf",
        "matmul",
        "einsum",
        "nan_to_num",
        "linalg.multi_dot",
        "concat",
    ]
)
CALLS_BACK: Final = frozenset(
    {"apply_along_axis", "fromfunction", "vectorize", "piecewise", "apply_over_axes", "savez"}
)


# -- rules of functions that make arrays ---------------------------------------------------------------


def _filled(default: Any) -> Rule:
    """``zeros(shape, dtype)`` and its like."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        shape = shape_argument(args[0] if args else kwargs.get("shape"))
        dtype = dtype_argument(args[1] if len(args) > 1 else kwargs.get("dtype"), default)
        return None if shape is None or dtype is None else ArraySpec(shape, dtype)

    return rule


def _full_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    shape = shape_argument(args[0] if args else kwargs.get("shape"))
    fill = spec_of(args[1] if len(args) > 1 else kwargs.get("fill_value"))
    given = args[2] if len(args) > 2 else kwargs.get("dtype")
    found = probe(np.full, (1, fill), {"dtype": given})
    if shape is None or not isinstance(found, ArraySpec):
        return None
    return ArraySpec(shape, found.dtype)


def _arange_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """Only the dtype and, for a constant integer stop, the length: sizes are never run."""
    constant = not kwargs and len(args) == 1 and type(args[0]) is int
    small = tuple(_small_number(arg) for arg in args)
    found = probe(np.arange, small, {key: kwargs[key] for key in kwargs if key == "dtype"})
    if not isinstance(found, ArraySpec):
        return None
    return ArraySpec((max(args[0], 0) if constant else None,), found.dtype)


def _small_number(arg: Any) -> Any:
    if isinstance(arg, Spec):
        return arg
    return type(arg)(1) if isinstance(arg, int | float | np.generic) and not isinstance(arg, bool) else arg


def _spaced(function: Callable[..., Any]) -> Rule:
    """``linspace`` and its like: ``num`` is the length."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        num = args[2] if len(args) > 2 else kwargs.get("num", 50)
        found = probe(function, (*args[:2], 3, *args[3:]), {k: v for k, v in kwargs.items() if k != "num"})
        length = num if type(num) is int else None
        if isinstance(found, ArraySpec):
            return ArraySpec((length, *found.shape[1:]), found.dtype)
        return found if isinstance(found, TupleSpec) and length is not None else None

    return rule


def _eye_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    rows = shape_argument(args[0] if args else kwargs.get("N", kwargs.get("n")))
    columns_argument = args[1] if len(args) > 1 else kwargs.get("M")
    columns = rows if columns_argument is None else shape_argument(columns_argument)
    dtype = dtype_argument(args[3] if len(args) > 3 else kwargs.get("dtype"), float)
    return (
        None if rows is None or columns is None or dtype is None else ArraySpec((rows[0], columns[0]), dtype)
    )


def _identity_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    return _eye_rule(args[:1], {"dtype": args[1] if len(args) > 1 else kwargs.get("dtype")})


def _reshape_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``reshape(x, shape)``, also in the method's form ``x.reshape(2, 3)``."""
    owner = spec_of(args[0])
    given = args[1] if len(args) == 2 else args[1:] or kwargs.get("shape", kwargs.get("newshape"))
    shape = shape_argument(given)
    if not isinstance(owner, ArraySpec | GenericSpec) or shape is None:
        return None
    known = isinstance(owner, ArraySpec) and all(isinstance(dim, int) for dim in (*owner.shape, *shape))
    if known and -1 in shape:
        size = reduce(lambda a, b: a * b, owner.shape, 1)  # type: ignore[operator, union-attr]
        rest = -reduce(lambda a, b: a * b, shape, 1)  # type: ignore[operator]
        return ArraySpec(tuple(size // rest if dim == -1 and rest else dim for dim in shape), owner.dtype)  # type: ignore[operator]
    return ArraySpec(tuple(None if dim == -1 else dim for dim in shape), owner.dtype)


def _flat_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    owner = spec_of(args[0])
    return ArraySpec((None,), owner.dtype) if isinstance(owner, ArraySpec | GenericSpec) else None


def _astype_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    owner, dtype = spec_of(args[0]), dtype_argument(args[1] if len(args) > 1 else kwargs.get("dtype"), None)
    if dtype is None or (set(kwargs) - {"dtype", "copy", "order", "casting"}):
        return None
    if isinstance(owner, ArraySpec):
        return ArraySpec(owner.shape, dtype)
    return GenericSpec(dtype) if isinstance(owner, GenericSpec) and dtype.kind in "biufc" else None


def _unknown_sizes(function: Callable[..., Any]) -> Rule:
    """A probed rule for functions whose result's size depends on the data."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        return without_sizes(probe(function, args, kwargs))

    return rule


def without_sizes(spec: Spec | None) -> Spec | None:
    """A spec with all dimensions unknown."""
    match spec:
        case ArraySpec():
            return ArraySpec((None,) * len(spec.shape), spec.dtype)
        case TupleSpec():
            return TupleSpec(tuple(without_sizes(item) or AnySpec() for item in spec.items), spec.cls)
        case _:
            return spec


def _small_counts(function: Callable[..., Any]) -> Rule:
    """A probed rule for functions that take numbers as sizes: large constants are not run."""
    plain = probed(function)

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        large = any(type(arg) is int and abs(arg) > 64 for arg in (*args, *kwargs.values()))
        sized = any(isinstance(arg, ScalarSpec) and arg.kind == "int" for arg in (*args, *kwargs.values()))
        found = None if large else plain(args, kwargs)
        return without_sizes(found) if sized and isinstance(found, Spec) else found  # type: ignore[return-value]

    return rule


SPECIAL: Final[Mapping[str, Rule]] = {
    "zeros": _filled(float),
    "ones": _filled(float),
    "empty": _filled(float),
    "full": _full_rule,
    "arange": _arange_rule,
    "linspace": _spaced(np.linspace),
    "logspace": _spaced(np.logspace),
    "geomspace": _spaced(np.geomspace),
    "eye": _eye_rule,
    "identity": _identity_rule,
    "reshape": _reshape_rule,
    "astype": _astype_rule,
    "ravel": _flat_rule,
}
CREATES: Final = frozenset(
    {"zeros", "ones", "empty", "full", "arange", "linspace", "logspace", "geomspace", "eye", "identity"}
)


def find(path: str) -> Any:
    """The NumPy object at a public path, or ``None`` where this NumPy has none."""
    found: Any = np
    for part in path.split("."):
        found = getattr(found, part, None)
    return found


def _rule(name: str, function: Callable[..., Any]) -> Rule:
    if name in SPECIAL:
        return SPECIAL[name]
    if name in UNKNOWN:
        return unknown
    if name in DATA_SIZED:
        return _unknown_sizes(function)
    return _small_counts(function)


def function_rows() -> Iterator[Op]:
    """One row for each function that is not a ufunc."""
    names = dict.fromkeys([*SPECIAL, *REDUCTIONS, *SAME_SIZE, *COMBINING, *DATA_SIZED, *UNKNOWN])
    for name in names:
        function = find(name)
        if function is None or isinstance(function, (np.ufunc, type)):
            continue
        yield Op(
            f"np.{name}",
            function,
            _rule(name, function),
            method=name if name in METHODS else "",
            writes=("out",) if name in WITH_OUT else (),
            view=name in VIEWS or name in WITH_OUT,
            ordered=name in CALLS_BACK,
            creates=True,
        )
    for name, writes in WRITERS.items():
        yield Op(f"np.{name}", find(name), nothing_returned, writes=writes)


def ufunc_rows() -> Iterator[Op]:
    """One row for each ufunc, and one for each of its methods."""
    seen: set[int] = set()
    for name, ufunc in sorted(vars(np).items()):
        if not isinstance(ufunc, np.ufunc) or id(ufunc) in seen or name != ufunc.__name__:
            continue
        seen.add(id(ufunc))
        path = f"np.{name}"
        single = ufunc.nout == 1 and ufunc.signature is None
        rule = elementwise(ufunc) if single else probed(ufunc)
        safe = elementwise_safe if single and name not in ("power", "float_power", "left_shift") else None
        yield Op(
            path,
            ufunc,
            _with_out(rule),
            writes=("out", *range(ufunc.nin, ufunc.nargs)),
            view=True,
            safe=safe,
            creates=True,
        )
        for method in ("reduce", "accumulate", "reduceat", "outer"):
            if ufunc.nin == 2 and ufunc.nout == 1 and ufunc.signature is None:
                bound = getattr(ufunc, method)
                yield Op(f"{path}.{method}", bound, probed(bound), writes=("out",), view=True, creates=True)
        if ufunc.nout == 1 and ufunc.signature is None:
            yield Op(f"{path}.at", ufunc.at, nothing_returned, writes=(0,))


def nothing_returned(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    """The rule of a function that returns ``None``."""
    return spec_of(None)


def _with_out(rule: Rule) -> Rule:
    """A call with ``out=`` returns that very array."""

    def with_out(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        out = kwargs.get("out")
        return out if isinstance(out, ArraySpec) else rule(args, kwargs)

    return with_out


def scalar_rows() -> Iterator[Op]:
    """One row for each NumPy scalar type, called as a constructor."""
    seen: set[type] = set()
    for name in sorted(vars(np)):
        cls = getattr(np, name) if not name.startswith("_") else None
        if isinstance(cls, type) and issubclass(cls, np.generic) and cls not in seen and name == cls.__name__:
            seen.add(cls)
            yield Op(f"np.{name}", cls, probed(cls))


def rows() -> Iterator[Op]:
    """All rows of this module; all convert what they are given to arrays."""
    for op in (*ufunc_rows(), *function_rows(), *scalar_rows()):
        yield replace(op, reads=DEEP)
