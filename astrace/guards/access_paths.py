"""Access paths: how a value outside the function is reached again at the next call.

``CFG["eps"]``, ``self.w`` or a closure cell are read through a path, so that the value can be read
afresh (a live read) or checked (a guard).  A path starts at an argument or at a pinned object (a
module's globals, a cell, a class) and goes down by attributes and items.  This module knows how to
spell and follow a path; what is read or checked there is the business of ``kinds`` and ``tracing``.
"""

from __future__ import annotations

import gc
import keyword
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, TypeAlias

from astrace.locations import Location

Pin: TypeAlias = Callable[[object, str], str]
"""Gives the name under which generated code finds a pinned object."""


@dataclass(frozen=True, slots=True)
class Argument:
    """The argument bound to one parameter of the compiled function."""

    name: str

    def follow(self, arguments: Mapping[str, Any]) -> Any:
        """The value at this path, for one call's arguments by parameter name."""
        return arguments[self.name]

    def code(self, pin: Pin) -> str:
        """A Python expression that reads this path."""
        return self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """One particular object: a globals dict, a cell, a class, a function.

    Args:
        pinned: the object itself; two roots are the same when this is.
        hint: a readable name for it.
        silent: leave it out when the path is shown to people (globals and cells).
    """

    pinned: Any
    hint: str
    silent: bool = False

    def follow(self, arguments: Mapping[str, Any]) -> Any:
        """Return the pinned object, which no argument leads to."""
        return self.pinned

    def code(self, pin: Pin) -> str:
        """The name under which generated code finds the object."""
        return pin(self.pinned, self.hint)

    def __str__(self) -> str:
        return self.hint

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and self.pinned is other.pinned

    def __hash__(self) -> int:
        return hash(id(self.pinned))


@dataclass(frozen=True, slots=True, eq=False)
class Pinned(Root):
    """A copy of an array, made when it was frozen on request; ``hint`` is the path that led to the original.

    Args:
        location: the user's line that read it first.
    """

    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Attribute:
    """``owner.name``."""

    owner: Path
    name: str

    def follow(self, arguments: Mapping[str, Any]) -> Any:
        """Return the present attribute; raises ``AttributeError`` or ``ValueError`` (an empty cell) as Python does."""
        return getattr(self.owner.follow(arguments), self.name)

    def code(self, pin: Pin) -> str:
        """A Python expression that reads this path."""
        return self.step(self.owner.code(pin), pin)

    def step(self, owner: str, pin: Pin) -> str:
        """A Python expression that reads this path from what ``owner`` reads."""
        if is_attribute_name(self.name):
            return f"{owner}.{self.name}"
        return f"{pin(getattr, 'getattr')}({owner}, {self.name!r})"

    def __str__(self) -> str:
        if isinstance(self.owner, Root) and self.owner.silent:
            return self.owner.hint
        return str(self.owner) if isinstance(self.owner, Cell) else f"{self.owner}.{self.name}"


@dataclass(frozen=True, slots=True)
class Item:
    """``owner[key]``; the key is a string, a number or another constant."""

    owner: Path
    key: Any

    def follow(self, arguments: Mapping[str, Any]) -> Any:
        """Return the present item; raises ``KeyError`` or ``IndexError`` as Python does."""
        return self.owner.follow(arguments)[self.key]

    def code(self, pin: Pin) -> str:
        """A Python expression that reads this path."""
        return self.step(self.owner.code(pin), pin)

    def step(self, owner: str, pin: Pin) -> str:
        """A Python expression that reads this path from what ``owner`` reads."""
        return f"{owner}[{constant_code(self.key, pin, 'key')}]"

    def __str__(self) -> str:
        if isinstance(self.owner, Root) and self.owner.silent:
            return str(self.key)
        return f"{self.owner}[{self.key!r}]"


@dataclass(frozen=True, slots=True)
class Cell(Item):
    """An item of a function's ``__closure__``: the cell of its variable ``variable``."""

    variable: str

    def __str__(self) -> str:
        function = self.owner.owner if isinstance(self.owner, Attribute) else self.owner
        return f"{self.variable} of {function}"


@dataclass(frozen=True, slots=True)
class Derived:
    """``function(owner)``, for what no attribute or item spells: a type, the keys of a dict.

    Args:
        owner: the path the function is applied to.
        function: a pure function of one argument.
        name: how the function is called in generated code and messages.
    """

    owner: Path
    function: Callable[[Any], Any]
    name: str

    def follow(self, arguments: Mapping[str, Any]) -> Any:
        """Return the function's value for the present object at the owner's path."""
        return self.function(self.owner.follow(arguments))

    def code(self, pin: Pin) -> str:
        """A Python expression that reads this path."""
        return self.step(self.owner.code(pin), pin)

    def step(self, owner: str, pin: Pin) -> str:
        """A Python expression that reads this path from what ``owner`` reads."""
        return f"{pin(self.function, self.name)}({owner})"

    def __str__(self) -> str:
        return f"{self.name}({self.owner})"


Path: TypeAlias = Argument | Root | Attribute | Item | Derived


def nested(owner: Path, names: str) -> Path:
    """The path ``owner.a.b`` for the names ``"a.b"``."""
    return reduce(Attribute, names.split("."), owner)


def derived_length(path: Path) -> Path:
    """The path of a container's length."""
    return Derived(path, len, "len")


def derived_keys(path: Path) -> Path:
    """The path of a dict's keys, as a tuple."""
    return Derived(path, tuple, "tuple")


def derived_mapping(path: Path) -> Path:
    """The path of the dict that a view shows."""
    return Derived(path, viewed_dict, "dict_of")


def viewed_dict(view: Any) -> Any:
    """The dict whose keys, values or items a view shows.

    Example:
        >>> held = {"a": 1}
        >>> viewed_dict(held.keys()) is held
        True
    """
    (held,) = gc.get_referents(view)
    return held


def is_bound(path: Path) -> bool:
    """Return whether a path leads to the function behind a bound method."""
    return isinstance(path, Attribute) and path.name == "__func__"


def steps(path: Path) -> list[Path]:
    """The path itself and every path on the way from its root, the longest first."""
    found = [path]
    while not isinstance(path, Argument | Root):
        path = path.owner
        found.append(path)
    return found


def is_assigned(path: Path) -> bool:
    """Return whether programs assign to a path: to no argument, default of a function, or part of a class."""
    found = steps(path)
    special = any(isinstance(step, Attribute) and is_special(step.name) for step in found)
    return not special and not isinstance(path, Argument | Root | Derived)


def is_special(name: str) -> bool:
    """Return whether a name is one of Python's own: ``__defaults__``."""
    return name.startswith("__") and name.endswith("__")


def depth(path: Path) -> int:
    """Return the number of steps from a path's root."""
    return len(steps(path)) - 1


def is_attribute_name(name: str) -> bool:
    """Return whether Python reads ``owner.name`` as the attribute of exactly this name."""
    return name.isidentifier() and not keyword.iskeyword(name) and unicodedata.normalize("NFKC", name) == name


LONGEST_LITERAL: Final = 200
"""The longest constant that is spelled out in generated code."""


def constant_code(value: object, pin: Pin, hint: str) -> str:
    """A Python expression for a constant: short ones are spelled out, others pinned."""
    kind = type(value)
    if value is None or kind is bool:
        return repr(value)
    small = isinstance(value, int) and value.bit_length() <= LONGEST_LITERAL
    short = isinstance(value, str | bytes) and len(value) <= LONGEST_LITERAL
    return repr(value) if kind in (int, str, bytes) and (small or short) else pin(value, hint)


LOOKUP_ERRORS: tuple[type[Exception], ...] = (
    AttributeError,
    KeyError,
    IndexError,
    TypeError,
    ValueError,
    NameError,
)
"""The exceptions of following a path after a change outside; each of them means "not as traced"."""
