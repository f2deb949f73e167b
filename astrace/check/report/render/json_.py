"""A report as JSON: everything a program may want to know of it, with stable names."""

from __future__ import annotations

import json
from typing import Any

from astrace.check.report.findings import Finding
from astrace.check.report.results import Coverage, Goal, Result
from astrace.locations import Location
from astrace.util.terminal import printable_lines

VERSION = 1


def report_json(report: Result) -> str:
    """The report as JSON text."""
    return json.dumps(report_data(report), indent=2, sort_keys=True) + "\n"


def report_data(report: Result) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "version": VERSION,
        "name": report.name,
        "ok": report.ok,
        "seconds": round(report.seconds, 3),
        "seed": report.seed,
        "against": report.against,
        "findings": [finding_data(one) for one in report.findings],
        "coverage": coverage_data(report.coverage),
        "parts": [report_data(part) for part in report.parts],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return one finding as plain data."""
    constant = finding.constant
    suspect = None
    if constant is not None:
        suspect = {
            "what": constant.what,
            "origin": constant.origin,
            "then": constant.then,
            "now": constant.now,
        }
    return {
        "grade": finding.grade,
        "code": finding.code,
        "title": finding.title,
        "message": printable_lines(finding.message),
        "function": finding.function,
        "location": location_data(finding.location),
        "constant": suspect,
        "because": printable_lines(finding.because),
        "fix": finding.fix,
        "example": finding.example.source if finding.example is not None else None,
    }


def location_data(location: Location | None) -> dict[str, Any] | None:
    """A line of source as plain data."""
    if location is None:
        return None
    return {
        "file": location.file,
        "line": location.line,
        "function": location.function,
        "text": location.text,
    }


def coverage_data(coverage: Coverage) -> dict[str, Any]:
    """Return the coverage as plain data."""
    return {
        "examples": coverage.examples,
        "changes": coverage.changes,
        "goals": [goal_data(goal) for goal in coverage.goals],
    }


def goal_data(goal: Goal) -> dict[str, Any]:
    """Return one goal as plain data."""
    return {
        "kind": goal.kind,
        "what": printable_lines(goal.what),
        "reached": goal.reached,
        "location": location_data(goal.location),
    }
