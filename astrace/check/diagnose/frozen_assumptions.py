"""Assumptions of a graph: guards that are decisions on data, what they say, whether that can change.

A frozen graph checks no guard any more, so each of them is something that it decided once.  Those on the program
itself (its functions, its classes, the builtins) are left out: who edits the program makes another one.
`DECISIONS` has a row for every kind of guard.
"""

from __future__ import annotations

import builtins
import enum
import sys
import types
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

from astrace.check.mutate.immutable_places import can_hold_another
from astrace.check.report.findings import Suspect
from astrace.check.sandbox.reachable import is_library
from astrace.check.sandbox.savers import names_of
from astrace.guards.access_paths import LOOKUP_ERRORS, Attribute, Cell, Item, Path, Root, steps
from astrace.guards.failures import expected
from astrace.guards.kinds import (
    AreApart,
    Contains,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasMembers,
    HasType,
    Is,
    IsAmong,
    IsAt,
    IsBuiltin,
    Lacks,
    LacksAttribute,
    paths_of,
)
from astrace.ir.constants import show

Given: TypeAlias = Mapping[str, Any]
"""The arguments that belong to a function, by parameter name: the object of a bound method."""

IMMUTABLE: Final = (tuple, frozenset, str, bytes, range, types.MappingProxyType)
PROGRAM: Final = (types.ModuleType, types.CodeType, property)
LAMBDA: Final = "<lambda>"


def found_at(path: Path, given: Given) -> Any:
    """Return the object that a path leads to now; nothing where it leads nowhere."""
    try:
        return path.follow(given)
    except LOOKUP_ERRORS:
        return None


# -- which guards are decisions ----------------------------------------------------------------------------


def _always(guard: Any, given: Given, told: Collection[str]) -> bool:  # noqa: ARG001
    return True


def _never(guard: Any, given: Given, told: Collection[str]) -> bool:  # noqa: ARG001
    """Return false: the guard pins code or a builtin."""
    return False


def _is_on_data(guard: Any, given: Given, told: Collection[str]) -> bool:  # noqa: ARG001
    """Return whether an object was chosen: a flag, an item of a container, a function under another name."""
    expected = guard.expected
    if isinstance(expected, PROGRAM) or _is_dunder(guard.path):
        return False
    if not callable(expected) or _is_held(guard.path, given):
        return True
    owner = _owner(guard.path, given)
    if not _is_space(guard.path) or (is_library(owner) and is_library(expected)):
        return False
    return _is_renamed(guard) or _is_loose(owner, expected)


def _is_renamed(guard: Is) -> bool:
    """Return whether a callable lies under another name than its own, as ``act = np.tanh`` does."""
    own = getattr(guard.expected, "__name__", None)
    return own is not None and own not in (_last(guard.path), LAMBDA)


def _is_alone(guard: Any, given: Given, told: Collection[str]) -> bool:
    """Return whether only the type of an object decided, and no other finding is of it."""
    path, expected = str(guard.path), guard.expected
    if _is_dunder(guard.path) or isinstance(
        found_at(guard.path, given), types.FunctionType | types.ModuleType
    ):
        return False
    return expected not in CONTAINERS and not any(other.startswith(path) for other in told)


def _is_read_alone(guard: Any, given: Given, told: Collection[str]) -> bool:
    """Return whether a number or an array was read for its type only, and not together with a container."""
    return not (isinstance(guard.path, Item) and not _is_space(guard.path)) and _is_alone(guard, given, told)


def _is_key(guard: Any, given: Given, told: Collection[str]) -> bool:  # noqa: ARG001
    """Return whether the guard is of more than a builtin that is not shadowed."""
    return not (_is_silent(guard.path) and hasattr(builtins, str(guard.expected)))


def _is_attribute(guard: Any, given: Given, told: Collection[str]) -> bool:
    """Return whether an object lacks an attribute altogether: a method found in its class is no decision."""
    owner = found_at(guard.path, given)
    classes = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    if guard.expected.startswith("__") or any(guard.expected in vars(cls) for cls in classes):
        return False
    return not (isinstance(owner, type) and any(one.endswith(f".{guard.expected}") for one in told))


def _is_between(guard: Any, given: Given, told: Collection[str]) -> bool:  # noqa: ARG001
    """Return whether two objects were told apart, neither of which is the namespace of a module."""
    pinned = (path.pinned for path in paths_of(guard) if isinstance(path, Root))
    return not any(isinstance(one, dict) and "__builtins__" in one for one in pinned)


CONTAINERS: Final = (dict, list, tuple, set, frozenset, types.ModuleType)
"""Containers: another guard is on their contents, or their size."""

DECISIONS: Final[Mapping[type, Callable[[Any, Given, Collection[str]], bool]]] = {
    Is: _is_on_data,
    IsAmong: _never,
    IsBuiltin: _never,
    Equals: _always,
    HasLength: _always,
    HasKeys: _always,
    HasMembers: _always,
    Contains: _is_key,
    Lacks: _is_key,
    LacksAttribute: _is_attribute,
    IsAt: _is_between,
    AreApart: _always,
    HasType: _is_alone,
    Fits: _is_read_alone,
}
"""For each kind of guard a test whether it is a decision on data, given the findings so far."""


def is_decision(guard: Guard, given: Given, told: Collection[str] = ()) -> bool:
    """Return whether a guard is on data, rather than on the shape of the program.

    Args:
        guard: the guard.
        given: the arguments that belong to the function.
        told: the paths of what is told already.
    """
    if is_number_of_python(guard.path, given) or _is_member(guard.path, given):
        return False
    return DECISIONS[type(guard)](guard, given, told)


def is_number_of_python(path: Path, given: Given) -> bool:
    """Return whether a path leads to a constant of Python's own modules or NumPy's, such as ``math.pi``."""
    owner = _owner(path, given)
    if not isinstance(owner, types.ModuleType) or not isinstance(found_at(path, given), int | float | str):
        return False
    return owner.__name__.partition(".")[0] in (*sys.stdlib_module_names, "numpy")


def can_be_broken(guard: Guard, given: Given) -> bool:
    """Return whether a change of the world should break a guard: one of a decision, or on a live read."""
    is_read = isinstance(guard, Fits) and not is_number_of_python(guard.path, given)
    return is_read or is_decision(guard, given)


# -- what can change ---------------------------------------------------------------------------------------


def can_change(guard: Guard, given: Given) -> bool:
    """Return whether the object of a guard lies in something that can change.

    That is a container, an instance, a module made at run time, a module of a library that was patched.
    """
    path = guard.path
    if isinstance(guard, HasLength | HasKeys | HasMembers | Contains | Lacks) and not _is_silent(path):
        return not isinstance(found_at(path, given), IMMUTABLE)
    if isinstance(guard, LacksAttribute):
        return not isinstance(found_at(path, given), types.ModuleType | type)
    owner = _owner(path, given)
    if isinstance(owner, types.ModuleType):
        return _is_loose(owner, getattr(guard, "expected", owner))
    if isinstance(guard, Is) and callable(guard.expected) and not _is_held(path, given):
        return False
    return _lies_in_what_can_change(path, given)


def _lies_in_what_can_change(path: Path, given: Given) -> bool:
    """Return whether a step of a path leads through something that may come to hold another object there."""
    if not isinstance(path, Attribute | Item) or _is_space(path):
        return False
    key = path.name if isinstance(path, Attribute) else path.key
    return can_hold_another(_owner(path, given), key) or _lies_in_what_can_change(path.owner, given)


def _is_member(path: Path, given: Given) -> bool:
    """Return whether a path leads to a member of an enumeration by its own name, which never changes."""
    owner = _owner(path, given)
    return (
        isinstance(path, Attribute)
        and isinstance(owner, enum.EnumType)
        and not can_hold_another(owner, path.name)
    )


def _is_loose(owner: Any, held: Any) -> bool:
    """Return whether something lies in a module that was made at run time, or in a library that was patched."""
    if not isinstance(owner, types.ModuleType):
        return False
    made = getattr(owner, "__spec__", None) is None and getattr(owner, "__file__", None) is None
    return made or (is_library(owner) and callable(held) and not is_library(held))


def _is_held(path: Path, given: Given) -> bool:
    """Return whether the last step is an item of a container, or an attribute of an instance's own."""
    owner = _owner(path, given)
    if _is_space(path) or isinstance(owner, type | types.ModuleType):
        return False
    if isinstance(path, Item):
        return isinstance(owner, dict | list) and not any(map(_is_dunder, steps(path)))
    return isinstance(path, Attribute) and not _is_dunder(path) and path.name in names_of(owner)


def _owner(path: Path, given: Given) -> Any:
    """The object that the last step of a path is taken from."""
    return found_at(path.owner, given) if isinstance(path, Attribute | Item) else None


def _is_space(path: Path) -> bool:
    """Return whether the last step is that of a name: a global, a variable around, a module's attribute."""
    if not isinstance(path, Attribute | Item):
        return False
    owner = path.owner
    return _is_silent(owner) or isinstance(owner, Cell) or isinstance(found_at(owner, {}), types.ModuleType)


def _is_silent(path: Path) -> bool:
    return isinstance(path, Root) and path.silent


def _last(path: Path) -> str:
    """The name at the end of a path."""
    if isinstance(path, Attribute):
        return path.owner.variable if isinstance(path.owner, Cell) else path.name
    return str(path.key) if isinstance(path, Item) else ""


def _is_dunder(path: Path) -> bool:
    return isinstance(path, Attribute) and path.name.startswith("__")


# -- what they say -----------------------------------------------------------------------------------------


def decision(guard: Guard, now: str) -> Suspect:
    """Return the suspect for the decision that a guard took for granted."""
    match guard:
        case Is() | Equals() | HasKeys():
            return Suspect(str(guard.path), "guarded", show(guard.expected), now)
        case HasLength():
            return Suspect(f"len({guard.path})", "guarded", str(guard.expected), now)
        case HasMembers():
            return Suspect(str(guard.path), "guarded", f"{{{', '.join(map(show, guard.expected))}}}", now)
        case Fits() | HasType():
            then = show(guard.expected) if isinstance(guard, HasType) else str(guard.expected)
            return Suspect(f"type of {guard.path}", "guarded", then, now)
        case Contains() | Lacks():
            then, other = ("there", "gone") if isinstance(guard, Contains) else ("missing", "there")
            what = guard.expected if _is_silent(guard.path) else f"{guard.path}[{guard.expected!r}]"
            return Suspect(str(what), "guarded", then, now and other)
        case LacksAttribute():
            return Suspect(f"{guard.path}.{guard.expected}", "guarded", "missing", now and "there")
        case _:
            return Suspect(str(guard), "guarded", expected(guard), now)
