"""A call as a program that can be pasted: imports, arguments, and the two results side by side."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.check.observe import Call
from astrace.check.pictures import attributes_of
from astrace.check.subject import Subject
from astrace.ir.statics import show
from astrace.trees import is_namedtuple

WIDE: Final = 70
MOST_ITEMS: Final = 200


def program(subject: Subject, calls: Sequence[Call]) -> str:
    """A program that shows a difference.

    Args:
        subject: what was checked.
        calls: the calls in a row, of which the last one shows it.
    """
    name = _name(subject)
    runs: list[str] = []
    imports: dict[str, None] = {}
    for callee in (name, "graph"):
        for call in calls:
            writer = _Writer()
            arguments = writer.arguments(call)
            runs += [*writer.lines, f"print({callee}({arguments}))"]
            imports |= writer.imports
    made = "# graph: the one that was checked" if subject.frozen else f"graph = astrace.compile({name})"
    used = ["import numpy as np"] if any("np." in line for line in runs) else []
    used += [] if subject.frozen else ["import astrace"]
    return "\n".join([*used, *_imports(subject), *sorted(imports), made, *runs])


def _name(subject: Subject) -> str:
    function = subject.target.function
    return (
        getattr(function, "__qualname__", subject.name)
        .rpartition("<locals>.")[2]
        .replace("<lambda>", "function")
    )


def _imports(subject: Subject) -> list[str]:
    function = subject.target.function
    module = getattr(function, "__module__", None)
    outer = _name(subject).partition(".")[0]
    return [f"from {module} import {outer}"] if module and module != "__main__" else []


class _Writer:
    """Writes values as Python; what is one object twice gets a name."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.imports: dict[str, None] = {}
        self._names: dict[int, str] = {}
        self._twice: set[int] = set()

    def arguments(self, call: Call) -> str:
        """The arguments as they stand in a call; arrays are named first."""
        self._twice = _repeated([*call.args, *call.kwargs.values()])
        parts = [self._argument(value, f"a{index}") for index, value in enumerate(call.args)]
        parts += [f"{name}={self._argument(value, name)}" for name, value in call.kwargs.items()]
        return ", ".join(parts)

    def _argument(self, value: Any, name: str) -> str:
        if id(value) in self._names:
            return self._names[id(value)]
        text = self.text(value)
        if not isinstance(value, np.ndarray) and id(value) not in self._twice and len(text) <= WIDE:
            return text
        self.lines.append(f"{name} = {text}")
        self._names[id(value)] = name
        return name

    def text(self, value: Any) -> str:
        """A value as Python writes it, as near as that is possible."""
        if id(value) in self._names:
            return self._names[id(value)]
        kind: type[Any] = type(value)
        if isinstance(value, np.ndarray):
            return array_text(value)
        if isinstance(value, np.generic):
            return (
                f"np.{value.dtype.name}({_number(value.item())})"
                if value.dtype.kind in "biufc"
                else repr(value)
            )
        if kind in (float, complex):
            return _number(value)
        if kind is list:
            return f"[{', '.join(map(self.text, value))}]"
        if kind is tuple:
            return f"({', '.join(map(self.text, value))}{',' if len(value) == 1 else ''})"
        if kind is dict:
            return (
                "{" + ", ".join(f"{self.text(key)}: {self.text(item)}" for key, item in value.items()) + "}"
            )
        return self._object(value)

    def _object(self, value: Any) -> str:
        kind: type[Any] = type(value)
        if kind in (int, bool, str, bytes, type(None), range, slice):
            return repr(value)
        if is_namedtuple(value):
            return f"{self._class(kind)}({', '.join(map(self.text, value))})"
        if isinstance(value, types.FunctionType | type) or callable(value):
            return show(value)
        parts = ", ".join(f"{name}={self.text(item)}" for name, item in attributes_of(value))
        return f"{self._class(kind)}({parts})"

    def _class(self, kind: type) -> str:
        if kind.__module__ not in ("builtins", "__main__"):
            self.imports[f"from {kind.__module__} import {kind.__qualname__.partition('.')[0]}"] = None
        return kind.__qualname__


def _repeated(values: list[Any]) -> set[int]:
    seen: Mapping[int, int] = {}
    counts = dict(seen)
    for value in values:
        counts[id(value)] = counts.get(id(value), 0) + 1
    return {key for key, count in counts.items() if count > 1}


def array_text(array: np.ndarray[Any, Any]) -> str:
    """An array as Python writes it, its dtype and layout included.

    Example:
        >>> array_text(np.array([[1.0, np.nan]], "float32"))
        "np.array([[1.0, np.nan]], 'float32')"
    """
    dtype = array.dtype.str if array.dtype.byteorder == ">" else array.dtype.name
    if array.dtype.kind not in "biufc":
        return repr(array)
    if array.size > MOST_ITEMS:
        return f"np.array(...)  # {array.dtype}{list(array.shape)}, too large to be written here"
    text = f"np.array({_items(array.tolist())}, {dtype!r})"
    if array.size == 0 and array.ndim > 1:
        text = f"np.zeros({array.shape}, {dtype!r})"
    if array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous:
        return f"np.asfortranarray({text})"
    if not array.flags.c_contiguous:
        return f"np.repeat({text}, 2, axis=-1)[..., ::2]"
    return text


def _items(value: Any) -> str:
    return f"[{', '.join(map(_items, value))}]" if isinstance(value, list) else _number(value)


def _number(value: Any) -> str:
    if isinstance(value, complex):
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else ("np.inf" if value > 0 else "-np.inf")
    return repr(value)
