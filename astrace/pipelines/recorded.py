"""Recorded values: the arguments of an operator as plain data, from which they are made again without running anything.

A `Recorded` is a kind, a text or a number, and parts that are recorded values themselves, so that writing one as JSON is a
matter of three lines.  What is no plain data is named: an asset or an array by hash, another operator by its name in the
graph, a dataclass or a named tuple by the name of its class.  Anything else has the kind ``other``, and can't be made again.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import PurePath
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.pipelines.found_paths import in_order
from astrace.util.trees import is_namedtuple

Json: TypeAlias = "bool | int | float | str | list[Json] | None"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A value as plain data.

    Args:
        kind: what it is: see `KINDS`.
        value: its text, number or flag; the name or hash of what it stands for.
        items: its parts; of a dictionary keys and values in turn, of a dataclass names and values.
    """

    kind: str
    value: bool | int | str | None = None
    items: tuple[Recorded, ...] = ()

    def to_json(self) -> Json:
        """Return it as what JSON can hold."""
        return [self.kind, self.value, *(one.to_json() for one in self.items)]

    @staticmethod
    def from_json(data: Json) -> Recorded:
        """Make one from what `to_json` gave.

        Raises:
            ValueError: it is nothing of that form.
        """
        return _from_json(data, DEEPEST)


DEEPEST: Final = 200
"""The depth to which values are recorded."""


def _from_json(data: Json, depth: int) -> Recorded:
    if not isinstance(data, list) or len(data) < 2 or depth == 0:
        raise ValueError("a recorded value is a list of a kind, a value and parts")
    kind, value, *items = data
    if kind not in KINDS or not isinstance(value, bool | int | str | None):
        raise ValueError(f"a recorded value of kind {kind!r:.50}")
    return Recorded(str(kind), value, tuple(_from_json(one, depth - 1) for one in items))


KINDS: Final[Mapping[str, str]] = {
    "none": "`None`",
    "bool": "a flag",
    "int": "an integer; a text of its digits",
    "float": "a float; a text as `float.hex` gives it",
    "complex": "a complex number; two floats",
    "str": "a text",
    "bytes": "bytes; a text of hexadecimal digits",
    "path": "a path that is a label; a text",
    "list": "a list",
    "tuple": "a tuple",
    "set": "a set",
    "frozenset": "a frozen set",
    "dict": "a dictionary",
    "slice": "a slice; start, stop and step",
    "range": "a range; start, stop and step",
    "type": "one of Python's own classes; its name",
    "dtype": "a dtype of NumPy; its text",
    "scalar_type": "a class of NumPy's scalars; its name",
    "scalar": "a scalar of NumPy; the hash of an array",
    "array": "an array; its hash",
    "asset": "the path of an asset; its place. The part tells the form of the path",
    "operator": "another operator; its name",
    "record": "a dataclass or a named tuple; the name of its class",
    "shared": "an object that others are made from as well; its number. The part is what it was at first",
    "other": "anything else; the name of its class",
}
SEQUENCES: Final = {one.__name__: one for one in (list, tuple, set, frozenset)}
TYPES: Final = {
    one.__name__: one for one in (bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
}


Name: TypeAlias = Callable[[Any], str | None]
"""Gives the name in the graph of an operator; ``None`` for what is none."""


class ArgumentRecorder:
    """Records arguments.

    Args:
        name: gives the names of operators among them.
        assets: the places of assets by the place in the argument of the path that names them.
        arrays: keeps the arrays, by hash.
        numbers: gives the number of an object that can change, and may be met again.
    """

    def __init__(
        self,
        name: Name,
        assets: Mapping[str, str],
        arrays: dict[str, np.ndarray[Any, Any]],
        numbers: Callable[[Any], int],
    ) -> None:
        self._name = name
        self._assets = assets
        self._arrays = arrays
        self._numbers = numbers
        self._around: list[int] = []

    def record(self, value: Any, place: str = "$") -> Recorded:
        """Record a value that stands at some place of an argument."""
        if id(value) in self._around or len(self._around) > DEEPEST:
            return Recorded("other", f"{_class_name(value)} that contains itself, or too deeply nested")
        self._around.append(id(value))
        try:
            found = self._record(value, place)
        finally:
            self._around.pop()
        return Recorded("shared", self._numbers(value), (found,)) if found.kind in CHANGING else found

    def _record(self, value: Any, place: str) -> Recorded:
        asset = self._assets.get(place)
        if asset is not None:
            return Recorded("asset", asset, (Recorded("str", form_of(value)),))
        plain = _plain(value)
        if plain is not None:
            return plain
        kind: type[Any] = type(value)
        if kind in CONTAINERS:
            return self._container(kind, value, place)
        if isinstance(value, np.ndarray | np.generic):
            return self._array(value)
        name = self._name(value)
        if name is not None:
            return Recorded("operator", name)
        names = _record_fields(value)
        if names is not None:
            pairs = ((one, self.record(getattr(value, one), f"{place}.{one}")) for one in names)
            items = (part for one, inner in pairs for part in (Recorded("str", one), inner))
            return Recorded("record", _class_name(value), tuple(items))
        return Recorded("other", _class_name(value))

    def _container(self, kind: type, value: Any, place: str) -> Recorded:
        if kind is dict:
            pairs = (
                (self.record(key, ""), self.record(one, f"{place}[{key!r}]")) for key, one in value.items()
            )
            return Recorded("dict", None, tuple(part for pair in pairs for part in pair))
        items = (self.record(one, f"{place}[{index}]") for index, one in enumerate(in_order(value)))
        return Recorded(kind.__name__, None, tuple(items))

    def _array(self, value: np.ndarray[Any, Any] | np.generic) -> Recorded:
        is_plain = type(value) is np.ndarray or isinstance(value, np.generic)
        if not is_plain or value.dtype.hasobject:
            return Recorded("other", f"{_class_name(value)}{' of objects' if is_plain else ''}")
        array = np.array(value)
        shape = f"{array.dtype.descr} {array.shape} {array.strides}".encode()
        key = hashlib.sha256(shape + array.tobytes()).hexdigest()
        self._arrays[key] = array
        return Recorded("array" if isinstance(value, np.ndarray) else "scalar", key)


def _record_fields(value: Any) -> tuple[str, ...] | None:
    """The names by which a dataclass or a named tuple is made again; ``None`` for anything else."""
    if is_namedtuple(value):
        return tuple(value._fields)
    if is_dataclass(value) and not isinstance(value, type):
        return tuple(one.name for one in fields(value) if one.init)
    return None


CONTAINERS: Final = (list, tuple, set, frozenset, dict)
CHANGING: Final = ("list", "set", "dict", "array", "record")
"""The kinds of objects that can change, so that it matters who holds the same one."""


def _plain(value: Any) -> Recorded | None:
    """Record a value that has no parts."""
    match value:
        case None:
            return Recorded("none")
        case slice() | range():
            parts = (value.start, value.stop, value.step)
            found = tuple(map(_plain, parts))
            return Recorded(type(value).__name__, None, tuple(filter(None, found))) if all(found) else None
        case PurePath():
            return Recorded("path", str(value))
        case np.dtype():
            return None if value.hasobject or value.names else Recorded("dtype", value.str)
        case type():
            if TYPES.get(value.__name__) is value:
                return Recorded("type", value.__name__)
            return Recorded("scalar_type", value.__name__) if is_scalar_type(value) else None
        case _:
            return _number(value)


def _number(value: Any) -> Recorded | None:
    kind: type[Any] = type(value)
    if kind is bool:
        return Recorded("bool", value)
    if kind is int:
        return Recorded("int", hex(value))
    if kind is float:
        return Recorded("float", value.hex())
    if kind is complex:
        return Recorded(
            "complex", None, (Recorded("float", value.real.hex()), Recorded("float", value.imag.hex()))
        )
    if kind is str:
        return Recorded("str", value)
    return Recorded("bytes", value.hex()) if kind is bytes else None


def only_shared(values: Sequence[Recorded]) -> list[Recorded]:
    """Values with those objects marked as shared that are met more than once, numbered anew."""
    met = Counter(one.value for value in values for one in _walked(value) if one.kind == "shared")
    numbers = {key: number for number, key in enumerate(key for key, count in met.items() if count > 1)}
    return [_unmarked(value, numbers) for value in values]


def _walked(value: Recorded) -> Iterator[Recorded]:
    yield value
    for one in value.items:
        yield from _walked(one)


def _unmarked(value: Recorded, numbers: Mapping[Any, int]) -> Recorded:
    if not value.items:
        return value
    items = tuple(_unmarked(one, numbers) for one in value.items)
    if value.kind != "shared":
        return Recorded(value.kind, value.value, items)
    return Recorded("shared", numbers[value.value], items) if value.value in numbers else items[0]


def is_scalar_type(value: Any) -> bool:
    """Return whether a class is one of NumPy's public scalars."""
    return (
        isinstance(value, type)
        and issubclass(value, np.generic)
        and getattr(np, value.__name__, None) is value
    )


def _class_name(value: Any) -> str:
    cls: type[Any] = type(value)
    return f"{cls.__module__}.{cls.__qualname__}"


# -- and back -------------------------------------------------------------------------------------------------


def form_of(value: str | bytes | PurePath) -> str:
    """The form of a path: ``str``, ``bytes`` or ``path``."""
    return "path" if isinstance(value, PurePath) else type(value).__name__


def in_form(path: str, form: str) -> Any:
    """A path in a form.

    Example:
        >>> in_form("a", "bytes")
        b'a'
    """
    match form:
        case "bytes":
            return os.fsencode(path)
        case "path":
            return pathlib.Path(path)
        case _:
            return path


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes recorded values again.

    Args:
        assets: gives the path of an asset, by its place.
        arrays: gives an array, by its hash.
        operators: gives another operator, by its name.
        classes: gives the class of a dataclass, by its name.
        shared: keeps what has been made of shared objects, by number.
    """

    assets: Callable[[str], str]
    arrays: Callable[[str], np.ndarray[Any, Any]]
    operators: Callable[[str], Any]
    classes: Callable[[str], Any]
    shared: dict[int, Any] = field(default_factory=dict[int, Any])

    def make(self, one: Recorded) -> Any:
        """Make a value.

        Raises:
            ValueError: it was recorded as something that can't be made again, or is no recorded value.
        """
        if one.kind in MAKERS:
            return MAKERS[one.kind](str(one.value) if one.value is not None else "")
        items = one.items
        match one.kind:
            case "none":
                return None
            case "bool":
                return bool(one.value)
            case "complex":
                real, imaginary = (self.make(part) for part in items)
                return complex(real, imaginary)
            case "list" | "tuple" | "set" | "frozenset":
                return SEQUENCES[one.kind](map(self.make, items))
            case "dict":
                return dict(zip(map(self.make, items[::2]), map(self.make, items[1::2]), strict=True))
            case "slice":
                return slice(*map(self.make, items))
            case "range":
                return range(*map(self.make, items))
            case "shared":
                return self._shared(one)
            case _:
                return self._named(one)

    def _shared(self, one: Recorded) -> Any:
        match one:
            case Recorded(value=int() as number, items=[what]):
                if number not in self.shared:
                    self.shared[number] = self.make(what)
                return self.shared[number]
            case _:
                raise ValueError("a shared object has a number and one part")

    def _named(self, one: Recorded) -> Any:
        name = str(one.value)
        match one.kind:
            case "array":
                return np.array(self.arrays(name))  # in the same order of memory
            case "scalar":
                return self.arrays(name)[()]
            case "asset":
                return in_form(self.assets(name), str(one.items[0].value))
            case "operator":
                return self.operators(name)
            case "record":
                names = [str(part.value) for part in one.items[::2]]
                return self.classes(name)(**dict(zip(names, map(self.make, one.items[1::2]), strict=True)))
            case _:
                raise ValueError(f"an object of {name} can't be made again: make its class an operator")


def _scalar_type(name: str) -> Any:
    found = getattr(np, name, None)
    if not is_scalar_type(found):
        raise ValueError(f"{name!r:.50} is no scalar class of NumPy")
    return found


MAKERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "int": lambda text: int(text, 16),
    "float": float.fromhex,
    "str": str,
    "bytes": bytes.fromhex,
    "path": pathlib.Path,
    "type": TYPES.__getitem__,
    "dtype": np.dtype,
    "scalar_type": _scalar_type,
}
"""How values without parts are made from their texts."""
