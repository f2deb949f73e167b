"""Guards and access paths as instructions of a direct call (`opcodes`): what is read lies in slots, and is read once.

Takes guards and paths; gives words, and the objects whose addresses are among them.  Knows nothing of what runs behind the guards.
"""

from __future__ import annotations

import builtins
import itertools
from dataclasses import dataclass, field
from typing import Any

from astrace.backends.native.direct.opcodes import Opcode
from astrace.guards.access_paths import Attribute, Item, Path, Root
from astrace.guards.conditions import COMPARED, PARAMETRIC_KINDS
from astrace.guards.kinds import (
    AreApart,
    Contains,
    Equals,
    Fits,
    Guard,
    HasLength,
    HasType,
    Is,
    IsAmong,
    IsAt,
    IsBuiltin,
    Lacks,
    LacksAttribute,
)
from astrace.ir.specs import ArraySpec, DeviceSpec, GenericSpec, Spec, class_of


class NoInstruction(Exception):
    """Something has no instruction: the dispatcher does it."""


@dataclass(slots=True)
class GuardWriter:
    """Writes the instructions that read paths and test guards.

    Args:
        known: the slots of paths that were followed.
        slots: the number of slots so far.
    """

    known: dict[Path, int]
    slots: int
    words: list[int] = field(default_factory=list[int])
    objects: list[Any] = field(default_factory=list[Any])

    def put(self, op: Opcode, a: int = 0, b: int = 0, c: int = 0) -> None:
        """Write an instruction."""
        self.words += [op, a, b, c]

    def new(self) -> int:
        """Return a slot that nothing is in."""
        self.slots += 1
        return self.slots - 1

    def pinned(self, value: Any) -> int:
        """Return the address of an object that is kept."""
        self.objects.append(value)
        return id(value)

    # -- paths -----------------------------------------------------------------------------------------

    def slot(self, path: Path) -> int:
        """Return the slot for the object at a path, which is put there first.

        Raises:
            NoInstruction: a step of the path has none.
        """
        if path not in self.known:
            self.known[path] = self._followed(path)
        return self.known[path]

    def _followed(self, path: Path) -> int:
        match path:
            case Root():
                return self.object_(path.pinned)
            case Attribute():
                owner, found = self.slot(path.owner), self.new()
                self.put(Opcode.ATTRIBUTE, owner, self.pinned(path.name), found)
            case Item():
                owner, found = self.slot(path.owner), self.new()
                self.put(Opcode.ITEM, owner, self.pinned(path.key), found)
            case _:
                raise NoInstruction
        return found

    def object_(self, value: Any) -> int:
        """Return a new slot for an object, which is put there."""
        found = self.new()
        self.put(Opcode.OBJECT, 0, self.pinned(value), found)
        return found

    # -- guards ----------------------------------------------------------------------------------------

    def guard(self, guard: Guard) -> None:
        """Write the test of a guard.

        Raises:
            NoInstruction: it has none.
        """
        match guard:
            case IsAt():
                self.put(Opcode.IS_AT, self.slot(guard.path), self.slot(guard.other), guard.together)
            case AreApart():
                for one, other in itertools.combinations(map(self.slot, guard.paths), 2):
                    self.put(Opcode.IS_AT, one, other, False)
            case Fits():
                self._fits(guard.path, guard.expected)
            case Is() | IsAmong() | HasType() | Equals() | HasLength():
                self._is_as_expected(guard)
            case Lacks() | Contains() | LacksAttribute() | IsBuiltin():
                self._holds(guard)
            case _:
                raise NoInstruction

    def _is_as_expected(self, guard: Is | IsAmong | HasType | Equals | HasLength) -> None:
        """Write the test of an object itself."""
        match guard:
            case Is():
                self.put(Opcode.IS, self.slot(guard.path), self.pinned(guard.expected))
            case IsAmong(expected=(one, other)):
                self.put(Opcode.IS_EITHER, self.slot(guard.path), self.pinned(one), self.pinned(other))
            case HasType():
                self.put(Opcode.HAS_TYPE, self.slot(guard.path), self.pinned(guard.expected))
            case Equals():  # most often it is the same object; where numbers have to be compared, the dispatcher does it
                op = Opcode.EQUALS if type(guard.expected) in COMPARED else Opcode.IS
                self.put(op, self.slot(guard.path), self.pinned(guard.expected))
            case HasLength():
                self.put(Opcode.HAS_LENGTH, self.slot(guard.path), guard.expected)
            case _:
                raise NoInstruction

    def _holds(self, guard: Lacks | Contains | LacksAttribute | IsBuiltin) -> None:
        """Write the test of what an object holds."""
        match guard:
            case Lacks() | Contains():
                key, there = self.pinned(guard.expected), isinstance(guard, Contains)
                self.put(Opcode.HAS, self.slot(guard.path), key, there)
            case LacksAttribute() if isinstance(guard.path, Root):
                held = self.slot(Attribute(guard.path, "__dict__"))
                self.put(Opcode.HAS, held, self.pinned(guard.expected), False)
            case IsBuiltin():
                self.put(Opcode.HAS, self.slot(guard.path), self.pinned(guard.name), False)
                found = self.slot(Item(Root(builtins.__dict__, "builtins"), guard.name))
                self.put(Opcode.IS, found, self.pinned(guard.expected))
            case _:
                raise NoInstruction

    def _fits(self, path: Path, spec: Spec) -> None:
        """Write the test that a number or an array fits a spec."""
        match spec:
            case ArraySpec():
                array = self.slot(path)
                self.put(Opcode.IS_ARRAY, array, self.pinned(spec.dtype), len(spec.shape))
                for axis, size in enumerate(spec.shape):
                    if isinstance(size, int):
                        self.put(Opcode.HAS_SIZE, array, axis, size)
            case DeviceSpec():
                raise NoInstruction
            case GenericSpec() if spec.dtype.kind in PARAMETRIC_KINDS:
                raise NoInstruction
            case _:
                kind = class_of(spec)
                if kind is not None:
                    self.put(Opcode.HAS_TYPE, self.slot(path), self.pinned(kind))
