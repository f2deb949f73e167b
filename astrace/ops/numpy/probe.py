"""Specs of results, asked of NumPy itself: the function is run on tiny sample arrays.

A stand-in has the dtype and rank of the value it stands for.  The function is run in several ways (`WAYS`):
with other sizes for the dimensions that are not known as numbers, other numbers, other contents.  What all
the runs agree on is said of the result: its class, dtype and rank, and of its dimensions those that are one
number in all runs, or follow one dimension of an argument through all of them.  Only pure functions may be
probed.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import operator
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    PYTHON_TYPES,
    AnySpec,
    ArraySpec,
    Dim,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    spec_of,
)
from astrace.ops.numpy.probe_samples import (
    APART,
    COUNTS,
    MOST_SIZE,
    NUMBERS_APART,
    OTHER_CONTENT,
    SMALL,
    WAYS,
    NoStandIn,
    Way,
    stand_in,
)
from astrace.ops.numpy.size_limits import is_large
from astrace.util.trees import leaves, map_tree
from astrace.util.unwarned import unwarned

WARNINGS: Final = threading.Lock()


@contextlib.contextmanager
def quiet(function: Callable[..., Any], given: Any) -> Generator[None]:
    """Silence the warnings that asking a function may cause: the program gives them when it runs.

    What a ufunc or an operator says of floats is up to the thread.  All else warns by ``warnings``, whose filters belong
    to the whole process: they are changed for these alone, by one thread at a time.
    """
    with np.errstate(all="ignore"):
        if not _may_warn(function, given):
            yield
            return
        with WARNINGS, unwarned():
            yield


def _may_warn(function: Callable[..., Any], given: Any) -> bool:
    """Return whether a function may say more than what NumPy's settings for floats silence."""
    if (
        not isinstance(function, np.ufunc)
        and getattr(function, "__module__", None) != operator.add.__module__
    ):
        return True
    _, named = given
    return "where" in named or any(
        map(_is_complex, leaves(given))
    )  # casts of complex numbers, `where` without `out`


def _is_complex(value: Any) -> bool:
    return isinstance(value, complex) or (
        isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "c"
    )


def probe(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    """The spec of ``function(*args, **kwargs)``.

    Args:
        function: a pure function.
        args: the arguments, with a spec in place of each value.
        kwargs: likewise.

    Returns:
        The spec, or ``None`` where nothing can be said.
    """
    given = _Hashed((args, dict(kwargs)))
    try:
        return _probed(function, given)
    except NoStandIn:
        return None


class _Hashed:
    """Arguments as a key: equal where they are the same, types included."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        self._key = _key(tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _key(tree: Any) -> Any:
    kind: type[Any] = type(tree)
    if kind is slice:
        return (kind, _key((tree.start, tree.stop, tree.step)))
    if isinstance(tree, dict):
        return (kind, _key(list(tree.items())))
    if isinstance(tree, tuple | list):
        return (kind, tuple(map(_key, tree)))
    if isinstance(tree, np.ndarray):
        return (kind, tree.shape, tree.dtype, tree.tobytes() if not tree.dtype.hasobject else id(tree))
    return (kind, repr(tree) if isinstance(tree, float | complex) else tree)


@lru_cache(maxsize=4096)
def _probed(function: Callable[..., Any], given: _Hashed) -> Spec | None:
    symbols = _Symbols(given.tree)
    ways = (*_ways(symbols), *_counts(symbols))
    runs = [run for way in ways if (run := _run(function, symbols, way))]
    if symbols.dims and all(0 in run.sizes.values() for run in runs):
        return None  # results for empty arrays may be of other kinds
    return _Answers(symbols, runs).spec([run.result for run in runs]) if runs else None


def refuses(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a function refuses any of the stand-ins for its arguments, or nothing can be said.

    Args:
        function: a pure function.
        args: the arguments, with a spec in place of each value.
        kwargs: likewise.
    """
    try:
        return _refuses(function, _Hashed((args, dict(kwargs))))
    except NoStandIn:
        return True


@lru_cache(maxsize=4096)
def _refuses(function: Callable[..., Any], given: _Hashed) -> bool:
    symbols = _Symbols(given.tree)
    return not all(_run(function, symbols, way) for way in _ways(symbols))


def always_refuses(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a function refuses all of the stand-ins for its arguments.

    Args:
        function: a pure function.
        args: the arguments, with a spec in place of each value.
        kwargs: likewise.
    """
    try:
        return _always_refuses(function, _Hashed((args, dict(kwargs))))
    except NoStandIn:
        return False


@lru_cache(maxsize=4096)
def _always_refuses(function: Callable[..., Any], given: _Hashed) -> bool:
    symbols = _Symbols(given.tree)
    return not any(_run(function, symbols, way) for way in _ways(symbols))


class _Symbols:
    """The dimensions of arguments whose sizes are not known as small numbers; equal names are one of them.

    Args:
        tree: the arguments; unknown dimensions get names of their own in ``tree``.
    """

    def __init__(self, tree: Any) -> None:
        self.dims: dict[Dim, Dim] = {}
        self.numbers = 0
        self._unknown = (f"?{number}" for number in itertools.count())
        self.tree = map_tree(self._named, tree)

    def _named(self, leaf: Any) -> Any:
        match leaf:
            case ArraySpec():
                return ArraySpec(tuple(map(self._symbol, leaf.shape)), leaf.dtype)
            case TupleSpec():
                return TupleSpec(tuple(map(self._named, leaf.items)), leaf.cls)
            case ListSpec() if leaf.element is not None:
                return ListSpec(self._named(leaf.element), self._symbol(leaf.length))
            case ScalarSpec() | GenericSpec():
                self.numbers += 1
                return leaf
            case _:
                return leaf

    def _symbol(self, dim: Dim) -> Dim:
        if isinstance(dim, int) and dim <= SMALL:
            return dim
        name = next(self._unknown) if dim is None else dim
        self.dims[name] = dim
        return name

    def sizes(self, way: Way) -> dict[Dim, int]:
        """The sizes that stand for the dimensions in one way."""
        return {name: way.size(index, len(self.dims)) for index, name in enumerate(self.dims)}


def _ways(symbols: _Symbols) -> Sequence[Way]:
    """The ways that differ."""
    if symbols.numbers > 1:
        return (*WAYS, *NUMBERS_APART)
    return WAYS if symbols.dims or symbols.numbers else (APART[0], OTHER_CONTENT)


def _counts(symbols: _Symbols) -> Sequence[Way]:
    """One way more where arrays hold integers, which may be sizes."""
    arrays = (leaf for leaf in leaves(symbols.tree) if isinstance(leaf, ArraySpec))
    return (COUNTS,) if any(array.dtype.kind in "iu" for array in arrays) else ()


@dataclass(frozen=True, slots=True)
class _Run:
    """The result of a function called in one way, and the sizes that stood for dimensions."""

    way: Way
    sizes: Mapping[Dim, int]
    result: Any


def _run(function: Callable[..., Any], symbols: _Symbols, way: Way) -> _Run | None:
    """Run a function; ``None`` where it refuses the stand-ins."""
    sizes = symbols.sizes(way)
    places = itertools.count()
    given, named = map_tree(lambda leaf: stand_in(leaf, sizes, way.at(next(places))), symbols.tree)
    if is_large(function, given):
        return None
    arrays = {id(leaf): leaf for leaf in leaves((given, named)) if isinstance(leaf, np.ndarray)}
    if math.prod(array.size or 1 for array in arrays.values()) > MOST_SIZE:  # an outer product can be made
        return None
    try:
        with quiet(function, (given, named)):
            return _Run(way, sizes, function(*given, **named))
    except Exception:
        return None


class _Answers:
    """The results of several runs of one function, compared.

    Args:
        symbols: the dimensions of the arguments.
        runs: the runs that the function did not refuse.
    """

    def __init__(self, symbols: _Symbols, runs: Sequence[_Run]) -> None:
        self._dims = symbols.dims
        self._runs = runs
        self._sized = all(any(run.way is way for run in runs) for way in _ways(symbols)[: len(APART)])

    def spec(self, values: Sequence[Any]) -> Spec | None:
        """The spec that all values have in common."""
        first = values[0]
        kind: type[Any] = type(first)
        if any(type(value) is not kind for value in values):
            return None
        if isinstance(first, np.ndarray | np.generic):
            return self._array(values) if len({value.dtype for value in values}) == 1 else _of_class(kind)
        if kind in PYTHON_TYPES.values():
            return spec_of(first)
        if isinstance(first, tuple):
            return self._tuple(values)
        if first is None or (isinstance(first, np.dtype | type) and all(value is first for value in values)):
            return LiteralSpec(first)
        return AnySpec(kind) if isinstance(first, list | str | bytes) else None

    def _array(self, values: Sequence[Any]) -> Spec | None:
        first = values[0]
        if isinstance(first, np.generic):
            return GenericSpec(first.dtype) if first.dtype.kind in "biufcmM" else AnySpec(type(first))
        if type(first) is not np.ndarray or len({value.ndim for value in values}) > 1:
            return _of_class(type(first))
        dims = zip(*(value.shape for value in values), strict=True)
        return ArraySpec(tuple(map(self._dim, dims)), first.dtype)

    def _tuple(self, values: Sequence[Any]) -> Spec | None:
        if len(set(map(len, values))) > 1:
            return None
        items = (self.spec(column) or AnySpec() for column in zip(*values, strict=True))
        return TupleSpec(tuple(items), type(values[0]))

    def _dim(self, sizes: Sequence[int]) -> Dim:
        """The dimension that was of these sizes in the runs."""
        if not self._sized:
            return None
        if len(set(sizes)) == 1 and (sizes[0] <= SMALL or not self._dims):
            return sizes[0]
        for name, dim in self._dims.items():
            if all(run.sizes[name] == size for run, size in zip(self._runs, sizes, strict=True)):
                return dim
        return None


def _of_class(kind: type[Any]) -> Spec | None:
    """Any array; of scalars the class may change with the dtype."""
    return AnySpec(kind) if issubclass(kind, np.ndarray) else None
