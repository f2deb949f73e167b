"""Guards: checks, at each call, that what a capture took as fixed still is.

A guard is a condition on what one access path (or two) leads to now.  It can be followed slowly, for
messages, or written as a Python expression into the dispatcher.  This module knows paths and specs,
nothing of tracing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec, class_of
from astrace.ir.statics import same, show
from astrace.paths import LOOKUP_ERRORS, Path, Pin, Root


@dataclass(frozen=True, slots=True)
class Is:
    """The path leads to this very object."""

    path: Path
    expected: Any

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return found is self.expected

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        if self.expected is None or self.expected is True or self.expected is False:
            return f"{code} is {self.expected!r}"
        return f"{code} is {pin(self.expected, 'expected')}"

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

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return type(found) is self.expected

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        return f"type({code}) is {pin(self.expected, self.expected.__name__)}"

    def __str__(self) -> str:
        return f"type({self.path}) is {show(self.expected)}"


@dataclass(frozen=True, slots=True, eq=False)
class Equals:
    """The path leads to a constant that is the same as this one, type and sign of zero included."""

    path: Path
    expected: Any

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return same(found, self.expected)

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        kind = type(self.expected)
        if kind in (str, bytes, int):
            return f"(type({code}) is {kind.__name__} and {code} == {self.expected!r})"
        return f"{pin(same, 'same')}({code}, {pin(self.expected, 'expected')})"

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

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return len(found) == self.expected

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        return f"len({code}) == {self.expected}"

    def __str__(self) -> str:
        return f"len({self.path}) == {self.expected}"


@dataclass(frozen=True, slots=True)
class HasKeys:
    """The path leads to a dict with these keys, in this order."""

    path: Path
    expected: tuple[Any, ...]

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return same(tuple(found), self.expected)

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        return f"{pin(same, 'same')}(tuple({code}), {pin(self.expected, 'keys')})"

    def __str__(self) -> str:
        return f"keys of {self.path} are {show(self.expected)}"


@dataclass(frozen=True, slots=True, eq=False)
class HasMembers:
    """The path leads to a set with these members, in this order of iteration."""

    path: Path
    expected: tuple[Any, ...]

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return same(tuple(found), self.expected)

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        return f"{pin(same, 'same')}(tuple({code}), {pin(self.expected, 'members')})"

    def __str__(self) -> str:
        return f"{self.path} has {len(self.expected)} known members"


@dataclass(frozen=True, slots=True)
class Lacks:
    """The path leads to a mapping without this key."""

    path: Path
    expected: Any

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return self.expected not in found

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        key = repr(self.expected) if type(self.expected) is str else pin(self.expected, "key")
        return f"{key} not in {code}"

    def __str__(self) -> str:
        if isinstance(self.path, Root) and self.path.silent:
            return f"no global {self.expected}"
        return f"{self.expected!r} is not in {self.path}"


@dataclass(frozen=True, slots=True)
class Contains:
    """The path leads to a mapping with this key."""

    path: Path
    expected: Any

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return self.expected in found

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        key = repr(self.expected) if type(self.expected) is str else pin(self.expected, "key")
        return f"{key} in {code}"

    def __str__(self) -> str:
        return f"{self.expected!r} is in {self.path}"


@dataclass(frozen=True, slots=True)
class LacksAttribute:
    """The path leads to an object without this attribute."""

    path: Path
    expected: str

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return self.expected not in getattr(found, "__dict__", ())

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        return f"{self.expected!r} not in {code}.__dict__"

    def __str__(self) -> str:
        return f"{self.path} has no attribute {self.expected!r} of its own"


@dataclass(frozen=True, slots=True)
class IsAt:
    """Two paths lead to one object, or (``together`` is false) to two different ones."""

    path: Path
    other: Path
    together: bool = True

    def test(self, found: Any) -> bool:
        """Needs both paths; see `holds`."""
        raise NotImplementedError

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        return f"{code} {'is' if self.together else 'is not'} {self.other.code(pin)}"

    def __str__(self) -> str:
        return f"{self.path} {'is' if self.together else 'is not'} {self.other}"


@dataclass(frozen=True, slots=True)
class Fits:
    """The path leads to a number or an array that this spec describes."""

    path: Path
    expected: Spec

    def test(self, found: Any) -> bool:
        """Whether ``found`` is as expected."""
        return fits(found, self.expected)

    def condition(self, code: str, pin: Pin) -> str:
        """A Python expression that is true if what ``code`` reads is as expected."""
        return fits_code(code, self.expected, pin)

    def __str__(self) -> str:
        return f"{self.path}: {self.expected}"


Guard: TypeAlias = (
    Is | HasType | Equals | HasLength | HasKeys | HasMembers | Contains | Lacks | LacksAttribute | IsAt | Fits
)


def holds(guard: Guard, arguments: Mapping[str, Any]) -> bool:
    """Whether a guard holds for one call's arguments, by parameter name."""
    try:
        found = guard.path.follow(arguments)
        if isinstance(guard, IsAt):
            return (found is guard.other.follow(arguments)) is guard.together
        return guard.test(found)
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


def fits(value: Any, spec: Spec) -> bool:
    """Whether a number or array is one that ``spec`` describes; names of dimensions fit any size."""
    match spec:
        case ArraySpec():
            return (
                type(value) is np.ndarray
                and value.dtype == spec.dtype
                and value.ndim == len(spec.shape)
                and all(
                    not isinstance(dim, int) or size == dim
                    for size, dim in zip(value.shape, spec.shape, strict=True)
                )
            )
        case GenericSpec():
            return type(value) is spec.dtype.type and value.dtype == spec.dtype
        case ScalarSpec():
            return type(value) is class_of(spec)
        case _:
            cls = class_of(spec)
            return cls is None or type(value) is cls


def fits_code(code: str, spec: Spec, pin: Pin) -> str:
    """`fits` as a Python expression in straight-line code."""
    match spec:
        case ArraySpec():
            dtype = pin(spec.dtype, f"dtype_{spec.dtype.name}")
            parts = [
                f"type({code}) is {pin(np.ndarray, 'ndarray')}",
                f"({code}.dtype is {dtype} or {code}.dtype == {dtype})",
                f"{code}.ndim == {len(spec.shape)}",
            ]
            parts += [
                f"{code}.shape[{i}] == {dim}" for i, dim in enumerate(spec.shape) if isinstance(dim, int)
            ]
            return " and ".join(parts)
        case GenericSpec():
            return f"type({code}) is {pin(spec.dtype.type, spec.dtype.name)}"
        case _:
            cls = class_of(spec)
            return "True" if cls is None else f"type({code}) is {pin(cls, cls.__name__)}"
