"""Guards: checks, at each call, that what a capture took as fixed still is.

A guard is a condition on what one access path (or two) leads to now, written as a Python expression: the
dispatcher holds it in its text, `holds` evaluates it by itself.  This module knows paths and specs, nothing of
tracing.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, Spec, class_of
from astrace.ir.statics import same, show
from astrace.paths import LOOKUP_ERRORS, Path, Pin, Root, constant_code

Read: TypeAlias = Callable[[Path], str]
"""Gives a Python expression for what a path leads to; each call stands for one use, in the order of the text."""


@dataclass(frozen=True, slots=True)
class Is:
    """The path leads to this very object."""

    path: Path
    expected: Any

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        if self.expected is None or self.expected is True or self.expected is False:
            return f"{read(self.path)} is {self.expected!r}"
        return f"{read(self.path)} is {pin(self.expected, 'expected')}"

    def __str__(self) -> str:
        return f"{self.path} is {show(self.expected)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Is) and self.path == other.path and self.expected is other.expected

    def __hash__(self) -> int:
        return hash((self.path, id(self.expected)))


@dataclass(frozen=True, slots=True)
class HasType:
    """The path leads to an instance of exactly this class."""

    path: Path
    expected: type

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        return _type_code(read(self.path), self.expected, pin)

    def __str__(self) -> str:
        return f"type({self.path}) is {show(self.expected)}"


@dataclass(frozen=True, slots=True, eq=False)
class Equals:
    """The path leads to a constant that is the same as this one, type and sign of zero included."""

    path: Path
    expected: Any

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        kind = type(self.expected)
        if kind in (str, bytes, int):
            expected = constant_code(self.expected, pin, "expected")
            return f"({_type_code(read(self.path), kind, pin)} and {read(self.path)} == {expected})"
        return f"{pin(same, 'same')}({read(self.path)}, {pin(self.expected, 'expected')})"

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

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        return f"{pin(len, 'len')}({read(self.path)}) == {self.expected}"

    def __str__(self) -> str:
        return f"len({self.path}) == {self.expected}"


@dataclass(frozen=True, slots=True)
class HasKeys:
    """The path leads to a dict with these keys, in this order."""

    path: Path
    expected: tuple[Any, ...]

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        return f"{pin(same, 'same')}({pin(tuple, 'tuple')}({read(self.path)}), {pin(self.expected, 'keys')})"

    def __str__(self) -> str:
        return f"keys of {self.path} are {show(self.expected)}"


@dataclass(frozen=True, slots=True, eq=False)
class HasMembers:
    """The path leads to a set with these members, in this order of iteration."""

    path: Path
    expected: tuple[Any, ...]

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        members = f"{pin(tuple, 'tuple')}({read(self.path)})"
        return f"{pin(same, 'same')}({members}, {pin(self.expected, 'members')})"

    def __str__(self) -> str:
        return f"{self.path} has {len(self.expected)} known members"


@dataclass(frozen=True, slots=True)
class Lacks:
    """The path leads to a mapping without this key."""

    path: Path
    expected: Any

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        return f"{constant_code(self.expected, pin, 'key')} not in {read(self.path)}"

    def __str__(self) -> str:
        if isinstance(self.path, Root) and self.path.silent:
            return f"no global {self.expected}"
        return f"{self.expected!r} is not in {self.path}"


@dataclass(frozen=True, slots=True)
class IsBuiltin:
    """The path leads to a module's globals, where this name is that of the builtin that it was."""

    path: Path
    name: str
    expected: Any

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        found = f"{pin(builtins, 'builtins')}.{self.name}"
        return f"({self.name!r} not in {read(self.path)} and {found} is {pin(self.expected, self.name)})"

    def __str__(self) -> str:
        return f"{self.name} is the builtin"


@dataclass(frozen=True, slots=True)
class Contains:
    """The path leads to a mapping with this key."""

    path: Path
    expected: Any

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        return f"{constant_code(self.expected, pin, 'key')} in {read(self.path)}"

    def __str__(self) -> str:
        return f"{self.expected!r} is in {self.path}"


@dataclass(frozen=True, slots=True)
class LacksAttribute:
    """The path leads to an object without this attribute."""

    path: Path
    expected: str

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
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

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        return f"{read(self.path)} {'is' if self.together else 'is not'} {read(self.other)}"

    def __str__(self) -> str:
        return f"{self.path} {'is' if self.together else 'is not'} {self.other}"


@dataclass(frozen=True, slots=True)
class Fits:
    """The path leads to a number or an array that this spec describes."""

    path: Path
    expected: Spec

    def condition(self, read: Read, pin: Pin) -> str:
        """A Python expression that is true if the path leads to what is expected."""
        return _fits_code(lambda: read(self.path), self.expected, pin)

    def __str__(self) -> str:
        return f"{self.path}: {self.expected}"


Guard: TypeAlias = (
    Is
    | HasType
    | Equals
    | HasLength
    | HasKeys
    | HasMembers
    | Contains
    | Lacks
    | IsBuiltin
    | LacksAttribute
    | IsAt
    | Fits
)


def paths_of(guard: Guard) -> tuple[Path, ...]:
    """The paths that a guard looks at."""
    return (guard.path, guard.other) if isinstance(guard, IsAt) else (guard.path,)


def holds(guard: Guard, arguments: Mapping[str, Any]) -> bool:
    """Whether a guard holds for one call's arguments, by parameter name."""
    objects: dict[str, Any] = {}

    def pin(value: object, hint: str) -> str:
        name = f"_{len(objects)}"
        objects[name] = value
        return name

    try:
        return bool(eval(guard.condition(lambda path: pin(path.follow(arguments), "found"), pin), objects))
    except LOOKUP_ERRORS:
        return False


def current(guard: Guard, arguments: Mapping[str, Any]) -> str:
    """What a guard's path leads to now, for messages."""
    try:
        found = guard.path.follow(arguments)
    except LOOKUP_ERRORS as error:
        return f"nothing ({type(error).__name__})"
    match guard:
        case HasType():
            return show(type(found))
        case IsBuiltin():
            return show(found.get(guard.name, getattr(builtins, guard.name, None)))
        case HasLength():
            return f"length {len(found)}"
        case Fits():
            return described(found)
        case _:
            return show(found)


def described(value: Any) -> str:
    """A number or array as its spec would be written."""
    if isinstance(value, np.ndarray):
        return str(ArraySpec(value.shape, value.dtype))
    return str(value.dtype) if isinstance(value, np.generic) else type(value).__name__


def same_dtype(left: np.dtype[Any], right: np.dtype[Any]) -> bool:
    """Whether two dtypes are the same in all that a program can ask of them; ``==`` overlooks some."""
    if left is right:
        return True
    known = left.metadata is None and right.metadata is None
    return (
        known and left == right and (left.char, left.isalignedstruct) == (right.char, right.isalignedstruct)
    )


def _type_code(code: str, cls: type, pin: Pin) -> str:
    return f"{pin(type, 'type')}({code}) is {pin(cls, cls.__name__)}"


def _fits_code(read: Callable[[], str], spec: Spec, pin: Pin) -> str:
    """A Python expression that is true if what is read is described by a spec of a number or an array."""
    match spec:
        case ArraySpec():
            dtype = pin(spec.dtype, f"dtype_{spec.dtype.name}")
            checks = [
                _type_code(read(), np.ndarray, pin),
                f"({read()}.dtype is {dtype} or {pin(same_dtype, 'same_dtype')}({read()}.dtype, {dtype}))",
                f"{read()}.ndim == {len(spec.shape)}",
            ]
            sizes = [(axis, size) for axis, size in enumerate(spec.shape) if isinstance(size, int)]
            return " and ".join([*checks, *(f"{read()}.shape[{axis}] == {size}" for axis, size in sizes)])
        case GenericSpec() if spec.dtype.kind in PARAMETRIC_KINDS:
            dtype = pin(spec.dtype, f"dtype_{spec.dtype.name}")
            checks = [_type_code(read(), spec.dtype.type, pin)]
            return " and ".join([*checks, f"{pin(same_dtype, 'same_dtype')}({read()}.dtype, {dtype})"])
        case _:
            cls = class_of(spec)
            return "True" if cls is None else _type_code(read(), cls, pin)


PARAMETRIC_KINDS: Final = "mMVSU"
"""Kinds of NumPy scalars whose class does not tell their dtype: it has a unit, fields or a size."""
