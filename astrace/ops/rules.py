"""Rules shared by many ops: broadcasting, elementwise dtypes, shapes given as arguments.

A rule sees the call as the user wrote it, with a `Spec` for each value and the Python object for each
constant (see ``registry.Rule``), and says ``None`` where it knows nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    INT,
    NUMERIC,
    AnySpec,
    ArraySpec,
    Dim,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    UnionSpec,
    join,
    spec_of,
)
from astrace.ops.numpy.probe import probe
from astrace.ops.registry import Impossible, Rule, Test

SPECS: Final = (ArraySpec, GenericSpec, ScalarSpec)
MOST_KEPT: Final = 256
"""The number of answers that each operator or ufunc keeps."""


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


def by_ranks(rule: Rule) -> Rule:
    """A rule that asks by the ranks alone where sizes that are known and sizes that have names may not fit.

    For functions of several arrays whose result has a dtype and a rank that follow from theirs.

    Args:
        rule: is asked first.
    """

    def asked(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | tuple[Spec, ...] | None:
        found = rule(args, kwargs)
        return found if found is not None else rule(_without_sizes(args), kwargs)

    return asked


def _without_sizes(given: Any) -> Any:
    """Return arguments in which nothing is known of arrays but rank and dtype."""
    match given:
        case ArraySpec():
            return ArraySpec((None,) * len(given.shape), given.dtype)
        case tuple() | list() if type(given) in (tuple, list):  # type: ignore[reportUnknownArgumentType]
            return type(given)(map(_without_sizes, given))  # type: ignore[reportUnknownArgumentType]
        case _:
            return given


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
    """Return whether shapes can be broadcast whatever their unknown sizes are."""
    for dims in itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        kinds = {dim for dim in dims if dim != 1}
        if len(kinds) > 1 or (None in kinds and sum(dim is None for dim in dims) > 1):
            return False
    return True


def shape_of(spec: Spec) -> tuple[Dim, ...]:
    """The shape of an array or scalar spec."""
    return spec.shape if isinstance(spec, ArraySpec) else ()


def elementwise(function: Callable[..., Any]) -> Rule:
    """The rule of an operator or ufunc with one result: NEP 50 dtypes, broadcast shapes."""

    def rule(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
        specs = tuple(map(spec_of, args))
        if kwargs or not all(isinstance(spec, SPECS) for spec in specs):
            return probe(function, args, kwargs)
        if not isinstance(function, np.ufunc) and all(isinstance(spec, ScalarSpec) for spec in specs):
            return sampled(function, args)
        found = ask(function, tuple(map(kind_of, args))).spec
        return None if found is None else _shaped(found, broadcast(tuple(map(shape_of, specs))))

    return remembered(rule)


def remembered(rule: Rule) -> Rule:
    """A rule that keeps its answers for numbers and arrays: programs ask the same of it again and again."""

    @lru_cache(maxsize=MOST_KEPT, typed=True)
    def once(*args: Any) -> Spec | tuple[Spec, ...] | None:
        return rule(args, {})

    def asked(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | tuple[Spec, ...] | None:
        return once(*args) if not kwargs and NUMERIC.issuperset(map(type, args)) else rule(args, kwargs)

    return asked


def _shaped(spec: Spec, shape: tuple[Dim, ...]) -> Spec:
    """The spec of a result on arrays of one item each, for arrays of other sizes."""
    match spec:
        case ArraySpec() if spec.shape:
            return ArraySpec(shape, spec.dtype)
        case UnionSpec():
            return UnionSpec(tuple(_shaped(option, shape) for option in spec.options))
        case _:
            return spec


def elementwise_safe(function: Callable[..., Any]) -> Test:
    """Tells whether an operator or ufunc can't raise: it takes these types, shapes fit, numbers convert."""

    def safe(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        if kwargs:
            return False
        return once(*args) if NUMERIC.issuperset(map(type, args)) else anew(*args)

    def anew(*args: Any) -> bool:
        specs = tuple(map(spec_of, args))
        return (
            all(map(_is_numeric, specs))
            and not (isinstance(function, np.ufunc) and len(args) > function.nin)
            and all(map(_converts, args, itertools.repeat(_is_exact(function, specs))))
            and certainly_broadcasts(tuple(map(shape_of, specs)))
            and not ask(function, tuple(map(kind_of, args))).raises
        )

    once = lru_cache(maxsize=MOST_KEPT, typed=True)(anew)
    return safe


def _is_numeric(spec: Spec) -> bool:
    return isinstance(spec, ScalarSpec) or (
        isinstance(spec, ArraySpec | GenericSpec) and spec.dtype.kind in "biufc"
    )


def _is_exact(function: Callable[..., Any], specs: tuple[Spec, ...]) -> bool:
    """Return whether Python computes in integers, which may be as large as they like."""
    whole = all(isinstance(spec, ScalarSpec) and spec.kind in ("int", "bool") for spec in specs)
    return whole and not isinstance(function, np.ufunc)


def _converts(arg: Any, exact: bool) -> bool:
    """Return whether an argument fits the type that is computed in; a Python integer may be too large."""
    return exact or arg != INT


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a function for all samples of some kinds of arguments.

    Args:
        spec: covers its results; ``None`` where it gave none.
        raises: it raised at least once.
    """

    spec: Spec | None
    raises: bool


def kind_of(arg: Any) -> Hashable:
    """Return the part of an argument that decides the type of an elementwise result; Python's constants as they are.

    An array's sizes play no part, but whether it has dimensions does.
    """
    match arg:
        case ArraySpec():
            return ArraySpec((1,) if arg.shape else (), arg.dtype)
        case GenericSpec() | ScalarSpec():
            return arg
        case np.ndarray() | np.generic():
            return kind_of(spec_of(arg))
        case LiteralSpec():
            return (type(arg.value), arg.value)
        case _:
            return (type(arg), arg)


@lru_cache(maxsize=4096)
def ask(function: Callable[..., Any], kinds: tuple[Any, ...]) -> Answer:
    """Call a function on samples of the given kinds."""
    if any(isinstance(kind, ArraySpec | GenericSpec) and kind.dtype.kind in "OV" for kind in kinds):
        return Answer(None, True)
    found: Spec | None = None
    raises = False
    large = LARGE if isinstance(function, np.ufunc) else ()
    for values in itertools.product(*(_samples(kind, large) for kind in kinds)):
        try:
            with np.errstate(all="ignore"):
                spec = _kept(spec_of(function(*values)))
        except (TypeError, ValueError, ArithmeticError, Warning):
            raises = True
            continue
        found = spec if found is None else join(found, spec)
    return Answer(found, raises)


def _kept(spec: Spec) -> Spec:
    """Return the part of a result's spec that holds for other values: NumPy's texts are as long as their values, and one object is not another."""
    match spec:
        case GenericSpec(dtype) if dtype.kind in "SU":
            return AnySpec(dtype.type)
        case LiteralSpec(value) if value is not None:
            return AnySpec(type(value))
        case _:
            return spec


SAMPLES: Final[Mapping[str, tuple[Any, ...]]] = {
    "bool": (True, False),
    "int": (2, -3, 0),
    "float": (0.5, -1.5, 2.0),
    "complex": (0.5 + 0.25j,),
}


LARGE: Final = (2**63, 2**64)
"""Python integers that NumPy takes for unsigned ones, or for objects, unless a dtype is given."""


def _samples(kind: Any, large: tuple[int, ...]) -> tuple[Any, ...]:
    match kind:
        case ArraySpec():
            return (np.ones([1] * len(kind.shape), kind.dtype),)
        case GenericSpec():
            return (np.ones((), kind.dtype)[()],)
        case ScalarSpec():
            return (*SAMPLES[kind.kind], *(large if kind == INT else ()))
        case _:
            return (kind[1],)


MOST_COUNT: Final = 64


def sampled(function: Callable[..., Any], args: tuple[Any, ...]) -> Spec | None:
    """The spec of an operator on Python numbers: whatever kinds a few samples give.

    Example:
        >>> import operator
        >>> str(sampled(operator.pow, (ScalarSpec("int"), ScalarSpec("int"))))
        'int | float'
    """
    return ask(function, tuple(kind_of(_bounded(arg)) for arg in args)).spec


def _bounded(arg: Any) -> Any:
    """A constant of the same kind and sign with which no result gets too large to be computed while tracing."""
    return max(-MOST_COUNT, min(arg, MOST_COUNT)) if type(arg) is int else arg


# -- shapes given as arguments -----------------------------------------------------------------------


def shape_argument(argument: Any) -> tuple[Dim, ...] | None:
    """The shape that an argument such as ``(n, 3)`` gives; ``None`` where not even the rank is known.

    Raises:
        Impossible: it is a number that is no integer.
    """
    if isinstance(argument, ScalarSpec | GenericSpec):
        kind = argument.kind if isinstance(argument, ScalarSpec) else argument.dtype.kind
        if kind in ("float", "complex", "f", "c"):
            raise Impossible
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
    """The dtype that an argument names; ``None`` where it is no constant, leaves sizes to the data or adds dimensions."""
    if isinstance(argument, LiteralSpec):
        argument = argument.value
    if isinstance(argument, Spec):
        return None
    try:
        dtype = np.dtype(default if argument is None else argument)
    except TypeError:
        return None
    of_data = dtype.itemsize == 0 or dtype in (np.dtype("M8"), np.dtype("m8"))
    return None if of_data or dtype.subdtype is not None else dtype
