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
        """Whether one of two values was computed here, and the other one read from outside."""
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
        """From here on a tuple or a slice made here is an object of the running program."""
        ...

    def home(self, value: Any, recorder: Recorder) -> Recorder:
        """The block that a tuple or a slice is to be made in: that in which it was made here, if that is still open."""
        ...

    def is_another(self, value: Any) -> bool:
        """Whether a number or a text that was computed here is given to somebody who is given an equal one, too."""
        ...

    def is_born(self, value: Any) -> bool:
        """Whether it is known where a tuple or a slice was made."""
        ...

    def is_mixed(self, value: Any) -> bool:
        """Whether only the running program knows which tuple it is that one stands for."""
        ...

    def lives_in(self, value: Any, recorder: Recorder) -> bool:
        """Whether a tuple was made in a block, or in one around it."""
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
        """Where the object is found that a value stands for; ``None`` for a value that is what it is."""
        ...

    def stands_for(self, value: Any) -> bool:
        """Whether a value, or a part of a tuple, stands for an object from outside."""
        ...

    def told_apart(self, left: Any, right: Any) -> bool:
        """Whether two equal values may stand for two objects."""
        ...

    def which(self, value: Any) -> Any:
        """The number of the place that a tuple was read from, `NEW` if it was put together; ``None`` if there is none."""
        ...


class StaleGuards(Protocol):
    """Guards on what was looked up before an opaque call."""

    @property
    def added(self) -> int:
        """How many guards are checked once more so far."""
        ...

    def asked(self, classes: Iterable[type]) -> None:
        """Special methods of some classes are called out of sight."""
        ...

    def instance(self, value: Any, name: str = "") -> None:
        """The class of an object decides here; with a name, also that the object has no attribute of that name."""
        ...

    def is_busy(self) -> bool:
        """Whether anything at all may be stale: most programs call nothing out of sight."""
        ...

    def looks_at_builtins(self, node: Node) -> bool:
        """Whether a node only checks that builtins are what they were."""
        ...

    def may_be_patched(self, module: types.ModuleType, name: str) -> bool:
        """Whether opaque code may have replaced an attribute of a module that it names or is given."""
        ...

    def recorded(self, op: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """An op was written down; one that fills the ``__dict__`` of an object sets attributes of it."""
        ...

    def replaced(self, message: str) -> NoReturn:
        """End the capture: something that decides how the trace goes on is another one by now."""
        ...

    def set_by_any_name(self, owner: Any) -> None:
        """An attribute of an instance of a known class is set, and only the running program knows which."""
        ...

    def set_on(self, cls: type | None, name: str) -> None:
        """An attribute is set on an object that only the running program knows; fields of its own are no matter."""
        ...

    def take_back(self, first: int) -> None:
        """Check no guards that were asked for since there were ``first``: what asked for them came to nothing."""
        ...

    def unseen(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """An opaque call: what it stores of what it is given, or of anything else."""
        ...


class PublicFunctions(Protocol):
    """Guards on functions that generated code calls by their public names."""

    def called(self, function: Any, name: str) -> None:
        """A function is called, and written as the op of some name."""
        ...

    def read(self, function: Any) -> None:
        """A function was read as the attribute that it is called by."""
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
        """Which reads are fixed on request."""
        ...

    def as_object(self, value: Any) -> Any:
        """A value itself; a function of which only the code was fixed is fixed as the object that it is."""
        ...

    def can_fix(self, value: Value) -> bool:
        """Whether a value is a Python number given from outside."""
        ...

    def can_fix_dim(self, node: Node) -> bool:
        """Whether a size is that of a dimension of an array from outside."""
        ...

    def cell_path(self, function: Any, cell: types.CellType, name: str) -> Path:
        """Where a variable of a function is found."""
        ...

    def constant(self, value: Any, path: Path, guard: Guard) -> Any:
        """As `guarded`, for what is fixed by its value alone: each call brings an object of its own."""
        ...

    def constants(self) -> list[Any]:
        """The classes, modules and functions of which this trace has read or written an attribute."""
        ...

    def each(self, value: tuple[Any, ...], path: Path) -> list[Any]:
        """The items of a tuple whose length is fixed."""
        ...

    def enter(self, value: Any, path: Path) -> Any:
        """The trace-level object for what a path leads to."""
        ...

    def fix(self, value: Value) -> Any:
        """Make an input static: guard its value, and give it."""
        ...

    def fix_dim(self, node: Node) -> int:
        """Make a size static: guard the dimension, and give it."""
        ...

    def forget(self, owner: Any, given: bool = True) -> None:
        """Opaque code may have changed an object: its places are read when the program runs."""
        ...

    def forget_all(self) -> None:
        """An opaque call may have changed anything: trees that it may know are the objects themselves."""
        ...

    def function_path(self, function: types.FunctionType) -> Path:
        """Where the parts of a function are found: one that is not known by its code is pinned."""
        ...

    def guard(self, guard: Guard) -> None:
        """Add a guard, unless all that it looks at is fixed."""
        ...

    def guarded(self, value: Any, path: Path, guard: Guard) -> Any:
        """Something that decides how the trace goes on: checked at each call, unless it is fixed."""
        ...

    def in_doubt(self, owner: Any, key: Hashable) -> bool:
        """Whether only the running program knows if a place exists."""
        ...

    def input_at(self, path: Path, spec: Spec, value: Any) -> Value:
        """The input of the graph that a path leads to."""
        ...

    def input_guards(self) -> dict[Guard, Location | None]:
        """The guards on what inputs are, of those that no other guard says as much of."""
        ...

    def input_of(self, value: Value) -> Any:
        """The input that a value is, if it is what a path leads to."""
        ...

    def is_changed(self, owner: Any) -> bool:
        """Whether the function changes an object, or opaque code may have."""
        ...

    def is_dirty(self, owner: Any) -> bool:
        """Whether opaque code may have changed an object."""
        ...

    def is_forgotten(self, owner: Any, key: Hashable) -> bool:
        """Whether a place was written, and then maybe by opaque code: what it was before says nothing."""
        ...

    def is_outside(self, value: Any) -> bool:
        """Whether an object came from outside, and is mutable."""
        ...

    def itself(self, value: Any, spec: Spec) -> Any:
        """The object from outside that a value stands for; the value where it stands for none."""
        ...

    def known(self) -> Iterator[tuple[int, Any]]:
        """The places of outside state that this trace has read or written."""
        ...

    def knows(self, owner: Any, key: Hashable) -> bool:
        """Whether this trace has read or written a place, or knows that it is in doubt."""
        ...

    def may_have_other_keys(self, owner: Any) -> bool:
        """Whether only the running program knows the keys, or the length, of an object from outside."""
        ...

    def met_as_object(self, value: Any) -> None:
        """A function or a cell is used as the object that it is; one that is reached through a path has to stay it."""
        ...

    def object_spec(self, source: Any | None) -> Spec | None:
        """What is known of the object at a source as the operand that it is; ``None`` where it is none so far."""
        ...

    def origin(self, value: Any) -> Origin:
        """How a constant came to be one."""
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
        """Fix what a path leads to, on request: it enters as a constant, guarded by its value."""
        ...

    def read(self, owner: Any, key: Hashable, path: Path, get: Callable[[], Any]) -> Any:
        """What a place of outside state holds now, as this trace sees it."""
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
        """Take back what was learned of contents since there were ``first`` guards: it is looked at again."""
        ...

    def stored(self) -> AbstractSet[Hashable]:
        """The places that this trace has written."""
        ...

    def taken_apart(self, value: Any, path: Path) -> Any:
        """A tuple is taken apart: each item is read through its position."""
        ...

    def tree_itself(self, made: Any) -> Any:
        """The argument that an object stands for; ``None`` for any other object."""
        ...

    def used_as_data(self, value: Any) -> None:
        """A string is walked: start again with it as data, which is read afresh, if it is from outside."""
        ...

    def write(self, owner: Any, key: Hashable, value: Any) -> None:
        """A place of outside state was written; later reads in this trace see ``value``."""
        ...
