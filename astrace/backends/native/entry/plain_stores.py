"""A kernel behind which attributes and entries of dicts are stored: it runs only where a store does nothing but store.

Takes the owners of the places in front of the kernel's arguments.  A store into an attribute runs no code where its class
has neither a ``__setattr__`` nor a descriptor of the name, as CPython looks them up; what was stored there before is let go
of later than in plain Python, which nobody can tell of a number or an array of its own.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.ir.constants import NUMBER_CLASSES

LET_GO_UNSEEN: Final = frozenset({type(None), str, *NUMBER_CLASSES})
ABSENT: Final = object()
NO_ATTRIBUTES: Final[Mapping[str, Any]] = {}
EMPTY: Final = types.CellType()
OF_HEAP: Final = 1 << 9
"""The flag of a class that a program has made: its slots hold any object."""
MRO: Final = type.__dict__["__mro__"]
CLASS_DICT: Final = type.__dict__["__dict__"]


@dataclass(frozen=True, slots=True)
class StorePlaces:
    """Places into which is stored.

    Args:
        places: the number of the owner, the op that stores, and the name of the attribute or the key.
    """

    places: tuple[tuple[int, str, str], ...]

    def are_plain(self, owners: Sequence[Any]) -> bool:
        """Return whether stores into all of the places do nothing but store, and each into a place of its own.

        Args:
            owners: the objects.
        """
        return all(PLAIN[op](owners[number], name) for number, op, name in self.places) and (
            len(owners) == 1 or _are_apart(owners)
        )


def _is_entry(owner: Any, name: str) -> bool:
    """Return whether an object is a dict that has a key, whose value may be let go of."""
    return type(owner) is dict and name in owner and _is_let_go_unseen(owner[name])


def _is_attribute(owner: Any, name: str) -> bool:
    """Return whether an object has an attribute of its own, whose value may be let go of, and no other code stores it."""
    cls = type(owner)
    if cls is types.CellType:
        return owner != EMPTY and _is_let_go_unseen(owner.cell_contents)
    found: Any = ABSENT
    for base in MRO.__get__(cls):
        attributes = CLASS_DICT.__get__(base)
        if "__setattr__" in attributes and base is not object:
            return False
        if found is ABSENT and name in attributes:
            found = attributes[name]
            is_slot = type(found) is types.MemberDescriptorType and base.__flags__ & OF_HEAP
            if not is_slot and not (type(found) in LET_GO_UNSEEN and name in _dict_of(owner)):
                return False
    try:
        return _is_let_go_unseen(object.__getattribute__(owner, name))
    except AttributeError:
        return False


def _is_list(owner: Any, _name: str) -> bool:
    return type(owner) is list


PLAIN: Final[Mapping[str, Callable[[Any, str], bool]]] = {
    "set_item": _is_entry,
    "set_attr": _is_attribute,
    "extend": _is_list,
}
"""The tests of a place, by the op that stores."""


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

    return entry_in_front_of_stores
