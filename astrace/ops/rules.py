"""Rules shared by many ops: broadcasting, elementwise dtypes, shapes given as arguments.

A rule sees the call as the user wrote it, with a `Spec` for each value and the Python object for each
constant (see ``registry.Rule``), and says ``None`` where it knows nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    ArraySpec,
    Dim,
    GenericSpec,
    ScalarSpec,
    Spec,
    join,
    spec_of,
)
from astrace.ops.probe import SCALARS, probe
from astrace.ops.registry import Rule

SPECS: Final = (ArraySpec, GenericSpec, ScalarSpec)
SAMPLES: Final[Mapping[str, tuple[Any, ...]]] = {
    "bool": (True, False),
    "int": (2, -3, 0),
    "float": (0.5, -1.5, 2.0),
    "complex": (0.5 + 0.25j,),
}


def fixed(spec: Spec) -> Rule:
    """A rule that always gives the same spec."""
    return lambda args, kwargs: spec


def unknown(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """The rule of an op of whose result nothing is known."""
    return


def nothing(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Spec, ...]:
    """The rule of an op without result."""
    return ()


def probed(function: Callable[..., Any]) -> Rule:
    """A rule that asks the function itself, by a tiny run on stand-ins; for pure functions."""
    return lambda args, kwargs: probe(function, args, kwargs)


# -- elementwise -----------------------------------------------------------------------------------


def broadcast(shapes: tuple[tuple[Dim, ...], ...]) -> tuple[Dim, ...]:
    """The shape that NumPy broadcasts to, as far as it is known.

    Example:
        >>> broadcast((("n", 1), (3,))), broadcast((("n",), ("n",))), broadcast((("n",), ("m",)))
        (('n', 3), ('n',), (None,))
    """
    reversed_dims = itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1)
    return tuple(reduce(_broadcast_dim, dims) for dims in reversed_dims)[::-1]


def _broadcast_dim(left: Dim, right: Dim) -> Dim:
    if left in (1, right):
        return right
    if right == 1:
        return left
    if isinstance(left, int):
        return left
    return right if isinstance(right, int) else None


def certainly_broadcasts(shapes: tuple[tuple[Dim, ...], ...]) -> bool:
    """Whether shapes can be broadcast whatever their unknown sizes are."""
    for dims in itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        kinds = {dim for dim in dims if dim != 1}
        if len(kinds) > 1 or (None in kinds and sum(dim is None for dim in dims) > 1):
            return False
    return True


def shape_of(spec: Spec) -> tuple[Dim, ...]:
    """The shape of an array or scalar spec."""
    return spec.shape if isinstance(spec, ArraySpec) else ()


def dtype_key(spec: Spec) -> Any:
    """What of a spec decides the dtype of an elementwise result: a dtype, or a Python kind (weak)."""
    return spec.kind if isinstance(spec, ScalarSpec) else spec.dtype  # type: ignore[union-attr]


def elementwise(function: Callable[..., Any]) -> Rule:
    """The rule of an operator or ufunc with one result: NEP 50 dtypes, broadcast shapes."""

    def rule(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
        specs = tuple(map(spec_of, args))
        if kwargs or not all(isinstance(spec, SPECS) for spec in specs):
            return probe(function, args, kwargs)
        if not isinstance(function, np.ufunc) and all(isinstance(spec, ScalarSpec) for spec in specs):
            return sampled(function, args)
        result = result_dtype(function, tuple(map(dtype_key, specs)))
        if result is None:
            return None
        shape = broadcast(tuple(map(shape_of, specs)))
        return ArraySpec(shape, result) if shape else GenericSpec(result)

    return rule


@lru_cache(maxsize=4096)
def result_dtype(function: Callable[..., Any], keys: tuple[Any, ...]) -> np.dtype[Any] | None:
    """The dtype of an elementwise result, by asking the function."""
    if any(not isinstance(key, str) and key.kind in "OV" for key in keys):
        return None
    given = [SCALARS[key] if isinstance(key, str) else np.ones(1, key) for key in keys]
    try:
        with np.errstate(all="ignore"):
            result = function(*given)
    except (TypeError, ValueError, OverflowError):
        return None
    return result.dtype if isinstance(result, np.ndarray | np.generic) else None


def sampled(function: Callable[..., Any], args: tuple[Any, ...]) -> Spec | None:
    """The spec of an operator on Python numbers: whatever kinds a few samples give.

    Example:
        >>> import operator
        >>> str(sampled(operator.pow, (ScalarSpec("int"), ScalarSpec("int"))))
        'int | float'
    """
    choices = [SAMPLES[arg.kind] if isinstance(arg, ScalarSpec) else (arg,) for arg in args]
    found: Spec | None = None
    for values in itertools.product(*choices):
        try:
            spec = spec_of(function(*values))
        except (ArithmeticError, ValueError, TypeError):
            continue
        found = spec if found is None else join(found, spec)
    return found


def elementwise_safe(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether an elementwise op can't raise: shapes certainly fit, numbers certainly convert."""
    specs = tuple(map(spec_of, args))
    if kwargs or not all(isinstance(spec, SPECS) for spec in specs):
        return False
    keys = [dtype_key(spec) for spec in specs]
    if any(isinstance(key, np.dtype) and key.kind not in "biufc" for key in keys):
        return False
    weak = any(key == "int" and isinstance(arg, ScalarSpec) for key, arg in zip(keys, args, strict=True))
    exact = all(key in ("int", "bool") for key in keys)
    return (exact or not weak) and certainly_broadcasts(tuple(map(shape_of, specs)))


# -- shapes given as arguments -----------------------------------------------------------------------


def shape_argument(argument: Any) -> tuple[Dim, ...] | None:
    """The shape that an argument such as ``(n, 3)`` gives; ``None`` where not even the rank is known."""
    if isinstance(argument, ScalarSpec | GenericSpec):
        return (None,)
    if isinstance(argument, int | np.integer):
        return (int(argument),)
    if isinstance(argument, tuple | list):
        dims = [shape_argument(item) for item in argument]
        return (
            None
            if any(dim is None or len(dim) != 1 for dim in dims)
            else tuple(dim[0] for dim in dims if dim)
        )
    return None


def dtype_argument(argument: Any, default: Any) -> np.dtype[Any] | None:
    """The dtype that an argument names; ``None`` where it is not a constant."""
    if isinstance(argument, Spec):
        return None
    try:
        return np.dtype(default if argument is None else argument)
    except TypeError:
        return None
