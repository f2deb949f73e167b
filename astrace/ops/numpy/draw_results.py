"""What methods of ``np.random.Generator`` give that no kernel draws: permutations, choices without repeats, arrays of parameters.

Nothing is computed by what is told here; code behind such a call knows the dtype, and how many axes there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    FLOAT,
    INT,
    ArraySpec,
    Dim,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)
from astrace.ops.rules import broadcast, shape_argument

WHOLE: Final = np.dtype(np.int64)
DOUBLE: Final = np.dtype(np.float64)
NUMBERS: Final[Mapping[str, tuple[int, np.dtype[Any]]]] = {
    **dict.fromkeys(("random", "standard_normal", "standard_exponential", "standard_cauchy"), (0, DOUBLE)),
    **dict.fromkeys(("exponential", "rayleigh", "chisquare", "standard_t", "standard_gamma"), (1, DOUBLE)),
    **dict.fromkeys(("weibull", "pareto", "power"), (1, DOUBLE)),
    **dict.fromkeys(("uniform", "normal", "lognormal", "gamma", "beta", "laplace", "gumbel"), (2, DOUBLE)),
    **dict.fromkeys(("logistic", "vonmises", "wald", "f", "noncentral_chisquare"), (2, DOUBLE)),
    **dict.fromkeys(("triangular", "noncentral_f"), (3, DOUBLE)),
    **dict.fromkeys(("poisson", "geometric", "logseries", "zipf"), (1, WHOLE)),
    **dict.fromkeys(("binomial", "negative_binomial"), (2, WHOLE)),
    "integers": (2, WHOLE),
    "hypergeometric": (3, WHOLE),
}
"""How many parameters stand in front of the size, and the dtype of what is drawn."""
VECTORS: Final[Mapping[str, tuple[int, int, np.dtype[Any]]]] = {
    "multivariate_normal": (2, 0, DOUBLE),
    "dirichlet": (1, 0, DOUBLE),
}
"""How many parameters stand in front of the size, which of them is as long as a vector that is drawn, and its dtype."""


def result_of(name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return what a method gives; ``None`` where that is not known.

    Args:
        name: of the method.
        args: behind the generator, as rules see them.
        kwargs: the same by name.

    Example:
        >>> column = ArraySpec(("n", 1), np.dtype(np.float32))
        >>> print(result_of("permutation", (INT,), {}), result_of("normal", (column, 1.0), {}))
        int64[?] float64[n, 1]
    """
    if name == "choice":
        return _choice(*args, **kwargs) if _fits(args, kwargs, CHOICE) else None
    if name in ("permutation", "permuted", "shuffle"):
        return _in_another_order(name, args, kwargs)
    if name in VECTORS:
        return _vectors(args, kwargs, *VECTORS[name])
    return _numbers(name, args, kwargs) if name in NUMBERS else None


CHOICE: Final = frozenset({"a", "size", "replace", "p", "axis", "shuffle"})


def _fits(args: Sequence[Any], kwargs: Mapping[str, Any], names: frozenset[str]) -> bool:
    """Return whether a call of ``choice`` names what it is given, along the first axis."""
    return bool(args) and len(args) <= 4 and not kwargs.keys() - (names - {"a", "axis"})


def _choice(a: Any, size: Any = None, replace: Any = True, p: Any = None, shuffle: Any = True) -> Spec | None:
    """Return the type of items along the first axis of an array, or of places."""
    del replace, p, shuffle
    if type(a) is int or a == INT:
        return INT if is_none(size) else array_of(size, WHOLE)
    if not isinstance(a, ArraySpec) or not a.shape:
        return None
    rest = a.shape[1:]
    if is_none(size):
        return ArraySpec(rest, a.dtype) if rest else _item(a.dtype)
    return array_of(size, a.dtype, rest)


def _item(dtype: np.dtype[Any]) -> Spec | None:
    return GenericSpec(dtype) if dtype.kind in "biufc" else None


def _in_another_order(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return the type of the same items in another order; ``shuffle`` puts them so in place."""
    if len(args) != 1 or kwargs.keys() - {"axis"}:
        return None
    (given,) = args
    if isinstance(given, ArraySpec) and given.shape:
        return LiteralSpec(None) if name == "shuffle" else given
    whole = type(given) is int or given == INT
    return array_of(given, WHOLE) if whole and name == "permutation" else None


def _vectors(
    args: Sequence[Any], kwargs: Mapping[str, Any], count: int, place: int, dtype: np.dtype[Any]
) -> Spec | None:
    """Return the type of draws that are vectors."""
    if len(args) < count or len(args) > count + 1 or kwargs.keys() - {"size"}:
        return None
    size = args[count] if len(args) > count else kwargs.get("size")
    like = args[place]
    if not isinstance(like, ArraySpec) or len(like.shape) != 1:
        return None
    return ArraySpec(like.shape, dtype) if is_none(size) else array_of(size, dtype, like.shape)


def _numbers(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return the type of draws that are numbers: parameters may be arrays, which are broadcast where no size is given."""
    count, dtype = NUMBERS[name]
    others = {one: value for one, value in kwargs.items() if one != "size"}
    given = [*args[:count], *others.values()]
    if (
        len(args) + ("size" in kwargs) > count + 1
        or others.keys() & OPTIONS
        or not all(map(_is_parameter, given))
    ):
        return None
    size = args[count] if len(args) > count else kwargs.get("size")
    if not is_none(size):
        return array_of(size, dtype)
    shapes: list[tuple[Dim, ...]] = [one.shape for one in given if isinstance(one, ArraySpec)]
    if shapes:
        return ArraySpec(broadcast(tuple(shapes)), dtype)
    if name == "integers":
        return None
    return FLOAT if dtype == DOUBLE else INT


OPTIONS: Final = frozenset({"dtype", "out", "method", "endpoint"})
"""What changes the type of what is drawn, or says where it goes."""


def _is_parameter(value: Any) -> bool:
    """Return whether a parameter is a real number, or an array of such with axes."""
    if isinstance(value, ArraySpec):
        return bool(value.shape) and value.dtype.kind in "biuf"
    return is_number(value)


def array_of(size: Any, dtype: np.dtype[Any], rest: tuple[Dim, ...] = ()) -> ArraySpec | None:
    """Return the type of as many draws as a size says; ``None`` where it is not known how many axes that are.

    Args:
        size: an integer or a tuple, as rules see them.
        dtype: of what is drawn.
        rest: the shape of a single draw.
    """
    shape = shape_argument(size.items if isinstance(size, TupleSpec) else size)
    return None if shape is None else ArraySpec((*shape, *rest), dtype)


def is_none(value: Any) -> bool:
    """Return whether an argument is ``None``."""
    return value is None or (isinstance(value, LiteralSpec) and value.value is None)


def is_number(value: Any) -> bool:
    """Return whether a parameter is a real number, not an array."""
    match value:
        case ScalarSpec():
            return value.kind in ("bool", "int", "float")
        case GenericSpec():
            return value.dtype.kind in "biuf"
        case UnionSpec():
            return all(map(is_number, value.options))
        case LiteralSpec():
            return is_number(value.value)
        case _:
            return isinstance(value, bool | int | float | np.bool_ | np.integer | np.floating)
