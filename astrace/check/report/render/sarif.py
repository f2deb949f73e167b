"""A report as SARIF 2.1.0, the form that code scanning services take.

The grades are SARIF's own levels; each code is a rule; a fingerprint made of function,
code and constant keeps a finding the same one when lines move.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from astrace.check.report.findings import TITLES, Finding, grade_of, near
from astrace.check.report.results import Result
from astrace.util.terminal import printable_lines
from astrace.version import __version__

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
PAGE: Final = "docs/reference/findings.md"


def report_sarif(report: Result) -> str:
    """The report as SARIF text."""
    used = sorted({one.code for one in report.findings})
    rules = [_rule(code) for code in used]
    results = [_result(one, used.index(one.code)) for one in report.findings]
    driver = {"name": "astrace check", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    return {
        "id": code,
        "name": TITLES[code].title().replace(" ", "").replace(",", "").replace("'", ""),
        "shortDescription": {"text": TITLES[code]},
        "help": {"text": f"{code}: {TITLES[code]}. It is explained in astrace's {PAGE}."},
        "defaultConfiguration": {"level": grade_of(code)},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    parts = [
        finding.message,
        finding.because and f"Why: {finding.because}",
        finding.fix and f"Fix: {finding.fix}",
    ]
    if finding.example is not None:
        parts.append(f"See it:\n{finding.example.source}")
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.grade,
        "message": {"text": printable_lines("\n".join(filter(None, parts)))},
        "partialFingerprints": {"astrace/v1": _fingerprint(finding)},
    }
    if finding.location is not None:
        result["locations"] = [_location(finding)]
    return result


def _location(finding: Finding) -> dict[str, Any]:
    assert finding.location is not None
    place: dict[str, Any] = {
        "artifactLocation": {"uri": uri(finding.location.file)},
        "region": {"startLine": finding.location.line},
    }
    return {
        "physicalLocation": place,
        "logicalLocations": [{"fullyQualifiedName": finding.location.function, "kind": "function"}],
    }


def uri(file: str) -> str:
    """A file as a relative URI where it lies under the working directory."""
    path = Path(file)
    if path.is_absolute() and near(file) == file:
        return path.as_uri()
    return quote(Path(near(file)).as_posix())


def _fingerprint(finding: Finding) -> str:
    what = finding.constant.what if finding.constant is not None else ""
    text = finding.location.text if finding.location is not None else ""
    whole = f"{finding.function}\n{finding.code}\n{what}\n{text}".encode(errors="surrogatepass")
    return hashlib.sha256(whole).hexdigest()[:32]
