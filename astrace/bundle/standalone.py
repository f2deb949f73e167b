"""The program of a graph as one Python file over NumPy alone: it runs without astrace, beside the arrays of its bundle.

The text is that of the NumPy backend, with what it refers to written out: constants as literals, arrays as files to be
loaded, the few functions of astrace that it calls as copies of their source.  The function checks its arguments as the
graph does.  It is written for people and for places where astrace is not; nothing ever loads it from a bundle.
"""

from __future__ import annotations

import builtins
import inspect
import math
import operator
import struct
import types
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from astrace.backends.numpy.backend import MODULES
from astrace.backends.select import compile_block
from astrace.bundle.codec.data_encoder import DataEncoder
from astrace.bundle.codec.tables import CLASS_NAMES, function_name
from astrace.bundle.copied_source import Copies, Untold
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.guards.kinds import Guard, in_turn
from astrace.ir.constants import Undefined, Unset, show
from astrace.util.array_memory import without_padding
from astrace.util.parsing import parse_module

__all__ = ["Untold", "standalone_source"]

HEAD: Final = '''"""{title}, as astrace {version} captured it: a program over NumPy alone.

The arrays lie beside this file.  Written by astrace; changes are lost when the bundle is saved again.
"""

from __future__ import annotations

import math
import operator
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
'''
LOOKUP: Final = "(AttributeError, KeyError, IndexError, TypeError, ValueError, NameError)"
LONGEST: Final = 100_000
"""The longest literal."""


def standalone_source(
    graph: FrozenGraph, signature: inspect.Signature, values: DataEncoder, version: str
) -> str:
    """The text of the file.

    Args:
        graph: the graph.
        signature: its signature, without what every call begins with.
        values: knows under which numbers arrays are stored.
        version: astrace's.

    Raises:
        Untold: the program refers to something that no literal tells.
    """
    if values.shared or values.used_operators:
        raise Untold("the program shares containers, or calls operators")
    writer = _Writer(values)
    made = compile_block(graph.block, graph.result, "program", "", "numpy").executable
    for name, value in made.namespace.items():
        if MODULES.get(name) is not value:
            writer.bind(name, value)
    paths = [graph.inputs[index] for index in made.used]
    given = ", ".join(path.code(writer.pin) for path in paths)
    wrapper = writer.wrapper(_function_name(graph.name), signature, graph.asked, given)
    title = graph.name.replace("\\", "").replace('"', "")
    parts = [HEAD.format(title=title, version=version), *writer.copies.texts()]
    parts += writer.lines
    text = "\n".join([*parts, "", "", made.source.rstrip(), "", "", wrapper, ""])
    try:
        parse_module(text)
    except SyntaxError as error:
        raise Untold(f"its text is not Python: {error.msg}") from None
    return text


def _function_name(name: str) -> str:
    last = name.rpartition(".")[2]
    return last if last.isidentifier() and last not in {*MODULES, "program", "HERE", "Path"} else "call"


class _Writer:
    """Writes what a program refers to.

    Args:
        values: knows under which numbers arrays are stored.
    """

    def __init__(self, values: DataEncoder) -> None:
        self._values = values
        self.lines: list[str] = []
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []
        self._taken: set[str] = {*MODULES, "HERE", "Path", "program"}
        self.copies = Copies(self.literal, self._taken)

    def bind(self, name: str, value: Any) -> None:
        """Let a name of the program mean a value."""
        self._names[id(value)] = name
        self._kept.append(value)
        if self.copies.is_own(value):
            copy = self.copies.copy(value)
            if copy != name:
                self.lines.append(f"{name} = {copy}")
            return
        if name in self._taken:
            raise Untold(f"two things have the name {name}")
        self._taken.add(name)
        self.lines.append(f"{name} = {self.literal(value)}")

    def pin(self, value: object, hint: str) -> str:
        """The name under which a value is found."""
        known = self._names.get(id(value))
        if known is not None:
            return known
        path = self._public(value)
        if path is not None:
            return path
        name, number = hint if hint.isidentifier() else "value", 0
        while not self.copies.is_own(value) and name in self._taken:
            number += 1
            name = f"{hint if hint.isidentifier() else 'value'}_{number}"
        if self.copies.is_own(value):
            return self.copies.copy(value)
        self.bind(name, value)
        return name

    def literal(self, value: Any) -> str:
        """An expression that makes a value.

        Raises:
            Untold: there is none.
        """
        kind: type[Any] = type(value)
        if (
            value is None
            or value is ...
            or kind in (bool, str, bytes)
            or (kind is int and value.bit_length() < 4000)
        ):
            return _short(repr(value))
        if kind is float:
            return repr(value) if math.isfinite(value) else _special(value)
        if kind is complex:
            return f"complex({self.literal(value.real)}, {self.literal(value.imag)})"
        if kind is np.ndarray:
            return self._array(value)
        if isinstance(value, Undefined | Unset):
            return self.copies.sentinel(value)
        if isinstance(value, np.dtype):
            return f"np.dtype({_descr(value)})"
        if isinstance(value, np.generic):
            return _scalar(value)
        text = self._container(value, kind)
        if text is None:
            text = self._public(value)
        if text is None:
            raise Untold(f"it refers to {show(value)}")
        return _short(text)

    def _container(self, value: Any, kind: type[Any]) -> str | None:
        match value:
            case list() if kind is list:
                return f"[{self._listed(value)}]"
            case tuple() if kind is tuple:
                return f"({self._listed(value)}{',' if len(value) == 1 else ''})"
            case dict() if kind is dict:
                return (
                    "{"
                    + ", ".join(f"{self.literal(key)}: {self.literal(one)}" for key, one in value.items())
                    + "}"
                )
            case set() | frozenset() if kind in (set, frozenset):
                return f"{kind.__name__}([{', '.join(sorted(map(self.literal, value)))}])"
            case slice() | range():
                return f"{kind.__name__}({self._listed((value.start, value.stop, value.step))})"
            case _:
                return None

    def _listed(self, values: Iterable[Any]) -> str:
        return ", ".join(map(self.literal, values))

    def _array(self, value: np.ndarray[Any, Any]) -> str:
        number = self._values.number_of(value)
        description = None if number is None else self._values.descriptions[number]
        if description is None:
            raise Untold("it refers to an array that the graph does not hold")
        text = f'np.load(HERE / "arrays" / "{number}.npy")'
        axes = description["axes"]
        return text if axes == sorted(axes) else f"{text}.transpose({[int(one) for one in np.argsort(axes)]})"

    def _public(self, value: Any) -> str | None:
        """The public name of a function or class."""
        if isinstance(value, type) and value.__module__ == "builtins" and value.__name__.isidentifier():
            return _builtin(value)
        if isinstance(value, types.ModuleType):
            return next((name for name, module in MODULES.items() if module is value), None)
        name = CLASS_NAMES.get(value) if isinstance(value, type) else function_name(value)
        reached: Any = None
        if name is not None and name.startswith("np."):
            reached = np
            for part in name.split(".")[1:]:
                reached = getattr(reached, part, None)
        return name if reached is not None and reached is value else _builtin(value)

    # -- the function --------------------------------------------------------------------------------

    def wrapper(self, name: str, signature: inspect.Signature, guards: Iterable[Guard], given: str) -> str:
        """The function that is called: it checks its arguments and runs the program."""
        parameters = [
            one.replace(
                default=_Text(self.literal(one.default)) if one.default is not one.empty else one.empty
            )
            for one in signature.parameters.values()
        ]
        head = f"def {name}{inspect.Signature(parameters)}:"
        ordered = in_turn(guards)
        checks = [guard.condition(lambda path: path.code(self.pin), self.pin) for guard in ordered]
        lines = [head, f'    """{name}, for arguments of the kinds that it was captured for."""']
        if checks:
            lines += [
                "    try:",
                "        fits = (",
                *(
                    f"            {'' if index == 0 else 'and '}({check})"
                    for index, check in enumerate(checks)
                ),
            ]
            lines += ["        )", f"    except {LOOKUP}:", "        fits = False", "    if not fits:"]
            said = f"{name} was not captured for such arguments; it expects {', '.join(map(str, ordered))}"
            lines.append(f"        raise TypeError({said!r})")
        lines.append(f"    return program({given})")
        return "\n".join(lines)


class _Text:
    """Prints as a text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise Untold("it holds a literal that is too long")
    return text


def _scalar(value: np.generic) -> str:
    """A scalar of NumPy."""
    if isinstance(value, np.bytes_):
        return f"np.bytes_({bytes(value)!r})"
    if isinstance(value, np.str_):
        return f"np.str_({str(value)!r})"
    content = without_padding(np.asarray(value)).tobytes()
    return f"np.frombuffer({content!r}, {_descr(value.dtype)})[0]"


def _special(value: float) -> str:
    """An infinite number or NaN; of a NaN with other bits than Python's own, these."""
    bits, ordinary = struct.pack("<d", value), struct.pack("<d", float(repr(value)))
    return f'float("{value!r}")' if bits == ordinary else f'np.frombuffer({bits!r}, "<f8")[0].item()'


def _descr(dtype: np.dtype[Any]) -> str:
    if dtype.hasobject or dtype.metadata is not None:
        raise Untold(f"it refers to the dtype {dtype}")
    return repr(np.lib.format.dtype_to_descr(dtype))


def _builtin(value: Any) -> str | None:
    """The name of a builtin, or of a function of ``operator`` or ``math``."""
    name = getattr(value, "__name__", "")
    for module, prefix in ((builtins, ""), (operator, "operator."), (math, "math.")):
        if name and vars(module).get(name) is value:
            return prefix + name
    return None
