"""What ``pytest --astrace-check`` does: watch which functions are captured for which calls, check them at the end.

Each process checks what its own tests exercised; under xdist the workers hand plain data to the controller, which
tells it once and fails the run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from astrace.check.findings import Grade
from astrace.check.observe import Call
from astrace.check.report import Report
from astrace.check.settings import settings_for
from astrace.events import OBSERVER

MOST_CALLS: Final = 4
OUTPUT: Final = "astrace_check"
GRADES: Final[tuple[Grade, ...]] = ("error", "warning", "note")


@dataclass(slots=True)
class Exercised:
    """A function that tests called.

    Args:
        function: the plain function.
        calls: the calls it was captured for, as they were before they were made.
        test: the test that called it first.
        level: how much to try.
        settings: the marker's settings.
    """

    function: Callable[..., Any]
    test: str
    level: str
    settings: Mapping[str, Any]
    calls: list[Call] = field(default_factory=list[Call])


class Checking:
    """One run of pytest with ``--astrace-check``.

    Args:
        level: how much to try, unless a marker says otherwise.
        strict: warnings fail the run, too.
        ignored: functions that are not checked.
    """

    def __init__(self, level: str, strict: bool, ignored: frozenset[str]) -> None:
        self._level = level
        self._strict = strict
        self._ignored = ignored
        self._item: pytest.Item | None = None
        self._exercised: dict[str, Exercised] = {}
        self._results: list[dict[str, Any]] = []

    # -- watching --------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Watch while a test runs."""
        self._item = item
        token = OBSERVER.set(self._captured)
        try:
            return (yield)
        finally:
            OBSERVER.reset(token)
            self._item = None

    def _captured(self, compiled: Any, arguments: Mapping[str, Any]) -> None:
        """A function is captured for a call."""
        target = compiled.__astrace_target__
        name = f"{getattr(target.function, '__module__', '?')}.{target.name}"
        if self._item is None or not target.is_python or name in self._ignored:
            return
        known = self._exercised.get(name) or self._first(name, target.function)
        if known is None or len(known.calls) >= MOST_CALLS or known.function is not target.function:
            return
        args, kwargs = target.arguments(arguments)
        token = OBSERVER.set(None)
        try:
            known.calls.append(Call(args, kwargs).copy())
        except Exception:  # what can't be copied can't be called again
            return
        finally:
            OBSERVER.reset(token)

    def _first(self, name: str, function: Callable[..., Any]) -> Exercised | None:
        """A function that is met for the first time, unless the test's marker leaves it out."""
        assert self._item is not None
        marker = self._item.get_closest_marker("astrace_check")
        asked = dict(marker.kwargs) if marker is not None else {}
        if asked.pop("skip", False):
            return None
        level = asked.pop("level", None) or self._level
        found = Exercised(function, self._item.nodeid, level, asked)
        self._exercised[name] = found
        return found

    # -- checking --------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Check what was exercised; fail the run if that finds an error."""
        found = [self._checked(name, one) for name, one in self._exercised.items() if one.calls]
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[OUTPUT] = found
            return
        self._results += found
        if any(one["error"] for one in self._results) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _checked(self, name: str, one: Exercised) -> dict[str, Any]:
        """The check of one function, as plain data."""
        from astrace.check.subject import subject_of
        from astrace.check.validator import check_subject

        settings = settings_for(one.level, strict=self._strict, **one.settings)
        report = check_subject(subject_of(one.function), one.calls, settings)
        return result_of(name, one.test, report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of xdist has ended: take over what it found."""
        self._results += getattr(node, "workeroutput", {}).get(OUTPUT, [])

    # -- telling ---------------------------------------------------------------------------------------

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was found."""
        results = distinct(self._results)
        if not results:
            return
        terminalreporter.section("astrace check", sep="=")
        for one in results:
            if one["text"]:
                terminalreporter.write_line(f"{one['name']} (first called by {one['test']})", bold=True)
                terminalreporter.write_line(one["text"])
                terminalreporter.write_line("")
        terminalreporter.write_line(counted(results))


def result_of(name: str, test: str, report: Report) -> dict[str, Any]:
    """A report as plain data that a worker can send."""
    from astrace.check.render.text import finding_text

    shown = [one for one in report.findings if one.grade != "note"]
    counts: dict[str, Any] = {grade: len(report.of_grade(grade)) for grade in GRADES}
    text = "\n\n".join(map(finding_text, shown))
    examples = report.coverage.examples
    return {
        "name": name,
        "test": test,
        "text": text,
        "examples": examples,
        "seconds": report.seconds,
        **counts,
    }


def distinct(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One result for each function, the one that found most, by name."""
    found: dict[str, dict[str, Any]] = {}
    for one in results:
        other = found.get(one["name"])
        if other is None or (one["error"], one["warning"]) > (other["error"], other["warning"]):
            found[one["name"]] = one
    return sorted(found.values(), key=lambda one: one["name"])


def counted(results: list[dict[str, Any]]) -> str:
    """The last line: how much was checked and found."""
    totals = {grade: sum(one[grade] for one in results) for grade in GRADES}
    told = ", ".join(f"{number} {grade}{'s' * (number != 1)}" for grade, number in totals.items() if number)
    examples = sum(one["examples"] for one in results)
    seconds = sum(one["seconds"] for one in results)
    return f"{len(results)} functions checked on {examples} examples: {told or 'nothing found'} ({seconds:.2f} s)"
