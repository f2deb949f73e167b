"""A report as JUnit XML: a test case for each function that was checked, failed by its errors."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from astrace.check.report.findings import finding_text
from astrace.check.report.results import Result
from astrace.util.terminal import printable_lines


def report_junit(report: Result) -> str:
    """The report as XML text."""
    parts = report.parts or (report,)
    failures = sum(not part.ok for part in parts)
    skipped = sum(part.ok and part.is_empty for part in parts)
    counts = f'tests="{len(parts)}" failures="{failures}" errors="0" skipped="{skipped}"'
    cases = "".join(map(_case, parts))
    suite = f'<testsuite name="astrace check" {counts} time="{report.seconds:.3f}">'
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>{suite}{cases}</testsuite></testsuites>\n'


def _case(part: Result) -> str:
    errors = "".join(
        f"<failure type={quoteattr(one.code)} message={quoteattr(printable_lines(one.message))}>"
        f"{escape(finding_text(one))}</failure>"
        for one in part.errors
    )
    missed = [one.message for one in part.findings if one.code == "AC306"]
    skipped = (
        f"<skipped message={quoteattr(printable_lines('; '.join(missed)))}/>"
        if part.ok and part.is_empty
        else ""
    )
    others = "\n\n".join(finding_text(one) for one in part.findings if one.grade != "error")
    told = f"<system-out>{escape(others)}</system-out>" if others else ""
    return f'<testcase classname="astrace.check" name={quoteattr(printable_lines(part.name))} time="{part.seconds:.3f}">{errors}{skipped}{told}</testcase>'
