"""`snapshot` makes of a value what a record keeps: a copy of a small one, the summary of a large one.

It takes any object, and neither raises nor changes it.  The text of an object of the user's is asked for, once; the
properties, lengths and iterators of such objects are not.  It knows nothing of calls.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import hashlib
import itertools
import re
import types
import uuid
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from astrace.observe.limits import Limits
from astrace.observe.snapshots.arrays import array_snapshot, masked_summary, summarise
from astrace.observe.snapshots.summaries import ArraySummary, ContainerSummary, ObjectSummary, TextSummary

ATOMS: Final = frozenset(
    (
        type(None),
        bool,
        float,
        complex,
        type(...),
        range,
        slice,
        decimal.Decimal,
        fractions.Fraction,
        uuid.UUID,
    )
) | {dt.date, dt.time, dt.datetime, dt.timedelta}
"""Types whose instances can't change and are small."""
ARRAY_LIBRARIES: Final = frozenset(("jax", "jaxlib", "torch", "cupy", "tensorflow"))
"""Libraries whose arrays hold their elements, so that reading them computes nothing else."""
MOST_BITS: Final = 10_000
"""Integers of more bits are not written as numbers."""
ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
CYCLE: Final = ObjectSummary("", "<contains itself>")
DEEPER: Final = ObjectSummary("", "<…>")


def snapshot(value: Any, limits: Limits) -> Any:
    """The record of a value.

    Args:
        value: any object.
        limits: how much of it is kept.

    Returns:
        Numbers, short text and the like themselves; read-only copies of small arrays; new lists, tuples, dicts and
        sets of such records; summaries of everything else.

    Example:
        >>> snapshot([1, np.arange(3)], Limits())
        [1, array([0, 1, 2])]
        >>> snapshot(np.zeros((100, 100)), Limits(first=2))
        <float64[100, 100], 0 to 0, #f119045b, [0, 0, …]>
    """
    try:
        return _Capture(limits).of(value, 0)
    except Exception as error:  # the user's own code runs: what went wrong is the record
        return ObjectSummary(
            type_name(value), f"<{type_name(value)}: {type(error).__name__} while it was recorded>"
        )


def type_name(value: Any) -> str:
    """The name of a value's type, with its module where it is none of Python's builtins."""
    cls = type(value)
    name = type.__dict__["__qualname__"].__get__(cls)
    module = type.__dict__["__module__"].__get__(cls)
    return name if module == "builtins" or not isinstance(module, str) else f"{module}.{name}"


class _Capture:
    """One value and all that it holds."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.total
        self.around: set[int] = set()

    def of(self, value: Any, depth: int) -> Any:
        cls = type(value)
        self.left -= 1
        if cls in ATOMS:
            return value
        if issubclass(cls, str | bytes | bytearray) and not issubclass(cls, enum.Enum):
            return self._text(value)
        if cls is int:
            return value if value.bit_length() <= MOST_BITS else _huge(value)
        if issubclass(cls, np.ndarray | np.generic):
            return self._array(value, depth)
        if depth > self.limits.depth or self.left < 0:
            return DEEPER
        if id(value) in self.around:
            return CYCLE
        self.around.add(id(value))
        try:
            return self._container(value, cls, depth + 1)
        finally:
            self.around.discard(id(value))

    # -- text and arrays ---------------------------------------------------------------------------------

    def _text(self, value: Any) -> Any:
        plain = str.__str__(value) if isinstance(value, str) else bytes(value)
        if len(plain) <= self.limits.text:
            return plain
        data = plain.encode("utf-8", "surrogatepass") if isinstance(plain, str) else plain
        digest = hashlib.blake2b(data, digest_size=8).hexdigest()
        return TextSummary(type_name(value), len(plain), plain[: self.limits.text], digest)

    def _array(self, value: Any, depth: int) -> Any:
        if isinstance(value, np.generic) and type(value) is not np.void and not isinstance(value, np.object_):
            return (
                value
                if value.nbytes <= self.limits.array_bytes
                else summarise(np.asarray(value), type_name(value), self.limits)
            )
        array = np.asarray(value).view(np.ndarray)
        if array.dtype.hasobject:
            return self._objects(array, type_name(value), depth)
        if type(value) is np.ndarray:
            return array_snapshot(array, self.limits)
        if isinstance(value, np.ma.MaskedArray):
            return masked_summary(value, type_name(value), self.limits)
        return summarise(array, type_name(value), self.limits)

    def _objects(self, array: np.ndarray[Any, Any], name: str, depth: int) -> ArraySummary:
        """The summary of an array of Python objects."""
        elements = array.flat[: self.limits.first] if depth <= self.limits.depth else ()
        first = tuple(self.of(one, depth + 1) for one in elements)
        rest = array.flat[self.limits.first :] if array.size <= self.limits.items else ()
        values = (*first, *(self.of(one, depth + 1) for one in rest)) if len(rest) else None
        return ArraySummary(name, str(array.dtype), array.shape, array.nbytes, first=first, values=values)

    def _foreign(self, value: Any) -> ArraySummary:
        """The summary of an array of another library."""
        dtype, shape = str(value.dtype), tuple(int(one) for one in value.shape)
        if getattr(value, "nbytes", 0) > self.limits.scan_bytes:
            return ArraySummary(type_name(value), dtype, shape, note="too large to be read whole")
        try:
            plain = value.detach().cpu() if hasattr(value, "detach") else value
            array = np.asarray(plain)
        except Exception as error:  # a tracer, a deleted buffer: its library says what can't be read
            return ArraySummary(type_name(value), dtype, shape, note=f"not read: {type(error).__name__}")
        return dataclasses.replace(summarise(array, type_name(value), self.limits), dtype=dtype)

    # -- containers --------------------------------------------------------------------------------------

    def _container(self, value: Any, cls: type, depth: int) -> Any:
        if issubclass(cls, dict):
            return self._dict(value, cls, depth)
        for base in (list, tuple, set, frozenset, collections.deque):
            if issubclass(cls, base):
                return self._sequence(value, cls, base, depth)
        if issubclass(cls, types.MappingProxyType):
            return self._entries(
                value, list(itertools.islice(value.items(), self.limits.items)), len(value), depth
            )
        return self._object(value, depth)

    def _dict(self, value: Any, cls: type, depth: int) -> Any:
        entries = list(itertools.islice(dict.items(value), self.limits.items))
        length = dict.__len__(value)
        if cls not in (dict, collections.OrderedDict, collections.defaultdict) or length > len(entries):
            return self._entries(value, entries, length, depth)
        return dict(self._pairs(entries, depth))

    def _entries(self, value: Any, entries: list[Any], length: int, depth: int) -> ContainerSummary:
        return ContainerSummary(type_name(value), length, tuple(self._pairs(entries, depth)), is_mapping=True)

    def _pairs(self, entries: Iterable[tuple[Any, Any]], depth: int) -> list[tuple[Any, Any]]:
        return [(self._key(key, depth), self.of(item, depth)) for key, item in entries]

    def _key(self, key: Any, depth: int) -> Any:
        found = self.of(key, depth)
        try:
            hash(found)
        except TypeError:
            return repr(found)
        return found

    def _sequence(self, value: Any, cls: type, base: type, depth: int) -> Any:
        length: int = base.__len__(value)  # type: ignore[attr-defined]
        items = [
            self.of(one, depth) for one in list(itertools.islice(base.__iter__(value), self.limits.items))
        ]  # type: ignore[attr-defined]
        if length > len(items):
            return ContainerSummary(type_name(value), length, tuple(items))
        if cls is base and base in (list, tuple):
            return base(items)
        if base in (set, frozenset) and cls is base:
            return self._set(items, base, value)
        if base is tuple and isinstance(getattr(cls, "_fields", None), tuple):
            return tuple.__new__(cls, items)  # pyright: ignore[reportUnknownVariableType]
        return ContainerSummary(type_name(value), length, tuple(items))

    def _set(self, items: list[Any], base: type, value: Any) -> Any:
        try:
            return base(items)
        except TypeError:
            return ContainerSummary(type_name(value), len(items), tuple(items))

    # -- other objects -----------------------------------------------------------------------------------

    def _object(self, value: Any, depth: int) -> Any:
        cls = type(value)
        module = type.__dict__["__module__"].__get__(cls)
        library = module.partition(".")[0] if isinstance(module, str) else ""
        if library in ARRAY_LIBRARIES and hasattr(cls, "shape") and hasattr(cls, "dtype"):
            return self._foreign(value)
        if "__dataclass_fields__" in dir(cls) and not issubclass(cls, type):
            held = object.__getattribute__(value, "__dict__") if hasattr(cls, "__dict__") else {}
            names = [one.name for one in dataclasses.fields(cls)]
            fields = [(name, self.of(held[name], depth)) for name in names if name in held]
            if fields:
                return ObjectSummary(type_name(value), "", tuple(fields))
        return ObjectSummary(type_name(value), object_text(value, self.limits.text))


def object_text(value: Any, most: int) -> str:
    """The text that an object gives of itself, without addresses; what it raises instead."""
    try:
        text = repr(value)
    except Exception as error:  # the user's `__repr__`
        return f"<{type_name(value)}: its repr raises {type(error).__name__}>"
    short = ADDRESS.sub("", str.__str__(text)[: most + 1])
    return short if len(short) <= most else f"{short[:most]}…"


def _huge(value: int) -> ObjectSummary:
    return ObjectSummary("int", f"<int of {value.bit_length()} bits, #{hash(value) & 0xFFFFFFFF:08x}>")
