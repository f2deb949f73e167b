"""Values as Python writes them, so that a program can make them again.

Takes values, gives expressions; what an expression needs (imports, the definition of a local class, objects that
are met twice) is collected beside it.  A value that can't be written is named in ``missing``.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import itertools
import math
import types
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.check.compare.diff import shortened
from astrace.check.compare.snapshots import ATOMS, attributes_of, items_of, parts_of
from astrace.check.reproduce.definitions import ProgramNames
from astrace.ir.constants import FUNCTION_TYPES
from astrace.util.trees import is_namedtuple

PLACEHOLDER: Final = "..."
"""The placeholder for a value that can't be written."""
SHORT: Final = 24
MOST_ITEMS: Final = 5000
MOST_OBJECTS: Final = 1000
READ_ONLY: Final = """def read_only(array):
    array.flags.writeable = False
    return array
"""
MADE: Final = """def made(cls, **attributes):
    instance = cls.__new__(cls)
    for name, value in attributes.items():
        object.__setattr__(instance, name, value)
    return instance
"""


class LiteralWriter:
    """Writes values down.

    Args:
        names: knows how a program comes by functions and classes.
    """

    def __init__(self, names: ProgramNames) -> None:
        self.names = names
        self.missing: list[str] = []
        self.helpers: dict[str, None] = {}
        self._lines: list[str] = []
        self._known: dict[int, str] = {}
        self._twice: set[int] = set()
        self._inside: set[int] = set()

    def text(self, value: Any) -> str:
        """An expression for one value."""
        if id(value) in self._known:
            return self._known[id(value)]
        if id(value) in self._inside:
            return self._unknown(value)
        self._inside.add(id(value))
        text = self._text(value)
        self._inside.discard(id(value))
        if id(value) in self._twice:
            return self._kept(value, f"shared{len(self._known) + 1}", text)
        return text

    def function(self, name: str, parameters: Sequence[str], values: Sequence[Any], result: str) -> list[str]:
        """A function that makes values anew at each call.

        Args:
            name: what it is called.
            parameters: names for the values.
            values: the values.
            result: what it returns, with ``{}`` for each value.
        """
        self._lines, self._known, self._twice = [], {}, _twice(values)
        texts: list[str] = []
        for parameter, value in zip(parameters, values, strict=True):
            text = self.text(value)
            texts.append(self._kept(value, parameter, text) if len(text) > SHORT else text)
        lines = [f"    {line}" for line in self._lines]
        self._lines, self._known, self._twice = [], {}, set()
        return ["", f"def {name}():", *lines, f"    return {result.format(*texts)}", ""]

    def _kept(self, value: Any, name: str, text: str) -> str:
        """A value under a name that it keeps."""
        self._known[id(value)] = name
        self._lines.append(f"{name} = {text}")
        return name

    def _unknown(self, value: Any) -> str:
        self.missing.append(shortened(f"{type(value).__qualname__} {self.names.described(value)}".strip()))
        return PLACEHOLDER

    # -- kinds of values -------------------------------------------------------------------------------

    def _text(self, value: Any) -> str:
        kind: type[Any] = type(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            return _generic(value)
        if kind in (float, complex):
            return _number(value)
        if kind in (*ATOMS, slice):
            return repr(value) if kind is not type(...) else "..."
        if isinstance(value, enum.Enum):
            name = self.names.of(kind) or self._unknown(value)
            return (
                f"{name}.{value._name_}" if value._name_ in kind.__members__ else f"{name}({value._value_})"
            )
        if isinstance(value, types.ModuleType):
            return self.names.module(value)
        if isinstance(value, (*FUNCTION_TYPES, types.MethodType, functools.partial, type)):
            return self.names.of(value) or self._unknown(value)
        items = items_of(value)
        return self._container(value) if items is None else self._foreign(value, items)

    def _foreign(self, value: Any, items: np.ndarray[Any, Any]) -> str:
        """An array of another library, made of one of NumPy's."""
        module, make = MAKERS[type(value).__module__.partition(".")[0]]
        self.names.imports[f"import {module}"] = None
        return f"{module}.{make}({self._array(items.copy())})"

    def _container(self, value: Any) -> str:
        kind: type[Any] = type(value)
        if is_namedtuple(value):
            return f"{self.names.of(kind) or self._unknown(value)}({self._listed(value)})"
        match value:
            case list() if kind is list:
                return f"[{self._listed(value)}]"
            case tuple() if kind is tuple:
                return f"({self._listed(value)}{',' if len(value) == 1 else ''})"
            case dict() if kind is dict:
                return f"{{{self._items(value)}}}"
            case set() | frozenset() if kind in (set, frozenset):
                members = f"{{{self._listed(sorted(value, key=repr))}}}" if value else "set()"
                return members if kind is set else f"frozenset({members if value else ''})"
            case collections.deque():
                return f"{self.names.of(kind)}([{self._listed(value)}], {value.maxlen})"
            case collections.defaultdict():
                factory = "None" if value.default_factory is None else self.text(value.default_factory)
                return f"{self.names.of(kind)}({factory}, {{{self._items(value)}}})"
            case collections.OrderedDict() | collections.Counter():
                return f"{self.names.of(kind)}({{{self._items(value)}}})"
            case bytearray():
                return f"bytearray({bytes(value)!r})"
            case _:
                return self._object(value)

    def _listed(self, values: Any) -> str:
        return ", ".join(map(self.text, values))

    def _items(self, value: dict[Any, Any]) -> str:
        return ", ".join(f"{self.text(key)}: {self.text(item)}" for key, item in dict.items(value))

    def _object(self, value: Any) -> str:
        """An instance: of a dataclass by its fields, of any other class of the user's by its attributes."""
        kind: type[Any] = type(value)
        name = self.names.of(kind) if kind.__flags__ & HEAP else ""
        if not name or isinstance(value, (int, float, str, bytes, list, dict, tuple, set)):
            return self._unknown(value)
        attributes = list(attributes_of(value))
        parts = ", ".join(f"{key}={self.text(item)}" for key, item in attributes)
        fields = (
            [one.name for one in dataclasses.fields(kind) if one.init]
            if dataclasses.is_dataclass(kind)
            else []
        )
        if fields and fields == [key for key, _ in attributes] and not hasattr(kind, "__post_init__"):
            return f"{name}({parts})"
        self.helpers[MADE] = None
        return f"made({name}{', ' if parts else ''}{parts})"

    def _array(self, array: np.ndarray[Any, Any]) -> str:
        kind: type[Any] = type(array)
        if isinstance(array, np.ma.MaskedArray):
            mask = array_text(np.ma.getmaskarray(array))
            return f"np.ma.array({array_text(np.asarray(array.data))}, mask={mask})"
        if array.dtype.hasobject:
            items = self.text(np.asarray(array).tolist())
            text = f"np.array({items}, object)"
        else:
            text = array_text(np.asarray(array))
        if _contents(np.asarray(array)) == PLACEHOLDER:
            self.missing.append(f"an array of {array.dtype}{list(array.shape)}")
        if kind is not np.ndarray:
            text = f"{text}.view({self.names.of(kind) or self._unknown(array)})"
        if array.flags.writeable:
            return text
        self.helpers[READ_ONLY] = None
        return f"read_only({text})"


HEAP: Final = 1 << 9
"""The flag of classes that programs define."""


def _twice(values: Sequence[Any]) -> set[int]:
    """The objects that are met more than once in some values."""
    seen: set[int] = set()
    found: set[int] = set()
    pending = list(values)
    for _ in itertools.repeat(None, MOST_OBJECTS):
        if not pending:
            break
        value = pending.pop()
        if type(value) in ATOMS or isinstance(value, (np.generic, *FUNCTION_TYPES, type, types.ModuleType)):
            continue
        if id(value) in seen:
            found.add(id(value))
            continue
        seen.add(id(value))
        if not isinstance(value, np.ndarray):
            pending += [part for _, part in parts_of(value)]
    return found


# -- arrays and numbers ------------------------------------------------------------------------------------

PLAIN_DTYPES: Final = (np.dtype(float), np.dtype(bool), np.dtype(complex), np.dtype(int))
"""The dtypes that an array has by itself when it is made of Python's numbers."""


def array_text(array: np.ndarray[Any, Any]) -> str:
    """An array as Python writes it, its dtype and layout included.

    Example:
        >>> array_text(np.array([[1.0, np.nan]], "float32"))
        "np.array([[1.0, np.nan]], 'float32')"
    """
    text = _contents(array)
    if array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous:
        return f"np.asfortranarray({text})"
    if not array.flags.c_contiguous:
        return f"np.repeat({text}, 2, axis=-1)[..., ::2]"
    return text


def _contents(array: np.ndarray[Any, Any]) -> str:
    dtype = _dtype(array.dtype)
    if array.size == 0 and array.ndim > 1:
        return f"np.zeros({array.shape}, {dtype})"
    first = array.flat[0] if array.size else None
    if array.size > SHORT and array.dtype.kind in "biuf" and bool(np.all(array == first)):
        return f"np.full({array.shape}, {_number(array.flat[0].item())}, {dtype})"
    if array.size > MOST_ITEMS:
        return PLACEHOLDER
    told = "" if array.size and array.dtype in PLAIN_DTYPES else f", {dtype}"
    items = array.astype("i8").tolist() if array.dtype.kind in "mM" else array.tolist()
    return f"np.array({_items(items)}{told})"


def _dtype(dtype: np.dtype[Any]) -> str:
    if dtype.names is not None:
        return repr(dtype.descr)
    return repr(dtype.str if dtype.byteorder == ">" or dtype.kind not in "biufc" else dtype.name)


def _items(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_items, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_items, value))}{',' if len(value) == 1 else ''})"
    return _number(value)


def _generic(value: np.generic) -> str:
    kind = value.dtype.kind
    if kind == "b":
        return f"np.bool_({value.item()})"
    if kind in "iufc" and isinstance(value.item(), int | float | complex):
        return f"np.{value.dtype.name}({_number(value.item())})"
    return repr(value) if repr(value).startswith("np.") else f"np.{type(value).__name__}({value.item()!r})"


def _number(value: Any) -> str:
    if isinstance(value, complex):
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else ("np.inf" if value > 0 else "-np.inf")
    return repr(value)


MAKERS: Final = {
    "jax": ("jax.numpy", "asarray"),
    "jaxlib": ("jax.numpy", "asarray"),
    "torch": ("torch", "from_numpy"),
}
"""What makes an array of another library of one of NumPy's, by package: the module and its function."""
