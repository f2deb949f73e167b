"""The causes of recompilations: the guards that a call fails, the values that need not be fixed, the messages.

Takes the specialisations there are and the arguments of a call that fits none of them.  It keeps nothing.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from astrace.compiler.stages import Entry
from astrace.compiler.target import Target
from astrace.errors import Reason
from astrace.guards.access_paths import LOOKUP_ERRORS, Derived, Path, derived_length
from astrace.guards.failures import Failure, failures, history, most_frequent
from astrace.guards.kinds import Equals, HasKeys, HasLength, HasMembers, Is
from astrace.util.code_stubs import code_of


def nearest_failures(
    entries: Sequence[Entry], target: Target, given: Mapping[str, Any]
) -> tuple[Failure, ...]:
    """Return the guards that a call fails of the specialisation that it fits best, the newest of several.

    Args:
        entries: the specialisations.
        target: what is compiled.
        given: the call's arguments by parameter name.
    """
    found = [_failures(entry, target, given) for entry in reversed(entries)]
    return min(found, key=len, default=())


def _failures(entry: Entry, target: Target, given: Mapping[str, Any]) -> tuple[Failure, ...]:
    made, recording = entry.specialisation, entry.stages.recording
    omitted = target.omitted(given)
    if made.omitted != omitted:
        before, now = (_passed(target, left_out) for left_out in (made.omitted, omitted))
        return (Failure(None, "the choice of arguments", before, now),)
    return failures(made.guards, {} if recording is None else recording.locations, given)


def _passed(target: Target, omitted: frozenset[str]) -> str:
    names = [f"`{name}`" for name in target.signature.parameters if name not in omitted]
    return ", ".join(names) or "nothing"


def promotable(failed: Sequence[Failure], given: Mapping[str, Any]) -> frozenset[Path]:
    """The paths of what has changed that a capture might read when the program runs instead of fixing it.

    Lengths, keys and members of containers, and constants that are made of numbers, are of that kind; strings,
    flags and types decide what is captured, and so does the code of a function, but not which function it is.
    """
    return frozenset(path for one in failed for path in _paths(one, given))


def _paths(failed: Failure, given: Mapping[str, Any]) -> Iterator[Path]:
    match failed.guard:
        case HasLength(path) | HasKeys(path) | HasMembers(path):
            yield path
        case Equals(Derived(name="len") as path):
            yield path
        case Equals(path, range()):
            yield path
        case Is(path, types.FunctionType() as expected) if _is_of_one_code(path, expected, given):
            yield path
        case Equals(path, tuple() as expected):
            yield derived_length(path) if _length(path, given) != len(expected) else path
        case _:
            return


def _is_of_one_code(path: Path, expected: types.FunctionType, given: Mapping[str, Any]) -> bool:
    """Return whether functions come from one place of the program, or are nested ones that are made repeatedly."""
    try:
        found = path.follow(given)
    except LOOKUP_ERRORS:
        return False
    if not isinstance(found, types.FunctionType):
        return False
    code = code_of(found)
    return code is code_of(expected) or code.co_name == "<lambda>" or bool(code.co_flags & inspect.CO_NESTED)


def _length(path: Path, given: Mapping[str, Any]) -> int | None:
    try:
        return len(path.follow(given))
    except LOOKUP_ERRORS:
        return None


def failures_text(failed: Sequence[Failure]) -> str:
    """Write for a log what changed, each with the line that asked for it."""
    lines: list[str] = []
    for one in failed:
        lines.append(f"  {one}")
        if one.location is not None and one.location.text:
            lines.append(f"      {one.location.text}")
    return "\n".join(lines)


def limit_reason(target: Target, entries: Sequence[Entry], failed: Sequence[Failure], limit: int) -> Reason:
    """Return the reason why a function is not specialised once more: the limit, and what changed most often.

    Args:
        target: what is compiled.
        entries: the specialisations.
        failed: what the present call fails.
        limit: how many there may be.
    """
    changes = [*(one for entry in entries for one in entry.stages.failed), *failed]
    message = f"`{target.name}` was specialised {limit} times, which is the limit"
    cause = most_frequent(changes)
    if cause is not None:
        message = f"{message}; this changed: {history(changes)}"
    hint = "pass what changes as an array or a number, or raise `recompile_limit`"
    return Reason("AT207", message, None if cause is None else cause.location, hint)
