"""Python values as JSON data, and the arrays that they hold as files.

Numbers, texts and the like stand for themselves; everything else is a list that begins with what it is::

    ["tuple", [1, 2.5]]    ["array", 0]    ["class", "np.float32"]    ["hole", 3]

A list, dict or set that stands in several places is one object, and stands once in the table ``shared``.
What is no data is refused: the error names the value and the line that it belongs to.
"""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from astrace.bundle.codec import dtypes, npy
from astrace.bundle.codec.json_text import dumps
from astrace.bundle.codec.spec_codec import encode_spec
from astrace.bundle.codec.tables import CLASS_NAMES, function_name
from astrace.bundle.codes import refused
from astrace.bundle.limits import MOST_BITS, MOST_EXPANDED
from astrace.errors import BundleError
from astrace.ir.constants import UNDEFINED, UNSET, show
from astrace.ir.specs import Spec
from astrace.locations import Location
from astrace.util.array_memory import without_padding
from astrace.util.trees import Hole, is_namedtuple

LARGEST_INT: Final = 2**63
DEEPEST: Final = 60
SINGLETONS: Final = (
    (Ellipsis, "ellipsis"),
    (NotImplemented, "not_implemented"),
    (UNDEFINED, "undefined"),
    (UNSET, "unset"),
)
HINT: Final = "a bundle holds numbers, texts, arrays, and lists, tuples, dicts and sets of them"


class DataEncoder:
    """Writes the values of one JSON member.

    Args:
        folder: the folder of its arrays in the bundle.
        operators: the names of operators by their identity.
    """

    def __init__(self, folder: str, operators: Mapping[int, str]) -> None:
        self._folder, self._operators = folder, operators
        self.shared: list[Any] = []
        self.descriptions: list[Any] = []
        self.files: dict[str, bytes] = {}
        self.used_operators: set[str] = set()
        self._arrays: dict[int, int] = {}
        self._seen: dict[int, list[Any]] = {}
        self._kept: list[Any] = []
        self._items = 0
        self._depth = 0
        self.location: Location | None = None
        self.owner = ""

    def encode(self, value: Any) -> Any:
        """The data of a value.

        Raises:
            BundleError: it is none that can be saved.
        """
        self._items += 1
        if self._items > MOST_EXPANDED:
            raise refused(
                "AB205", "the graph holds too many items of containers", "keep them in arrays", self.location
            )
        kind: type[Any] = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return self._integer(value)
        if kind is float:
            return value if math.isfinite(value) else ["float", _special(value)]
        self._depth += 1
        if self._depth > DEEPEST:
            raise refused("AB205", "a value is nested too deep for a bundle", HINT, self.location)
        try:
            return self._other(value, kind)
        except BundleError as error:
            raise error if error.location or not self.location else self._located(error) from None
        finally:
            self._depth -= 1

    def is_operator(self, value: Any) -> bool:
        """Return whether a value is an operator."""
        return id(value) in self._operators

    def _located(self, error: BundleError) -> BundleError:
        return BundleError(error.code, error.message, error.hint, self.location)

    def _integer(self, value: int) -> Any:
        if -LARGEST_INT <= value < LARGEST_INT:
            return value
        if value.bit_length() > MOST_BITS:
            raise self.refusal(value)
        return ["int", hex(value)]

    def _other(self, value: Any, kind: type[Any]) -> Any:
        if kind in (list, dict, set, bytearray):
            return self._container(value, kind)
        if kind is np.ndarray:
            return ["array", self._array(value)]
        if id(value) in self._operators:
            self.used_operators.add(self._operators[id(value)])
            return ["operator", self._operators[id(value)]]
        if kind is tuple:
            return ["tuple", self._all(value)]
        if is_namedtuple(value):
            return ["named_tuple", self.class_name(kind), self._all(value)]
        return self._immutable(value, kind)

    def _immutable(self, value: Any, kind: type[Any]) -> Any:
        match value:
            case complex() if kind is complex:
                return ["complex", self.encode(value.real), self.encode(value.imag)]
            case bytes() if kind is bytes:
                return ["bytes", _base64(value)]
            case frozenset() if kind is frozenset:
                return ["frozenset", self._sorted(value)]
            case slice() | range():
                return [kind.__name__, *self._all((value.start, value.stop, value.step))]
            case np.generic() if kind in CLASS_NAMES:
                return [
                    "scalar",
                    dtypes.encode(value.dtype),
                    _base64(without_padding(np.asarray(value)).tobytes()),
                ]
            case _:
                return self._described(value)

    def _described(self, value: Any) -> Any:
        """What is told by a description: dtypes, places in a layout, specs, classes."""
        match value:
            case np.dtype():
                return ["dtype", dtypes.encode(value)]
            case Hole():
                return ["hole", value.index]
            case type():
                return ["class", self.class_name(value)]
            case _:
                return ["spec", encode_spec(value, self)] if isinstance(value, Spec) else self._named(value)

    def _named(self, value: Any) -> Any:
        for one, name in SINGLETONS:
            if value is one:
                return [name]
        name = function_name(value)
        if name is None:
            raise self.refusal(value)
        return ["function", name]

    def _container(self, value: Any, kind: type[Any]) -> Any:
        known = self._seen.get(id(value))
        if known is not None:
            return self._share(known)
        made: list[Any] = []
        self._seen[id(value)] = made
        self._kept.append(value)  # its `id` is taken
        made.extend(self._contents(value, kind))
        return made

    def _contents(self, value: Any, kind: type[Any]) -> list[Any]:
        if kind is bytearray:
            return ["bytearray", _base64(value)]
        if kind is set:
            return ["set", self._sorted(value)]
        if kind is dict:
            return ["dict", [self.encode(part) for pair in value.items() for part in pair]]
        return ["list", self._all(value)]

    def _share(self, made: list[Any]) -> list[Any]:
        """Move a container that is met again into the table."""
        if not made:
            raise refused("AB203", "a container that holds itself can't be saved", HINT, self.location)
        if made[0] != "shared":
            self.shared.append([*made])
            made[:] = ["shared", len(self.shared) - 1]
        return [*made]

    def _all(self, values: Iterable[Any]) -> list[Any]:
        return [self.encode(one) for one in values]

    def _sorted(self, values: Iterable[Any]) -> list[Any]:
        """The members of a set, whose own order is another one in each process."""
        return sorted((self.encode(one) for one in values), key=dumps)

    def _array(self, value: np.ndarray[Any, Any]) -> int:
        if id(value) not in self._arrays:
            description = npy.described(value)
            number = len(self.descriptions)
            self.files[f"{self._folder}/{number}.npy"] = npy.file_of(value, description)
            self.descriptions.append(description)
            self._arrays[id(value)] = number
            self._kept.append(value)
        return self._arrays[id(value)]

    def number_of(self, value: np.ndarray[Any, Any]) -> int | None:
        """The number under which an array is stored, if it is."""
        return self._arrays.get(id(value))

    def class_name(self, cls: type) -> str:
        """The name of a class.

        Raises:
            BundleError: no table has it.
        """
        name = CLASS_NAMES.get(cls)
        if name is None:
            raise self.refusal(cls)
        return name

    def refusal(self, value: Any) -> BundleError:
        """The error for a value that can't be saved."""
        what = (
            f"the class {value.__module__}.{value.__qualname__}" if isinstance(value, type) else _told(value)
        )
        owner = f"{self.owner} holds " if self.owner else ""
        return refused("AB203", f"{owner}{what}, which can't be saved", HINT, self.location)


def _special(value: float) -> str:
    """The text of what is no finite number; of a NaN with other bits than Python's own, these."""
    bits = struct.pack(">d", value).hex()
    return repr(value) if bits in ORDINARY else bits


ORDINARY: Final = tuple(struct.pack(">d", float(text)).hex() for text in ("nan", "inf", "-inf"))


def _base64(content: bytes | bytearray) -> str:
    return base64.b64encode(content).decode()


def _told(value: Any) -> str:
    text = show(value)
    return text if len(text) < 80 else f"an object of {type(value).__qualname__}"
