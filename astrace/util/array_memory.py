"""Arrays as their memory: copies that later code can't tell from the array, and bytes that depend on its values alone."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

LONG: Final = np.dtype(np.longdouble)
LONG_USED: Final = 10 if np.finfo(np.longdouble).nmant == 63 else LONG.itemsize
"""The bytes of a long double that say something; what follows them is whatever was there."""


def ordered_copy(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy whose axes lie in memory as NumPy lays out a result that is computed from the array.

    ``copy("K")`` takes an axis that is repeated, as in a broadcast array, for the innermost one; a ufunc leaves it where it is.
    The order decides in which order later sums are added, and so their last bits.

    Example:
        >>> repeated = np.broadcast_to(np.arange(3.0), (2, 3))
        >>> ordered_copy(repeated).flags.c_contiguous, repeated.copy("K").flags.c_contiguous
        (True, False)
    """
    pairs = zip(array.shape, array.strides, strict=True)
    if array.dtype.hasobject or not any(step == 0 and size > 1 for size, step in pairs):
        return array.copy("K")
    both = np.nditer(
        [array, None],
        flags=["zerosize_ok"],
        op_flags=[["readonly"], ["writeonly", "allocate"]],
        op_dtypes=[array.dtype, array.dtype],
        order="K",
    )
    made = both.operands[1]
    made[...] = array
    return made


def overlap(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    """Whether a change of one array may be a change of another one; where that is hard to tell, it may.

    Example:
        >>> table = np.zeros((3, 2))
        >>> overlap(table, table[1:]), overlap(table[:, 0], table[:, 1])
        (True, False)
    """
    try:
        return np.shares_memory(one, other, max_work=MOST_WORK)  # pyright: ignore[reportArgumentType]
    except np.exceptions.TooHardError:
        return True


MOST_WORK: Final = 1000
"""How many candidates NumPy tries to tell whether two arrays have an item in common."""


def scalar_of(content: bytes, dtype: np.dtype[Any]) -> Any:
    r"""The NumPy scalar that has some bytes.

    Args:
        content: its bytes.
        dtype: its dtype, whose items have that many.

    Raises:
        ValueError: they are no characters.

    Example:
        >>> len(scalar_of(b"a\0", np.dtype("S2")))  # as it is shown, a text ends before its zeros
        2
    """
    if dtype.kind == "S":  # an array would give it without the zeros at its end
        return np.bytes_(content)
    if dtype.kind == "U":
        order = "be" if dtype.str.startswith(">") else "le"
        return np.str_(content.decode(f"utf-32-{order}", "surrogatepass"))
    return np.frombuffer(content, dtype)[0]


def has_padding(dtype: np.dtype[Any]) -> bool:
    """Return whether items of a dtype have bytes that belong to no value.

    Example:
        >>> has_padding(np.dtype("i1,f8")), has_padding(np.dtype([("a", "i1"), ("b", "f8")], align=True))
        (False, True)
    """
    if dtype.subdtype is not None:
        return has_padding(dtype.base)
    if dtype.fields is None:
        return dtype.type in (np.longdouble, np.clongdouble) and LONG.itemsize > LONG_USED
    parts = [(one[0], one[1]) for one in dtype.fields.values()]
    used = {byte for inner, begin in parts for byte in range(begin, begin + inner.itemsize)}
    return len(used) < dtype.itemsize or any(has_padding(inner) for inner, _ in parts)


def without_padding(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array with the same values, row by row, in which all bytes that belong to no value are 0.

    Args:
        array: an array of plain data; it is given back where it has no such bytes.
    """
    if not has_padding(array.dtype):
        return array
    made = np.zeros(array.shape, array.dtype)
    if array.dtype.names is not None:
        for name in array.dtype.names:
            made[name] = without_padding(array[name])
        return made
    source, target = (one.reshape(-1).view(np.uint8) for one in (np.ascontiguousarray(array), made))
    source, target = (one.reshape(-1, LONG.itemsize) for one in (source, target))
    target[:, :LONG_USED] = source[:, :LONG_USED]
    return made
