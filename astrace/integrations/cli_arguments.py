"""Arguments on the command line: literals, files of data, shapes of arrays, and names of the target's module.

Takes text, gives objects.  Nothing that is passed is run: a name is looked up, and a shape stands for an array of fixed noise.
"""

from __future__ import annotations

import ast
import difflib
import functools
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from astrace.errors import InvalidArgument

LONGEST: Final = 100_000
"""The longest text of arguments that is looked at."""
MOST_ELEMENTS: Final = 10_000_000
"""The largest array that a shape may ask for."""
FLOATS: Final = ("nan", "inf")
"""Numbers that have no literal."""
KINDS: Final = "biufc"
"""The kinds of dtypes that arrays are made of."""
LITERALS: Final = "numbers, texts in quotes, True, False, None, and lists, tuples, dicts and sets of them are, and shapes such as float64[100]"


def arguments(text: str, module: ModuleType | None = None) -> tuple[Any, ...]:
    """The arguments that a text stands for.

    Lists of numbers are arrays; ``float64[100]`` and ``int32[3, 4]`` are arrays of noise, the same each time; a name is that of
    the module; ``"@file.npy"`` and ``"@file.json"`` stand for what is in the file.

    Args:
        text: literals, shapes and names with commas between them.
        module: that of the target, for names.

    Raises:
        InvalidArgument: it is no such text.

    Example:
        >>> arguments("[1.0, 2.0], 3, {'k': None}")
        (array([1., 2.]), 3, {'k': None})
        >>> [one.shape for one in arguments("float32[2, 3], bool[4]")]
        [(2, 3), (4,)]
    """
    return _read(text, ArgumentReader(functools.partial(_of_module, module)))


def check_arguments(text: str) -> None:
    """Make sure that a text stands for arguments, if the names in it are there.

    Raises:
        InvalidArgument: it does not.
    """
    _read(text, ArgumentReader(lambda _name: None))


def _read(text: str, reader: ArgumentReader) -> tuple[Any, ...]:
    """The values of a text.

    Raises:
        InvalidArgument: it stands for none.
    """
    if len(text) > LONGEST:
        raise InvalidArgument(f"--args: {len(text)} characters; at most {LONGEST} are read")
    if not text.strip():
        return ()
    try:
        tree = ast.parse(f"({text},)", mode="eval").body
        assert isinstance(tree, ast.Tuple)
        return tuple(map(reader.value, tree.elts))
    except InvalidArgument:
        raise
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        said = error.msg if isinstance(error, SyntaxError) else LITERALS
        raise InvalidArgument(f"--args: {text[:60]!r} is not made of literals: {said}") from None


@dataclass(slots=True)
class ArgumentReader:
    """Gives the values of syntax trees.

    Args:
        look_up: gives what a name stands for.
    """

    look_up: Callable[[str], Any]
    noise: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def value(self, node: ast.expr) -> Any:
        """The value of a literal, a name, a shape, or a container of these.

        Raises:
            InvalidArgument: there is no such name, dtype or shape.
            ValueError: it is something else.
        """
        if not any(isinstance(one, ast.Name | ast.Subscript) for one in ast.walk(node)):
            return _value(ast.literal_eval(node))
        match node:
            case ast.Name(name):
                return float(name) if name in FLOATS else self.look_up(name)
            case ast.Subscript(ast.Name(name), shape):
                return self._array(name, ast.literal_eval(shape))
            case ast.List(parts):
                return list(map(self.value, parts))
            case ast.Tuple(parts):
                return tuple(map(self.value, parts))
            case ast.Dict(keys, values) if None not in keys:
                return {
                    ast.literal_eval(key): self.value(one)
                    for key, one in zip(keys, values, strict=True)
                    if key
                }
            case _:
                raise ValueError(LITERALS)

    def _array(self, name: str, shape: Any) -> Any:
        """Noise of a dtype and a shape."""
        lengths = shape if isinstance(shape, tuple) else (shape,)
        if not all(type(one) is int and one >= 0 for one in lengths):
            raise InvalidArgument(f"--args: {name}[{shape}]: a shape is made of numbers, as in {name}[3, 4]")
        try:
            dtype = np.dtype(name)
        except TypeError:
            dtype = np.dtype(object)
        if dtype.kind not in KINDS:
            raise InvalidArgument(
                f"--args: {name!r} is no dtype of numbers; write float64[100], int32[3, 4], bool[8]"
            )
        if math.prod(lengths) > MOST_ELEMENTS:
            raise InvalidArgument(f"--args: {name}[{shape}] has more than {MOST_ELEMENTS:,} elements")
        return self._noise(dtype, lengths)

    def _noise(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
        match dtype.kind:
            case "b":
                return self.noise.random(shape) < 0.5
            case "i" | "u":
                return self.noise.integers(0, 10, shape).astype(dtype)
            case "f":
                return self.noise.normal(size=shape).astype(dtype)
            case _:
                return (self.noise.normal(size=shape) + 1j * self.noise.normal(size=shape)).astype(dtype)


def _of_module(module: ModuleType | None, name: str) -> Any:
    """What a module has by a name.

    Raises:
        InvalidArgument: there is no such name.
    """
    known = {} if module is None else vars(module)
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, [one for one in known if not one.startswith("_")], 1)
    meant = f"; did you mean {near[0]!r}?" if near else ""
    place = (
        "this is no literal, and there is no module for it"
        if module is None
        else f"{module.__name__} has no such name"
    )
    raise InvalidArgument(f"--args: {name!r}: {place}{meant}")


def _value(value: Any) -> Any:
    match value:
        case str() if value.startswith("@"):
            return _data(Path(value[1:]))
        case list() if _is_numeric(value):
            return np.array(value)
        case list() | tuple() | set():
            return type(value)(map(_value, value))
        case dict():
            return {key: _value(item) for key, item in value.items()}
        case _:
            return value


def _is_numeric(values: list[Any]) -> bool:
    """Return whether a list holds numbers, or lists of one length that do."""
    if values and all(isinstance(value, list) for value in values):
        return len({len(value) for value in values}) == 1 and all(map(_is_numeric, values))
    return bool(values) and all(isinstance(value, int | float | complex) for value in values)


def _data(path: Path) -> Any:
    """Read a file of data; nothing in it is run."""
    try:
        if path.suffix == ".npy":
            return np.load(path, allow_pickle=False)
        return _value(json.loads(path.read_text()))
    except OSError as error:
        raise InvalidArgument(f"--args: {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise InvalidArgument(f"--args: {path}: {error}") from None
