"""A report as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from astrace.check.report.findings import Finding, Grade, near
from astrace.check.report.results import Result
from astrace.util.terminal import printable_lines

COMMANDS: Final[dict[Grade, str]] = {"error": "error", "warning": "warning", "note": "notice"}


def workflow_commands(report: Result) -> Iterator[str]:
    """Yield one line for each error and warning."""
    for one in report.findings:
        if one.grade != "note":
            yield workflow_command(one)


def workflow_command(finding: Finding) -> str:
    """A finding as a workflow command."""
    where = finding.location
    place = (
        f"file={_property(Path(near(where.file)).as_posix())},line={where.line}," if where is not None else ""
    )
    title = _property(f"astrace {finding.code}: {finding.title}")
    why, fix = finding.because and f"why: {finding.because}", finding.fix and f"fix: {finding.fix}"
    text = printable_lines("\n".join(filter(None, [finding.message, why, fix])))
    return f"::{COMMANDS[finding.grade]} {place}title={title}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
