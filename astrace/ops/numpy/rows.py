"""NumPy's functions as tables: names by kind, each kind with its rule.

A name is the public path below ``numpy``.  ``PROBED`` functions say themselves what they give (see
``probe``); the others have rules that know shapes given as arguments, or have no rule at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    BOOL,
    INT,
    STR,
    AnySpec,
    ArraySpec,
    Spec,
)
from astrace.ops.numpy.list_arrays import OF_LISTS, of_lists
from astrace.ops.numpy.method_aliases import METHODS
from astrace.ops.numpy.names import (
    CALLS_BACK,
    COMBINING,
    DATA_SIZED,
    FITTING,
    FRESH,
    IDENTITY,
    OUT_BY_NAME,
    OUT_PLACES,
    OVERWRITING,
    PLAIN_ARRAYS,
    REDUCTIONS,
    REUSING,
    SAME_SIZE,
    SHAPED,
    SUBSCRIPTED,
    UNKNOWN,
    VALUED,
    WRITERS,
)
from astrace.ops.numpy.probe import refuses
from astrace.ops.numpy.rules import (
    applying,
    arange_rule,
    astype_rule,
    bracketed,
    copy_rule,
    eye_rule,
    filled,
    flat_rule,
    frequencies,
    full_rule,
    identity_rule,
    indices_rule,
    of_number,
    perhaps_complex,
    polyfit_rule,
    read_from,
    reshape_rule,
    shape_rule,
    small_counts,
    smallest_rule,
    spaced,
    split_rule,
    strided_rule,
    unknown_sizes,
)
from astrace.ops.registry import DEEP, Op, Rule, Test, always
from astrace.ops.rules import (
    by_ranks,
    elementwise,
    elementwise_safe,
    fixed,
    probed,
    spec_of,
    unknown,
)
from astrace.util.trees import leaves

Kwargs = Mapping[str, Any]

SPECIAL: Final[Mapping[str, Rule]] = {
    "zeros": filled(float),
    "ones": filled(float),
    "empty": filled(float),
    "full": full_rule,
    "arange": arange_rule,
    "linspace": spaced(np.linspace),
    "logspace": spaced(np.logspace),
    "geomspace": spaced(np.geomspace),
    "eye": eye_rule,
    "identity": identity_rule,
    "indices": indices_rule,
    "reshape": reshape_rule,
    "astype": astype_rule,
    "copy": copy_rule,
    "ravel": flat_rule,
    "frombuffer": read_from(float),
    "fromstring": read_from(float),
    "fromiter": read_from(None),
    "lib.stride_tricks.as_strided": strided_rule,
    "fft.fftfreq": frequencies(np.fft.fftfreq),
    "fft.rfftfreq": frequencies(np.fft.rfftfreq),
    "shape": shape_rule,
    **dict.fromkeys(("split", "array_split"), split_rule),
    "min_scalar_type": smallest_rule,
    "polyfit": polyfit_rule,
    "apply_along_axis": applying(np.apply_along_axis),
    "apply_over_axes": applying(np.apply_over_axes),
    "linalg.eig": perhaps_complex(np.linalg.eig),
    "linalg.eigvals": perhaps_complex(np.linalg.eigvals),
    **dict.fromkeys(("ndim", "size"), of_number(INT)),
    **dict.fromkeys(("iscomplexobj", "isrealobj", "iterable"), of_number(BOOL)),
    **dict.fromkeys(("isfortran", "can_cast", "shares_memory", "may_share_memory"), fixed(BOOL)),
    **dict.fromkeys(("array2string", "array_str", "array_repr", "mintypecode"), fixed(STR)),
}
METHOD_OUTS: Final[Mapping[str, tuple[int | str, ...]]] = {
    "reduce": ("out", 3),
    "accumulate": ("out", 3),
    "reduceat": ("out", 4),
    "outer": ("out",),
}
"""The methods of ufuncs, with the places of ``out``."""


def numpy_object(name: str) -> Any:
    """Return the object that a name such as ``np.linalg.norm`` leads to now; ``None`` where this NumPy has none."""
    return find(name.partition(".")[2])


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
        return unknown_sizes(function)
    rule = probed(function) if name in VALUED else small_counts(function)
    if name in OF_LISTS:
        return of_lists(function, rule)
    return by_ranks(rule) if name in FITTING else rule


def _class_known(rule: Rule) -> Rule:
    """A rule of a function whose result is one of NumPy's own arrays, where no more is known of it."""

    def known(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        found = rule(args, kwargs)
        asked_for_others = "like" in kwargs or "subok" in kwargs
        return AnySpec(np.ndarray) if found in (None, AnySpec()) and not asked_for_others else found

    return known


def function_rows() -> Iterator[Op]:
    """Yield a row for each function that is not a ufunc."""
    names = dict.fromkeys([*SPECIAL, *REDUCTIONS, *SAME_SIZE, *COMBINING, *DATA_SIZED, *UNKNOWN])
    for name in names:
        function = find(name)
        if function is None or isinstance(function, (np.ufunc, type)):
            continue
        yield Op(
            f"np.{name}",
            function,
            _class_known(_rule(name, function)) if name in PLAIN_ARRAYS else _rule(name, function),
            method=name if name in METHODS else "",
            writes=_out_places(name),
            overwrites=REUSING[name].is_on if name in OVERWRITING else None,
            fresh=_fresh(name),
            ordered=name in CALLS_BACK,
            safe=_shaped_safe(function, _out_places(name)) if name in SHAPED else None,
            creates=True,
            identity=name in IDENTITY,
        )
    for name, writes in WRITERS.items():
        yield Op(f"np.{name}", find(name), nothing_returned, writes=writes, fresh=always)


def _shaped_safe(function: Callable[..., Any], outs: tuple[int | str, ...]) -> Test:
    """Tells whether a function takes arrays of these ranks and dtypes whatever their sizes, and writes to none."""

    def safe(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
        if any(out in kwargs or out in range(len(args)) for out in outs):
            return False
        given = [spec for spec in leaves((args, dict(kwargs))) if isinstance(spec, Spec)]
        known = all(isinstance(spec, ArraySpec) and spec.dtype.kind in "biufc" for spec in given)
        return known and not refuses(function, args, kwargs)

    return safe


def _out_places(name: str) -> tuple[int | str, ...]:
    """Return the positions and keywords at which a function takes an array for its result."""
    places = [place for place, names in OUT_PLACES.items() if name in names]
    return ("out", *places) if places or name in OUT_BY_NAME else ()


def _fresh(name: str) -> Test | None:
    if name in REUSING:
        return REUSING[name].is_off
    return always if name in FRESH else None


def ufunc_rows() -> Iterator[Op]:
    """Yield a row for each ufunc, and one for each of its methods."""
    seen: set[int] = set()
    for name, ufunc in sorted(vars(np).items()):
        if not isinstance(ufunc, np.ufunc) or id(ufunc) in seen or name != ufunc.__name__:
            continue
        seen.add(id(ufunc))
        path = f"np.{name}"
        single = ufunc.nout == 1 and ufunc.signature is None
        rule = elementwise(ufunc) if single else probed(ufunc)
        safe = elementwise_safe(ufunc) if single and name not in ("power", "float_power") else None
        yield Op(
            path,
            ufunc,
            _with_out(rule, ufunc),
            writes=("out", *range(ufunc.nin, ufunc.nargs)),
            fresh=always,
            safe=safe,
            creates=True,
        )
        for method in METHOD_OUTS:
            if ufunc.nin == 2 and ufunc.nout == 1 and ufunc.signature is None:
                bound = getattr(ufunc, method)
                writes = METHOD_OUTS[method]
                yield Op(f"{path}.{method}", bound, probed(bound), writes=writes, fresh=always, creates=True)
        if ufunc.nout == 1 and ufunc.signature is None:
            yield Op(f"{path}.at", ufunc.at, nothing_returned, writes=(0,), fresh=always)


def nothing_returned(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    """The rule of a function that returns ``None``."""
    return spec_of(None)


def _with_out(rule: Rule, ufunc: np.ufunc) -> Rule:
    """A call with an ``out`` returns that very array."""

    def with_out(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        out = args[ufunc.nin] if len(args) > ufunc.nin and ufunc.nout == 1 else kwargs.get("out")
        return out if isinstance(out, ArraySpec) else rule(args, kwargs)

    return with_out


def subscripted(owner: Any) -> str | None:
    """The op of an object that is subscripted."""
    return next((f"np.{name}" for name in SUBSCRIPTED if find(name) is owner), None)


def subscript_rows() -> Iterator[Op]:
    """Yield a row for each object that is not called but subscripted; its function takes what stands in brackets."""
    for name in SUBSCRIPTED:
        items = getattr(find(name), "__getitem__")  # noqa: B009 - a bound method, not an item
        yield Op(f"np.{name}", items, bracketed(items), fresh=always, creates=True)


def scalar_rows() -> Iterator[Op]:
    """Yield a row for each NumPy scalar type, called as a constructor."""
    seen: set[type] = set()
    for name in sorted(vars(np)):
        cls = getattr(np, name) if not name.startswith("_") else None
        if isinstance(cls, type) and issubclass(cls, np.generic) and cls not in seen and name == cls.__name__:
            seen.add(cls)
            asks = cls is np.datetime64  # of "now" and "today" it asks the clock
            yield Op(f"np.{name}", cls, small_counts(cls) if cls is np.void else probed(cls), ordered=asks)


def array_rows() -> Iterator[Op]:
    """The row of ``np.ndarray`` itself: a new array, or another view of a buffer."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        return filled(float)(args, kwargs) if _is_new(args, kwargs) else None

    yield Op("np.ndarray", np.ndarray, rule, fresh=_is_new, creates=True)


def _is_new(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """Return whether an array is made of a shape and a dtype alone."""
    return len(args) <= 2 and set(kwargs) <= {"shape", "dtype"}


def rows() -> Iterator[Op]:
    """Yield all rows of this module; all convert what they are given to arrays."""
    for op in (*ufunc_rows(), *function_rows(), *subscript_rows(), *scalar_rows(), *array_rows()):
        yield replace(op, reads=DEEP)
