"""How each kind of object that can change is kept and put back: one row for each kind.

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
import io
import pathlib
import random
import re
import threading
import types
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

MOST_BYTES: Final = 64 * 2**20
"""Larger arrays are not kept."""


@dataclass(frozen=True, slots=True)
class Keeper:
    """How to keep one kind of object.

    Args:
        save: what the object holds.
        changes: what it holds now and did not when it was saved, by how that is reached from it.
        restore: makes it hold what was saved again.
    """

    save: Callable[[Any], Any]
    changes: Callable[[Any, Any], Iterator[tuple[str, Any]]]
    restore: Callable[[Any, Any], None]


REGISTRY: Final = "__warningregistry__"
"""Where Python notes in a module which warnings it gave."""

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


def _bytes_changes(owner: bytearray, saved: bytes) -> Iterator[tuple[str, Any]]:
    if bytes(owner) != saved:
        yield "", bytes(owner)


def _bytes_restore(owner: bytearray, saved: bytes) -> None:
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


def can_have_names(owner: Any) -> bool:
    """Whether an object can get names of its own, even if it has none yet.

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
        if cls.__module__ != "builtins":
            members = vars(cls).items()
            yield from ((name, one) for name, one in members if isinstance(one, types.MemberDescriptorType))


def _names_changes(owner: Any, saved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    now = names_of(owner)
    for name, item in now.items():
        if name not in saved or saved[name] is not item:
            yield f".{name}", item
    yield from ((f".{name}", GONE) for name in saved if name not in now)


def _names_restore(owner: Any, saved: dict[str, Any]) -> None:
    now = names_of(owner)
    put, drop = _setters(owner)
    for name in now:
        if name not in saved:
            drop(owner, name)
    for name, item in saved.items():
        if name not in now or now[name] is not item:
            put(owner, name, item)


def _setters(owner: Any) -> tuple[Callable[..., None], Callable[..., None]]:
    """How names of an owner are set and deleted without running code of the user's."""
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
    small = owner.nbytes <= MOST_BYTES and not owner.dtype.hasobject
    return _items(owner).copy() if small else None


def _array_changes(owner: Any, saved: Any) -> Iterator[tuple[str, Any]]:
    if saved is not None and _items(owner).tobytes() != saved.tobytes():
        yield "", owner


def _array_restore(owner: Any, saved: Any) -> None:
    items = _items(owner)
    if saved is not None and items.flags.writeable and items.tobytes() != saved.tobytes():
        np.copyto(items, saved)


def _by_value(
    get: Callable[[Any], Any], put: Callable[[Any, Any], Any], told: Callable[[Any], Any]
) -> Keeper:
    """A keeper for what an object says of itself, anew each time, told in a short way."""

    def changes(owner: Any, saved: Any) -> Iterator[tuple[str, Any]]:
        now = get(owner)
        if not _equal(now, saved):
            yield "", told(now)

    def restore(owner: Any, saved: Any) -> None:
        if not _equal(get(owner), saved):
            put(owner, saved)

    return Keeper(get, changes, restore)


def _digest(state: Any) -> str:
    """A short text that is another one for another state of a random generator."""
    return f"another state ({zlib.crc32(b' '.join(_spelled(state))):08x})"


def _spelled(state: Any) -> Iterator[bytes]:
    """The state of a generator, part by part."""
    if isinstance(state, dict):
        for key, item in state.items():
            yield str(key).encode()
            yield from _spelled(item)
    else:
        yield state.tobytes() if isinstance(state, np.ndarray) else repr(state).encode()


def _equal(left: Any, right: Any) -> bool:
    """Whether two states of a generator or a stream are the same."""
    if isinstance(left, np.ndarray):
        return left.tobytes() == right.tobytes()
    if isinstance(left, dict):
        return all(_equal(item, right[key]) for key, item in reversed(left.items()))
    return bool(left == right)


def _stream(owner: Any) -> tuple[Any, int]:
    return (owner.getvalue(), owner.tell()) if not owner.closed else (None, 0)


def _rewind(owner: Any, saved: tuple[Any, int]) -> None:
    owner.seek(0)
    owner.truncate()
    owner.write(saved[0])
    owner.seek(saved[1])


def _generator_state(owner: Any) -> Any:
    return owner.bit_generator.state


def _set_generator_state(owner: Any, state: Any) -> None:
    owner.bit_generator.state = state


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
    ((set, collections.deque), Keeper(list, _sequence_changes, _refill)),
    (bytearray, Keeper(bytes, _bytes_changes, _bytes_restore)),
    (types.CellType, Keeper(_cell_save, _cell_changes, _cell_restore)),
    (np.ndarray, Keeper(_array_save, _array_changes, _array_restore)),
    (np.random.Generator, _by_value(_generator_state, _set_generator_state, _digest)),
    (
        np.random.RandomState,
        _by_value(
            lambda owner: owner.get_state(legacy=False), lambda owner, state: owner.set_state(state), _digest
        ),
    ),
    (
        random.Random,
        _by_value(lambda owner: owner.getstate(), lambda owner, state: owner.setstate(state), _digest),
    ),
    ((io.StringIO, io.BytesIO), _by_value(_stream, _rewind, lambda state: state[0])),
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
"""What never changes, so that nothing of it has to be kept."""
