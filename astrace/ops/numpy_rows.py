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
    ArraySpec,
    Spec,
)
from astrace.ops.method_forms import METHODS
from astrace.ops.numpy_names import (
    CALLS_BACK,
    COMBINING,
    DATA_SIZED,
    IDENTITY,
    REDUCTIONS,
    SAME_SIZE,
    UNKNOWN,
    VIEWS,
    WITH_OUT,
    WRITERS,
)
from astrace.ops.numpy_rules import (
    arange_rule,
    astype_rule,
    eye_rule,
    filled,
    flat_rule,
    full_rule,
    identity_rule,
    reshape_rule,
    small_counts,
    spaced,
    unknown_sizes,
)
from astrace.ops.registry import DEEP, Op, Rule
from astrace.ops.rules import (
    elementwise,
    elementwise_safe,
    probed,
    spec_of,
    unknown,
)

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
    "reshape": reshape_rule,
    "astype": astype_rule,
    "ravel": flat_rule,
}


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
    return small_counts(function)


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
            identity=name in IDENTITY,
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
