"""JSON data as Python values: what `data_encoder` wrote, checked as it is read.

Takes the data of a member, the files of its arrays and the operators that the loading program passes; makes objects of
known classes only.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.bundle.codec import dtypes
from astrace.bundle.codec.spec_codec import decode_spec
from astrace.bundle.codec.tables import CLASSES, function_named
from astrace.bundle.codes import broken
from astrace.bundle.limits import MOST_BITS, MOST_EXPANDED
from astrace.ir.constants import UNDEFINED, UNSET
from astrace.ir.specs import Spec
from astrace.util.array_memory import scalar_of
from astrace.util.trees import Hole

DEEPEST: Final = 100
NAN_BITS: Final = re.compile(r"[0-9a-f]{16}")
FLOATS: Final = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
INTEGER: Final = re.compile(r"-?0x[0-9a-f]+")
SINGLETONS: Final[Mapping[str, Any]] = {
    "ellipsis": ...,
    "not_implemented": NotImplemented,
    "undefined": UNDEFINED,
    "unset": UNSET,
}
UNFINISHED: Final = object()


class DataDecoder:
    """Reads the values of one JSON member.

    Args:
        shared: the table of containers that stand in several places.
        arrays: the arrays by number.
        operators: what the loading program has under the names of operators.
    """

    def __init__(self, shared: Sequence[Any], arrays: Sequence[Any], operators: Mapping[str, Any]) -> None:
        self._shared, self._arrays, self._operators = shared, arrays, operators
        self._made: dict[int, Any] = {}
        self._sizes: dict[int, int] = {}
        self._items = 0
        self._depth = 0
        self.holes = 0

    def decode(self, data: Any) -> Any:
        """The value of data.

        Raises:
            BundleError: they are no data of a value.
        """
        self._items += 1
        if self._items > MOST_EXPANDED:
            raise broken("AB106", f"a value has more than {MOST_EXPANDED} items")
        if type(data) is not list:
            if type(data) is dict:
                raise broken("AB111", "a value is not described as values are")
            return data
        self._depth += 1
        if self._depth > DEEPEST:
            raise broken("AB106", "a value is nested too deep")
        try:
            return self._tagged(data)
        except (ValueError, TypeError, OverflowError, binascii.Error) as error:
            raise broken("AB111", f"a value is not described as values are: {error}") from None
        finally:
            self._depth -= 1

    def _tagged(self, data: list[Any]) -> Any:
        if not data or type(data[0]) is not str:
            raise broken("AB111", "a value is not described as values are")
        tag, *rest = data
        if tag in SINGLETONS and not rest:
            return SINGLETONS[tag]
        read = READERS.get(tag)
        if read is None:
            raise broken("AB111", f"there is no kind of value {tag[:40]!r}")
        return read(self, *rest)

    def list_of(self, data: Any) -> list[Any]:
        """A list of values."""
        if type(data) is not list:
            raise broken("AB111", "the items of a value are no list")
        return [self.decode(one) for one in data]

    def shared_one(self, number: Any) -> Any:
        """A container that stands in several places; what it holds counts wherever it stands."""
        self._check_number(number, len(self._shared))
        if number not in self._made:
            self._made[number] = UNFINISHED
            before = self._items
            self._made[number] = self.decode(self._shared[number])
            self._sizes[number] = self._items - before
        elif self._made[number] is UNFINISHED:
            raise broken("AB111", "a container holds itself")
        else:
            self._items += self._sizes[number]
        return self._made[number]

    def _check_number(self, number: Any, count: int) -> None:
        if type(number) is not int or not 0 <= number < count:
            raise broken("AB111", f"there is nothing under the number {number!r:.40}")

    def array(self, number: Any) -> Any:
        """An array by its number."""
        self._check_number(number, len(self._arrays))
        return self._arrays[number]

    def hole(self, number: Any) -> Hole:
        """A place in a layout."""
        self._check_number(number, self.holes)
        return Hole(number)

    def tuple_of(self, data: Any) -> tuple[Any, ...]:
        """A tuple of values."""
        return tuple(self.list_of(data))

    def spec(self, data: Any) -> Spec:
        """A spec."""
        return decode_spec(data, self)

    def frozenset_of(self, data: Any) -> frozenset[Any]:
        """A set that does not change."""
        return frozenset(self.set_of(data))

    def dict_of(self, data: Any) -> dict[Any, Any]:
        """A dict, from its keys and values in turn."""
        items = self.list_of(data)
        found = dict(zip(items[::2], items[1::2], strict=True))
        if len(found) * 2 != len(items):
            raise broken("AB111", "a dict has two equal keys")
        return found

    def set_of(self, data: Any) -> set[Any]:
        """A set."""
        items = self.list_of(data)
        found = set(items)
        if len(found) != len(items):
            raise broken("AB111", "a set has two equal members")
        return found

    def named_tuple(self, name: Any, data: Any) -> Any:
        """A named tuple of a class of NumPy's."""
        cls = self.class_named(name)
        items = self.list_of(data)
        fits = issubclass(cls, tuple) and len(getattr(cls, "_fields", ())) == len(items) > 0
        if not fits:
            raise broken("AB111", "a named tuple is of a class of other tuples")
        made: Any = cls
        return made._make(items)

    def operator(self, name: Any) -> Any:
        """What the loading program passes under a name."""
        if type(name) is not str or name not in self._operators:
            raise broken(
                "AB115",
                f"the bundle needs the operator {name!r:.80}",
                "pass it: astrace.load(path, operators={...})",
            )
        return self._operators[name]

    def class_named(self, name: Any) -> type:
        """The class of a name.

        Raises:
            BundleError: no table has it.
        """
        if type(name) is not str or name not in CLASSES:
            raise broken("AB112", f"a bundle may not use a class {name!r:.80}", UPDATE)
        return CLASSES[name]

    def function(self, name: Any) -> Any:
        """The function of a name.

        Raises:
            BundleError: no table has it.
        """
        found = function_named(name) if type(name) is str else None
        if found is None:
            raise broken("AB112", f"a bundle may not use a function {name!r:.80}", UPDATE)
        return found

    def slice_of(self, *parts: Any) -> slice:
        """A slice."""
        return slice(*self._three(parts))

    def range_of(self, *parts: Any) -> range:
        """A range."""
        return range(*self._three(parts))

    def _three(self, parts: Sequence[Any]) -> list[Any]:
        if len(parts) != 3:
            raise broken("AB111", "a slice or range has not three parts")
        return [self.decode(part) for part in parts]

    def complex_number(self, real: Any, imaginary: Any) -> complex:
        """A complex number."""
        parts = self.decode(real), self.decode(imaginary)
        if not all(type(part) is float for part in parts):
            raise broken("AB111", "a complex number has parts that are no floats")
        return complex(*parts)


UPDATE: Final = "it may be one of a newer version of astrace"


def _integer(_: DataDecoder, text: Any) -> int:
    if type(text) is not str or not INTEGER.fullmatch(text) or len(text) > MOST_BITS // 4 + 8:
        raise broken("AB111", "an integer is not written as integers are")
    return int(text, 16)


def _bytes(_: DataDecoder, text: Any) -> bytes:
    return base64.b64decode(text, validate=True)


def _scalar(_: DataDecoder, dtype: Any, text: Any) -> Any:
    content, kind = base64.b64decode(text, validate=True), dtypes.decode(dtype)
    if kind.itemsize == 0 or len(content) != kind.itemsize:
        if content or kind.itemsize:
            raise broken("AB111", "a NumPy scalar has not the bytes of its dtype")
        return np.zeros((), kind)[()]
    return scalar_of(content, kind)


def _float(_: DataDecoder, text: Any) -> float:
    if type(text) is str and text in FLOATS:
        return FLOATS[text]
    if type(text) is str and NAN_BITS.fullmatch(text):
        value = struct.unpack(">d", bytes.fromhex(text))[0]
        if math.isnan(value) and struct.pack(">d", FLOATS["nan"]).hex() != text:
            return value
    raise broken("AB111", "a float is not written as floats are")


def _bytearray(_: DataDecoder, text: Any) -> bytearray:
    return bytearray(base64.b64decode(text, validate=True))


def _dtype(_: DataDecoder, data: Any) -> np.dtype[Any]:
    return dtypes.decode(data)


READERS: Final[Mapping[str, Callable[..., Any]]] = {
    "int": _integer,
    "float": _float,
    "complex": DataDecoder.complex_number,
    "bytes": _bytes,
    "bytearray": _bytearray,
    "tuple": DataDecoder.tuple_of,
    "list": DataDecoder.list_of,
    "dict": DataDecoder.dict_of,
    "set": DataDecoder.set_of,
    "frozenset": DataDecoder.frozenset_of,
    "named_tuple": DataDecoder.named_tuple,
    "slice": DataDecoder.slice_of,
    "range": DataDecoder.range_of,
    "scalar": _scalar,
    "array": DataDecoder.array,
    "dtype": _dtype,
    "class": DataDecoder.class_named,
    "function": DataDecoder.function,
    "operator": DataDecoder.operator,
    "spec": DataDecoder.spec,
    "hole": DataDecoder.hole,
    "shared": DataDecoder.shared_one,
}
"""How each kind of value is read."""
