"""Objects made while tracing, and what a region changes of them.

Lists, dicts and instances made inside the function are ordinary Python objects that hold tracers.  A
region (a branch, the body of a loop) may change them; since both branches are traced and a body stands
for many iterations, every change is journaled: when the region ends, it is undone and handed to the operator,
which merges or carries it.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

Site: TypeAlias = tuple[Hashable, ...]
"""The place in the program where an object is made; the same at every attempt to trace it."""

MISSING: Final = object()
"""A place of outside state that this trace has not looked at."""

UNKNOWN: Final = object()
"""The content of a place of outside state that was written with a value only the running program knows."""

WALKED: Final = "walked"
"""The kind of slot that says how far an iterator has come."""


@dataclass(slots=True)
class Creation:
    """An object made while tracing.

    Args:
        made: the object; kept, so that its ``id`` stays its own.
        site: where it was made.
        depth: how many regions were open.
        sources: the sites of the objects that were merged into this one; it may be any of them, so it
            must not be changed or compared by identity.
        parts: the sites of the objects that branches make, one of which this one is; nobody else knows them.
    """

    made: Any
    site: Site
    depth: int
    sources: tuple[Site, ...] = ()
    parts: tuple[Site, ...] = ()

    @property
    def origins(self) -> tuple[Site, ...]:
        """The sites of the objects that must exist when the program runs if this one must."""
        return self.sources or self.parts or (self.site,)


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A local variable that a nested function assigns: its changes are journaled like those of an object.

    Args:
        name: its name.
        cell: where it lives.
    """

    name: str
    cell: types.CellType


@dataclass(slots=True)
class Lost:
    """Changes of regions that end by raising: only the handler of the exception sees them."""

    objects: dict[int, Any] = field(default_factory=dict[int, Any])
    slots: dict[Hashable, None] = field(default_factory=dict[Hashable, None])


@dataclass(slots=True)
class ChangeFrame:
    """The changes made since a region began: what each object held before, what each slot held before."""

    contents: dict[int, tuple[Any, Any]] = field(default_factory=dict[int, tuple[Any, Any]])
    slots: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])
    lost: Lost = field(default_factory=Lost)


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one object in one region."""

    made: Any
    before: Any
    after: Any


@dataclass(slots=True)
class Changes:
    """The changes of one region: of objects by ``id``, and of slots of outside state; ``lost`` are those of parts that raise."""

    objects: dict[int, Change]
    slots: dict[Hashable, tuple[Any, Any]]
    lost: Lost = field(default_factory=Lost)


class Journal:
    """Births, open regions, and the present values of slots of outside state.

    Args:
        copying: told of each object whose content is copied.

    Attributes:
        iterators: the one-shot iterables made here, with how many regions were open.
        functions: the same for local functions, by the ``id`` of each and of its namespace.
        sorting: the lists that are sorted now, whose keys must leave them alone.
    """

    def __init__(self, copying: Callable[[Any], object]) -> None:
        self._copying = copying
        self.births: dict[int, Creation] = {}
        self.frames: list[ChangeFrame] = []
        self.slots: dict[Hashable, Any] = {}
        self.variables: dict[int, Variable] = {}
        self.iterators: dict[Any, int] = {}
        self.functions: dict[int, int] = {}
        self.sorting: list[list[Any]] = []

    @property
    def depth(self) -> int:
        """The number of open regions."""
        return len(self.frames)

    def born(
        self, made: Any, site: Site, sources: tuple[Site, ...] = (), parts: tuple[Site, ...] = ()
    ) -> Any:
        """Register an object made here; returns it."""
        self.births[id(made)] = Creation(made, site, self.depth, sources, parts)
        return made

    def birth(self, value: Any) -> Creation | None:
        """The birth of an object, if it was made while tracing."""
        found = self.births.get(id(value))
        return found if found is not None and found.made is value else None

    def declare(self, name: str, cell: types.CellType, site: Site) -> None:
        """Register a variable that nested functions assign, when its function begins."""
        variable = self.variables[id(cell)] = Variable(name, cell)
        self.born(variable, site)

    def touch_variable(self, cell: types.CellType) -> None:
        """Remember the value of a variable, before it is assigned."""
        self.touch(self.variables[id(cell)])

    def present(self) -> dict[Any, Any]:
        """Return the present value of every `Variable`."""
        return {variable: variable.cell.cell_contents for variable in self.variables.values()}

    def touch(self, value: Any) -> None:
        """Remember what an object holds, before it is changed."""
        birth = self.births.get(id(value))
        if birth is None or not self.frames or birth.depth >= self.depth:
            return
        if id(value) not in self.frames[-1].contents:
            self._copying(value)
            self.frames[-1].contents[id(value)] = value, content(value)

    def set_slot(self, key: Hashable, value: Any) -> None:
        """Change a slot; `MISSING` forgets it."""
        if self.frames:
            self.frames[-1].slots.setdefault(key, self.slots.get(key, MISSING))
        if value is MISSING:
            self.slots.pop(key, None)
        else:
            self.slots[key] = value

    def learn(self, key: Hashable, value: Any) -> None:
        """Fill a slot with a value that was read: no change, so it stays when the region ends."""
        self.slots[key] = value

    def begin(self) -> None:
        """Begin a region."""
        self.frames.append(ChangeFrame())

    def end(self) -> Changes:
        """End a region: undo its changes, and return them."""
        frame = self.frames.pop()
        objects = {key: Change(made, before, content(made)) for key, (made, before) in frame.contents.items()}
        for change in objects.values():
            restore(change.made, change.before)
        slots = {
            key: (before, self.slots.get(key, MISSING))
            for key, before in frame.slots.items()
            if not self._is_of_region(key)
        }
        for key, before in frame.slots.items():
            if before is MISSING:
                self.slots.pop(key, None)
            else:
                self.slots[key] = before
        return Changes(objects, slots, frame.lost)

    def lose(self, changes: Changes, leaves: bool) -> None:
        """Propagate the changes of a region that ends by raising, or has such parts, to the region around."""
        if self.frames:
            lost = self.frames[-1].lost
            lost.objects |= {key: made for key, made in changes.lost.objects.items() if self._is_older(key)}
            lost.slots |= changes.lost.slots
            if leaves:
                found = {key: change.made for key, change in changes.objects.items()}
                lost.objects |= {key: made for key, made in found.items() if self._is_older(key)}
                lost.slots |= dict.fromkeys(changes.slots)

    def _is_older(self, key: int) -> bool:
        """Return whether an object was made before the region that is open now."""
        return self.births[key].depth < self.depth

    def _is_of_region(self, key: Any) -> bool:
        """Return whether a slot belongs to an iterator or a local function of the region that has just ended."""
        made = self.iterators[key[0]] if key[1] == WALKED else self.functions.get(key[0], 0)
        return made > self.depth

    def commit(self) -> None:
        """End a region and keep its changes, as changes of the region around."""
        frame = self.frames.pop()
        for birth in self.births.values():
            birth.depth = min(birth.depth, self.depth)
        for iterator, depth in self.iterators.items():
            self.iterators[iterator] = min(depth, self.depth)
        for function, depth in self.functions.items():
            self.functions[function] = min(depth, self.depth)
        if not self.frames:
            return
        outer = self.frames[-1]
        for key, (made, before) in frame.contents.items():
            if self.births[key].depth < self.depth:
                outer.contents.setdefault(key, (made, before))
        for slot, before in frame.slots.items():
            outer.slots.setdefault(slot, before)
        self.lose(Changes({}, {}, frame.lost), leaves=False)

    def write(self, made: Any, after: Any) -> None:
        """Give an object new content, as a change of the region that is open now."""
        self.touch(made)
        restore(made, after)


def content(value: Any) -> Any:
    """Return the content of an object, as a list or a dict of its own; none of its class's methods is called."""
    match value:
        case list():
            return list.copy(value)
        case dict():
            return dict.copy(value)
        case set():
            return set[Any]().union(value)
        case Variable():
            return {value.name: value.cell.cell_contents}
        case _:
            return attributes(value)


def restore(value: Any, held: Any) -> None:
    """Make an object hold what `content` gave."""
    match value:
        case list():
            value[:] = held
        case dict() | set():
            value.clear()
            value.update(held)
        case Variable():
            value.cell.cell_contents = held[value.name]
        case _:
            for name in attributes(value).keys() - held.keys():
                object.__delattr__(value, name)
            for name, item in held.items():
                object.__setattr__(value, name, item)


def attributes(value: Any) -> dict[str, Any]:
    """The attributes of an instance, those in slots included."""
    found = dict(getattr(value, "__dict__", {}))
    for name in slot_names(type(value)):
        with contextlib.suppress(AttributeError):
            found[name] = object.__getattribute__(value, name)
    return found


def slot_names(cls: type) -> Iterator[str]:
    """The names of a class's ``__slots__``, its bases' included, but for those that stand for something else in it."""
    met = {"__dict__", "__weakref__"}
    for base in cls.__mro__:
        members: Mapping[str, Any] = vars(base)
        for name, member in members.items():
            if name not in met and isinstance(member, types.MemberDescriptorType):
                yield name
        met |= members.keys()


TREE: Final = "tree"
"""The kind of site of a dict, or another object, that JAX has put together."""


def is_tree(birth: Creation | None) -> bool:
    """Return whether JAX has put an object together."""
    return birth is not None and birth.site[0] == TREE


def keys(held: Any) -> list[Any]:
    """The keys of what an object holds: positions of a list, keys of a dict."""
    return list(range(len(held))) if isinstance(held, list) else list(held)
