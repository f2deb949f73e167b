"""Failures of guards in words: what changed since a capture.

Takes guards, where each was asked for, and the arguments of a call; gives a `Failure` for each guard that does
not hold, with what was expected and what is there now.  Logs, ``explain`` and the warning about the recompile
limit are made of these.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import LOOKUP_ERRORS, Attribute, Derived, Item, Path, steps
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
    IsAt,
    IsBuiltin,
    Lacks,
    LacksAttribute,
    attribute_of_class,
    holds,
    in_turn,
    paths_of,
)
from astrace.ir.constants import show
from astrace.ir.specs import ArraySpec
from astrace.locations import Location


@dataclass(frozen=True, slots=True)
class Failure:
    """A guard that a call fails.

    Args:
        guard: the guard; ``None`` where the call passes other parameters.
        subject: what it is about.
        before: what was expected of it.
        now: what is there now.
        location: the user's line that asked for it.

    Example:
        >>> print(Failure(None, "`mode`", "'fast'", "'slow'", Location("model.py", 3, "step")))
        `mode` changed from 'fast' to 'slow' (model.py:3, in step)
    """

    guard: Guard | None
    subject: str
    before: str
    now: str
    location: Location | None = None

    def __str__(self) -> str:
        where = "" if self.location is None else f" ({self.location})"
        return f"{self.subject} changed from {self.before} to {self.now}{where}"


def failures(
    guards: Sequence[Guard], locations: Mapping[Guard, Location], given: Mapping[str, Any]
) -> tuple[Failure, ...]:
    """Return the guards of a capture that a call fails, each with the expected and the present state.

    Args:
        guards: those of the capture.
        locations: where they were asked for.
        given: the call's arguments by parameter name.
    """
    failed: list[Guard] = []
    for guard in in_turn(guards):
        if not any(_leads_to(other, guard) for other in failed) and not holds(guard, given):
            failed.append(guard)
    reached = [guard for guard in failed if not any(_leads_to(other, guard) for other in failed)]
    counted = [path for guard in reached if (path := _counted(guard)) is not None]
    reached = [guard for guard in reached if not _is_beyond(guard, counted, given)]
    reached.sort(key=list(guards).index)
    return tuple(_failure(guard, given, locations.get(guard)) for guard in reached)


def _leads_to(other: Guard, guard: Guard) -> bool:
    """Return whether another guard fails on the way to this one's object, and so is why this one fails."""
    name = attribute_of_class(other)
    if name is not None and attribute_of_class(guard) is None and _steps_to(guard, name):
        return True  # No step is taken to an attribute that may be a property by now.
    match other:
        # No step is taken from an object of another class: its code would run.
        case HasType(path) | Fits(path):
            return other is not guard and any(path in steps(one) for one in paths_of(guard))
        case Contains(path, key):
            return any(Item(path, key) in steps(one) for one in paths_of(guard))
        case _:
            return False


def _steps_to(guard: Guard, name: str) -> bool:
    """Return whether a guard is about something that is reached by an attribute of a name, or by a method of it."""
    found = (step for path in paths_of(guard) for step in steps(path))
    return any(isinstance(step, Attribute) and name in (step.name, "__getattribute__") for step in found)


def _counted(guard: Guard) -> Path | None:
    """Return the path of the container whose items a guard counts."""
    match guard:
        case HasLength(path) | HasKeys(path) | Equals(path=Derived(name="len", owner=path)):
            return path
        case _:
            return None


def _is_beyond(guard: Guard, counted: Sequence[Path], given: Mapping[str, Any]) -> bool:
    """Return whether a guard is about an item beyond the end of a container that has become shorter."""
    inside = any(
        isinstance(step, Item) and step.owner in counted for path in paths_of(guard) for step in steps(path)
    )
    if not inside:
        return False
    try:
        for path in paths_of(guard):
            path.follow(given)
    except LOOKUP_ERRORS:
        return True
    return False


def current(guard: Guard, given: Mapping[str, Any]) -> str:
    """Describe the present state of a guard's object, in words."""
    try:
        return WORDS.get(type(guard), OTHERS).now(guard, guard.path.follow(given))
    except LOOKUP_ERRORS as error:
        return f"nothing ({type(error).__name__})"


def subject_of(guard: Guard) -> str:
    """Name what a guard is about, in words."""
    return WORDS.get(type(guard), OTHERS).subject(guard)


def expected(guard: Guard) -> str:
    """Describe the state that a guard expects, in words."""
    return WORDS.get(type(guard), OTHERS).before(guard)


def _failure(guard: Guard, given: Mapping[str, Any], location: Location | None) -> Failure:
    words = WORDS.get(type(guard), OTHERS)
    before, now = expected(guard), current(guard, given)
    if isinstance(guard, HasKeys) and _differ_in_order(guard, given):
        before = f"{before} in this order"
    return Failure(guard, words.subject(guard), before, now if now != before else f"{ANOTHER}{now}", location)


def _differ_in_order(guard: HasKeys, given: Mapping[str, Any]) -> bool:
    try:
        found = list(guard.path.follow(given))
        return found != list(guard.expected) and set(found) == set(guard.expected)
    except (*LOOKUP_ERRORS, TypeError):
        return False


ANOTHER: Final = "another "


@dataclass(frozen=True, slots=True)
class Words:
    """The words for the failure of one kind of guard.

    Args:
        subject: what the guard is about.
        before: what it expects.
        now: what of the object that its path leads to now stands against that.
    """

    subject: Callable[[Any], str]
    before: Callable[[Any], str]
    now: Callable[[Any, Any], str]


WORDS: Final[Mapping[type, Words]] = {
    HasType: Words(
        lambda guard: f"{TYPE_OF}{_quoted(guard.path)}",
        lambda guard: show(guard.expected),
        lambda guard, found: show(type(found)),
    ),
    HasLength: Words(
        lambda guard: f"the length of {_quoted(guard.path)}",
        lambda guard: str(guard.expected),
        lambda guard, found: str(len(found)),
    ),
    HasKeys: Words(
        lambda guard: f"the keys of {_quoted(guard.path)}",
        lambda guard: _listed(guard.expected),
        lambda guard, found: _listed(tuple(found)),
    ),
    HasMembers: Words(
        lambda guard: f"the members of {_quoted(guard.path)}",
        lambda guard: _listed(guard.expected),
        lambda guard, found: _listed(tuple(found)),
    ),
    Contains: Words(
        lambda guard: f"the key {guard.expected!r} of {_quoted(guard.path)}",
        lambda guard: "there",
        lambda guard, found: "missing",
    ),
    Lacks: Words(
        lambda guard: f"the key {guard.expected!r} of {_quoted(guard.path)}",
        lambda guard: "missing",
        lambda guard, found: "there",
    ),
    LacksAttribute: Words(
        lambda guard: f"the attribute {guard.expected!r} of {_quoted(guard.path)} itself",
        lambda guard: "missing",
        lambda guard, found: "there",
    ),
    IsBuiltin: Words(
        lambda guard: f"`{guard.name}`",
        lambda guard: "the builtin",
        lambda guard, found: "a global" if guard.name in found else "another builtin",
    ),
    IsAt: Words(
        lambda guard: f"{_owner(guard.path)} and {_owner(guard.other)}",
        lambda guard: _objects(1 if guard.together else 2),
        lambda guard, found: _objects(2 if guard.together else 1),
    ),
    AreApart: Words(
        lambda guard: ", ".join(map(_owner, guard.paths)),
        lambda guard: _objects(len(guard.paths)),
        lambda guard, found: "fewer",
    ),
    Fits: Words(
        lambda guard: _quoted(guard.path),
        lambda guard: str(guard.expected),
        lambda guard, found: described(found),
    ),
}
OTHERS: Final = Words(
    lambda guard: _quoted(guard.path),
    lambda guard: shown(guard.expected),
    lambda guard, found: shown(found),
)


def _owner(path: Path) -> str:
    """Return the name of an object whose dict a path may lead to: the object is what people know."""
    return _quoted(path.owner if isinstance(path, Attribute) and path.name == "__dict__" else path)


def _quoted(path: Path) -> str:
    match path:
        case Derived(name="len"):
            return f"the length of `{path.owner}`"
        case Derived(name="registrations"):
            return "the number of classes that are registered with abstract base classes"
        case Derived(name="tuple"):
            return f"the keys of `{path.owner}`"
        case Attribute(name="__code__"):
            return f"the code of `{path.owner}`"
        case _:
            return f"`{path}`"


def _objects(count: int) -> str:
    return "one object" if count == 1 else f"{count} objects"


MOST_SHOWN: Final = 60
"""The longest text of a value in a message."""


def shown(value: Any) -> str:
    """A value in a message: short, with the place of a function."""
    code = value.__code__ if type(value) is types.FunctionType else value
    if type(code) is types.CodeType:
        name = code.co_qualname.rpartition("<locals>.")[2]
        return f"{name} of {code.co_filename}:{code.co_firstlineno}"
    return _short(show(value))


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _listed(items: Sequence[Any]) -> str:
    """Keys or members: the first of them where they are many."""
    text = ", ".join(map(show, items))
    return _short(f"{{{text}}}") if len(text) <= MOST_SHOWN else f"{len(items)} of them: {_short(text)}"


def described(value: Any) -> str:
    """A number or array as its spec would be written."""
    if isinstance(value, np.ndarray):
        text = str(ArraySpec(value.shape, value.dtype))
        return text if type(value) is np.ndarray else f"{type(value).__name__} of {text}"
    return str(value.dtype) if isinstance(value, np.generic) else type(value).__name__


# -- over several captures -----------------------------------------------------------------------------------

TYPE_OF: Final = "the type of "
MOST_SUBJECTS: Final = 3
MOST_VALUES: Final = 5


def history(failed: Sequence[Failure]) -> str:
    """List the changes from capture to capture: the most frequent subjects first, each with its values in order.

    Example:
        >>> history([Failure(None, "`n`", "1", "2"), Failure(None, "`n`", "2", "3")])
        '`n` (1, 2, 3)'
    """
    subjects: dict[str, list[Failure]] = {}
    told = {one.subject for one in failed}
    for one in failed:
        place = one.subject.removeprefix(TYPE_OF)
        subjects.setdefault(place if place in told else one.subject, []).append(one)
    ranked = sorted(subjects, key=lambda subject: -len(subjects[subject]))
    parts = [f"{subject} ({_values(subjects[subject])})" for subject in ranked[:MOST_SUBJECTS]]
    if len(ranked) > MOST_SUBJECTS:
        parts.append(f"{len(ranked) - MOST_SUBJECTS} more")
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)


def _values(changes: Sequence[Failure]) -> str:
    values = list(dict.fromkeys([changes[0].before, *(one.now for one in changes)]))
    if len({value.removeprefix(ANOTHER) for value in values}) == 1:
        return f"{len(changes) + 1} different {values[0]}"
    if len(values) > MOST_VALUES:
        values = [*values[:2], "…", *values[-2:]]
    return ", ".join(values)


def most_frequent(failed: Sequence[Failure]) -> Failure | None:
    """Return the last of the failures with the most frequent subject."""
    counted = [one.subject for one in failed]
    return max(reversed(failed), key=lambda one: counted.count(one.subject), default=None)
