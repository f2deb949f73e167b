"""What the command line names: functions, classes, modules and files, and literal arguments for them.

Takes text, gives objects.  Arguments are literals and files of data: nothing that is passed is run.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from astrace.errors import InvalidArgument

LONGEST: Final = 100_000
"""The longest text of arguments that is looked at."""


class NoSuchTarget(InvalidArgument):
    """A target names nothing."""


def find(target: str) -> Any:
    """What ``pkg.mod``, ``pkg.mod:name``, ``file.py`` or ``file.py:name`` names.

    Args:
        target: the text.

    Raises:
        NoSuchTarget: there is no such module, file or name.
    """
    place, _, name = target.rpartition(":") if _has_name(target) else (target, "", "")
    found: Any = _file(Path(place)) if place.endswith(".py") else _module(place)
    for part in filter(None, name.split(".")):
        if not hasattr(found, part):
            raise NoSuchTarget(f"{place} has no {name!r}")
        found = getattr(found, part)
    return found


def _has_name(target: str) -> bool:
    """Whether a name stands behind a colon; that of a drive does not."""
    head, colon, tail = target.rpartition(":")
    return bool(colon) and len(head) > 1 and all(part.isidentifier() for part in tail.split("."))


def _module(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise NoSuchTarget(f"no module {name!r}") from None
        raise
    except (ValueError, TypeError):
        raise NoSuchTarget(f"{name!r} is no module") from None


def _file(path: Path) -> ModuleType:
    """A file as a module of its own name."""
    if not path.is_file():
        raise NoSuchTarget(f"no file {path}")
    name = path.stem
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
        raise
    return module


# -- arguments ---------------------------------------------------------------------------------------------


def arguments(text: str) -> tuple[Any, ...]:
    """The arguments that a text of literals stands for.

    Lists of numbers are arrays; ``"@file.npy"`` and ``"@file.json"`` stand for what is in the file.

    Args:
        text: literals with commas between them.

    Raises:
        InvalidArgument: it is no such text.

    Example:
        >>> arguments("[1.0, 2.0], 3, {'k': None}")
        (array([1., 2.]), 3, {'k': None})
    """
    if len(text) > LONGEST:
        raise InvalidArgument(f"--args: {len(text)} characters; at most {LONGEST} are read")
    try:
        values = ast.literal_eval(f"({text},)")
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise InvalidArgument(f"--args: {text[:60]!r} is not made of literals: {error}") from None
    return tuple(map(_value, values))


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
    """Whether a list holds numbers, or lists of one length that do."""
    if values and all(isinstance(value, list) for value in values):
        return len({len(value) for value in values}) == 1 and all(map(_is_numeric, values))
    return bool(values) and all(isinstance(value, int | float | complex) for value in values)


def _data(path: Path) -> Any:
    """What a file of data holds; nothing in it is run."""
    try:
        if path.suffix == ".npy":
            return np.load(path, allow_pickle=False)
        return _value(json.loads(path.read_text()))
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"--args: {path}: {error}") from None
