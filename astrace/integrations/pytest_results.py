"""Results of the pytest plugin as plain data that a worker of xdist can send, and as text.

A result is about one function: its name, the test that called it first, the findings as data with their text,
counts, and whether it fails the run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from astrace.check.compare.observe import Call
from astrace.check.report.findings import GRADES
from astrace.check.report.render.json_ import VERSION
from astrace.check.settings import Settings

NOTHING: Final = "nothing was checked: the tests called no compiled function"


def checked(
    name: str,
    test: str,
    function: Callable[..., Any],
    calls: list[Call],
    settings: Settings,
    against: str | None = None,
) -> dict[str, Any]:
    """The check of one function, or of what another compiler makes of it."""
    from astrace.check.checker import check_subject
    from astrace.check.isolation.time_limits import Clock
    from astrace.check.report.findings import finding_text
    from astrace.check.report.render.github import workflow_command
    from astrace.check.report.render.json_ import finding_data
    from astrace.check.subject import subject_of

    clock = Clock(settings.deadline)
    report = check_subject(subject_of(function, None, against, calls[0], settings), calls, settings, clock)
    findings = [
        {**finding_data(one), "text": finding_text(one), "command": workflow_command(one)} for one in report
    ]
    return {
        "name": name,
        "test": test,
        "findings": findings,
        "examples": report.coverage.examples,
        "seconds": report.seconds,
        "failed": not report.ok,
        "problem": "",
    }


def result_of_failure(name: str, test: str, problem: str) -> dict[str, Any]:
    """Return the result for a check that could not be made; it fails the run."""
    empty = {"findings": [], "examples": 0, "seconds": 0.0}
    return {"name": name, "test": test, **empty, "failed": True, "problem": problem}


def merged(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one result for each function, by name, with the findings of all, each once."""
    names = sorted({one["name"] for one in results})
    return [_merged([one for one in results if one["name"] == name]) for name in names]


def _merged(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Merge the results of several processes, or under several settings, for one function."""
    findings: dict[tuple[Any, ...], dict[str, Any]] = {}
    for finding in (finding for one in results for finding in one["findings"]):
        constant, where = finding["constant"] or {}, finding["location"] or {}
        findings.setdefault((finding["code"], where.get("line"), constant.get("what")), finding)
    ordered = sorted(findings.values(), key=lambda one: GRADES.index(one["grade"]))
    problems = dict.fromkeys(one["problem"] for one in results if one["problem"])
    shown = [one["text"] for one in ordered if one["grade"] != "note"]
    return {
        "name": results[0]["name"],
        "test": results[0]["test"],
        "findings": ordered,
        "examples": sum(one["examples"] for one in results),
        "seconds": sum(one["seconds"] for one in results),
        "failed": any(one["failed"] for one in results),
        "text": "\n\n".join([*problems, *shown]),
    }


def json_of(results: Sequence[dict[str, Any]]) -> str:
    """Write all results as JSON, with the keys that findings have in the report of a check."""
    functions = [{**one, "findings": list(map(_plain, one["findings"]))} for one in results]
    ok = not any(one["failed"] for one in results)
    return json.dumps({"version": VERSION, "ok": ok, "functions": functions}, indent=2, sort_keys=True) + "\n"


def _plain(finding: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in finding.items() if name not in ("text", "command")}


def counted(results: Sequence[dict[str, Any]]) -> str:
    """The last line: how much was checked and found."""
    if not results:
        return NOTHING
    grades = [finding["grade"] for one in results for finding in one["findings"]]
    told = ", ".join(_number(grades.count(grade), grade) for grade in GRADES if grade in grades)
    examples = sum(one["examples"] for one in results)
    seconds = sum(one["seconds"] for one in results)
    tried = f"{_number(len(results), 'function')} checked on {_number(examples, 'example')}"
    return f"{tried}: {told or 'nothing found'} ({seconds:.2f} s)"


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def workflow_lines(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The errors and warnings as workflow commands, where a workflow of GitHub's runs."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for one in results:
            yield from (found["command"] for found in one["findings"] if found["grade"] != "note")
