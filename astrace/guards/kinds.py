"""Guards: checks, at each call, that what a capture took as fixed still is.

A guard is a condition on what one access path (or two) leads to now, written as a Python expression: the
dispatcher holds it in its text, `holds` evaluates it by itself.  This module knows paths and specs, nothing of
tracing.

Each kind of guard has a ``cost``: about how many nanoseconds its check takes, for one that holds.  Only the
order of costs matters to the dispatcher, and whether they are above `CHEAP` to ``explain``.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

from astrace.guards.access_paths import (
    LOOKUP_ERRORS,
    Attribute,
    Derived,
    Item,
    Path,
    Pin,
    Root,
    constant_code,
    depth,
    is_bound,
)
from astrace.guards.conditions import COMPARED, PARAMETRIC_KINDS, fits_code, items_code, type_code
from astrace.ir.constants import same, show
from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.util.code_stubs import codes_of, stands_for

Read: TypeAlias = Callable[[Path], str]
"""Gives a Python expression for the object at a path; each call stands for one use, in the order of the text."""

CHEAP: Final = 30
"""The cost up to which a check is cheap."""


@dataclass(frozen=True, slots=True)
class Is:
    """The path leads to this very object."""

    path: Path
    expected: Any

    @property
    def cost(self) -> int:
        """Low, unless a method has to be bound or a function called to look."""
        return 100 if isinstance(self.path, Derived) or is_bound(self.path) else 10

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        if self.expected is None or self.expected is True or self.expected is False:
            return f"{read(self.path)} is {self.expected!r}"
        identical = f"{read(self.path)} is {pin(self.expected, 'expected')}"
        if type(self.expected) is not types.CodeType:
            return identical
        stub = f"{pin(stands_for, 'stands_for')}({read(self.path)}, {pin(self.expected, 'expected')})"
        return f"({identical} or {stub})"

    def __str__(self) -> str:
        return f"{self.path} is {show(self.expected)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Is) and self.path == other.path and self.expected is other.expected

    def __hash__(self) -> int:
        return hash((self.path, id(self.expected)))


@dataclass(frozen=True, slots=True, eq=False)
class IsAmong:
    """The path leads to one of these very objects."""

    path: Path
    expected: tuple[Any, ...]
    cost: ClassVar[int] = 11

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return " or ".join(f"{read(self.path)} is {pin(one, 'expected')}" for one in self.expected).join("()")

    def __str__(self) -> str:
        return f"{self.path} is one of {', '.join(map(show, self.expected))}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IsAmong) or self.path != other.path:
            return False
        return list(map(id, self.expected)) == list(map(id, other.expected))

    def __hash__(self) -> int:
        return hash((IsAmong, self.path))


@dataclass(frozen=True, slots=True)
class HasType:
    """The path leads to an instance of exactly this class."""

    path: Path
    expected: type
    cost: ClassVar[int] = 5
    """The least: what other guards of the same path ask of an object depends on its class."""

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return type_code(read(self.path), self.expected, pin)

    def __str__(self) -> str:
        return f"type({self.path}) is {show(self.expected)}"


@dataclass(frozen=True, slots=True, eq=False)
class Equals:
    """The path leads to a constant that is the same as this one, type and sign of zero included.

    Most often it is the same object: that is asked first.
    """

    path: Path
    expected: Any

    @property
    def cost(self) -> int:
        """The cost is low for values that are mostly one object, or that Python itself compares."""
        length = len(self.expected) if isinstance(self.expected, str | bytes) else 0
        return 15 + length // 100 if type(self.expected) in COMPARED else 200

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        kind = type(self.expected)
        expected = pin(self.expected, "expected")
        identical = f"{read(self.path)} is {expected}"
        if kind in COMPARED:
            alike = f"{type_code(read(self.path), kind, pin)} and {read(self.path)} == {expected}"
        else:
            alike = f"{pin(same, 'same')}({read(self.path)}, {expected})"
        return f"({identical} or {alike})"

    def __str__(self) -> str:
        return f"{self.path} == {show(self.expected)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equals) and self.path == other.path and same(self.expected, other.expected)

    def __hash__(self) -> int:
        return hash((Equals, self.path))


@dataclass(frozen=True, slots=True)
class HasLength:
    """The path leads to a container of this length."""

    path: Path
    expected: int
    cost: ClassVar[int] = 20

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return f"{pin(len, 'len')}({read(self.path)}) == {self.expected}"

    def __str__(self) -> str:
        return f"len({self.path}) == {self.expected}"


@dataclass(frozen=True, slots=True)
class HasKeys:
    """The path leads to a dict with these keys, in this order."""

    path: Path
    expected: tuple[Any, ...]

    @property
    def cost(self) -> int:
        """The cost grows with each key."""
        return 150 + 20 * len(self.expected)

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return items_code(lambda: read(self.path), self.expected, pin)

    def __str__(self) -> str:
        return f"keys of {self.path} are {show(self.expected)}"


@dataclass(frozen=True, slots=True, eq=False)
class HasMembers:
    """The path leads to a set with these members, in this order of iteration."""

    path: Path
    expected: tuple[Any, ...]

    @property
    def cost(self) -> int:
        """The cost grows with each member."""
        return 150 + 20 * len(self.expected)

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return items_code(lambda: read(self.path), self.expected, pin)

    def __str__(self) -> str:
        return f"{self.path} has {len(self.expected)} known members"


@dataclass(frozen=True, slots=True)
class Lacks:
    """The path leads to a mapping without this key."""

    path: Path
    expected: Any
    cost: ClassVar[int] = 10

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return f"{constant_code(self.expected, pin, 'key')} not in {read(self.path)}"

    def __str__(self) -> str:
        if isinstance(self.path, Root) and self.path.silent:
            return f"{self.expected} is the builtin"
        return f"{self.expected!r} is not in {self.path}"


@dataclass(frozen=True, slots=True)
class IsBuiltin:
    """The path leads to a module's globals, where this name is that of the builtin that it was."""

    path: Path
    name: str
    expected: Any
    cost: ClassVar[int] = 25

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        found = f"{pin(builtins, 'builtins')}.{self.name}"
        return f"({self.name!r} not in {read(self.path)} and {found} is {pin(self.expected, self.name)})"

    def __str__(self) -> str:
        return f"{self.name} is the builtin"


@dataclass(frozen=True, slots=True)
class Contains:
    """The path leads to a mapping with this key."""

    path: Path
    expected: Any
    cost: ClassVar[int] = 10

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return f"{constant_code(self.expected, pin, 'key')} in {read(self.path)}"

    def __str__(self) -> str:
        return f"{self.expected!r} is in {self.path}"


@dataclass(frozen=True, slots=True)
class LacksAttribute:
    """The path leads to an object without this attribute."""

    path: Path
    expected: str

    @property
    def cost(self) -> int:
        """Low for classes and modules, which always have a ``__dict__``."""
        return 25 if self._is_holder() else 50

    def _is_holder(self) -> bool:
        return isinstance(self.path, Root) and isinstance(self.path.pinned, type | types.ModuleType)

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        if self._is_holder():
            return f"{self.expected!r} not in {read(self.path)}.__dict__"
        own = f"{pin(getattr, 'getattr')}({read(self.path)}, '__dict__', ())"
        return f"{self.expected!r} not in {own}"

    def __str__(self) -> str:
        return f"{self.path} has no attribute {self.expected!r} of its own"


@dataclass(frozen=True, slots=True)
class IsAt:
    """Two paths lead to one object, or (``together`` is false) to two different ones."""

    path: Path
    other: Path
    together: bool = True
    cost: ClassVar[int] = 10

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return f"{read(self.path)} {'is' if self.together else 'is not'} {read(self.other)}"

    def __str__(self) -> str:
        return f"{self.path} {'is' if self.together else 'is not'} {self.other}"


@dataclass(frozen=True, slots=True)
class AreApart:
    """Several paths lead to as many objects."""

    paths: tuple[Path, ...]

    @property
    def path(self) -> Path:
        """The first of them."""
        return self.paths[0]

    @property
    def cost(self) -> int:
        """The cost grows with each path."""
        return 60 + 30 * len(self.paths)

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        ids = ", ".join(f"{pin(id, 'id')}({read(path)})" for path in self.paths)
        return f"{pin(len, 'len')}({{{ids}}}) == {len(self.paths)}"

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.paths))} are {len(self.paths)} objects"


@dataclass(frozen=True, slots=True)
class Fits:
    """The path leads to a number or an array that this spec describes."""

    path: Path
    expected: Spec

    @property
    def cost(self) -> int:
        """Low for a class; the class, dtype and rank of an array are three cheap checks."""
        match self.expected:
            case ArraySpec():
                return CHEAP
            case GenericSpec() if self.expected.dtype.kind in PARAMETRIC_KINDS:
                return 300
            case _:
                return 5

    def condition(self, read: Read, pin: Pin) -> str:
        """Write the condition as a Python expression."""
        return fits_code(lambda: read(self.path), self.expected, pin)

    def __str__(self) -> str:
        return f"{self.path}: {self.expected}"


Guard: TypeAlias = (
    Is
    | IsAmong
    | HasType
    | Equals
    | HasLength
    | HasKeys
    | HasMembers
    | Contains
    | Lacks
    | LacksAttribute
    | IsBuiltin
    | IsAt
    | AreApart
    | Fits
)


def unedited(function: types.FunctionType, where: Path) -> Guard:
    """Return a guard that the code of the function at ``where`` is unchanged; a stub for it passes, be it there or to come."""
    path, codes = Attribute(where, "__code__"), codes_of(function)
    return Is(path, *codes) if len(codes) == 1 else IsAmong(path, codes)


def paths_of(guard: Guard) -> tuple[Path, ...]:
    """The paths that a guard looks at."""
    match guard:
        case IsAt():
            return (guard.path, guard.other)
        case AreApart():
            return guard.paths
        case _:
            return (guard.path,)


def in_turn(guards: Iterable[Guard]) -> list[Guard]:
    """Sort guards into the order in which they are to be checked.

    What is reached by fewer steps comes first: then no step is taken from an object of another class, whose code it
    may run.  Of what is equally near classes come first, whose properties would run, and then what is cheaper.
    """

    def place(guard: Guard) -> tuple[int, bool, int]:
        distance = max(map(depth, paths_of(guard)))
        of_class = attribute_of_class(guard) is not None
        return min(distance, 1) if of_class else distance, not of_class, guard.cost

    return sorted(guards, key=place)


def attribute_of_class(guard: Guard) -> str | None:
    """Return the name of the attribute of a class that a guard is about, if it is about one."""
    match guard:
        case LacksAttribute(Root(pinned=type()), name):
            return name
        case Is(Attribute(Root(pinned=type()), name)) | HasType(Attribute(Root(pinned=type()), name)):
            return name
        case Is(Item(Attribute(Root(pinned=type()), "__dict__"), str() as name)):
            return name
        case _:
            return None


def holds(guard: Guard, arguments: Mapping[str, Any]) -> bool:
    """Return whether a guard holds for one call's arguments, by parameter name."""
    objects: dict[str, Any] = {}

    def pin(value: object, hint: str) -> str:
        name = f"_{len(objects)}"
        objects[name] = value
        return name

    try:
        return bool(eval(guard.condition(lambda path: pin(path.follow(arguments), "found"), pin), objects))
    except LOOKUP_ERRORS:
        return False
