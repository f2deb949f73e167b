"""A call as a program that can be pasted: imports, arguments, and the two results side by side."""

from __future__ import annotations

import ast
import collections
import math
import sys
import types
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.check.findings import Suspect
from astrace.check.observe import Call
from astrace.check.pictures import attributes_of
from astrace.check.subject import Subject
from astrace.ir.statics import show
from astrace.trees import is_namedtuple

SHORT: Final = 24
MOST_ITEMS: Final = 200


def program(subject: Subject, calls: Sequence[Call], made_for: Call, change: Suspect | None = None) -> str:
    """A program that shows a difference.

    Args:
        subject: what was checked.
        calls: the calls in a row, of which the last one shows it.
        made_for: the call that a frozen graph was made for, as far as is known.
        change: what was changed in the world before.
    """
    writer = _Writer(subject)
    name = writer.callee()
    body = ["graph = " + (writer.traced(name, made_for) if subject.frozen else f"astrace.compile({name})")]
    body += writer.changed(change) if change is not None else []
    for index, call in enumerate(calls):
        body += writer.arguments(call, f"arguments{index + 1 if len(calls) > 1 else ''}")
    for callee in (name, "graph"):
        for index, call in enumerate(calls):
            function = f"arguments{index + 1 if len(calls) > 1 else ''}()"
            given = f"*{function}[0], **{function}[1]" if call.kwargs else f"*{function}"
            body.append(f"print({callee}({given}))")
    return "\n".join([*writer.head(body), *body])


class _Writer:
    """Writes a program; what is one object twice gets a name."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._imports: dict[str, None] = {}
        self._names: dict[int, str] = {}

    def callee(self) -> str:
        """How the program calls the function."""
        function = self._subject.target.function
        name = getattr(function, "__qualname__", self._subject.name).rpartition("<locals>.")[2]
        name = name.replace("<lambda>", "function")
        module = getattr(function, "__module__", None)
        if module and module != "__main__":
            self._imports[f"from {module} import {name.partition('.')[0]}"] = None
        return name

    def head(self, body: Sequence[str]) -> list[str]:
        """The imports that the rest of the program needs."""
        text = "\n".join(body)
        used = [
            f"import {one}" for one, mark in (("numpy as np", "np."), ("astrace", "astrace.")) if mark in text
        ]
        return [*used, *self._imports, ""]

    def traced(self, name: str, call: Call) -> str:
        """How a frozen graph is made."""
        parts = [self.text(value) for value in call.args]
        parts += [f"{key}={self.text(value)}" for key, value in call.kwargs.items()]
        return f"astrace.trace({', '.join([name, *parts])})"

    def changed(self, change: Suspect) -> list[str]:
        """The change of the world, as a statement where it can be written as one."""
        module = getattr(self._subject.target.function, "__module__", "")
        first = change.what.partition("[")[0].partition(".")[0]
        if hasattr(sys.modules.get(module), first) and _is_literal(change.now):
            self._imports[f"import {module}"] = None
            return [f"{module}.{change.what} = {change.now}"]
        return [f"# now {change.what} is set to {change.now}"]

    def arguments(self, call: Call, function: str) -> list[str]:
        """A function that makes the arguments anew, as their parameters are called."""
        twice = _repeated([*call.args, *call.kwargs.values()])
        self._names = {}
        lines: list[str] = []
        names = [*self._parameters(len(call.args)), *call.kwargs]
        for name, value in zip(names, [*call.args, *call.kwargs.values()], strict=True):
            text = self.text(value)
            if id(value) not in self._names and (id(value) in twice or len(text) > SHORT):
                lines.append(f"    {name} = {text}")
                self._names[id(value)] = name
        given = ", ".join(self.text(value) for value in call.args)
        given += "," if len(call.args) == 1 else ""
        if call.kwargs:
            items = ", ".join(f"{name!r}: {self.text(value)}" for name, value in call.kwargs.items())
            given = f"({given}), {{{items}}}"
        self._names = {}
        return ["", f"def {function}():", *lines, f"    return {given or '()'}", ""]

    def _parameters(self, count: int) -> list[str]:
        """Names for positional arguments."""
        known = self._subject.signature
        names = list(known.parameters) if known is not None else []
        return [names[index] if index < len(names) else f"argument{index + 1}" for index in range(count)]

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
            self._imports[f"from {kind.__module__} import {kind.__qualname__.partition('.')[0]}"] = None
        return kind.__qualname__


def _repeated(values: Sequence[Any]) -> set[int]:
    """The objects that are among some values more than once."""
    counts = collections.Counter(map(id, values))
    return {key for key, count in counts.items() if count > 1}


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


PLAIN_DTYPES: Final = (np.dtype(float), np.dtype(bool), np.dtype(complex), np.dtype(int))
"""The dtypes that an array has by itself when it is made of Python's numbers."""


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
    told = "" if array.size and array.dtype in PLAIN_DTYPES else f", {dtype!r}"
    text = f"np.array({_items(array.tolist())}{told})"
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
