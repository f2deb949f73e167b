"""Places of outside state: one name for each, whichever way it is reached.

A global is an item of its module's dict and an attribute of the module; an attribute of an instance is an item
of its ``__dict__``.  A slot is named by the object that holds the place and the kind and name of the place in
it, so what is written one way is known when it is read the other way.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from astrace.guards.access_paths import Attribute, Path
from astrace.guards.kinds import AreApart, Guard, IsAt
from astrace.ir.constants import NUMBER_CLASSES
from astrace.tracing.changes.journal import MISSING
from astrace.tracing.signals import Restart
from astrace.tracing.values.special_methods import HEAP_TYPE, class_attribute, is_data_descriptor
from astrace.util.trees import own_attributes

if TYPE_CHECKING:
    from astrace.tracing.context import Trace

Slot: TypeAlias = tuple[int, Any]
"""The ``id`` of a place's holder, and the kind and name of the place."""

HOLDERS: Final = (types.ModuleType, types.FunctionType)
"""Classes of constants whose attributes are items of a dict."""

MOST_IN_PAIRS: Final = 6
"""The most objects of which each is compared with each: of more, the ``id``s are."""


def namespace_of(owner: Any) -> Any:
    """Return the dict of a module's, a function's or an instance's attributes; any other object itself."""
    if issubclass(type(owner), HOLDERS):
        return object.__getattribute__(owner, "__dict__")
    if not has_namespace(owner):
        return owner
    return own_attributes(owner)


def has_namespace(owner: Any) -> bool:
    """Return whether an object is an instance of a user's class with a ``__dict__``, or a namespace."""
    cls: type[Any] = type(owner)
    if not (cls.__flags__ & HEAP_TYPE or cls is types.SimpleNamespace) or issubclass(
        cls, (type, dict, list, set)
    ):
        return False
    return type(_own_dict(owner)) is dict


def _own_dict(owner: Any) -> Any:
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return None


def slot_of(owner: Any, key: Any) -> Slot:
    """Return one name for a place, whichever way it is reached."""
    match key:
        case ("attr", str() as name) if is_item(owner, name):
            return id(namespace_of(owner)), ("item", name)
        case _:
            return id(owner), key


def content_of(owner: Any, slot: Slot) -> Any:
    """Return what a variable, an attribute of its own or an entry of a dict holds; `MISSING` for any other place, and where there is nothing.

    Args:
        owner: the object that the place belongs to.
        slot: the place.
    """
    holder, (kind, name) = namespace_of(owner), slot[1]
    if type(holder) is dict and kind == "item":
        return holder.get(name, MISSING)  # type: ignore[reportUnknownMemberType]
    return holder.cell_contents if type(holder) is types.CellType and holder != types.CellType() else MISSING


def is_numerical(content: Any) -> bool:
    """Return whether what a place holds is a number, an array or ``None``.

    Args:
        content: as `content_of` gives it.
    """
    cls = type(content)
    return cls is np.ndarray or cls is type(None) or cls in NUMBER_CLASSES


def is_item(owner: Any, name: str) -> bool:
    """Return whether an attribute is an item of its owner's ``__dict__``, unless its class holds it."""
    if isinstance(owner, types.ModuleType):
        return True
    if isinstance(owner, types.FunctionType):
        return not hasattr(types.FunctionType, name)
    if not has_namespace(owner):
        return False
    found = class_attribute(type(owner), name)
    return found is None or not is_data_descriptor(found[1])


def apart(
    outside: Iterable[tuple[Any, Path]], holders: Mapping[int, tuple[Any, Path]], written: Iterable[int]
) -> Iterator[Guard]:
    """Return guards that no object which a function writes is another one that it reads.

    Args:
        outside: the objects from outside with their paths.
        holders: the dicts that hold globals and attributes, by ``id``, with their paths.
        written: the ``id`` of what holds each place that is written.
    """
    met, changed = list(outside), set(written)
    for kind in {type(owner): None for owner, _ in met}:
        yield from _of_one_class([pair for pair in met if type(pair[0]) is kind], changed)
    for owner, path in met:
        if type(owner) is dict:
            yield from _dict_apart(owner, path, holders, changed)


def _of_one_class(met: Iterable[tuple[Any, Path]], changed: set[int]) -> Iterator[Guard]:
    """Return guards on objects of one class: those that have one dict still have it, all others have their own."""
    paths: dict[bool, dict[int, Path]] = {True: {}, False: {}}
    for owner, path in met:
        holder, place = id(namespace_of(owner)), holder_path(owner, path)
        alike = paths[holder in changed]
        if holder in alike:
            yield IsAt(place, alike[holder])
        alike.setdefault(holder, place)
    yield from _objects_apart([*paths[True].values()], [*paths[False].values()])


def _objects_apart(written: Sequence[Path], read: Sequence[Path]) -> Iterator[Guard]:
    """Return guards that written objects of one class are neither each other nor those only read; an object may be its dict."""
    if written and len(written) + len(read) > MOST_IN_PAIRS:
        yield AreApart((*written, *read))
        return
    for one, other in (*itertools.combinations(written, 2), *itertools.product(written, read)):
        yield IsAt(one, other, together=False)


def _dict_apart(
    owner: Any, path: Path, holders: Mapping[int, tuple[Any, Path]], changed: set[int]
) -> Iterator[Guard]:
    """Return guards on dicts from outside that may hold globals or attributes read or written another way."""
    for holder, holder_path in holders.values():
        if holder is owner:
            if holder_path != path:
                yield IsAt(path, holder_path)
        elif id(owner) in changed or id(holder) in changed:
            yield IsAt(path, holder_path, together=False)


def holder_path(owner: Any, path: Path) -> Path:
    """Return the path of the dict that holds an object's attributes, by the path of the object."""
    return path if namespace_of(owner) is owner else Attribute(path, "__dict__")


@dataclass(frozen=True)
class HasSlot:
    """Tells whether an object has a value in a slot of its class."""

    name: str

    def __call__(self, owner: Any) -> bool:
        """Ask an object."""
        return hasattr(owner, self.name)


def leave_inherited(trace: Trace, namespace: dict[Any, Any], name: Any) -> None:
    """Restart where an item of a ``__dict__`` is asked for that was read as an attribute, perhaps of the class.

    Raises:
        Restart: it was; from now on attributes of that name are looked up in the class.
    """
    slot = (id(namespace), ("item", name))
    known = slot in trace.journal.slots and slot not in trace.state.stored()
    if known and isinstance(name, str) and name not in namespace and name not in trace.plan.class_names:
        trace.plan.class_names.add(name)
        raise Restart
