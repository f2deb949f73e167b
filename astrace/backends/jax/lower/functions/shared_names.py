"""Names of functions of NumPy that several modules of the lowering have rules for."""

from __future__ import annotations

from typing import Final

MAY_WARN: Final = frozenset(
    [
        "add",
        "subtract",
        "multiply",
        "divide",
        "floor_divide",
        "remainder",
        "fmod",
        "power",
        "float_power",
        "sqrt",
        "square",
        "cbrt",
        "reciprocal",
        "exp",
        "expm1",
        "exp2",
        "log",
        "log1p",
        "log2",
        "log10",
        "logaddexp",
        "logaddexp2",
        "sin",
        "cos",
        "tan",
        "arcsin",
        "arccos",
        "arctan",
        "arctan2",
        "hypot",
        "sinh",
        "cosh",
        "tanh",
        "arcsinh",
        "arccosh",
        "arctanh",
        "deg2rad",
        "rad2deg",
        "degrees",
        "radians",
        "absolute",
    ]
)
"""Ufuncs that may warn of their floating-point results."""
SUMS: Final = frozenset(
    [
        "sum",
        "prod",
        "mean",
        "std",
        "var",
        "cumsum",
        "cumprod",
        "nansum",
        "nanprod",
        "nanmean",
        "nanstd",
        "nanvar",
        "trace",
        "diff",
        "trapezoid",
    ]
)
"""Functions of all items, or of those along an axis, whose results are computed from sums, differences or products."""
