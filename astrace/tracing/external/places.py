"""Places of outside state: which objects came from outside, and what this trace knows they hold.

What was read or written is a slot of the journal; a place that opaque code may have changed is read
when the program runs.  How what is found there enters the trace is the business of `reads`.
"""

from __future__ import annotations

import builtins
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from astrace.guards.access_paths import Attribute, Item, Path, Root
from astrace.guards.kinds import Equals, Guard, HasType, Is
from astrace.ir.block import Value
from astrace.ir.constants import is_function
from astrace.ir.specs import AnySpec
from astrace.tracing.changes.aliases import ANY_INSTANCE, MUTATORS
from astrace.tracing.changes.array_checks import mark
from astrace.tracing.changes.journal import MISSING, UNKNOWN, WALKED
from astrace.tracing.context import Trace
from astrace.tracing.external.freezer import Freezer
from astrace.tracing.external.frozen_inputs import FixedReads
from astrace.tracing.external.inputs import Input
from astrace.tracing.external.slots import (
    HOLDERS,
    Slot,
    apart,
    content_of,
    holder_path,
    is_numerical,
    namespace_of,
    slot_of,
)
from astrace.tracing.signals import Restart
from astrace.tracing.values.special_methods import is_subclass
from astrace.util.replaced_builtins import NEEDED

REPLACES_BUILTIN: Final = "AT211"
"""The code of functions that replace a builtin: generated code, and the compiler, look it up by its name."""


MOST_KEYS: Final = 256
"""The most keys that are looked at one by one while tracing: those of a larger dict or set are data."""


class OutsidePlaces(FixedReads, ABC):
    """The places of outside state that one trace reads and writes.

    Args:
        trace: the trace it belongs to.
        static_shapes: give the dimensions of arrays as numbers, not names.
        freezer: says which reads are fixed, and as what.
        arguments: those of the call, by parameter name.
    """

    def __init__(
        self, trace: Trace, static_shapes: bool, freezer: Freezer, arguments: Mapping[str, Any]
    ) -> None:
        super().__init__(trace, static_shapes, freezer, arguments)
        self._outside: dict[int, tuple[Any, Path]] = {}
        self._written: dict[int, None] = {}
        self._stored: set[Slot] = set()
        self._names: set[Hashable] = set()
        self._constants: dict[int, Any] = {}
        self._holders: dict[int, tuple[Any, Path]] = {}

    @abstractmethod
    def enter(self, value: Any, path: Path) -> Any:
        """Return the trace-level object for the object at a path."""

    def of_class(self, value: types.BuiltinFunctionType, path: Path) -> Any:
        """Guard a C function; one bound to a class by class and name, since each read makes a new object."""
        if not isinstance(value.__self__, type):
            return self.guarded(value, path, Is(path, value))
        self.guarded(value, path, HasType(path, type(value)))
        self.guarded(value, path, Equals(Attribute(path, "__name__"), value.__name__))
        return self.guarded(value, path, Is(Attribute(path, "__self__"), value.__self__))

    # -- what is known of outside objects ------------------------------------------------------------

    def is_outside(self, value: Any) -> bool:
        """Return whether an object came from outside, and is mutable."""
        found = self._outside.get(id(value))
        return found is not None and found[0] is value

    def path(self, value: Any) -> Path:
        """The path an object was reached through; an object reached by no path is pinned."""
        found = self._outside.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        origin = self._origins.get(id(value))
        hint = origin[1].path if origin is not None else _hint(value)
        return Root(value, hint)

    def reference(self, value: Any) -> Value:
        """An input that refers to an object from outside, for a node that needs the object itself."""
        return self.input_at(self.path(value), AnySpec(type(value)), value)

    # -- slots -----------------------------------------------------------------------------------------

    def read(self, owner: Any, key: Hashable, path: Path, get: Callable[[], Any]) -> Any:
        """Return the present content of a place of outside state, as this trace sees it.

        Args:
            owner: the object the place belongs to.
            key: the kind of place and its name.
            path: how the place is reached.
            get: reads it.
        """
        slot = slot_of(owner, key)
        self._holder(owner)
        found = self.trace.journal.slots.get(slot, MISSING)
        if found is not MISSING and found is not UNKNOWN:
            return found
        if found is UNKNOWN or self.is_forgotten(owner, key):
            self._read_first_next_time(owner, slot)
        if self.is_forgotten(owner, key):
            return self.read_now(path)
        stale = isinstance(key, tuple) and self.stale.is_doubtful(owner, key[-1])  # type: ignore[reportUnknownArgumentType]
        may_differ = self.is_dirty(owner) or stale
        if found is not UNKNOWN and may_differ and not stale and self._stays(owner, path):
            return self._entered_now(path, get)
        if found is UNKNOWN or (may_differ and not self.freezer.covers(path)):
            return self.read_now(path)
        value = self.enter(self.trace.native_container(get), path)
        if not self.opaque:
            self.trace.journal.learn(slot, value)
        return value

    def _read_first_next_time(self, owner: Any, slot: Slot) -> None:
        """Have the next attempt read a place in front of the first store into it, where it holds a number, an array or ``None``.

        Some ways to where it is read now have stored into it, others have not: without what it held at first, nothing is known.
        What else was stored into the same object is most probably read as well.
        """
        if slot in self.trace.plan.read_first or self.opaque or self.is_dirty(owner):
            return
        if not is_numerical(content_of(owner, slot)):
            return
        slots = self.trace.journal.slots
        beside = [one for one in self._stored if one[0] == slot[0] and slots.get(one, UNKNOWN) is UNKNOWN]
        self.trace.plan.read_first |= {slot, *(one for one in beside if is_numerical(content_of(owner, one)))}
        raise Restart  # at once: what is not known of it might count as opaque from here on

    def is_read_first(self, owner: Any, key: Hashable) -> bool:
        """Return whether a place has to be read in front of the store into it that comes next."""
        slot = slot_of(owner, key)
        return (
            slot in self.trace.plan.read_first
            and slot not in self._stored
            and slot not in self.trace.journal.slots
        )

    def _stays(self, owner: Any, path: Path) -> bool:
        """Return whether a place is the name of a module or an exception class in a namespace.

        Hardly any such dict is the namespace of a module: they are taken to stay, which is checked when the program runs.
        """
        if not isinstance(path, Item) or not isinstance(path.owner, Root) or not path.owner.silent:
            return False
        if type(owner) is not dict or (id(owner), "dirty") in self.trace.journal.slots:
            return False
        held: dict[Any, Any] = owner
        found = held.get(path.key)
        return isinstance(found, types.ModuleType) or (
            isinstance(found, type) and is_subclass(found, BaseException)
        )

    def _entered_now(self, path: Path, get: Callable[[], Any]) -> Any:
        """Return the content of a place, checked or read at this place of the program."""
        outer, self.opaque = self.opaque, True
        try:
            return self.enter(self.trace.native_container(get), path)
        finally:
            self.opaque = outer

    def known(self) -> Iterator[Slot]:
        """The places of outside state that this trace has read or written."""
        yield from (slot for slot in self.trace.journal.slots if slot[1] != WALKED)  # type: ignore[misc]

    def write(self, owner: Any, key: Hashable, value: Any) -> None:
        """Store into a place of outside state; later reads in this trace see ``value``."""
        holder, slot = self._holder(owner), slot_of(owner, key)
        if holder is vars(builtins) and slot[1][1] in NEEDED:
            self.trace.stop(REPLACES_BUILTIN, f"the builtin `{slot[1][1]}` is replaced")
        self._written[id(holder)] = None
        self._stored.add(slot)
        self._names.add(slot[1][1])
        self.trace.journal.set_slot(slot, value)
        if type(holder) is dict and (value is UNKNOWN or slot[1][1] not in holder):
            self.trace.journal.set_slot((id(holder), "resized"), True)

    def _holder(self, owner: Any) -> Any:
        """Return the holder of an object's places; where it is a dict, it may be reached by itself, too."""
        holder = namespace_of(owner)
        if isinstance(owner, (*HOLDERS, type)):
            self._constants[id(owner)] = owner
        itself = holder is owner and self.is_outside(owner)
        if type(holder) is dict and id(holder) not in self._holders and not itself:
            self._holders[id(holder)] = holder, holder_path(owner, self.path(owner))
        return holder

    def is_changed(self, owner: Any) -> bool:
        """Return whether the function changes an object, or opaque code may have."""
        return id(namespace_of(owner)) in self._written or self.is_dirty(owner)

    def knows(self, owner: Any, key: Hashable) -> bool:
        """Return whether this trace has read or written a place, or knows that it is in doubt."""
        return slot_of(owner, key) in self.trace.journal.slots

    def has_stored(self, owner: Any, key: Hashable) -> bool:
        """Return whether this trace has written a place anywhere."""
        return slot_of(owner, key) in self._stored

    def forget(self, owner: Any, given: bool = True) -> None:
        """Forget the places of an object that opaque code may have changed: they are read when the program runs.

        Args:
            owner: the object.
            given: whatever changed it may have changed anything of it.
        """
        for holder in {id(owner), id(namespace_of(owner))}:
            self._written[holder] = None
            for slot in [slot for slot in self.trace.journal.slots if slot[0] == holder]:  # type: ignore[index]
                self.trace.journal.set_slot(slot, MISSING)
            self.trace.journal.set_slot((holder, "dirty"), True)
        if isinstance(owner, type):
            for other in [*self.outsiders(), *self.constants()]:
                cls: type[Any] = other if isinstance(other, type) else type(other)
                if other is not owner and is_subclass(cls, owner):
                    self.forget(other, given=False)
        if given:
            self.stale.changed(owner)

    def outsiders(self) -> list[Any]:
        """The objects from outside that this trace has met."""
        return [owner for owner, _ in self._outside.values()]

    def constants(self) -> list[Any]:
        """The classes, modules and functions of which this trace has read or written an attribute."""
        return list(self._constants.values())

    def input_of(self, value: Value) -> Input | None:
        """Return the input for a value that a path leads to, if there is one."""
        return self._by_value.get(value)

    def is_forgotten(self, owner: Any, key: Hashable) -> bool:
        """Return whether a place was written, and then maybe by opaque code: what it was before says nothing."""
        slot = slot_of(owner, key)
        return slot in self._stored and slot not in self.trace.journal.slots

    def is_dirty(self, owner: Any) -> bool:
        """Return whether opaque code may have changed an object."""
        slots = self.trace.journal.slots
        kinds = (type(owner),) if type(owner) in MUTATORS else (type(owner), ANY_INSTANCE)
        return any((of, "dirty") in slots for of in (id(namespace_of(owner)), *kinds))

    def may_have_other_keys(self, owner: Any) -> bool:
        """Return whether only the running program knows the keys, or the length, of an object from outside."""
        if self.is_dirty(owner) or (id(owner), "resized") in self.trace.journal.slots:
            return True
        return type(owner) in (dict, set) and len(owner) > MOST_KEYS and self.is_outside(owner)

    def forget_all(self) -> None:
        """Forget all outside state after an opaque call; in a loop, also what an earlier iteration is to read."""
        if self.trace.loops and not self.opaque:
            self.trace.plan.opaque = True
            self.trace.plan.calling |= {loop.site for loop in self.trace.loops}
            raise Restart
        self.opaque = True
        mark(self.trace)
        self.stale.barrier()
        for owner in self.outsiders():
            self.forget(owner, given=False)
        for slot in list(self.trace.journal.slots):
            if slot[1] not in ("dirty", WALKED):  # type: ignore[index]
                self.trace.journal.set_slot(slot, MISSING)

    def in_doubt(self, owner: Any, key: Hashable) -> bool:
        """Return whether only the running program knows if a place exists."""
        found = self.trace.journal.slots.get(slot_of(owner, key), MISSING)
        doubt = found is MISSING and (self.is_dirty(owner) or self.is_forgotten(owner, key))
        return found is UNKNOWN or doubt

    def stored(self) -> AbstractSet[Hashable]:
        """The places that this trace has written."""
        return self._stored

    def stores(self, name: Hashable) -> bool:
        """Return whether this trace has written a place of some name."""
        return name in self._names

    # -- aliasing --------------------------------------------------------------------------------------

    def apart(self) -> Iterator[Guard]:
        """Guards that objects which the function writes are not other objects that it reads."""
        return apart(self._outside.values(), self._holders, self._written)


def _hint(value: Any) -> str:
    """A readable name for an object."""
    named = is_function(value) or isinstance(value, type | types.ModuleType)
    return getattr(value if named else type(value), "__name__", "object")
