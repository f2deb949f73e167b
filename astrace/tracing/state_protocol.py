"""The protocol by which the parts of a trace ask its outside state; ``tracing.external.reads`` implements it.

So no part imports the module of the state, which knows the trace.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, NoReturn, Protocol

from astrace.guards.access_paths import Path
from astrace.guards.kinds import Guard
from astrace.ir.block import Node, Origin, Value
from astrace.ir.specs import Spec
from astrace.locations import Location
from astrace.tracing.external.freezer import Freezer
from astrace.tracing.recorder import Recorder
from astrace.tracing.tracer import Tracer


class ValueIdentity(Protocol):
    """Values from outside that leave as the objects they came as."""

    held: list[Any]

    def are_two(self, left: Any, right: Any) -> bool:
        """Return whether one of two values was computed here, and the other one read from outside."""
        ...

    def born(self, value: Any, recorder: Recorder) -> Any:
        """Remember where a tuple, a slice or a lazy object was made; gives it."""
        ...

    def computed(self, value: Any, *operands: Any) -> Any:
        """Remember that a number or a text was computed from constants, if it is a new object; gives it."""
        ...

    def enter(self, value: Any, source: Any) -> Any:
        """A copy of a constant, remembered with its source, and so are its parts."""
        ...

    def hold(self, value: Any, made: Tracer) -> None:
        """Treat a tuple or a slice made here as an object of the running program from here on."""
        ...

    def home(self, value: Any, recorder: Recorder) -> Recorder:
        """Return the block that a tuple or a slice is to be made in: that of its display, if it is still open."""
        ...

    def is_another(self, value: Any) -> bool:
        """Return whether a computed number or text goes to a receiver that is given an equal one, too."""
        ...

    def is_born(self, value: Any) -> bool:
        """Return whether it is known where a tuple or a slice was made."""
        ...

    def is_mixed(self, value: Any) -> bool:
        """Return whether only the running program knows which tuple a value stands for."""
        ...

    def lives_in(self, value: Any, recorder: Recorder) -> bool:
        """Return whether a tuple was made in a block, or in one around it."""
        ...

    def mix(self, value: Any) -> None:
        """Remember that a tuple stands for one of several, of which one is known elsewhere, too."""
        ...

    def release(self, first: int) -> None:
        """Forget the objects that were made since there were ``first``: their nodes are gone."""
        ...

    def remember(self, value: Any, source: Any) -> Any:
        """Remember where the object is found that a value stands for; gives the value."""
        ...

    def source(self, value: Any) -> Any:
        """Return the place at which the object that a value stands for is found, or ``None`` for a value of its own."""
        ...

    def stands_for(self, value: Any) -> bool:
        """Return whether a value, or a part of a tuple, stands for an object from outside."""
        ...

    def told_apart(self, left: Any, right: Any) -> bool:
        """Return whether two equal values may stand for two objects."""
        ...

    def which(self, value: Any) -> Any:
        """Return the number of the place a tuple was read from, `NEW` if it was built here; ``None`` if there is none."""
        ...


class StaleGuards(Protocol):
    """Guards on what was looked up before an opaque call."""

    @property
    def added(self) -> int:
        """Return the number of guards that are checked once more so far."""
        ...

    def asked(self, classes: Iterable[type]) -> None:
        """Take note that opaque code calls special methods of some classes."""
        ...

    def instance(self, value: Any, name: str = "") -> None:
        """Guard the class of an object that decides here; with a name, also that the object itself lacks the attribute."""
        ...

    def is_busy(self) -> bool:
        """Return whether anything may be stale at all: most programs have no opaque calls."""
        ...

    def looks_at_builtins(self, node: Node) -> bool:
        """Return whether a node only checks that builtins are what they were."""
        ...

    def may_be_patched(self, module: types.ModuleType, name: str) -> bool:
        """Return whether opaque code may have replaced an attribute of a module that it names or is given."""
        ...

    def recorded(self, op: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Take note of an op; one that fills the ``__dict__`` of an object sets attributes of it."""
        ...

    def replaced(self, message: str) -> NoReturn:
        """End the capture, since a decision of the trace depends on an object that has been replaced."""
        ...

    def set_by_any_name(self, owner: Any) -> None:
        """Take note that an attribute of unknown name is set on an instance of a known class."""
        ...

    def set_on(self, cls: type | None, name: str) -> None:
        """Take note that an attribute, no field, is set on an object that only the running program knows."""
        ...

    def take_back(self, first: int) -> None:
        """Drop the guards to check again since there were ``first``: what asked for them was undone."""
        ...

    def unseen(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Take note of an opaque call: what it stores of what it is given, or of anything else."""
        ...


class PublicFunctions(Protocol):
    """Guards on functions that generated code calls by their public names."""

    def called(self, function: Any, name: str) -> None:
        """Take note that a function is called, and written as the op of some name."""
        ...

    def read(self, function: Any) -> None:
        """Take note that a function was read as the attribute that it is called by."""
        ...


class OutsideState(Protocol):
    """The outside state of a trace: what is read afresh, what is guarded, what was written."""

    guards: dict[Guard, Location | None]
    met: dict[Path, Any]
    changing: frozenset[Path]
    declared: Mapping[int, tuple[Any, bool]]
    opaque: bool

    @property
    def wholes(self) -> ValueIdentity:
        """Values that leave as the objects they came as."""
        ...

    @property
    def stale(self) -> StaleGuards:
        """Guards that an opaque call may have made stale."""
        ...

    @property
    def by_name(self) -> PublicFunctions:
        """Guards on functions that are called by their public names."""
        ...

    @property
    def freezer(self) -> Freezer:
        """The reads that are fixed on request."""
        ...

    def as_object(self, value: Any) -> Any:
        """A value itself; a function of which only the code was fixed is fixed as the object that it is."""
        ...

    def can_fix(self, value: Value) -> bool:
        """Return whether a value is a Python number given from outside."""
        ...

    def can_fix_dim(self, node: Node) -> bool:
        """Return whether a size is that of a dimension of an array from outside."""
        ...

    def cell_path(self, function: Any, cell: types.CellType, name: str) -> Path:
        """Return the path to a variable of a function."""
        ...

    def constant(self, value: Any, path: Path, guard: Guard) -> Any:
        """Return a value fixed by its guard alone, whose identity differs from call to call."""
        ...

    def constants(self) -> list[Any]:
        """The classes, modules and functions of which this trace has read or written an attribute."""
        ...

    def each(self, value: tuple[Any, ...], path: Path) -> list[Any]:
        """The items of a tuple whose length is fixed."""
        ...

    def enter(self, value: Any, path: Path) -> Any:
        """Return the trace-level object for the object at a path."""
        ...

    def fix(self, value: Value) -> Any:
        """Make an input static: guard its value, and return it."""
        ...

    def fix_dim(self, node: Node) -> int:
        """Make a size static: guard the dimension, and return it."""
        ...

    def forget(self, owner: Any, given: bool = True) -> None:
        """Forget the places of an object that opaque code may have changed: they are read when the program runs."""
        ...

    def forget_all(self) -> None:
        """Forget all outside state, which an opaque call may have changed; trees that it may know become the objects."""
        ...

    def function_path(self, function: types.FunctionType) -> Path:
        """Return the path to the parts of a function; a function that is not known by its code is pinned."""
        ...

    def guard(self, guard: Guard) -> None:
        """Add a guard, unless all that it looks at is fixed."""
        ...

    def expect(self, guard: Guard) -> None:
        """Add a guard of what holds when the function is called, and may change in the middle of the call."""
        ...

    def guarded(self, value: Any, path: Path, guard: Guard) -> Any:
        """Return a value on which the trace depends, checked at each call unless it is fixed."""
        ...

    def has_stored(self, owner: Any, key: Hashable) -> bool:
        """Return whether this trace has written a place anywhere."""
        ...

    def in_doubt(self, owner: Any, key: Hashable) -> bool:
        """Return whether only the running program knows if a place exists."""
        ...

    def input_at(self, path: Path, spec: Spec, value: Any) -> Value:
        """Return the input of the graph for a path."""
        ...

    def input_guards(self) -> dict[Guard, Location | None]:
        """Return the guards on inputs, without those that other guards imply."""
        ...

    def input_of(self, value: Value) -> Any:
        """Return the input for a value that a path leads to, if there is one."""
        ...

    def is_changed(self, owner: Any) -> bool:
        """Return whether the function changes an object, or opaque code may have."""
        ...

    def is_dirty(self, owner: Any) -> bool:
        """Return whether opaque code may have changed an object."""
        ...

    def is_forgotten(self, owner: Any, key: Hashable) -> bool:
        """Return whether a place was written, and then maybe by opaque code: what it was before says nothing."""
        ...

    def is_outside(self, value: Any) -> bool:
        """Return whether an object came from outside, and is mutable."""
        ...

    def is_read_first(self, owner: Any, key: Hashable) -> bool:
        """Return whether a place has to be read in front of the store into it that comes next."""
        ...

    def itself(self, value: Any, spec: Spec) -> Any:
        """The object from outside that a value stands for; the value where it stands for none."""
        ...

    def known(self) -> Iterator[tuple[int, Any]]:
        """The places of outside state that this trace has read or written."""
        ...

    def knows(self, owner: Any, key: Hashable) -> bool:
        """Return whether this trace has read or written a place, or knows that it is in doubt."""
        ...

    def may_have_other_keys(self, owner: Any) -> bool:
        """Return whether only the running program knows the keys, or the length, of an object from outside."""
        ...

    def met_as_object(self, value: Any) -> None:
        """Guard the identity of a function or a cell that is used as an object and was reached through a path."""
        ...

    def object_spec(self, source: Any | None) -> Spec | None:
        """Return the spec of the object at a source, if it is an operand already; else ``None``."""
        ...

    def origin(self, value: Any) -> Origin:
        """Return the origin of a constant."""
        ...

    def outside(self, value: Any, path: Path) -> Any:
        """A mutable object from outside; the same object is known by the path it was first reached through."""
        ...

    def outsiders(self) -> list[Any]:
        """The objects from outside that this trace has met."""
        ...

    def path(self, value: Any) -> Path:
        """The path an object was reached through; an object reached by no path is pinned."""
        ...

    def pin(self, value: Any, path: Path) -> None:
        """Fix the object at a path, on request: it enters as a constant, guarded by its value."""
        ...

    def read(self, owner: Any, key: Hashable, path: Path, get: Callable[[], Any]) -> Any:
        """Return the present content of a place of outside state, as this trace sees it."""
        ...

    def read_now(self, path: Path) -> Any:
        """Follow a path by nodes, at this place of the program; a name without a value raises as Python does."""
        ...

    def reference(self, value: Any) -> Value:
        """An input that refers to an object from outside, for a node that needs the object itself."""
        ...

    def refuse_frozen(self, name: str, args: tuple[Any, ...]) -> None:
        """Stop where the program changes a container that is frozen."""
        ...

    def retract(self, first: int) -> None:
        """Take back what was learned of contents since there were ``first`` guards: they are read again."""
        ...

    def stored(self) -> AbstractSet[Hashable]:
        """The places that this trace has written."""
        ...

    def stores(self, name: Hashable) -> bool:
        """Return whether this trace has written a place of some name."""
        ...

    def taken_apart(self, value: Any, path: Path) -> Any:
        """Read each item of a tuple through its position."""
        ...

    def tree_itself(self, made: Any) -> Any:
        """The argument that an object stands for; ``None`` for any other object."""
        ...

    def used_as_data(self, value: Any) -> None:
        """Start again with a string from outside as data, read at each call, since it is iterated over."""
        ...

    def write(self, owner: Any, key: Hashable, value: Any) -> None:
        """Store into a place of outside state; later reads in this trace see ``value``."""
        ...
