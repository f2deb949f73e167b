"""Inputs of a graph in the making, its guards, and numbers that are made static.

A path leads to a live read (an input, read afresh at each call) or to something fixed (a guard).  An input
that is needed as a Python number is made static afterwards, and a size of an array likewise.  Which of the
two a value becomes, and what is known of objects, is the business of `reads`.
"""

from __future__ import annotations

import random
import re
import string
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Argument, Attribute, Cell, Derived, Item, Path, Pinned, Root
from astrace.guards.kinds import (
    AreApart,
    Contains,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasMembers,
    HasType,
    Is,
    IsAt,
    Lacks,
)
from astrace.ir.block import LITERAL, Constant, Node, Origin, Value
from astrace.ir.jax_arrays import is_array
from astrace.ir.specs import (
    ANY,
    AnySpec,
    ArraySpec,
    Dim,
    GenericSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    device_spec,
)
from astrace.locations import Location
from astrace.tracing.context import Trace
from astrace.tracing.external.public_functions import PublicNames
from astrace.tracing.external.stale_guards import StaleLookups
from astrace.tracing.external.value_identity import ChosenTuple, Source, ValueIdentities, ValuePart
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.util.trees import tuple_like

OF_RANDOM: Final = Root(vars(random), "random_globals", silent=True)
"""The names of the library's module: the numbers among them are constants of distributions, which are checked to be the same."""
DERIVED: Final[Mapping[type, str]] = {
    HasLength: "len",
    HasKeys: "tuple",
    HasMembers: "tuple",
    HasType: "type",
}
"""The op that computes the value a guard compares, where that is not the object at its path."""


@dataclass(frozen=True, slots=True)
class Input:
    """An input of the graph: what path it is read from at each call, and the value that stands for it.

    Args:
        path: where it is found.
        value: the graph's input.
        example: what was found there while tracing; only numbers and sizes are ever looked at.
        location: the user's line that reads it first; none for what is read before the first line.
    """

    path: Path
    value: Value
    example: Any
    location: Location | None


class Inputs:
    """The inputs and guards of one trace.

    Args:
        trace: the trace they belong to.
        static_shapes: give the dimensions of arrays as numbers, not names.
    """

    def __init__(self, trace: Trace, static_shapes: bool = False) -> None:
        self.trace = trace
        self.static_shapes = static_shapes
        self.inputs: dict[Path, Input] = {}
        self.guards: dict[Guard, Location | None] = {}
        self.fixed: dict[Value, Any] = {}
        self.opaque = trace.plan.opaque
        self.stale = StaleLookups(trace)
        self.by_name = PublicNames(trace)
        self.met: dict[Path, Any] = {}
        self.wholes = ValueIdentities(trace.plan.twins)
        self.objects: set[Path] = set()
        self._by_value: dict[Value, Input] = {}
        self._dims: dict[str, tuple[Path, int, int]] = {}
        self._origins: dict[int, tuple[Any, Origin]] = {}

    def input_guards(self) -> dict[Guard, Location | None]:
        """Return the guards on inputs, without those that other guards imply."""
        asked = [item for item in self.inputs.values() if item.path not in self.objects]
        return {
            Fits(item.path, item.value.spec): item.location
            for item in asked
            if not _is_known(item, self.guards)
        }

    def live(self, value: Any, path: Path, spec: Spec) -> Any:
        """A live read: an input of the graph; after an opaque call, a read at this very place."""
        if self.opaque and not isinstance(path, Argument):
            return self.read_now(path)
        if isinstance(path, Item) and path.owner == OF_RANDOM:
            return self.guarded(value, path, Is(path, value))
        if path not in self.inputs and not isinstance(path, Argument):
            self.trace.note("AT010", f"`{path}` is read afresh at each call")
        return Tracer(self.trace, self.input_at(path, spec, value))

    def input_at(self, path: Path, spec: Spec, value: Any) -> Value:
        """Return the input of the graph for a path."""
        if path not in self.inputs:
            made = self.trace.root.input(spec, _name(path))
            self.inputs[path] = self._by_value[made] = Input(path, made, value, self.trace.location())
        return self.inputs[path].value

    def object_spec(self, source: Source | None) -> Spec | None:
        """Return the spec of the object at a source, if it is an operand already; else ``None``."""
        match source:
            case None | ChosenTuple():
                return None
            case ValuePart(whole, keys):
                spec = whole.value.spec
                for key in keys:
                    spec = spec.items[key] if isinstance(spec, TupleSpec) else ANY
                return spec
            case path:
                return self.inputs[path].value.spec if path in self.inputs else None

    def guarded(self, value: Any, path: Path, guard: Guard) -> Any:
        """Return a value on which the trace depends, checked at each call."""
        self.by_name.held(value)
        if guard not in self.guards:
            self._require(guard)
            if not isinstance(value, types.ModuleType | types.BuiltinFunctionType | type):
                self.trace.note("AT011", _told(guard))
        if self.opaque and not isinstance(path, Argument):
            self.stale.refuse(guard)
            self._check_now(guard)
        if not isinstance(value, bool | int | str | type(None)):
            self._origins[id(value)] = (value, Origin("guarded", str(path), self.trace.location()))
        return value

    def constant(self, value: Any, path: Path, guard: Guard) -> Any:
        """Return a value fixed by its guard alone, whose identity differs from call to call."""
        self.guarded(value, path, guard)
        copy = self.wholes.enter(value, self.source(path))
        if copy is not value and id(value) in self._origins:
            self._origins[id(copy)] = (copy, self._origins[id(value)][1])
        return copy

    def itself(self, value: Any, spec: Spec) -> Any:
        """The object from outside that a value stands for; the value where it stands for none."""
        source = self.wholes.source(value)
        match source:
            case None:
                return value
            case ValuePart():
                found = source.whole
                for key in source.keys:
                    found = record(self.trace, "get_item", (found, key))
                return found
            case ChosenTuple():
                made, places = tuple_like(value, list(value)), self.wholes.places
                given = (self._object(path, one, spec) for path, one in places.items())
                return record(self.trace, "chosen", (source.which, made, *given))
            case _:
                return self._object(source, value, spec)

    def _object(self, path: Path, value: Any, spec: Spec) -> Tracer:
        """The object at a path as an input, of which guards of the path say enough."""
        if path not in self.inputs:
            self.objects.add(path)
        return Tracer(self.trace, self.input_at(path, spec, value))

    def source(self, path: Path) -> Source:
        """Return the place of the object that a path leads to here, where an opaque call may have put another one."""
        if not self.opaque or isinstance(path, Argument):
            return path
        found = self.read_now(path)
        return ValuePart(found) if isinstance(found, Tracer) else path

    def _check_now(self, guard: Guard) -> None:
        """Check a guard at this place of the program, since an opaque call came in between."""
        assert not isinstance(guard, IsAt | AreApart), guard
        found = self.read_now(guard.path)
        if type(guard) in DERIVED:
            found = record(self.trace, DERIVED[type(guard)], (found,))
        self.trace.operators.record_check(found, guard.expected, guard.path)

    def guard(self, guard: Guard) -> None:
        """Add a guard; its object may have been replaced in the middle of the call."""
        self._require(guard)
        self.stale.again(guard)

    def expect(self, guard: Guard) -> None:
        """Add a guard of what holds when the function is called; what the program does is right where that changes meanwhile."""
        self._require(guard)

    def _require(self, guard: Guard) -> None:
        if guard not in self.guards:  # the lookup of the location is the slow part
            self.guards[guard] = self.trace.location()

    def retract(self, first: int) -> None:
        """Take back what was learned of contents since there were ``first`` guards: they are read again.

        A loop's body that is traced once more may find that it changes the container itself.
        """
        for guard in list(self.guards)[first:]:
            if isinstance(guard, HasLength | HasKeys | HasMembers | Contains | Lacks):
                del self.guards[guard]
                for note in [note for note in self.trace.notes if note.message == _told(guard)]:
                    del self.trace.notes[note]

    def array(self, value: Any, path: Path) -> Any:
        """Enter an array: its dimensions get names, unless they are wanted as numbers."""
        if self.opaque and not isinstance(path, Argument):
            return self.read_now(path)
        known = self.inputs.get(path)
        if known is not None:
            return Tracer(self.trace, known.value)
        shape = tuple(self._dim(path, axis, size) for axis, size in enumerate(value.shape))
        return self.live(value, path, ArraySpec(shape, value.dtype))

    def _dim(self, path: Path, axis: int, size: int) -> Dim:
        if self.static_shapes:
            return size
        name = _letters(len(self._dims))
        self._dims[name] = (path, axis, size)
        return name

    def origin(self, value: Any) -> Origin:
        """Return the origin of a constant."""
        found = self._origins.get(id(value))
        return found[1] if found is not None and found[0] is value else LITERAL

    def read_now(self, path: Path) -> Any:
        """Follow a path by nodes, at this place of the program; a name without a value raises as Python does."""
        match path:
            case Argument() if path in self.met:
                return self._owner_now(path)
            case Argument():
                return Tracer(self.trace, self.input_at(path, ANY, None))
            case Root():
                return self.trace.operators.wrap_constant(path.pinned)
            case Attribute(owner=Root(silent=True) as cell):
                return self.trace.operators.record_read("read_cell", self.read_now(cell), cell.hint)
            case Item(owner=Root(silent=True) as namespace):
                return self.trace.operators.record_read("read_global", self.read_now(namespace), path.key)
            case Attribute():
                return self.trace.operators.record_read("get_attr", self._owner_now(path.owner), path.name)
            case Item():
                return self.trace.operators.record_read("get_item", self._owner_now(path.owner), path.key)
            case Derived() if isinstance(path.function, types.FunctionType):
                return record(self.trace, "call", (path.function, self._owner_now(path.owner)))
            case Derived():
                return self.trace.operators.call(path.function, self._owner_now(path.owner))

    def _owner_now(self, path: Path) -> Any:
        """Return the owner in the last step of a path; an object that the program has met stays that object."""
        met = self.met.get(path)
        if met is None:
            return self.read_now(path)
        return Tracer(self.trace, self.input_at(path, AnySpec(type(met)), met))

    # -- making static -------------------------------------------------------------------------------

    def can_fix(self, value: Value) -> bool:
        """Return whether a value is a Python number given from outside."""
        return value in self._by_value and isinstance(value.spec, ScalarSpec)

    def fix(self, value: Value) -> Any:
        """Make an input static: guard its value, and return it."""
        found = self._by_value[value]
        if value not in self.fixed:
            self.fixed[value] = found.example
            self.guarded(found.example, found.path, Equals(found.path, found.example))
        return found.example

    def can_fix_dim(self, node: Node) -> bool:
        """Return whether a size is that of a dimension of an array from outside."""
        return self._dim_of(node) is not None

    def fix_dim(self, node: Node) -> int:
        """Make a size static: guard the dimension, and return it."""
        found = self._dim_of(node)
        assert found is not None
        path, axis, size = found
        self.guarded(size, path, Equals(Item(Attribute(path, "shape"), axis), size))
        return size

    def _dim_of(self, node: Node) -> tuple[Path, int, int] | None:
        array, axis = node.inputs[0], node.inputs[1]
        if not isinstance(array.spec, ArraySpec) or not isinstance(axis, Constant):
            return None
        dim = array.spec.shape[axis.value]
        return self._dims.get(dim) if isinstance(dim, str) else None


def _told(guard: Guard) -> str:
    return f"guarded: {guard}"


def _letters(number: int) -> str:
    """Names for dimensions: n, m, k, p, q, r, s, t, then d8, d9 and so on."""
    return "nmkpqrst"[number] if number < 8 else f"d{number}"


def _name(path: Path) -> str:
    """A readable name for an input: the last step of its path."""
    match path:
        case Item(owner=Attribute(owner=Root(pinned=types.FunctionType() as function), name="__defaults__")):
            name = _parameter(function, path.key)
        case Argument() | Attribute():
            name = path.name if path.name != "cell_contents" else str(path)
        case Cell():
            name = f"cell_of_{path.variable}"
        case Item():
            name = path.key if isinstance(path.key, str) else f"{_name(path.owner)}_{path.key}"
        case Pinned():
            name = re.findall(r"\w+", path.hint)[-1]
        case Root():
            name = path.hint
        case _:
            name = path.name
    kept = "".join(char if char in string.ascii_letters + string.digits + "_" else "_" for char in str(name))
    return kept if kept[:1].isalpha() else f"v_{kept}"


def _parameter(function: types.FunctionType, index: int) -> str:
    """The parameter that one of a function's defaults belongs to; there may be more defaults than parameters."""
    parameters = function.__code__.co_varnames[: function.__code__.co_argcount]
    return parameters[index] if -len(parameters) <= index < 0 else f"default_{index}"


def spec_of_data(value: Any) -> Spec | None:
    """Return the spec of a NumPy scalar, an array of a class of its own, or an array of JAX."""
    if isinstance(value, np.generic):
        return GenericSpec(value.dtype)
    if isinstance(value, np.ndarray):
        return AnySpec(type(value))
    return device_spec(value) if is_array(value) else None


def _is_known(item: Input, guards: Mapping[Guard, Location | None]) -> bool:
    """Return whether an input needs no guard of its own: it is pinned, or others check as much."""
    match item.value.spec:
        case AnySpec(cls):
            return isinstance(item.path, Root) or (cls is not None and HasType(item.path, cls) in guards)
        case _:
            return isinstance(item.path, Pinned) or Equals(item.path, item.example) in guards
