"""`Report`: what a check gives back, with the ways to write it down."""

from __future__ import annotations

from dataclasses import dataclass, replace

from astrace.check.report.findings import place
from astrace.check.report.render.html import report_html
from astrace.check.report.render.json_ import report_json
from astrace.check.report.render.junit import report_junit
from astrace.check.report.render.sarif import report_sarif
from astrace.check.report.render.text import report_text, summary
from astrace.check.report.results import Coverage, Result, in_order
from astrace.util.html_tables import table_part


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report(Result):
    """The findings of a check, and the ways to write them down; its attributes are those of `Result`.

    Example:
        >>> report = Report("f", ())
        >>> report.ok, len(report)
        (True, 0)
        >>> report
        <report of f: nothing found (0 examples, 0.00 s); print it>
    """

    parts: tuple[Report, ...] = ()

    def strict(self) -> Report:
        """The report with warnings promoted to errors."""
        findings = tuple(one.promoted() for one in self.findings)
        return replace(self, findings=findings, parts=tuple(part.strict() for part in self.parts))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        notes = ", its notes with .text(notes=True)" if self.notes else ""
        return f"<report of {summary(self)}; print it{notes}>"

    def text(self, *, notes: bool = False, color: bool = False) -> str:
        """The report for people.

        Args:
            notes: show notes, too.
            color: with escape sequences for a terminal.
        """
        return report_text(self, notes=notes, color=color)

    def json(self) -> str:
        """The report as JSON."""
        return report_json(self)

    def sarif(self) -> str:
        """The report as SARIF 2.1.0, as code scanning takes it."""
        return report_sarif(self)

    def html(self) -> str:
        """The report as one page that needs nothing else."""
        return report_html(self)

    def _repr_html_(self) -> str:
        rows = [
            (one.grade, one.code, place(one.location).rstrip(": "), one.message, one.fix)
            for one in self.findings
        ]
        return table_part(summary(self), ("grade", "code", "where", "what", "fix"), rows)

    def junit(self) -> str:
        """The report as JUnit XML."""
        return report_junit(self)


def merged(name: str, parts: list[Report]) -> Report:
    """Return one report of several."""
    coverage = sum((part.coverage for part in parts), Coverage())
    findings = in_order([one for part in parts for one in part.findings])
    seconds = sum(part.seconds for part in parts)
    return Report(name, findings, coverage, seconds, parts[0].seed if parts else 0, tuple(parts))
