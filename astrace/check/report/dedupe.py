"""Findings of what was seen to differ, and which findings tell the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from astrace.check.compare.observe import Call, Divergence, observe
from astrace.check.compilers.other_side import GRAPH
from astrace.check.diagnose.blame import OUTSIDE, Blame
from astrace.check.diagnose.cached_functions import lies_in_object
from astrace.check.mutate.data_files import FILE
from astrace.check.report.findings import Example, Finding, Suspect, finding
from astrace.check.sandbox.world import World
from astrace.check.subject import Subject


def told(code: str, message: str, blamed: Blame, example: Example | None = None) -> Finding:
    """Return the finding that a difference makes, with what is to blame for it."""
    return finding(
        code,
        message,
        location=blamed.location,
        constant=blamed.constant,
        example=example,
        because=blamed.because,
        fix=blamed.fix,
    )


def by_change(
    subject: Subject, blamed: Blame, suspect: Suspect, apart: Divergence, example: Example
) -> Finding:
    """Return the finding for a change of the world that one of the two sides does not notice."""
    code = "AC202" if subject.frozen else "AC108"
    message = changed_text(subject.place(suspect.what), suspect, apart)
    if blamed.constant is None:
        where = blamed.location if blamed.location != subject.start else subject.reading(suspect.what)
        blamed = replace(blamed, constant=suspect, location=where)
        if subject.frozen:
            because = HELD if subject.other is None else COMPILED_WITH
            if suspect.origin == FILE:
                because = f"the graph was made with the earlier content of `{suspect.what}`"
            blamed = replace(blamed, because=because, fix=OUTSIDE)
    return told(code, message, blamed, example)


HELD: Final = "the graph was made with its earlier value"
COMPILED_WITH: Final = "it was compiled with its earlier value"


def changed_text(place: str, suspect: Suspect, apart: Divergence) -> str:
    """Describe the effect of a change of the world."""
    if suspect.origin == FILE:
        return f"with {place} {suspect.now}, {apart.message}"
    done = "removed" if suspect.now == "missing" else f"set to {suspect.now}"
    return f"with {place} {done}, {apart.message}"


def is_same(one: Finding, other: Finding) -> bool:
    """Return whether two findings have one reason: the same constant on the same line, else the same code there."""
    if one.grade != other.grade or one.location != other.location:
        return False
    if one.constant is None or other.constant is None:
        return one.code == other.code and one.constant is other.constant
    return one.constant.what == other.constant.what


def is_by_identity(blamed: Blame, names: Collection[str]) -> bool:
    """Return whether a varying constant follows from where an object lay in memory, as the hash of a NaN does.

    Args:
        blamed: what is to blame.
        names: the names that the code looks up.
    """
    computed = blamed.constant is not None and blamed.constant.origin in ("folded", "literal")
    return computed and not IDENTIFYING.isdisjoint(names)


IDENTIFYING: Final = frozenset({"hash", "id", "repr", "__hash__", "__repr__"})


def is_told_by(seen: Finding, other: Finding) -> bool:
    """Return whether a suspected finding is covered by one that was seen."""
    suspected = other.example is None and other.code in ("AC202", "AC301", "AC302")
    what, who = (one.constant.what if one.constant else "" for one in (seen, other))
    return suspected and what == who


def is_settled(note: Finding, changed: Suspect) -> bool:
    """Return whether a note on a constant covers a change, too: not if a call was given part of an object."""
    what = note.constant.what if note.constant else ""
    return not what.endswith("()") or not lies_in_object(changed.what)


def leaves_traces(world: World, function: Callable[..., Any], calls: Sequence[Call], deadline: float) -> bool:
    """Return whether calls change something outside, so that the next ones start from another state."""
    with world.sandbox() as before:
        return any(observe(function, one.copy(), before, deadline).state for one in calls)


# -- other compilers -------------------------------------------------------------------------------------------


def against_text(subject: Subject) -> str:
    """What a function is compared with, and how far apart floats may be; empty for what astrace captured."""
    other, allowed = subject.other, subject.tolerances
    if other is None:
        return f"`original`; {allowed}" if str(allowed) else ""
    return f"{other}; {allowed}" if str(allowed) else str(other)


def spoken(one: Finding, subject: Subject) -> Finding:
    """A finding in words for what was checked: what another compiler made is no graph."""
    if subject.other is None:
        return one
    message, because, fix = (
        GRAPH.sub(subject.other.compiler.spelled, text) for text in (one.message, one.because, one.fix)
    )
    return replace(one, message=message, because=because, fix=fix)
