"""Ops of lowered blocks: machine numbers, elements of arrays, and `deopt`, which gives a program up.

A lowered block computes on numbers of one dtype each; conversions are ``cast`` nodes.  Operators on it are those of
``python.operators``, and mean what NumPy's loops do: integers wrap around, nothing warns or raises.  Whatever Python
or NumPy would do besides, such as raising, is a ``deopt`` in front: where its test holds, the exact backend runs the
call.  The functions here are the meaning of the ops; a backend may have faster ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ops import lowered_views
from astrace.ops.lowered_copies import COPIES, keep_items
from astrace.ops.lowered_lists import LISTS
from astrace.ops.lowered_math import MATH
from astrace.ops.lowered_parts import PARTS
from astrace.ops.lowered_products import PRODUCTS
from astrace.ops.lowered_rounding import WHOLE
from astrace.ops.lowered_searches import SEARCHES, SORTS, position_of_max, position_of_min, true_positions
from astrace.ops.python import object_rows
from astrace.ops.registry import Op, always
from astrace.ops.rules import nothing, spec_of

LEAST, MOST = -(2**63), 2**63 - 1
TRUTH: Final = GenericSpec(np.dtype(bool))


class Deoptimised(Exception):
    """A lowered program gives up: the exact backend has to run the call."""


def deopt(test: Any, unless_ignored: str = "") -> None:
    """Give the program up where a test holds; machine code does not where NumPy is to ignore such errors.

    Raises:
        Deoptimised: it holds.
    """
    if test:
        raise Deoptimised


def cast(value: Any, dtype: np.dtype[Any]) -> Any:
    """A number converted as NumPy's ``astype`` converts: integers wrap around."""
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype)[()]


def load(array: Any, *indices: int) -> Any:
    """An element; the indices are known to lie inside."""
    return array[indices]


def store(array: Any, value: Any, *indices: int) -> None:
    """Put an element; the indices are known to lie inside."""
    array[indices] = value


def select(test: Any, then: Any, orelse: Any) -> Any:
    """One of two numbers."""
    return then if test else orelse


def counted(index: int, size: int) -> int:
    """An index that counts from the end where it is negative, counted from the start."""
    return index + size if index < 0 else index


def outside(index: int, size: int) -> bool:
    """Tell whether a counted index lies outside an axis."""
    return not 0 <= index < size


def clipped(bound: int, size: int) -> int:
    """The bound of a slice with a positive step, as ``slice.indices`` gives it."""
    if bound < 0:
        bound += size
        return max(bound, 0)
    return min(bound, size)


def clipped_down(bound: int, size: int) -> int:
    """The bound of a slice with a negative step, as ``slice.indices`` gives it."""
    if bound < 0:
        bound += size
        return -1 if bound < 0 else bound
    return size - 1 if bound >= size else bound


def wrapped(index: int, by: int, size: int) -> int:
    """The index that is some items before another one, on an axis whose end meets its start."""
    return (index - by) % size


def extent(start: int, stop: int, step: int) -> int:
    """The number of items from ``start`` by steps of ``step`` to before ``stop``."""
    if step > 0:
        return (stop - start + step - 1) // step if stop > start else 0
    return (start - stop - step - 1) // -step if start > stop else 0


def ring(needed: int, size: int) -> int:
    """The number of rows of memory in which the rows of an array take turns: a power of two, or all rows.

    Args:
        needed: the rows that are needed at one time.
        size: all rows.
    """
    if needed >= size:
        return size
    rows = 1
    while rows < needed:
        rows *= 2
    return min(rows, size)


def sum_fits(a: int, b: int) -> bool:
    """Tell whether a sum of integers has 64 bits."""
    return LEAST <= int(a) + int(b) <= MOST


def difference_fits(a: int, b: int) -> bool:
    """Tell whether a difference of integers has 64 bits."""
    return LEAST <= int(a) - int(b) <= MOST


def product_fits(a: int, b: int) -> bool:
    """Tell whether a product of integers has 64 bits."""
    return LEAST <= int(a) * int(b) <= MOST


def unsigned_product_fits(a: int, b: int) -> bool:
    """Tell whether a product of integers without a sign has 64 bits."""
    return int(a) * int(b) < 2**64


def same_memory(one: Any, other: Any) -> bool:
    """Tell whether two arrays begin at one address."""
    return bool(one.ctypes.data == other.ctypes.data)


def power_fits(base: int, exponent: int) -> bool:
    """Tell whether a power of integers has 64 bits."""
    return (
        exponent >= 0 and (exponent < 64 or -1 <= base <= 1) and LEAST <= int(base) ** int(exponent) <= MOST
    )


def integer_power(base: int, exponent: int) -> int:
    """A power of integers that has 64 bits; the exponent is not negative."""
    return int(base) ** int(exponent)


def square_root(x: Any) -> Any:
    """The square root; NaN of negative numbers."""
    return np.sqrt(x)


def minimum(a: Any, b: Any) -> Any:
    """``np.minimum``."""
    return np.minimum(a, b)


def maximum(a: Any, b: Any) -> Any:
    """``np.maximum``."""
    return np.maximum(a, b)


def is_finite(x: float) -> bool:
    """Tell whether a float is neither infinite nor NaN."""
    return math.isfinite(x)


def _c_hypot(x: float, y: float) -> float:
    """The C library's, which ``abs`` of a complex number calls; `math.hypot` computes in another way."""
    return abs(complex(x, y))


C_FUNCTIONS: Final[Mapping[str, Callable[..., float]]] = {"hypot": _c_hypot}
"""What Python calls functions of the C library by where ``math`` does not."""


def call_math(*args: float, function: str) -> float:
    """A function of the C library, which ``math`` calls; NaN where that raises."""
    called = C_FUNCTIONS[function] if function in C_FUNCTIONS else getattr(math, function)
    try:
        return called(*args)
    except (OverflowError, ValueError):
        return math.nan


def call_ufunc(*args: Any, ufunc: str) -> Any:
    """A ufunc of numbers, by NumPy's own loop."""
    return getattr(np, ufunc)(*args)


def apply_ufunc(out: Any, *arrays: Any, ufunc: str) -> None:
    """A ufunc of arrays in C order, by NumPy's own loop."""
    getattr(np, ufunc)(*arrays, out=out)


def reduce_ufunc(array: Any, ufunc: str) -> Any:
    """The reduction of an array of one axis, by NumPy's own loop."""
    return getattr(np, ufunc).reduce(array)


def multiply_matrices(out: Any, left: Any, right: Any) -> None:
    """``left @ right``, by NumPy's own loop."""
    out[...] = np.matmul(left, right)


def dot(left: Any, right: Any) -> Any:
    """``left @ right`` of two arrays of one axis, by NumPy's own loop."""
    return np.matmul(left, right)


def slide_products(out: Any, numbers: Any, weights: Any) -> None:
    """The products of weights with the numbers from each place on, by NumPy's own loop for products of two arrays of one axis."""
    for place in range(len(out)):
        out[place] = np.matmul(numbers[place : place + len(weights)], weights)


def is_contiguous(array: Any, first: int) -> bool:
    """Tell whether the elements along the axes from ``first`` on follow each other in memory."""
    distance = array.itemsize
    for axis in range(array.ndim - 1, first - 1, -1):
        if array.shape[axis] > 1 and array.strides[axis] != distance:
            return False
        distance *= array.shape[axis]
    return True


def is_repeated(array: Any, axis: int) -> bool:
    """Tell whether the items along an axis are one item in memory."""
    return array.strides[axis] == 0 and array.shape[axis] > 1


def power(base: float, exponent: float) -> float:
    """``base ** exponent`` of floats, by the C library; of a square that is too large NumPy tells."""
    with np.errstate(all="ignore"):
        found = float(np.float64(base) ** np.float64(exponent))
    return float(np.float64(base) * np.float64(base)) if exponent == 2 and math.isinf(found) else found


def sum_of_products(left: Any, right: Any) -> Any:
    """The sum of the products of two arrays of floats of one axis, as ``np.einsum`` makes it up: of two, of every other item."""
    even = odd = 0.0
    size, place = len(left), 0
    while size - place >= 8:
        for pair in (6, 4, 2, 0):
            at = place + pair
            even += left[at] * right[at]
            odd += left[at + 1] * right[at + 1]
        place += 8
    while place < size:
        even += left[place] * right[place]
        if place + 1 < size:
            odd += left[place + 1] * right[place + 1]
        place += 2
    return even + odd


def single_power(base: Any, exponent: Any) -> Any:
    """``base ** exponent`` of floats of single precision, by the C library."""
    with np.errstate(all="ignore"):
        return np.float32(base) ** np.float32(exponent)


def settled(value: Any) -> None:
    """What is computed by now, whoever needs it: a compiler may neither leave it out nor delay it."""


def allocate(*shape: int, dtype: np.dtype[Any], comes_out: bool = False) -> Any:
    """An array in C order whose elements are not set."""
    return np.empty(shape, dtype)


OWN: Final[Mapping[str, Callable[..., Any]]] = {**WHOLE, **MATH, **PRODUCTS} | {
    function.__name__: function
    for function in (
        *(select, counted, outside, clipped, clipped_down, wrapped, extent, ring),
        *(sum_fits, difference_fits, product_fits, unsigned_product_fits, sum_of_products),
        *(square_root, minimum, maximum, is_finite, power, single_power, position_of_max, position_of_min),
        *(true_positions, is_contiguous, is_repeated, power_fits, integer_power, same_memory),
    )
}
"""The ops on numbers and arrays that are written as calls of a function of their name, and what they do."""
FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **OWN,
    **SORTS,
    **SEARCHES,
    **PARTS,
    **LISTS,
}
"""All ops that are written as such calls."""
POSITIONS: Final = frozenset({"position_of_max", "position_of_min", "bits_of"})
TESTS: Final = frozenset(
    {"outside", "sum_fits", "difference_fits", "product_fits", "is_finite", "is_contiguous", "is_repeated"}
    | {"has_one_form", "lies_in_rows", "unsigned_product_fits"}
)


def _same_dtype(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    """The dtype of the last argument: all but a test have one."""
    return spec_of(args[-1])


def _part(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    """The dtype of a part of a complex number."""
    found: Any = spec_of(args[0])
    dtype = getattr(found, "dtype", None)
    return GenericSpec(np.dtype(np.float64) if dtype is None else np.zeros((), dtype).real.dtype)


def _with_parts(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    """The dtype of the complex number of two parts."""
    dtypes = [getattr(spec_of(one), "dtype", np.dtype(np.float64)) for one in args]
    return GenericSpec(np.result_type(*dtypes, np.complex64))


def _position(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return GenericSpec(np.dtype(np.int64))


def _indices(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return ArraySpec((None,), np.dtype(np.int64))


def _truth(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return TRUTH


def _element(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    return GenericSpec(args[0].dtype) if isinstance(args[0], ArraySpec) else None


def _converted(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return GenericSpec(kwargs["dtype"])


def _made(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return ArraySpec((None,) * len(args), kwargs["dtype"])


def _called(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    ufunc: np.ufunc = getattr(np, kwargs["ufunc"])
    dtypes = (*(one.dtype for one in map(spec_of, args) if isinstance(one, GenericSpec)), None)
    return GenericSpec(ufunc.resolve_dtypes(dtypes)[-1]) if len(dtypes) == ufunc.nargs else None


def _float(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return GenericSpec(np.dtype(np.float64))


RULES: Final = {
    **dict.fromkeys(TESTS, _truth),
    **dict.fromkeys(POSITIONS, _position),
    "true_positions": _indices,
    "sum_of_products": _element,
    "real_part": _part,
    "imaginary_part": _part,
    "complex_number": _with_parts,
}


def rows() -> Iterator[Op]:
    """One row for each op that only lowered blocks have."""
    for name, function in {**OWN, **PARTS}.items():
        rule = RULES.get(name, _same_dtype)
        yield Op(name, function, rule, safe=always, fresh=always)
    yield Op("cast", cast, _converted, safe=always, fresh=always)
    yield Op("load", load, _element, safe=always, fresh=always)
    yield Op("store", store, nothing, writes=(0,), safe=always, fresh=always)
    yield Op("allocate", allocate, _made, safe=always, fresh=always, creates=True)
    yield Op("deopt", deopt, nothing)
    yield Op("settled", settled, nothing)
    for name, function in COPIES.items():
        yield Op(name, function, nothing if function is keep_items else _truth)
    item = next(row for row in object_rows.rows() if row.name == "get_item")
    yield replace(item, name="item_inside", safe=always)
    yield Op("call_math", call_math, _float, safe=always, fresh=always)
    yield Op("call_ufunc", call_ufunc, _called, safe=always, fresh=always)
    yield Op("apply_ufunc", apply_ufunc, nothing, writes=(0,), safe=always, fresh=always)
    yield Op("reduce_ufunc", reduce_ufunc, _element, fresh=always)
    yield Op("sort_items", SORTS["sort_items"], _truth, writes=(0,))
    for name in ("order_items", "order_items_stably"):
        yield Op(name, SORTS[name], _truth, writes=(0, 1))
    for name, function in SEARCHES.items():
        finds = name == "place_in_items"
        yield Op(name, function, _position if finds else nothing, writes=() if finds else (0,), fresh=always)
    yield Op("multiply_matrices", multiply_matrices, nothing, writes=(0,), fresh=always)
    yield Op("slide_products", slide_products, nothing, writes=(0,), fresh=always)
    yield Op("dot", dot, _element, fresh=always)
    yield from lowered_views.rows()
