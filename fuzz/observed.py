"""All that can be seen of a module's world, as something that ``==`` compares."""

from __future__ import annotations

import collections
import functools
import io
import types
from typing import Any

import harness
import numpy as np


def world(module: types.ModuleType) -> dict[str, Any]:
    """Return the values of the names of a module, down to the contents of their objects."""
    seen: dict[int, Any] = {}
    skipped = (types.ModuleType, type(np.sin))
    return {
        name: described(value, seen)
        for name, value in sorted(vars(module).items())
        if not name.startswith("__") and not isinstance(value, skipped)
    }


def described(value: Any, seen: dict[int, Any]) -> Any:
    """One object; one that was met before is named by the number of its turn."""
    if isinstance(value, bool | int | float | complex | str | bytes | np.generic | np.ndarray | None):
        return harness.shape_of(value)
    if type(value) is tuple:
        return ("tuple", [described(item, seen) for item in value])
    if id(value) in seen:
        return ("again", seen[id(value)][0])
    seen[id(value)] = len(seen), value
    kind = type(value).__qualname__
    if isinstance(value, set | frozenset):
        return (kind, sorted(map(repr, value)))
    if isinstance(value, io.TextIOWrapper):
        return (kind, text_of(value))
    if isinstance(value, io.StringIO | np.random.Generator):
        return (kind, value.getvalue() if isinstance(value, io.StringIO) else repr(value.bit_generator.state))
    return (kind, [described(part, seen) for part in parts(value)])


def text_of(file: io.TextIOWrapper) -> str:
    """All that was written to a file."""
    file.flush()
    file.seek(0)
    return file.read()


def parts(value: Any) -> list[Any]:
    """Return the parts of an object."""
    match value:
        case dict():
            return [part for item in value.items() for part in item]
        case list() | tuple() | collections.deque():
            return list(value)
        case types.FunctionType():
            return [value.__name__, value.__dict__, value.__defaults__, value.__kwdefaults__]
        case functools.partial():
            return [value.func, value.args, value.keywords]
        case types.MethodType():
            return [value.__func__, value.__self__]
        case staticmethod() | classmethod():
            return [value.__func__]
        case type():
            return [value.__qualname__, *of_class(value)]
        case _:
            return of_instance(value)


def of_class(cls: type) -> list[Any]:
    """Return the contents of a class of the module."""
    if not cls.__module__.startswith("program_"):
        return []
    return [part for name, held in vars(cls).items() if not name.startswith("_") for part in (name, held)]


def of_instance(value: Any) -> list[Any]:
    """Return the contents of an instance of a class of the module."""
    if not type(value).__module__.startswith("program_"):
        return []
    slots = [name for name in getattr(type(value), "__slots__", ()) if hasattr(value, name)]
    return [
        getattr(value, "__dict__", None),
        *(part for name in slots for part in (name, getattr(value, name))),
    ]
