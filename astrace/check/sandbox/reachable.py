"""Objects that a function can reach from outside its arguments and that can change, and the places in them.

Starts at a function's globals, cells and defaults, as far as its code names them, and goes on through user code:
helpers, classes, instances, containers, the user's own modules.  Libraries are left out.  Takes functions, gives
a list of owners and places; runs nothing.
"""

from __future__ import annotations

import collections
import dis
import functools
import logging
import sys
import sysconfig
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.check.sandbox.savers import can_have_names, keeper_of, names_of
from astrace.check.sandbox.unrestorable import what_is_lost
from astrace.compiler.compiled import Compiled
from astrace.ir.constants import FUNCTION_TYPES
from astrace.util.entrances import function_of

WRAPPERS: Final = (types.FunctionType, Compiled, type(functools.lru_cache(len)))
MOST_OWNERS: Final = 2000
MOST_DEPTH: Final = 6
LIBRARIES: Final = tuple(
    path
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
    if (path := sysconfig.get_paths().get(name))
)
IDLE: Final = frozenset(
    {"__builtins__", "__doc__", "__file__", "__loader__", "__name__", "__package__", "__spec__"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A place outside a function that holds something: a global, an item, an attribute, a cell.

    Args:
        path: how the user writes it.
        owner: the object that holds it.
        key: its key, name or index there; nothing for the content of a cell, an array, a container.
        value: what it holds.
    """

    path: str
    owner: Any
    key: Any
    value: Any


class Reach:
    """All that some functions can reach.

    Args:
        functions: where to start.

    Attributes:
        owners: the objects that can change, each with how it is reached.
        places: the places that hold data.
        names: all names that their code looks up.
        unkept: objects that a check can't put back, with what of them is lost.
    """

    def __init__(self, *functions: Callable[..., Any]) -> None:
        self.owners: list[tuple[str, Any]] = []
        self.places: list[Place] = []
        self.names: set[str] = set()
        self.unkept: list[tuple[str, str]] = []
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._sets = False
        self._homes = {home for function in functions if (home := package_of(unwrapped(function)))}
        self._pending: collections.deque[tuple[str, Any, int]] = collections.deque()
        for function in functions:
            self._pending.append(("", function, 0))
        while self._pending and len(self.owners) < MOST_OWNERS:
            self._visit(*self._pending.popleft())

    def _visit(self, path: str, value: Any, depth: int) -> None:
        if id(value) in self._seen or depth > MOST_DEPTH:
            return
        self._seen.add(id(value))
        self._kept.append(value)
        if isinstance(value, logging.Logger | logging.Manager):
            self.names.add("logging")  # their settings are process state
            return
        if lost := what_is_lost(value):
            self.unkept.append((path, lost))
        for part, owner, key, item in self._inside(path, value):
            if is_data(item):
                self.places.append(Place(part, owner, key, item))
            self._pending.append((part, item, depth + 1))

    def _is_foreign(self, thing: Any) -> bool:
        """Return whether something belongs to a library that is not the one being checked."""
        return is_library(thing) and package_of(thing) not in self._homes

    def _own(self, path: str, owner: Any) -> None:
        self.owners.append((path, owner))

    def _inside(self, path: str, value: Any) -> Iterator[tuple[str, Any, Any, Any]]:
        """Yield the places in a value, or that it names: path, owner, key and item of each."""
        value = unwrapped(value)
        if isinstance(value, types.FunctionType):
            yield from self._function(path, value)
        elif isinstance(value, types.MethodType):
            yield path, value, None, value.__func__
            yield path or first_name(value.__func__), value, None, value.__self__
        elif isinstance(value, functools.partial):
            yield from self._partial(path, value)
        elif isinstance(value, type):
            if not self._is_foreign(value):
                yield from self._class(path, value)
        elif keeper_of(value) is not None:
            self._own(path, value)
            yield from _items(path, value)
            yield from ((f"{path}.{name}", value, name, item) for name, item in names_of(value).items())
        elif isinstance(value, tuple | frozenset):
            yield from ((f"{path}[{index}]", value, None, item) for index, item in enumerate(value))
        elif not isinstance(value, (types.ModuleType, *FUNCTION_TYPES)) and can_have_names(value):
            self._own(path, value)
            yield from ((f"{path}.{name}", value, name, item) for name, item in names_of(value).items())
            yield (f"type({path})", value, None, type(value))
        elif not isinstance(value, (types.ModuleType, *FUNCTION_TYPES)):
            yield (f"type({path})", value, None, type(value))

    def _partial(self, path: str, value: functools.partial[Any]) -> Iterator[tuple[str, Any, Any, Any]]:
        """Yield the places in a partial; the keywords of the one that is checked can change, too."""
        if not path:
            self._own("", value.keywords)
        yield from _partial(path, value)

    def _function(self, path: str, function: types.FunctionType) -> Iterator[tuple[str, Any, Any, Any]]:
        if path and self._is_foreign(function):
            return
        self._own(path or function.__name__, function)
        space = function.__globals__
        names = names_in(function.__code__)
        self.names.update(names)
        self._sets = sets_attributes(function.__code__)
        if id(space) not in self._seen:
            self._seen.add(id(space))
            self._kept.append(space)
            self._own("", space)
        for name in names:
            if name in space and name not in IDLE:
                yield from self._global(name, space, names)
        yield from self._cells(function)
        yield from self._defaults(function)

    def _global(
        self, name: str, space: dict[str, Any], names: dict[str, None]
    ) -> Iterator[tuple[str, Any, Any, Any]]:
        """A global; of a module its attributes that the code may mean."""
        value = space[name]
        if not isinstance(value, types.ModuleType):
            yield name, space, name, value
            return
        if self._is_foreign(value):
            if self._sets:
                self._own(name, value)
            return
        own = vars(value)
        if id(own) not in self._seen:
            self._seen.add(id(own))
            self._own(name, own)
        yield from ((f"{name}.{part}", own, part, own[part]) for part in names if part in own)

    def _cells(self, function: types.FunctionType) -> Iterator[tuple[str, Any, Any, Any]]:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._own(name, cell)
            try:
                yield name, cell, None, cell.cell_contents
            except ValueError:
                continue

    def _defaults(self, function: types.FunctionType) -> Iterator[tuple[str, Any, Any, Any]]:
        """Defaults that can change; others are part of the call."""
        values = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        name = function.__name__
        yield from (
            (f"a default of {name}", function, None, one) for one in values if keeper_of(one) is not None
        )

    def _class(self, path: str, cls: type) -> Iterator[tuple[str, Any, Any, Any]]:
        self._own(path, cls)
        for base in cls.__mro__[1:]:
            yield f"{path}.__base__", cls, None, base
        for name, member in vars(cls).items():
            inner = _within(member)
            if not (name.startswith("__") and not callable(inner)):
                yield f"{cls.__name__}.{name}", cls, name, inner


def _within(member: Any) -> Any:
    """The function in a member of a class; the member itself where it holds none."""
    if isinstance(member, functools.cached_property):
        return member.func
    return getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def _partial(path: str, value: functools.partial[Any]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield the places in a partial; of the one that is checked, by its function's parameters."""
    code = getattr(unwrapped(value.func), "__code__", None)
    names = () if path or code is None else code.co_varnames[: code.co_argcount]
    yield path and f"{path}.func", value, None, value.func
    for index, one in enumerate(value.args):
        yield names[index] if index < len(names) else f"{path}.args[{index}]", value, None, one
    if path:
        yield f"{path}.keywords", value, "keywords", value.keywords
    else:
        yield from ((name, value.keywords, name, one) for name, one in value.keywords.items())


def _items(path: str, value: Any) -> Iterator[tuple[str, Any, Any, Any]]:
    """The places in a container of a kind that is kept."""
    if isinstance(value, dict):
        yield from ((f"{path}[{key!r}]", value, key, item) for key, item in list(value.items()))
    elif isinstance(value, list | collections.deque):
        yield from ((f"{path}[{index}]", value, index, item) for index, item in enumerate(value))
    elif isinstance(value, np.ndarray) and value.dtype.hasobject and value.size <= MOST_OWNERS:
        yield from ((f"{path}[...]", value, None, item) for item in np.ndarray.view(value, np.ndarray).flat)


def unwrapped(value: Any) -> Any:
    """Return the function behind a compiled or cached one; any other object as it is, without running its code."""
    if isinstance(value, WRAPPERS):
        inner = function_of(value) or value.__dict__.get("__wrapped__")
        return value if inner is None else unwrapped(inner)
    return value


def first_name(function: Any) -> str:
    """Return a method's name for the object that it is bound to."""
    code = getattr(unwrapped(function), "__code__", None)
    return code.co_varnames[0] if code is not None and code.co_argcount else ""


def is_data(value: Any) -> bool:
    """Return whether changing a place that holds this value is to be tried: numbers, strings, arrays, containers."""
    if isinstance(value, types.ModuleType | type | types.CodeType | property | staticmethod | classmethod):
        return False
    return not isinstance(value, (*FUNCTION_TYPES, types.MethodType, functools.partial))


def names_in(code: types.CodeType) -> dict[str, None]:
    """The names that code, and the functions in it, may look up outside."""
    found = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= names_in(constant)
    return found


SETTING: Final = frozenset(map(dis.opmap.__getitem__, ("STORE_ATTR", "DELETE_ATTR")))


def sets_attributes(code: types.CodeType) -> bool:
    """Return whether code, or a function in it, may set attributes of modules."""
    if {"setattr", "delattr", "__dict__", "vars"}.intersection(code.co_names):
        return True
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return not SETTING.isdisjoint(code.co_code[::2]) or any(map(sets_attributes, inner))


def package_of(thing: Any) -> str:
    """The top-level package of a module, class or function; none for NumPy's and Python's own."""
    name = thing.__name__ if isinstance(thing, types.ModuleType) else getattr(thing, "__module__", None)
    package = (name or "").partition(".")[0]
    return "" if package in ("numpy", "builtins", "astrace") else package


def is_library(thing: Any) -> bool:
    """Return whether a module, class or function belongs to Python or an installed package."""
    name = thing.__name__ if isinstance(thing, types.ModuleType) else getattr(thing, "__module__", None)
    module = sys.modules.get(name or "") if not isinstance(thing, types.ModuleType) else thing
    if name in ("builtins", "astrace") or (name or "").startswith(("astrace.", "numpy.")):
        return True
    file = getattr(module, "__file__", None)
    if file is None:
        return module is not None and getattr(module, "__spec__", None) is not None and name != "__main__"
    return file.startswith(LIBRARIES)
