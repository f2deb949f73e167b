"""Ways to keep and put back each kind of object that can change: one row for each kind.

A keeper saves what an object holds (not what those objects hold in turn: they are kept by themselves), tells
what of it has changed, and puts it back in place, so that every name for the object sees it as it was.
"""

from __future__ import annotations

import collections
import contextlib
import contextvars
import datetime as dt
import decimal
import enum
import fractions
import pathlib
import re
import threading
import types
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.check.sandbox.stateful_savers import CONTENTS

MOST_BYTES: Final = 64 * 2**20
"""Larger arrays are not kept."""


def _no_others(saved: Any) -> Sequence[Any]:  # noqa: ARG001
    return ()


@dataclass(frozen=True, slots=True)
class Keeper:
    """The way one kind of object is kept and put back.

    Args:
        save: what the object holds.
        changes: what it holds now and did not when it was saved, by how that is reached from it.
        restore: makes it hold what was saved again.
        others: other contents, as they would be saved, for a trial.
    """

    save: Callable[[Any], Any]
    changes: Callable[[Any, Any], Iterator[tuple[str, Any]]]
    restore: Callable[[Any, Any], None]
    others: Callable[[Any], Sequence[Any]] = _no_others


REGISTRY: Final = "__warningregistry__"
"""The name under which Python notes in a module the warnings that it gave."""

GONE: Final = "gone"
"""Stands for a place that does not exist any more."""


def _same_items(left: Any, right: Any) -> bool:
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))


# -- containers --------------------------------------------------------------------------------------------


def _dict_changes(owner: dict[Any, Any], saved: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
    for key in dict.keys(owner):
        if (key not in saved or saved[key] is not owner[key]) and key != REGISTRY:
            yield f"[{key!r}]", owner[key]
    for key in saved:
        if key not in owner:
            yield f"[{key!r}]", GONE


def _dict_restore(owner: dict[Any, Any], saved: dict[Any, Any]) -> None:
    """Put items back one by one: a namespace is never empty in between."""
    cls: Any = collections.OrderedDict if isinstance(owner, collections.OrderedDict) else dict
    for key in [key for key in owner if key not in saved]:
        cls.__delitem__(owner, key)
    for key, item in saved.items():
        if key not in owner or owner[key] is not item:
            cls.__setitem__(owner, key, item)
    if "__builtins__" not in owner and not _same_items(list(owner), list(saved)):
        cls.clear(owner)
        for key, item in saved.items():
            cls.__setitem__(owner, key, item)


def _sequence_changes(owner: Any, saved: list[Any]) -> Iterator[tuple[str, Any]]:
    if not _same_items(list(owner), saved):
        yield "", list(owner)


def _list_restore(owner: list[Any], saved: list[Any]) -> None:
    if not _same_items(owner, saved):
        owner[:] = saved


def _refill(owner: Any, saved: list[Any]) -> None:
    """Put back a set or a deque; a set keeps its order where nothing was changed."""
    if not _same_items(list(owner), saved):
        owner.clear()
        (owner.extend if isinstance(owner, collections.deque) else owner.update)(saved)


def _one_more(saved: list[Any]) -> Sequence[list[Any]]:
    return ([*saved, saved[-1]], saved[1:]) if saved else ([1.0],)


def _bytes_changes(owner: bytearray | memoryview, saved: bytes) -> Iterator[tuple[str, Any]]:
    if bytes(owner) != saved:
        yield "", bytes(owner)


def _bytes_restore(owner: bytearray | memoryview, saved: bytes) -> None:
    if bytes(owner) != saved:
        owner[:] = saved


# -- names -------------------------------------------------------------------------------------------------


def names_of(owner: Any) -> dict[str, Any]:
    """The names that a module, a class, a function or an instance has of its own."""
    found = dict(_own_names(owner) or {})
    if isinstance(owner, types.FunctionType):
        found |= {name: getattr(owner, name) for name in PARTS_OF_FUNCTIONS}
    return found | dict(_slots(owner))


PARTS_OF_FUNCTIONS: Final = ("__code__", "__defaults__", "__kwdefaults__")


def is_import(name: str, value: Any) -> bool:
    """Return whether something is a module that an import put there, rather than an assignment: it stays."""
    spec = getattr(value, "__spec__", None) if isinstance(value, types.ModuleType) else None
    return spec is not None and name in (spec.name, spec.name.rpartition(".")[2])


def can_have_names(owner: Any) -> bool:
    """Return whether an object can get names of its own, even if it has none yet.

    Example:
        >>> can_have_names(contextlib.ExitStack()), can_have_names(1.5)
        (True, False)
    """
    return _own_names(owner) is not None or next(_members(owner), None) is not None


def _own_names(owner: Any) -> Mapping[str, Any] | None:
    """The ``__dict__`` of an object, without asking code of the user's; nothing where it has none."""
    get = threading.local.__getattribute__ if isinstance(owner, threading.local) else object.__getattribute__
    try:
        return get(owner, "__dict__")
    except AttributeError:
        return None


def _slots(owner: Any) -> Iterator[tuple[str, Any]]:
    """The slots of an instance that hold something."""
    for name, member in _members(owner):
        with contextlib.suppress(AttributeError):
            yield name, member.__get__(owner, type(owner))


def _members(owner: Any) -> Iterator[tuple[str, types.MemberDescriptorType]]:
    """The slots that the classes of an instance have."""
    for cls in type(owner).__mro__:
        if "__slots__" in vars(cls):  # not members of C code
            members = vars(cls).items()
            yield from ((name, one) for name, one in members if isinstance(one, types.MemberDescriptorType))


def _names_changes(owner: Any, saved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    now = names_of(owner)
    for name, item in now.items():
        if (name not in saved or saved[name] is not item) and not is_import(name, item):
            yield f".{name}", item
    yield from ((f".{name}", GONE) for name in saved if name not in now)


def _names_restore(owner: Any, saved: dict[str, Any]) -> None:
    now = names_of(owner)
    put, drop = _setters(owner)
    for name in now:
        if name not in saved and not is_import(name, now[name]):
            drop(owner, name)
    for name, item in saved.items():
        if name not in now or now[name] is not item:
            put(owner, name, item)


def _setters(owner: Any) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return functions that set and delete names of an owner without running code of the user's."""
    if isinstance(owner, type):
        return type.__setattr__, type.__delattr__
    base = threading.local if isinstance(owner, threading.local) else object
    return base.__setattr__, base.__delattr__


# -- one content -------------------------------------------------------------------------------------------


def _cell_save(owner: types.CellType) -> Any:
    try:
        return owner.cell_contents
    except ValueError:
        return GONE


def _cell_changes(owner: types.CellType, saved: Any) -> Iterator[tuple[str, Any]]:
    now = _cell_save(owner)
    if now is not saved:
        yield "", now


def _cell_restore(owner: types.CellType, saved: Any) -> None:
    if saved is GONE:
        del owner.cell_contents
    elif _cell_save(owner) is not saved:
        owner.cell_contents = saved


def _items(owner: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The items of an array, of a subclass as well, as they lie in memory."""
    return np.ndarray.view(owner, np.ndarray)


def _array_save(owner: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    return _items(owner).copy() if owner.nbytes <= MOST_BYTES else None


def _array_changes(owner: Any, saved: Any) -> Iterator[tuple[str, Any]]:
    if saved is not None and (owner.shape != saved.shape or _items(owner).tobytes() != saved.tobytes()):
        yield "", owner


def _array_restore(owner: Any, saved: Any) -> None:
    if saved is None:
        return
    if owner.shape != saved.shape and owner.size == saved.size:
        owner.shape = saved.shape
    items = _items(owner)
    if items.flags.writeable and items.tobytes() != saved.tobytes():
        np.copyto(items, saved)


def _variable(owner: contextvars.ContextVar[Any]) -> Any:
    try:
        return owner.get()
    except LookupError:
        return GONE


def _variable_changes(owner: contextvars.ContextVar[Any], saved: Any) -> Iterator[tuple[str, Any]]:
    now = _variable(owner)
    if now is not saved:
        yield ".get()", now


def _variable_restore(owner: contextvars.ContextVar[Any], saved: Any) -> None:
    if saved is not GONE and _variable(owner) is not saved:
        owner.set(saved)


NAMES: Final = Keeper(names_of, _names_changes, _names_restore)
"""For modules, classes, functions and instances."""

KEEPERS: Final[tuple[tuple[type | tuple[type, ...], Keeper], ...]] = (
    (dict, Keeper(dict, _dict_changes, _dict_restore)),
    (list, Keeper(list, _sequence_changes, _list_restore)),
    (set, Keeper(list, _sequence_changes, _refill)),
    (collections.deque, Keeper(list, _sequence_changes, _refill, _one_more)),
    (bytearray, Keeper(bytes, _bytes_changes, _bytes_restore, lambda saved: (saved + b"_",))),
    (memoryview, Keeper(bytes, _bytes_changes, _bytes_restore)),
    (types.CellType, Keeper(_cell_save, _cell_changes, _cell_restore)),
    (np.ndarray, Keeper(_array_save, _array_changes, _array_restore)),
    *((cls, Keeper(*parts)) for cls, parts in CONTENTS),
    (contextvars.ContextVar, Keeper(_variable, _variable_changes, _variable_restore)),
)
"""The keepers by class, in the order in which they are tried."""


def keeper_of(owner: Any) -> Keeper | None:
    """The keeper for an object; nothing for what holds nothing that can change."""
    return next((keeper for cls, keeper in KEEPERS if isinstance(owner, cls)), None)


FIXED: Final = (
    int,
    float,
    complex,
    str,
    bytes,
    tuple,
    frozenset,
    range,
    slice,
    type(None),
    type(...),
    type(NotImplemented),
    np.generic,
    np.dtype,
    dt.date,
    dt.time,
    dt.timedelta,
    dt.tzinfo,
    decimal.Decimal,
    fractions.Fraction,
    enum.Enum,
    uuid.UUID,
    re.Pattern,
    pathlib.PurePath,
    types.MappingProxyType,
)
"""Classes whose instances never change, so that nothing of them has to be kept."""
