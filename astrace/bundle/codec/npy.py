"""Arrays as ``.npy`` files: NumPy's format, version 1.0, written in one way.

Takes an array, gives a description (JSON data) and the bytes of a file; takes both and gives the array.  The description
is the truth, and the header of the file has to be the very one that follows from it: no header is parsed, nothing is
unpickled.  The memory order of an array's axes is kept, gaps and negative steps between its items are not; bytes within an
item that belong to no value are 0.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from astrace.bundle.codec import dtypes
from astrace.bundle.codes import broken, refused
from astrace.bundle.limits import MOST_DIMENSIONS
from astrace.util.array_memory import ordered_copy, without_padding

MAGIC: Final = b"\x93NUMPY\x01\x00"
ALIGNMENT: Final = 64


def described(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The description of an array: dtype, shape, the order of its axes in memory, whether it may be written.

    Raises:
        BundleError: its dtype can't be saved.
    """
    if array.dtype.itemsize == 0:
        raise refused(
            "AB203", f"an array of dtype {array.dtype} can't be saved: its items have no size", dtypes.HINT
        )
    return {
        "dtype": dtypes.encode(array.dtype),
        "shape": list(array.shape),
        "axes": _axes(array),
        "writeable": bool(array.flags.writeable),
    }


def _axes(array: np.ndarray[Any, Any]) -> list[int]:
    """The axes from the one with the largest step in memory to the one with the smallest."""
    if array.flags.c_contiguous:
        return list(range(array.ndim))
    if array.flags.f_contiguous:
        return list(range(array.ndim))[::-1]
    if 0 in array.strides:
        array = ordered_copy(array)
    return sorted(range(array.ndim), key=lambda axis: (-abs(array.strides[axis]), axis))


def file_of(array: np.ndarray[Any, Any], description: dict[str, Any]) -> bytes:
    """The bytes of a file with an array."""
    laid_out = np.ascontiguousarray(array.transpose(description["axes"]))
    if not array.ndim:  # it is given a dimension there
        laid_out = laid_out.reshape(())
    return _header(array.dtype, laid_out.shape) + without_padding(laid_out).tobytes()


def _header(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    descr = np.lib.format.dtype_to_descr(dtype)
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    encoded = text.encode("latin1", "backslashreplace")
    padding = -(len(MAGIC) + 2 + len(encoded) + 1) % ALIGNMENT
    if len(encoded) + padding + 1 > 0xFFFF:
        raise refused("AB203", "an array has a dtype whose description is too long", dtypes.HINT)
    return MAGIC + (len(encoded) + padding + 1).to_bytes(2, "little") + encoded + b" " * padding + b"\n"


def array_of(description: Any, content: bytes, member: str) -> np.ndarray[Any, Any]:
    """The array of a file.

    Args:
        description: what it is to be.
        content: the file.
        member: what it is called in messages.

    Raises:
        BundleError: it is another array, or none.
    """
    match description:
        case {
            "dtype": data,
            "shape": list() as shape,
            "axes": list() as axes,
            "writeable": bool() as writeable,
            **rest,
        } if not rest:
            dtype = dtypes.decode(data)
        case _:
            raise broken("AB111", f"the array of `{member}` is not described as arrays are")
    _check_shape(dtype, shape, axes, member)
    stored = tuple(shape[axis] for axis in axes)
    header = _header(dtype, stored)
    if not content.startswith(header):
        raise broken("AB113", f"`{member}` has not the header of a {dtype} array of shape {tuple(shape)}")
    size = math.prod(shape) * dtype.itemsize
    if len(content) != len(header) + size:
        raise broken("AB113", f"`{member}` has {len(content) - len(header)} bytes of data instead of {size}")
    flat = (
        np.frombuffer(content, dtype, offset=len(header), count=math.prod(shape))
        if size
        else np.empty(0, dtype)
    )
    found = flat.copy().reshape(stored).transpose(np.argsort(axes) if axes else ())
    found.flags.writeable = writeable
    return found


def _check_shape(dtype: np.dtype[Any], shape: list[Any], axes: list[Any], member: str) -> None:
    whole = all(type(one) is int and 0 <= one < 2**62 for one in [*shape, *axes])
    if not whole or len(shape) > MOST_DIMENSIONS or sorted(axes) != list(range(len(shape))):
        raise broken("AB111", f"the array of `{member}` has no shape that arrays have")
    if dtype.itemsize == 0 or math.prod(shape) * dtype.itemsize >= 2**62:
        raise broken("AB113", f"the array of `{member}` has a size that arrays have not")
    if 0 in shape and math.prod(one or 1 for one in shape) >= 2**62:
        raise broken("AB113", f"the array of `{member}` has a size that arrays have not")
