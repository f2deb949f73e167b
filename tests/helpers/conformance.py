"""The operands of the conformance test: every dtype, rank and layout that an array can have.

A sample of ``samples`` names its operands; here each array among them is given the dtype, rank and layout of
a `Case`.  Arrays that say where or which (masks, positions, sorted vectors) keep their dtype and rank.
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import harness
import numpy as np
import samples

NUMERIC: Final = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "longdouble", "complex64", "complex128", "clongdouble"),
    *("longlong", "ulonglong"),
)
OTHERS: Final = (">i4", ">f8", "object", "M8[D]", "m8[h]", "U3", "S3", "i4, f8")
DTYPES: Final = (*NUMERIC, *OTHERS)
RANKS: Final = (0, 1, 2, 3)


class Case(NamedTuple):
    """The operands of a sample.

    Args:
        dtype: of the first array.
        rank: of all arrays.
        layout: of all arrays.
        other: the dtype of the other arrays.
        turn: which of the values is taken that other operands have.
    """

    dtype: str
    rank: int
    layout: str
    other: str = "float64"
    turn: int = 0


# -- contents ----------------------------------------------------------------------------------------------


def contents(shape: tuple[int, ...], dtype: str, first: int) -> np.ndarray:
    """A new array of small numbers, or of what stands for them in a dtype."""
    numbers = list(itertools.islice(itertools.cycle(samples.NUMBERS), first, first + math.prod(shape)))
    kind = np.dtype(dtype)
    match kind.kind:
        case "c":
            flat = np.array([number + 0.5j * number for number in numbers]).astype(kind)
        case "u":
            flat = np.array(numbers).__abs__().astype(kind)
        case "M" | "m":
            flat = np.array(numbers).astype("int64").astype(kind)
        case "O":
            flat = np.array([int(one) if one == int(one) else one for one in numbers], object)
        case "V":
            flat = np.array([(int(one), one) for one in numbers], kind)
        case "U" | "S":
            flat = np.array([str(one)[:3] for one in numbers], kind)
        case _:
            flat = np.array(numbers).astype(kind)
    return flat.reshape(shape)


def matrix(shape: tuple[int, ...], dtype: str, first: int) -> np.ndarray:
    """An array whose square matrices can be inverted and factored, as far as its dtype allows."""
    kind = np.dtype(dtype)
    if len(shape) < 2 or kind.kind not in "biufc":
        return contents(shape, dtype, first)
    return np.broadcast_to(samples.square("complex128" if kind.kind == "c" else "float64"), shape).astype(
        kind
    )


# -- layouts -----------------------------------------------------------------------------------------------


def strided(array: np.ndarray) -> np.ndarray:
    """With gaps between the items."""
    buffer = np.zeros((*array.shape[:-1], 2 * (array.shape or (1,))[-1]), array.dtype)
    if not array.ndim:
        buffer[1] = array
        return buffer[1:].reshape(())
    buffer[..., ::2] = array
    return buffer[..., ::2]


def backwards(array: np.ndarray) -> np.ndarray:
    """With negative strides."""
    return np.flip(np.flip(array).copy())


def broadcast(array: np.ndarray) -> np.ndarray:
    """One row many times."""
    return np.broadcast_to(array[:1], array.shape)


def empty(array: np.ndarray) -> np.ndarray:
    """Without items."""
    return array[..., :0].copy()


def single(array: np.ndarray) -> np.ndarray:
    """With one item."""
    return array[(slice(1),) * array.ndim].copy()


def read_only(array: np.ndarray) -> np.ndarray:
    """Not to be written."""
    array.flags.writeable = False
    return array


LAYOUTS: Final[Mapping[str, tuple[int, Callable[[np.ndarray], np.ndarray]]]] = {
    "contiguous": (0, lambda array: array),
    "strided": (0, strided),
    "reversed": (1, backwards),
    "broadcast": (1, broadcast),
    "empty": (1, empty),
    "single": (1, single),
    "Fortran": (2, np.asfortranarray),
    "read-only": (0, read_only),
}
"""The memory layouts of an array, with the lowest rank at which they differ."""


# -- operands ----------------------------------------------------------------------------------------------


class Shaped(NamedTuple):
    """An operand that takes every dtype and rank.

    Args:
        shapes: its shape for each rank.
        first: where in the row of numbers its items begin.
        make: gives its items.
    """

    shapes: tuple[tuple[int, ...], ...]
    first: int
    make: Callable[[tuple[int, ...], str, int], np.ndarray] = contents


CUBES: Final = ((), (3,), (2, 3), (2, 3, 2))
ROWS: Final = ((), (4,), (3, 4), (2, 3, 4))
VARIED: Final[Mapping[str, Shaped]] = {
    "x": Shaped(CUBES, 0),
    "y": Shaped(CUBES, 4),
    "v": Shaped(ROWS, 0),
    "w": Shaped(ROWS, 3),
    "a": Shaped(((), (3,), (2, 3), (2, 2, 3)), 0),
    "b": Shaped(((), (3,), (2, 3), (2, 2, 3)), 3),
    "m": Shaped(((), (3,), (3, 3), (2, 3, 3)), 0, matrix),
    "s": Shaped(((), (3,), (3, 3), (2, 3, 3)), 2),
    "l": Shaped(((), (3,), (3, 2), (2, 3, 2)), 1),
    "t": Shaped(((), (3,), (2, 3), (2, 2, 3)), 5),
}


def operands(names: Sequence[str], case: Case) -> tuple[Any, ...]:
    """New operands for one run; of several arrays, those after the first have the other dtype."""
    found: list[Any] = []
    dtypes = itertools.chain([case.dtype], itertools.repeat(case.other))
    for name in names:
        if name in VARIED:
            shaped = VARIED[name]
            made = shaped.make(shaped.shapes[case.rank], next(dtypes), shaped.first)
            found.append(LAYOUTS[case.layout][1](made))
        else:
            found.append(fixed(name, case))
    return tuple(found)


def fixed(name: str, case: Case) -> Any:
    """An operand that keeps its dtype and rank: a number, an object, a mask, positions."""
    if name == "c":
        mask = np.asarray(contents(CUBES[case.rank], "float64", 1) > 1)
        return LAYOUTS[case.layout][1](mask)
    values = samples.OPERANDS[name]
    value = values[case.turn % len(values)]
    if isinstance(value, np.ndarray):
        layout = case.layout if case.layout in ("strided", "reversed", "read-only") else "contiguous"
        return LAYOUTS[layout][1](value.copy())
    return copy.deepcopy(value)


# -- runs --------------------------------------------------------------------------------------------------


def all_cases(pairs: bool) -> list[Case]:
    """Every dtype, rank and layout; with ``pairs``, once more with another dtype for all arrays but the first."""
    found: list[Case] = []
    for (index, dtype), rank in itertools.product(enumerate(DTYPES), RANKS):
        layouts = [name for name, (lowest, _) in LAYOUTS.items() if rank >= lowest]
        found += [Case(dtype, rank, layout, dtype, index + turn) for turn, layout in enumerate(layouts)]
        if pairs:
            found.append(Case(dtype, rank, layouts[0], DTYPES[(index * 7 + rank) % len(DTYPES)], index))
    return found


def some_cases(pairs: bool, start: int, step: int) -> list[Case]:
    """Of each dtype in turn, beginning with number ``start``, one case; ranks and layouts change from one to the next.

    Args:
        pairs: there are several arrays.
        start: the number of the sample.
        step: every how many dtypes.
    """
    found: list[Case] = []
    for index in range(start % step, len(DTYPES), step):
        rank = RANKS[(start + index // step) % len(RANKS)]
        layouts = [name for name, (lowest, _) in LAYOUTS.items() if rank >= lowest]
        layout = layouts[(start + index) % len(layouts)]
        other = DTYPES[(index + start // 2) % len(DTYPES)] if pairs and start % 2 else DTYPES[index]
        found.append(Case(DTYPES[index], rank, layout, other, start + index))
    return found


def observed(function: Any, arguments: Any) -> harness.Outcome:
    """A call, without the exceptions inside NumPy that led to its own: `np.clip(x)` and `x.clip()` have others."""
    return replace(harness.observe(function, arguments), told=None)
