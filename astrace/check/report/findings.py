"""Findings of a check, each of one of three grades, each with a stable code.

====== =========================================== =======================
AC1xx  a difference was seen                       error
AC2xx  something in reach can make one             warning
AC3xx  worth knowing: a constant, a gap            note
====== =========================================== =======================

Every code is explained in ``docs/reference/findings.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from astrace.locations import Location
from astrace.util.terminal import excerpt, painted, printable_lines

Grade: TypeAlias = Literal["error", "warning", "note"]
GRADES: Final[tuple[Grade, ...]] = ("error", "warning", "note")

TITLES: Final[Mapping[str, str]] = {
    "AC101": "a different value",
    "AC102": "a different type, dtype, shape or structure",
    "AC103": "a different exception, or none",
    "AC104": "arguments are left in a different state",
    "AC105": "memory is shared differently",
    "AC106": "a different effect",
    "AC107": "a value that should change from call to call is frozen",
    "AC108": "a change outside goes unnoticed",
    "AC109": "the same call gives different results",
    "AC201": "an impure source",
    "AC202": "captured state that can change",
    "AC203": "results that can't be compared",
    "AC204": "state that can't be put back",
    "AC301": "a captured constant",
    "AC302": "a captured decision",
    "AC303": "plain Python runs",
    "AC304": "less is accepted than by the function",
    "AC305": "not reached",
    "AC306": "not checked, or not all of it",
    "AC307": "allowed by rules of the other compiler",
}
"""The meaning of each code, in a few words."""

INDENT: Final = "    "


def grade_of(code: str) -> Grade:
    """The grade of a code, before anything promotes it.

    Example:
        >>> grade_of("AC202")
        'warning'
    """
    return GRADES[int(code[2]) - 1]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A constant, or a decision, that is to blame.

    Args:
        what: how the user calls it: ``CFG['eps']``, ``time.time()``, ``len(LAYERS) == 2``.
        origin: how it came to be fixed: ``frozen``, ``folded``, ``guarded``, ``literal``.
        then: what it was when the graph was made.
        now: what it is in the example; empty where nobody knows.
    """

    what: str
    origin: str
    then: str
    now: str = ""

    def __str__(self) -> str:
        now = f", now {self.now}" if self.now else ""
        return f"{self.what} ({self.origin}): then {self.then}{now}"


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A call that shows a finding.

    Args:
        args: the positional arguments, as they were before the call.
        kwargs: the keyword arguments.
        source: a program that makes the call; it can be pasted.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    source: str

    def __str__(self) -> str:
        return self.source


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One thing that a check found.

    Args:
        grade: ``error``, ``warning`` or ``note``.
        code: a stable code, ``AC`` and three digits.
        message: what is the matter, in one sentence.
        location: the user's line.
        constant: the constant or decision to blame, where there is one.
        example: a call that shows it.
        because: how it came about.
        fix: what to change.
        function: the qualified name of the function that was checked.
    """

    grade: Grade
    code: str
    message: str
    location: Location | None = None
    constant: Suspect | None = None
    example: Example | None = None
    because: str = ""
    fix: str = ""
    function: str = ""

    @property
    def title(self) -> str:
        """The meaning of the code, in a few words."""
        return TITLES[self.code]

    def promoted(self) -> Finding:
        """The finding under ``strict``: a warning counts as an error."""
        return replace(self, grade="error") if self.grade == "warning" else self

    def __str__(self) -> str:
        return finding_text(self)


def finding(code: str, message: str, **parts: Any) -> Finding:
    """A finding of the grade that its code has."""
    return Finding(grade_of(code), code, message, **parts)


# -- as text ----------------------------------------------------------------------------------------------


def finding_text(finding: Finding, color: bool = False) -> str:
    """A finding as text: what, where, why, how to fix it, how to see it.

    Control characters are made visible, so that no text of a program can move the cursor.
    """
    text = "\n".join(_finding_lines(finding))
    return painted(text) if color else text


def _finding_lines(finding: Finding) -> Iterator[str]:
    where = place(finding.location)
    yield f"{finding.grade} {finding.code} {printable_lines(f'{where}{finding.title}')}"
    yield from (f"{INDENT}{line}" for line in excerpt(finding.location, _named(finding)))
    yield printable_lines(f"{INDENT}{finding.message}")
    if finding.because:
        yield printable_lines(f"{INDENT}why: {finding.because}")
    if finding.fix:
        yield printable_lines(f"{INDENT}fix: {finding.fix}")
    if finding.example is not None:
        yield f"{INDENT}see it:"
        lines = finding.example.source.splitlines()
        yield from (printable_lines(f"{INDENT}{INDENT}{line}") if line else "" for line in lines)


def _named(finding: Finding) -> str:
    """What is said of a finding's line, the constant to blame first."""
    told = f"{finding.message} {finding.because}"
    return told if finding.constant is None else f"`{finding.constant.what}` {told}"


def place(location: Location | None) -> str:
    """Write the place of a finding, as compilers write it."""
    if location is None:
        return ""
    return f"{near(location.file)}:{location.line} in {location.function}: "


def near(file: str) -> str:
    """Return a file's path relative to the working directory, if it lies below that."""
    try:
        here = Path.cwd()
    except OSError:  # it does not exist any more
        return file
    path = Path(file)
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else file
