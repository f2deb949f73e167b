"""In which way the library that NumPy calls solves systems of few linear equations: found out by trial, once in each process.

As for products (`product_orders`), nothing of it is kept on disk.  It knows no Numba.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from astrace.ops.lowered_products import UNKNOWN
from astrace.ops.lowered_solutions import (
    INVERSE,
    LARGEST_PIVOT,
    LEAST_PIVOT,
    MOST_COLUMNS,
    VECTOR,
    WAYS,
    Elimination,
    code_of,
    sizes_at,
)

Array = NDArray[np.floating[Any]]
System = tuple[list[list[float]], list[list[float]], bytes]
"""The rows of a matrix, those of the right sides, and the bits of the solution."""
SAMPLES: Final = 60
"""The number of systems that are tried, of each kind."""
KINDS: Final = 5
"""The number of kinds."""
SIMPLE: Final = np.array([-1.0, -0.0, 0.0, 1.0, 2.0])
"""FloatComputing of which many systems have zeros, with a sign or without, among what is computed."""
TINY: Final = 1e-150
"""Products of two numbers of this size and of a third one round to zero, or nearly so."""


class Likeness(IntEnum):
    """How well a way explains solutions."""

    NONE = 0
    VALUES = 1
    """Zeros have other signs."""
    BITS = 2


class Untried(ArithmeticError):
    """A pivot is one that a kernel gives up for."""


class FloatComputing:
    """Arithmetic of Python's floats.

    Args:
        multiply_and_add: ``a * b + c``, rounded once.
    """

    def __init__(self, multiply_and_add: Callable[[float, float, float], float]) -> None:
        self._multiply_and_add = multiply_and_add

    def times(self, a: float, b: float) -> float:
        """``a * b``."""
        return a * b

    def minus(self, a: float, b: float) -> float:
        """``a - b``."""
        return a - b

    def plus(self, a: float, b: float) -> float:
        """``a + b``."""
        return a + b

    def over(self, a: float, b: float) -> float:
        """``a / b``."""
        return a / b

    def multiply_and_add(self, a: float, b: float, c: float) -> float:
        """``a * b + c``, rounded once."""
        return self._multiply_and_add(a, b, c)

    def is_larger(self, a: float, b: float) -> bool:
        """Whether ``abs(a) > abs(b)``."""
        return abs(a) > abs(b)

    def both(self, one: bool, other: bool) -> bool:
        """``one and other``."""
        return one and other

    def inverted(self, test: bool) -> bool:
        """``not test``."""
        return not test

    def choose(self, test: bool, then: Any, orelse: Any) -> Any:
        """``then if test else orelse``."""
        return then if test else orelse

    def check_pivot(self, pivot: float) -> None:
        """Take no notice of systems for which kernels give up."""
        if not LEAST_PIVOT <= abs(pivot) <= LARGEST_PIVOT:
            raise Untried


def found_way(library: ctypes.CDLL, place: int) -> int:
    """Return the code of a way that gives the bits of all solutions, or all but the signs of zeros; `UNKNOWN` if none does.

    Args:
        library: the C library, with a function that multiplies and adds and rounds once.
        place: of a way, by the sizes of a system.
    """
    fma: Any = library["fma"]
    fma.restype, fma.argtypes = ctypes.c_double, (ctypes.c_double,) * 3
    unknowns, columns = sizes_at(place)
    systems = [*_systems(np.random.default_rng(unknowns), unknowns, columns)]
    numbers, found = FloatComputing(fma), UNKNOWN
    for way in WAYS:
        elimination = Elimination(numbers, way)
        worst = _worst(elimination, systems)
        if worst == Likeness.BITS:
            return code_of(way, True)
        if worst == Likeness.VALUES and found == UNKNOWN:
            found = code_of(way, False)
    return found


def _worst(elimination: Elimination, systems: Sequence[System]) -> Likeness:
    found = Likeness.BITS
    for one in systems:
        found = min(found, _agreement(elimination, one))
        if found == Likeness.NONE:
            break
    return found


def _agreement(elimination: Elimination, system: System) -> Likeness:
    """Return how well a way explains a solution; nothing speaks against it where a kernel gives up."""
    matrix, right, expected = system
    try:
        found = np.array(elimination.solved(matrix, right))
    except Untried:
        return Likeness.BITS
    if found.tobytes() == expected or np.isnan(found).any():
        return Likeness.BITS
    is_same = np.array_equal(found.ravel(), np.frombuffer(expected))
    return Likeness.VALUES if is_same else Likeness.NONE


def _systems(rng: np.random.Generator, unknowns: int, columns: int) -> Iterator[System]:
    """Yield systems, and what NumPy gives."""
    shape = (unknowns, min(max(columns, 1), MOST_COLUMNS))
    for sample in range(KINDS * SAMPLES):
        matrix = _numbers(rng, (unknowns, unknowns), sample)
        right = np.eye(unknowns) if columns == INVERSE else _numbers(rng, shape, sample // KINDS)
        try:
            found = _solved(matrix, right, columns)
        except np.linalg.LinAlgError:
            continue
        yield matrix.tolist(), right.tolist(), found.tobytes()


def _solved(matrix: Array, right: Array, columns: int) -> Array:
    with np.errstate(all="ignore"):
        if columns == INVERSE:
            return np.linalg.inv(matrix)
        return np.linalg.solve(matrix, right[:, 0] if columns == VECTOR else right)


def _numbers(rng: np.random.Generator, shape: tuple[int, ...], sample: int) -> Array:
    """Random numbers: of one size, of several sizes, small ones, zeros among others, and such as make zeros."""
    match sample % KINDS:
        case 0:
            return rng.normal(size=shape)
        case 1:
            return rng.normal(size=shape) * 10.0 ** rng.integers(-9, 9, shape)
        case 2:
            return rng.choice([1.0, TINY], shape) * rng.normal(size=shape)
        case 3:
            return rng.choice([-0.0, 0.0, 1.0], shape) * rng.normal(size=shape)
        case _:
            return rng.choice(SIMPLE, shape)
