"""A kernel behind which attributes and entries of dicts are stored: it runs only where a store does nothing but store.

Takes the owners of the places in front of the kernel's arguments.  A store into an attribute runs no code where its class
has neither a ``__setattr__`` nor a descriptor of the name, as CPython looks them up; what was stored there before is let go
of later than in plain Python, which nobody can tell of a number or an array of its own.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.constants import NUMBER_CLASSES

LET_GO_UNSEEN: Final = frozenset({type(None), str, *NUMBER_CLASSES})
NO_ATTRIBUTES: Final[Mapping[str, Any]] = {}
EMPTY: Final = types.CellType()
OF_HEAP: Final = 1 << 9
"""The flag of a class that a program has made: its slots hold any object."""
OWN_ATTRIBUTE: Final = object.__getattribute__
MRO: Final = type.__dict__["__mro__"]
CLASS_DICT: Final = type.__dict__["__dict__"]


Classes: TypeAlias = dict[tuple[type, tuple[str, ...]], tuple[str, ...] | None]
"""What `_with_defaults` says of classes and names; it holds for one call, since a class may change."""


@dataclass(frozen=True, slots=True)
class OwnersPlaces:
    """Places of one owner into which one op stores.

    Args:
        owner: its number.
        op: what stores.
        names: of the attributes, or the keys.
    """

    owner: int
    op: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StorePlaces:
    """Places into which is stored, by their owners."""

    by_owner: tuple[OwnersPlaces, ...]

    @staticmethod
    def of(places: Iterable[tuple[int, str, str]]) -> StorePlaces:
        """Sort places by their owners.

        Args:
            places: the number of the owner, the op that stores, and the name of the attribute or the key.
        """
        names: dict[tuple[int, str], list[str]] = {}
        for owner, op, name in places:
            names.setdefault((owner, op), []).append(name)
        return StorePlaces(tuple(OwnersPlaces(*key, tuple(held)) for key, held in names.items()))

    def are_plain(self, owners: Sequence[Any]) -> bool:
        """Return whether stores into all of the places do nothing but store, and each into a place of its own.

        Args:
            owners: the objects.
        """
        classes: Classes = {}
        for one in self.by_owner:
            if not PLAIN[one.op](owners[one.owner], one.names, classes):
                return False
        return len(owners) == 1 or _are_apart(owners)


def _are_entries(owner: Any, names: tuple[str, ...], _classes: Classes) -> bool:
    """Return whether an object is a dict that has some keys, whose values may be let go of."""
    return type(owner) is dict and all(name in owner and _is_let_go_unseen(owner[name]) for name in names)


def _are_attributes(owner: Any, names: tuple[str, ...], classes: Classes) -> bool:
    """Return whether an object has attributes of its own, whose values may be let go of, and no other code stores them."""
    cls = type(owner)
    if cls is types.CellType:
        return owner != EMPTY and _is_let_go_unseen(owner.cell_contents)
    key = cls, names
    if key not in classes:
        classes[key] = _with_defaults(cls, names)
    defaults = classes[key]
    if defaults is None or (defaults and not _dict_of(owner).keys() >= set(defaults)):
        return False
    try:
        for name in names:
            value = OWN_ATTRIBUTE(owner, name)
            if type(value) not in LET_GO_UNSEEN and not _is_let_go_unseen(value):
                return False
    except AttributeError:
        return False
    return True


def _with_defaults(cls: type, names: Iterable[str]) -> tuple[str, ...] | None:
    """Return for which of some attributes a class has a default; None if any is stored by other code than CPython's."""
    sought, defaults = set(names), list[str]()
    for base in MRO.__get__(cls):
        attributes = CLASS_DICT.__get__(base)
        if "__setattr__" in attributes and base is not object:
            return None
        for name in sought & attributes.keys():
            sought.discard(name)
            if type(attributes[name]) in LET_GO_UNSEEN:
                defaults.append(name)
            elif type(attributes[name]) is not types.MemberDescriptorType or not base.__flags__ & OF_HEAP:
                return None
    return tuple(defaults)


def _is_list(owner: Any, _names: tuple[str, ...], _classes: Classes) -> bool:
    return type(owner) is list


PLAIN: Final[Mapping[str, Callable[[Any, tuple[str, ...], Classes], bool]]] = {
    "set_item": _are_entries,
    "set_attr": _are_attributes,
    "extend": _is_list,
}
"""The tests of an owner's places, by the op that stores."""


def _is_let_go_unseen(value: Any) -> bool:
    """Return whether nobody can tell when an object is let go of."""
    if type(value) in LET_GO_UNSEEN:
        return True
    while type(value) is np.ndarray:
        if value.dtype.hasobject or weakref.getweakrefcount(value):
            return False
        value = value.base
        if value is None:
            return True
    return False


def _are_apart(owners: Sequence[Any]) -> bool:
    """Return whether objects are different ones, and none is the dict of another."""
    if len({id(owner) for owner in owners}) < len(owners):
        return False
    dicts = {id(owner) for owner in owners if type(owner) is dict}
    return not dicts or all(id(_dict_of(owner)) not in dicts for owner in owners if id(owner) not in dicts)


def _dict_of(owner: Any) -> Mapping[str, Any]:
    """Return the dict that holds the attributes of an object; an empty one if it has none."""
    for base in MRO.__get__(type(owner)):
        found = CLASS_DICT.__get__(base).get("__dict__")
        if type(found) is types.GetSetDescriptorType:
            return found.__get__(owner)
    return NO_ATTRIBUTES


def entry_with_stores(
    entry: Callable[..., Any], nothing: Any, places: StorePlaces, count: int
) -> Callable[..., Any]:
    """Return the entry of a kernel that is given the owners of places in front of its arguments.

    Args:
        entry: that of the kernel.
        nothing: what it returns where the kernel does not come to its end.
        places: into which is stored if it does.
        count: of the owners.
    """
    are_plain = places.are_plain

    def entry_in_front_of_stores(*args: Any) -> Any:
        return entry(*args[count:]) if are_plain(args[:count]) else nothing

    entry_in_front_of_stores.__name__ = entry.__name__  # the program calls it by the kernel's name
    return entry_in_front_of_stores
