"""A report as one HTML page: no script, nothing loaded, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from astrace.check.report.findings import Finding, place
from astrace.check.report.render.text import summary
from astrace.check.report.results import Goal, Result
from astrace.util.terminal import printable_lines

STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
article { border-left: .3rem solid; padding: .2rem 1rem; margin: 1.2rem 0; }
.error { border-color: #c62828; } .warning { border-color: #ef8f00; } .note { border-color: #0277bd; }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: .3rem 0; }
pre { background: #8881; padding: .6rem; overflow-x: auto; } dt { font-weight: 600; } dd { margin: 0 0 .4rem 0; }
td, th { text-align: left; padding: .1rem .8rem .1rem 0; } .missed { font-weight: 600; }
"""
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def report_html(report: Result) -> str:
    """The report as a page."""
    body = "\n".join(_body(report))
    name = escape(printable_lines(report.name))
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>astrace check: {name}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{STYLE}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def _body(report: Result) -> Iterator[str]:
    yield f"<h1>{escape(summary(report))}</h1>"
    yield from map(_article, report.findings)
    if report.coverage.goals:
        yield "<h2>Coverage</h2><table><tr><th>goal</th><th>line</th><th>reached</th></tr>"
        yield from map(_row, report.coverage.goals)
        yield "</table>"


def _article(finding: Finding) -> str:
    parts = [f"<h2>{finding.grade} {finding.code}: {_text(finding.title)}</h2>"]
    parts.append(f"<p>{_text(place(finding.location))}{_text(finding.message)}</p>")
    if finding.location is not None and finding.location.text:
        parts.append(f"<pre>{finding.location.line} | {_text(finding.location.text)}</pre>")
    told = (("Why", finding.because), ("Fix", finding.fix))
    rows = "".join(f"<dt>{name}</dt><dd>{_text(text)}</dd>" for name, text in told if text)
    parts.append(f"<dl>{rows}</dl>" if rows else "")
    if finding.example is not None:
        parts.append(
            f"<details open><summary>See it</summary><pre>{_text(finding.example.source)}</pre></details>"
        )
    return f'<article class="{finding.grade}">{"".join(parts)}</article>'


def _row(goal: Goal) -> str:
    line = goal.location.line if goal.location is not None else ""
    mark = "yes" if goal.reached else '<span class="missed">no</span>'
    return f"<tr><td>{_text(f'{goal.kind} {goal.what}')}</td><td>{line}</td><td>{mark}</td></tr>"


def _text(text: str) -> str:
    return escape(printable_lines(text))
