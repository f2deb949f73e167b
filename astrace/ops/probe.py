"""What NumPy itself says about a result: run the function on tiny stand-in arrays.

A stand-in has the dtype and rank of the value it stands for, and a size of its own for every dimension, so
that dtype, rank, scalar-or-array and most dimensions of the result can be read off.  Only pure functions
may be probed.  Where the sizes clash (two unknown dimensions that must be equal), a second run with all
unknown sizes equal still gives dtype and rank.
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
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
    UnionSpec,
    spec_of,
)
from astrace.trees import map_tree

SIZES: Final = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
SMALL: Final = 3
SCALARS: Final = {"bool": True, "int": 2, "float": 0.5, "complex": 0.5 + 0.25j}
MOST_SIZE: Final = 10**6


class NoStandIn(Exception):
    """A value of which too little is known to be stood in for."""


class _Sizes:
    """Gives every dimension a size; equal names get equal sizes, unknown ones a size of their own."""

    def __init__(self, apart: bool) -> None:
        self.apart = apart
        self.dims: dict[int, Dim] = {}
        self._known: dict[Dim, int] = {}
        self._left: Iterator[int] = iter(SIZES)

    def size(self, dim: Dim) -> int:
        """The size that stands for a dimension."""
        if isinstance(dim, int) and dim <= SMALL:
            return dim
        if not self.apart:
            return SMALL
        if dim in self._known:
            return self._known[dim]
        size = next(self._left, None)
        if size is None:
            raise NoStandIn
        self.dims[size] = dim
        if dim is not None:
            self._known[dim] = size
        return size

    def dim(self, size: int) -> Dim:
        """The dimension that a size of the result stands for."""
        if not self.apart:
            return None
        return size if size <= SMALL else self.dims.get(size)


WARNINGS: Final = threading.Lock()


@contextlib.contextmanager
def quiet() -> Generator[None]:
    """Asking a function must not warn: the program does, when it runs.

    The filters of warnings belong to the whole process, so one thread changes them at a time.
    """
    with WARNINGS, np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def probe(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    """The spec of ``function(*args, **kwargs)``.

    Args:
        function: a pure function.
        args: the arguments, with a spec in place of each value.
        kwargs: likewise.

    Returns:
        The spec, or ``None`` where nothing can be said.
    """
    for apart in (True, False):
        sizes = _Sizes(apart)
        try:
            given, named = stand_ins((args, dict(kwargs)), sizes)
            with quiet():
                return _result(function(*given, **named), sizes)
        except NoStandIn:
            return None
        except Exception:  # noqa: S112 - the function refuses the stand-ins: try the other sizes
            continue
    return None


def stand_ins(tree: Any, sizes: _Sizes) -> Any:
    """A tree with a stand-in for each spec."""
    return map_tree(lambda leaf: stand_in(leaf, sizes), tree)


def stand_in(leaf: Any, sizes: _Sizes) -> Any:
    """An object that a spec describes; anything else stands for itself."""
    match leaf:
        case ArraySpec() | GenericSpec() if leaf.dtype.kind in "OV":
            raise NoStandIn
        case ArraySpec():
            return _array(tuple(map(sizes.size, leaf.shape)), leaf.dtype)
        case GenericSpec():
            return _array((), leaf.dtype)[()]
        case ScalarSpec():
            return SCALARS[leaf.kind]
        case LiteralSpec():
            return leaf.value
        case TupleSpec() if leaf.cls is tuple:
            return tuple(stand_in(item, sizes) for item in leaf.items)
        case ListSpec() if leaf.element is not None:
            return [stand_in(leaf.element, sizes)] * sizes.size(leaf.length)
        case AnySpec() | UnionSpec() | TupleSpec() | ListSpec():
            raise NoStandIn
        case _:
            return leaf


def _array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array of harmless numbers; a square matrix is symmetric and positive definite."""
    if np.prod(shape) > MOST_SIZE:
        raise NoStandIn
    if dtype.kind not in "biufc":
        return np.zeros(shape, dtype)
    array = np.ones(shape, dtype)
    if dtype.kind in "fc":
        array *= 0.25
        if len(shape) >= 2 and shape[-1] == shape[-2]:
            array += np.eye(shape[-1], dtype=dtype)
    return array


def _result(value: Any, sizes: _Sizes) -> Spec | None:
    """The spec of a probe's result, with sizes turned back into dimensions."""
    kind: type[Any] = type(value)
    if kind is np.ndarray:
        return ArraySpec(tuple(map(sizes.dim, value.shape)), value.dtype)
    if isinstance(value, np.generic):
        return GenericSpec(value.dtype)
    if kind in PYTHON_TYPES.values():
        return spec_of(value)
    if isinstance(value, tuple):
        items = [_result(item, sizes) for item in value]  # type: ignore[misc]
        return TupleSpec(tuple(item or AnySpec() for item in items), kind)
    if kind is list:
        return AnySpec(list)
    if isinstance(value, np.ndarray | str | bytes):
        return AnySpec(kind)
    return LiteralSpec(value) if value is None else None
