"""What a function reads from outside: live reads, guards, and the objects they were reached through.

A number or an array that a path leads to becomes an input of the graph, read afresh at each call.
Everything else that a path leads to decides how the trace goes on, so it is guarded: its identity, its
type, its value.  Mutable objects from outside (instances, lists, dicts) are handed to the traced function
as they are, with their path remembered; the operators never change them and read them only through here.
"""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.freezing import Freezer
from astrace.guards import Equals, Guard, HasMembers, HasType, Is, IsAt
from astrace.ir.block import Value
from astrace.ir.specs import AnySpec, GenericSpec, spec_of
from astrace.ir.statics import SUBSCRIPTED_TYPES, is_function, is_static
from astrace.paths import (
    Argument,
    Attribute,
    Item,
    Path,
    Root,
    derived_keys,
    derived_length,
    derived_mapping,
    viewed_dict,
)
from astrace.purity import DECLARED
from astrace.tracing.aliases import ANY_INSTANCE, MUTATORS
from astrace.tracing.context import Trace
from astrace.tracing.fixed import FixedReads
from astrace.tracing.hooks import is_subclass, untouchable
from astrace.tracing.journal import MISSING, UNKNOWN, WALKED
from astrace.tracing.slots import HOLDERS, Slot, apart, holder_path, namespace_of, slot_of
from astrace.tracing.stops import Restart
from astrace.tracing.values import DictView
from astrace.trees import is_namedtuple, tuple_like


class State(FixedReads):
    """The outside state of one trace.

    Args:
        trace: the trace it belongs to.
        static_shapes: give the dimensions of arrays as numbers, not names.
        freezer: says which reads are fixed, and as what.
        arguments: those of the call, by parameter name.
        changing: what was found to change from call to call, so that nothing of it is to be fixed.
    """

    def __init__(
        self,
        trace: Trace,
        static_shapes: bool,
        freezer: Freezer,
        arguments: Mapping[str, Any],
        changing: frozenset[Path],
    ) -> None:
        super().__init__(trace, static_shapes, freezer, arguments)
        self.promoted: set[Path] = set()
        self.declared = DECLARED.known()
        self.changing = changing
        self._outside: dict[int, tuple[Any, Path]] = {}
        self._written: dict[int, None] = {}
        self._pinned: dict[Path, Any] = {}
        self._constants: dict[int, Any] = {}
        self._views: dict[int, DictView] = {}
        self._holders: dict[int, tuple[Any, Path]] = {}

    def pin(self, value: Any, path: Path) -> None:
        """Fix what a path leads to, on request: it enters as a constant, guarded by its value."""
        if not is_static(value):
            self.trace.stop(
                "AT201", f"`{path}` is asked to be static, but {type(value).__qualname__} objects can change"
            )
        self._pinned[path] = self.guarded(value, path, Equals(path, value))

    # -- entering ----------------------------------------------------------------------------------

    def enter(self, value: Any, path: Path) -> Any:
        """The trace-level object for what a path leads to."""
        hindrance = untouchable(value)
        if hindrance is not None:
            self.trace.stop("AT204", f"`{path}` can't be looked at: {hindrance} would run while tracing")
        if path in self._pinned:
            return self._pinned[path]
        value, known = self.first(value, path)
        if known:
            return value
        kind: type[Any] = type(value)
        entry = ENTRIES.get(kind)
        if entry is not None:
            return entry(self, value, path)
        if isinstance(value, np.generic):
            return self.live(value, path, GenericSpec(value.dtype))
        if isinstance(value, np.ndarray):
            return self.live(value, path, AnySpec(kind))
        if is_function(value) or isinstance(value, (*SUBSCRIPTED_TYPES, type, types.ModuleType, enum.Enum)):
            return self.guarded(value, path, Is(path, value))
        if isinstance(value, np.dtype):
            return self.guarded(value, path, Equals(path, value))
        if is_namedtuple(value):
            return self.taken_apart(value, path)
        return self.outside(value, path)

    def bounds(self, value: slice, path: Path) -> slice:
        """A slice: its bounds are read afresh."""
        self.guarded(value, path, HasType(path, slice))
        names = ("start", "stop", "step")
        return slice(*(self.enter(getattr(value, name), Attribute(path, name)) for name in names))

    def members(self, value: frozenset[Any], path: Path) -> Any:
        """A frozen set: guarded member by member, where they can't change."""
        if not is_static(value):
            return self.outside(value, path)
        if path in self.changing:
            return self.whole(value, path)
        self.guarded(value, path, HasType(path, frozenset))
        return self.guarded(value, path, HasMembers(path, tuple(value)))

    def outside(self, value: Any, path: Path) -> Any:
        """A mutable object from outside; the same object is known by the path it was first reached through.

        After a call out of sight another one may stand in its place: it is whatever is found there then.
        """
        if self.opaque and not isinstance(path, Argument | Root):
            return self.read_now(path)
        known = self._outside.get(id(value))
        if known is not None and known[1] != path:
            self.guard(IsAt(path, known[1]))
        elif known is None:
            self._outside[id(value)] = (value, path)
            self.met[path] = value
            self.guarded(value, path, HasType(path, type(value)))
        if path in self.changing:
            self.promoted.add(path)
            self.trace.journal.learn((id(value), "resized" if type(value) is dict else "dirty"), True)
        return value

    def whole(self, value: Any, path: Path) -> Any:
        """A constant that was found to change: an input like a number, of which only the class is known."""
        self.promoted.add(path)
        return self.live(value, path, AnySpec(type(value)))

    def taken_apart(self, value: Any, path: Path) -> Any:
        """A tuple is taken apart: each item is read through its position."""
        constant = is_static(value)
        if constant and derived_length(path) in self.changing:
            return self.whole(value, path)
        numbers = (float, complex, np.generic, *((int,) if path in self.changing else ()))
        if constant and not any(isinstance(item, numbers) for item in value):
            return self.guarded(value, path, Equals(path, value))
        if path in self.changing:
            self.promoted.add(path)
        self.guard(HasType(path, type(value)))
        return tuple_like(value, self.items(value, path))

    def items(self, value: tuple[Any, ...], path: Path) -> list[Any]:
        """The items of a tuple whose length is fixed."""
        self.guard(Equals(derived_length(path), len(value)))
        return [self.enter(item, Item(path, index)) for index, item in enumerate(value)]

    def bound_method(self, value: Any, path: Path) -> Any:
        """A bound method: its function is guarded, what it is bound to is reached through it."""
        function = self.enter(value.__func__, Attribute(path, "__func__"))
        owner = self.enter(value.__self__, Attribute(path, "__self__"))
        return types.MethodType(function, owner)

    def dict_view(self, value: Any, path: Path) -> Any:
        """The keys, values or items of a dict: read through the dict."""
        owner = viewed_dict(value)
        self.outside(value, path)
        if type(owner) is not dict:
            return value
        if id(value) not in self._views:
            held = self.enter(owner, derived_mapping(path))
            self._views[id(value)] = DictView(held, VIEWS[type(value)], value)
        return self._views[id(value)]

    def partial(self, value: Any, path: Path) -> Any:
        """A ``functools.partial``: a new one over what its parts lead to."""
        self.guard(HasType(path, type(value)))
        function = self.enter(value.func, Attribute(path, "func"))
        args = self.enter(value.args, Attribute(path, "args"))
        names = Attribute(path, "keywords")
        self.guard(Equals(derived_keys(names), tuple(value.keywords)))
        keywords = {key: self.enter(item, Item(names, key)) for key, item in value.keywords.items()}
        return functools.partial(function, *args, **keywords)

    # -- what is known of outside objects ------------------------------------------------------------

    def is_outside(self, value: Any) -> bool:
        """Whether an object came from outside, and is mutable."""
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
        """What a place of outside state holds now, as this trace sees it.

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
        if found is UNKNOWN:
            return self.read_in_doubt(path)
        if self.is_dirty(owner) and not self.freezer.covers(path):
            return self.read_now(path)
        value = self.enter(self.trace.native_container(get), path)
        if not self.opaque:
            self.trace.journal.learn(slot, value)
        return value

    def known(self) -> Iterator[Slot]:
        """The places of outside state that this trace has read or written."""
        yield from (slot for slot in self.trace.journal.slots if slot[1] != WALKED)  # type: ignore[misc]

    def write(self, owner: Any, key: Hashable, value: Any) -> None:
        """A place of outside state was written; later reads in this trace see ``value``."""
        holder, slot = self._holder(owner), slot_of(owner, key)
        self._written[id(holder)] = None
        self.trace.journal.set_slot(slot, value)
        if type(holder) is dict and (value is UNKNOWN or slot[1][1] not in holder):
            self.trace.journal.set_slot((id(holder), "resized"), True)

    def _holder(self, owner: Any) -> Any:
        """What holds the places of an object; where it is a dict, it may be reached by itself, too."""
        holder = namespace_of(owner)
        if isinstance(owner, (*HOLDERS, type)):
            self._constants[id(owner)] = owner
        itself = holder is owner and self.is_outside(owner)
        if type(holder) is dict and id(holder) not in self._holders and not itself:
            self._holders[id(holder)] = holder, holder_path(owner, self.path(owner))
        return holder

    def knows(self, owner: Any, key: Hashable) -> bool:
        """Whether this trace has read or written a place, or knows that it is in doubt."""
        return slot_of(owner, key) in self.trace.journal.slots

    def forget(self, owner: Any) -> None:
        """Something out of sight may have changed an object: its places are read when the program runs."""
        for holder in {id(owner), id(namespace_of(owner))}:
            self._written[holder] = None
            for slot in [slot for slot in self.trace.journal.slots if slot[0] == holder]:  # type: ignore[index]
                self.trace.journal.set_slot(slot, MISSING)
            self.trace.journal.set_slot((holder, "dirty"), True)
        if isinstance(owner, type):
            for other in [*self.outsiders(), *self.constants()]:
                cls: type[Any] = other if isinstance(other, type) else type(other)
                if other is not owner and is_subclass(cls, owner):
                    self.forget(other)

    def outsiders(self) -> list[Any]:
        """The objects from outside that this trace has met."""
        return [owner for owner, _ in self._outside.values()]

    def constants(self) -> list[Any]:
        """The classes, modules and functions of which this trace has read or written an attribute."""
        return list(self._constants.values())

    def is_input(self, value: Value) -> bool:
        """Whether a value is what a path leads to."""
        return value in self._by_value

    def is_dirty(self, owner: Any) -> bool:
        """Whether something out of sight may have changed an object."""
        slots = self.trace.journal.slots
        kinds = (type(owner),) if type(owner) in MUTATORS else (type(owner), ANY_INSTANCE)
        return any((of, "dirty") in slots for of in (id(namespace_of(owner)), *kinds))

    def may_have_other_keys(self, owner: Any) -> bool:
        """Whether only the running program knows the keys, or the length, of an object from outside."""
        return self.is_dirty(owner) or (id(owner), "resized") in self.trace.journal.slots

    def forget_all(self) -> None:
        """A call out of sight may have changed anything; in a loop, also what an earlier turn is to read."""
        if self.trace.loops and not self.opaque:
            self.trace.plan.opaque = True
            raise Restart
        self.opaque = True
        for owner in self.outsiders():
            self.forget(owner)
        for slot in list(self.trace.journal.slots):
            if slot[1] not in ("dirty", WALKED):  # type: ignore[index]
                self.trace.journal.set_slot(slot, MISSING)

    def in_doubt(self, owner: Any, key: Hashable) -> bool:
        """Whether only the running program knows if a place exists."""
        found = self.trace.journal.slots.get(slot_of(owner, key), MISSING)
        return found is UNKNOWN or (found is MISSING and self.is_dirty(owner))

    def read_in_doubt(self, path: Path) -> Any:
        """Read a place that may not exist; a global or a cell without a value is an unknown name."""
        match path:
            case Item(owner=Root(silent=True)):
                return self.trace.operators.record_read("read_global", self.read_now(path.owner), path.key)
            case Attribute(owner=Root(silent=True) as cell):
                return self.trace.operators.record_read("read_cell", self.read_now(cell), cell.hint)
            case _:
                return self.read_now(path)

    # -- aliasing --------------------------------------------------------------------------------------

    def apart(self) -> Iterator[Guard]:
        """Guards that objects which the function writes are not other objects that it reads."""
        return apart(self._outside.values(), self._holders, self._written)


def _hint(value: Any) -> str:
    """A readable name for an object."""
    named = is_function(value) or isinstance(value, type | types.ModuleType)
    return getattr(value if named else type(value), "__name__", "object")


Entry = Callable[[State, Any, Path], Any]


def _number(state: State, value: Any, path: Path) -> Any:
    return state.live(value, path, spec_of(value))


def _data(state: State, value: Any, path: Path) -> Any:
    return state.live(value, path, AnySpec(type(value)))


def _range(state: State, value: range, path: Path) -> Any:
    return state.whole(value, path) if path in state.changing else _equal(state, value, path)


def _exactly(state: State, value: Any, path: Path) -> Any:
    return state.guarded(value, path, Is(path, value))


def _equal(state: State, value: Any, path: Path) -> Any:
    return state.guarded(value, path, Equals(path, value))


VIEWS: Final[Mapping[type, str]] = {
    type({}.keys()): "keys",
    type({}.values()): "values",
    type({}.items()): "items",
}
"""The classes of views of a dict, with the methods that give them."""

ENTRIES: Final[Mapping[type, Entry]] = {
    bool: _exactly,
    int: _number,
    float: _number,
    complex: _number,
    str: _equal,
    bytes: _data,
    range: _range,
    type(None): _exactly,
    type(...): _exactly,
    type(NotImplemented): _exactly,
    tuple: State.taken_apart,
    slice: State.bounds,
    frozenset: State.members,
    np.ndarray: State.array,
    types.MethodType: State.bound_method,
    functools.partial: State.partial,
    **dict.fromkeys(VIEWS, State.dict_view),
}
