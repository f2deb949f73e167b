"""A report as text: its findings, and one line that sums it up."""

from __future__ import annotations

from astrace.check.report.findings import Grade, finding_text
from astrace.check.report.results import Result
from astrace.util.terminal import printable_lines


def report_text(report: Result, *, notes: bool = False, color: bool = False) -> str:
    """The whole report; of the notes at least those that say what could not be checked.

    Args:
        report: the report.
        notes: show all notes.
        color: with escape sequences for a terminal.
    """
    shown = [one for one in report.findings if notes or one.grade != "note" or one.code == "AC306"]
    lines = [finding_text(one, color) for one in shown]
    return "\n\n".join([*lines, summary(report)])


def summary(report: Result) -> str:
    """Return one line: the number of findings of each grade, and what was tried; another for other compilers."""
    counts = [_count(report, grade) for grade in ("error", "warning", "note")]
    told = ", ".join(one for one in counts if one) or "nothing found"
    text = f"{printable_lines(report.name)}: {told} ({report.coverage}, {report.seconds:.2f} s)"
    against = dict.fromkeys(one.against for one in (report, *report.parts) if one.against)
    return "\n".join([text, *(f"against {printable_lines(one)}" for one in against)])


def _count(report: Result, grade: Grade) -> str:
    number = len(report.of_grade(grade))
    return f"{number} {grade}{'s' * (number != 1)}" if number else ""
