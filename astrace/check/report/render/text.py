"""A report as text: what, where, why, how to fix it, how to see it.

Control characters in names and messages are made visible, so that no text of a program's can move the cursor.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from astrace.check.report.findings import Finding, Grade
from astrace.check.report.report import Report
from astrace.locations import Location

COLORS: Final[dict[Grade, str]] = {"error": "31", "warning": "33", "note": "36"}
INDENT: Final = "    "


def report_text(report: Report, *, notes: bool = False, color: bool = False) -> str:
    """The whole report; of the notes at least those that say what could not be checked.

    Args:
        report: the report.
        notes: show all notes.
        color: with escape sequences for a terminal.
    """
    shown = [one for one in report.findings if notes or one.grade != "note" or one.code == "AC306"]
    lines = ["\n".join(_finding(one, color)) for one in shown]
    return "\n\n".join([*lines, summary(report)])


def summary(report: Report) -> str:
    """One line: how many of each grade, and what was tried."""
    counts = [_count(report, grade) for grade in ("error", "warning", "note")]
    told = ", ".join(one for one in counts if one) or "nothing found"
    return f"{clean(report.name)}: {told} ({report.coverage}, {report.seconds:.2f} s)"


def _count(report: Report, grade: Grade) -> str:
    number = len(report.of_grade(grade))
    return f"{number} {grade}{'s' * (number != 1)}" if number else ""


def finding_text(finding: Finding, color: bool = False) -> str:
    """One finding."""
    return "\n".join(_finding(finding, color))


def _finding(finding: Finding, color: bool) -> Iterator[str]:
    head = f"{finding.grade} {finding.code}"
    where = place(finding.location)
    painted = f"\x1b[{COLORS[finding.grade]}m{head}\x1b[0m" if color else head
    yield f"{painted} {clean(f'{where}{finding.title}')}"
    if finding.location is not None and finding.location.text:
        yield clean(f"{INDENT}{finding.location.line} | {finding.location.text}")
    yield clean(f"{INDENT}{finding.message}")
    if finding.because:
        yield clean(f"{INDENT}why: {finding.because}")
    if finding.fix:
        yield clean(f"{INDENT}fix: {finding.fix}")
    if finding.example is not None:
        yield f"{INDENT}see it:"
        lines = finding.example.source.splitlines()
        yield from (clean(f"{INDENT}{INDENT}{line}") if line else "" for line in lines)


def place(location: Location | None) -> str:
    """Where a finding is, as compilers write it."""
    if location is None:
        return ""
    return f"{near(location.file)}:{location.line} in {location.function}: "


def near(file: str) -> str:
    """A file as it is called from the working directory, if it lies below that."""
    try:
        here = Path.cwd()
    except OSError:  # it does not exist any more
        return file
    path = Path(file)
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else file


def clean(text: str) -> str:
    r"""A text without control characters: they are written as escapes.

    Example:
        >>> clean("a\x1b[31mb")
        'a\\x1b[31mb'
    """
    return "".join(char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text)
