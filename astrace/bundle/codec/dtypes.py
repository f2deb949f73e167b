"""Dtypes as plain data: the text that NumPy gives them, with what the text leaves out.

Takes a dtype, gives JSON data, and back.  Dtypes of objects are in no bundle.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from astrace.bundle.codes import broken, refused
from astrace.bundle.limits import MOST_DIMENSIONS
from astrace.ir.constants import same_dtype

TEXT: Final = re.compile(r"[<>|][biufcSUV]\d{1,9}|[<>|][mM]8(\[\d{0,9}[a-zA-Z]{1,7}\])?")
MOST_FIELDS: Final = 1_000
HINT: Final = "convert it to numbers, texts of a fixed size or dates"


def encode(dtype: np.dtype[Any]) -> Any:
    """The data of a dtype.

    Raises:
        BundleError: it is of objects, or has what data do not tell.

    Example:
        >>> encode(np.dtype("float32")), encode(np.dtype([("a", "i1")]))
        ('<f4', {'fields': [['a', '|i1', 0]], 'size': 1, 'aligned': False})
    """
    data = _data(dtype)
    if data is None or not same_dtype(decode(data), dtype):
        raise refused("AB203", f"the dtype {dtype!r} can't be saved", HINT)
    return data


def _data(dtype: np.dtype[Any]) -> Any:
    if dtype.hasobject or dtype.metadata is not None or dtype.char == "T":
        return None
    if dtype.fields is not None:
        return _fields(dtype)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return {"base": _data(base), "shape": list(shape)}
    text = dtype.str
    return text if np.dtype(text).char == dtype.char else [text, dtype.char]


def _fields(dtype: np.dtype[Any]) -> Any:
    if any(len(field) > 2 for field in dtype.fields.values()):  # type: ignore[union-attr]
        return None  # titles
    fields = [[name, _data(dtype.fields[name][0]), dtype.fields[name][1]] for name in dtype.names or ()]  # type: ignore[index]
    if any(data is None for _, data, _ in fields):
        return None
    return {"fields": fields, "size": dtype.itemsize, "aligned": bool(dtype.isalignedstruct)}


def decode(data: Any) -> np.dtype[Any]:
    """The dtype of data.

    Raises:
        BundleError: they are no data of a dtype, or this platform has no such dtype.
    """
    try:
        match data:
            case str() if TEXT.fullmatch(data):
                found: np.dtype[Any] = np.dtype(data)
            case [str() as text, str() as char] if (
                TEXT.fullmatch(text) and len(char) == 1 and char in np.typecodes["All"]
            ):
                found = np.dtype(char)
                if found.str != text:
                    raise broken("AB113", f"this platform has no dtype {text} that is called {char!r}", "")
            case {"base": base, "shape": list() as shape, **rest} if not rest and _are_sizes(shape):
                found = np.dtype((decode(base), tuple(shape)))
            case {
                "fields": list() as fields,
                "size": int() as size,
                "aligned": bool() as aligned,
                **rest,
            } if not rest:
                found = _structure(fields, size, aligned)
            case _:
                raise broken("AB111", "a dtype is not described as dtypes are")
    except (ValueError, TypeError, OverflowError) as error:
        raise broken("AB111", f"a dtype is not described as dtypes are: {error}") from None
    if found.hasobject:
        raise broken("AB111", "a dtype is of objects")
    return found


def _are_sizes(shape: list[Any]) -> bool:
    sizes = all(type(size) is int and 0 <= size < 2**31 for size in shape)
    return sizes and len(shape) <= MOST_DIMENSIONS


def _structure(fields: list[Any], size: int, aligned: bool) -> np.dtype[Any]:
    if len(fields) > MOST_FIELDS or not 0 <= size < 2**31:
        raise broken("AB106", "a dtype has too many fields, or too large ones")
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    for field in fields:
        match field:
            case [str() as name, inner, int() as offset] if 0 <= offset < 2**31:
                names.append(name)
                formats.append(decode(inner))
                offsets.append(offset)
            case _:
                raise broken("AB111", "a field of a dtype is not described as fields are")
    described: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
    return np.dtype(described, align=aligned)
