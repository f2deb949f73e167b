"""The plugin for ``pytest --astrace-check``: records the functions that tests call, and checks them at the end.

A function is checked once for each different settings that tests ask for by marker, on the calls of those tests.
Each process checks what its own tests exercised; under xdist the workers hand plain data to the controller, which
puts together what is about one function, tells it once, and fails the run.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from astrace.check.compare.observe import Call
from astrace.check.compilers.table import compiler_named
from astrace.check.settings import Settings, settings_for
from astrace.errors import InvalidArgument, MissingExtra
from astrace.integrations.pytest_results import (
    checked,
    counted,
    json_of,
    merged,
    result_of_failure,
    workflow_lines,
)
from astrace.util.atomic_files import check_writable, write_whole
from astrace.util.events import OBSERVER

MOST_CALLS: Final = 4
OUTPUT: Final = "astrace_check"
PROBLEMS: Final = "astrace_check_problems"
MARKER: Final = "astrace_check"
STOPPED: Final = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR)
"""Exit codes of runs that did not come to their end: nothing is checked then."""


@dataclass(slots=True)
class Exercised:
    """A function that tests called, all of which ask for the same settings.

    Args:
        name: its module and qualified name.
        function: the plain function.
        test: the test that called it first.
        settings: how to check it.
        against: the compiler whose function of it is checked instead.
        calls: what it was called with, as it was before the calls were made.
    """

    name: str
    function: Callable[..., Any]
    test: str
    settings: Settings
    against: str | None = None
    calls: list[Call] = field(default_factory=list[Call])


class Checking:
    """One run of pytest with ``--astrace-check``.

    Args:
        level: how much to try, unless a marker says otherwise.
        strict: warnings fail the run, too.
        ignored: functions that are not checked.
        file: where what was found is written as JSON, if anywhere.
        against: another compiler, which is to compile the functions, unless a marker says otherwise.

    Raises:
        pytest.UsageError: the file can't be written.
    """

    def __init__(
        self,
        level: str,
        strict: bool,
        ignored: frozenset[str],
        file: str | None = None,
        against: str | None = None,
    ) -> None:
        try:
            if file is not None:
                check_writable(file)
        except InvalidArgument as error:
            raise pytest.UsageError(f"--astrace-check-json: {error.message}") from None
        self._file = file
        self._level = level
        self._against = against
        self._strict = strict
        self._ignored = ignored
        self._item: pytest.Item | None = None
        self._exercised: dict[tuple[str, Settings, str | None], Exercised] = {}
        self._results: list[dict[str, Any]] = []
        self._problems: dict[str, None] = {}

    # -- watching --------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, Any, Any]:
        """Watch functions that are captured while modules of tests are loaded: tests may call them later."""
        token = OBSERVER.set(self)
        try:
            return (yield)
        finally:
            OBSERVER.reset(token)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Refuse markers whose settings are not accepted; a worker runs no tests then, and the controller says why.

        Raises:
            pytest.UsageError: there is such a marker.
        """
        problems = dict.fromkeys(problem for item in items if (problem := self._problem(item)))
        if problems and hasattr(config, "workeroutput"):
            self._problems = problems
            items.clear()
        elif problems:
            raise pytest.UsageError("\n".join(problems))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Watch while a test runs."""
        self._item = item
        token = OBSERVER.set(self)
        try:
            return (yield)
        finally:
            OBSERVER.reset(token)
            self._item = None

    def captured(self, function: Any, arguments: Mapping[str, Any]) -> None:
        """Take note that a function is captured for a call: its arguments are of a new kind."""
        found = self._known(function)
        if found is not None and len(found.calls) < MOST_CALLS:
            self._keep(found, function, arguments)

    def called(self, function: Any, arguments: Mapping[str, Any]) -> None:
        """Take note of a call like an earlier one, which some other test may have made."""
        found = self._known(function)
        if found is not None and not found.calls:
            self._keep(found, function, arguments)

    def _known(self, compiled: Any) -> Exercised | None:
        """Return the record of a function under the settings of the running test; nothing if it is left out."""
        target = compiled.__astrace_target__
        name = f"{getattr(target.function, '__module__', '?')}.{target.name}"
        if self._item is None or not target.is_python or name in self._ignored:
            return None
        asked = asked_of(self._item)
        if asked is None:
            return None
        settings, against = self._settings(asked), asked.get("against", self._against)
        new = Exercised(name, target.function, self._item.nodeid, settings, against)
        found = self._exercised.setdefault((name, settings, against), new)
        return found if found.function is target.function else None

    def _keep(self, found: Exercised, compiled: Any, arguments: Mapping[str, Any]) -> None:
        """Remember a call."""
        args, kwargs = compiled.__astrace_target__.arguments(arguments)
        token = OBSERVER.set(None)
        try:
            found.calls.append(Call(args, kwargs).copy())
        except Exception:  # what can't be copied can't be called again
            return
        finally:
            OBSERVER.reset(token)

    # -- settings --------------------------------------------------------------------------------------

    def _settings(self, asked: Mapping[str, Any]) -> Settings:
        """Return the settings of the run, with those of a marker.

        Raises:
            InvalidArgument: that is not accepted.
            MissingExtra: the compiler that it names is not installed.
        """
        if asked.get("against") is not None:
            compiler_named(asked["against"])
        given = {name: value for name, value in asked.items() if name != "against"}
        return settings_for(**{"level": self._level, "strict": self._strict, **given})

    def _problem(self, item: pytest.Item) -> str:
        """Describe an error in a test's marker; empty where there is none."""
        for node, mark in item.iter_markers_with_node(MARKER):
            try:
                if mark.args:
                    raise InvalidArgument(f"check: {mark.args[0]!r} stands without a name; write level=...")
                if not isinstance(mark.kwargs.get("skip", False), bool):
                    raise InvalidArgument(f"check: skip is {mark.kwargs['skip']!r}; it must be True or False")
                self._settings(asked_of(item) or {})
            except (InvalidArgument, MissingExtra) as error:
                told = error.message if isinstance(error, InvalidArgument) else str(error)
                return f"{_place(node, item)}: @pytest.mark.{MARKER}: {told.removeprefix('check: ')}"
            return ""
        return ""

    # -- checking --------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Check the functions that were exercised; fail the run if there are errors."""
        exercised = () if exitstatus in STOPPED else self._exercised.values()
        found = [_checked(one) for one in exercised if one.calls]
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[OUTPUT], output[PROBLEMS] = found, list(self._problems)
            return
        self._results += found
        if self._file is not None and not self._problems:
            self._write(self._file)
        if self._problems:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        elif any(one["failed"] for one in self._results) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _write(self, file: str) -> None:
        """Write the findings as JSON."""
        try:
            write_whole(file, json_of(merged(self._results)))
        except InvalidArgument as error:
            self._problems[f"--astrace-check-json: {error.message}"] = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the findings of a worker of xdist that has ended."""
        output = getattr(node, "workeroutput", {})
        name = getattr(getattr(node, "gateway", None), "id", "a worker")
        lost = f"{name} ended early: what its tests called was not checked"
        self._results += output.get(OUTPUT, [result_of_failure(f"worker {name}", "", lost)])
        self._problems |= dict.fromkeys(output.get(PROBLEMS, ()))

    # -- telling ---------------------------------------------------------------------------------------

    def pytest_terminal_summary(self, terminalreporter: Any, exitstatus: int) -> None:
        """Print the findings."""
        for problem in self._problems:
            terminalreporter.write_line(f"ERROR: {problem}", red=True)
        if self._problems or exitstatus in STOPPED:
            return
        results = merged(self._results)
        terminalreporter.section("astrace check", sep="=")
        for one in results:
            if one["text"]:
                terminalreporter.write_line(_heading(one), bold=True)
                terminalreporter.write_line(one["text"])
                terminalreporter.write_line("")
        terminalreporter.write_line(counted(results))
        for line in workflow_lines(results):
            terminalreporter.write_line(line)


def asked_of(item: pytest.Item) -> dict[str, Any] | None:
    """Return the settings that a test's marker asks for; ``None`` if that is to leave out what the test calls."""
    marker = item.get_closest_marker(MARKER)
    asked = dict(marker.kwargs) if marker is not None else {}
    return None if asked.pop("skip", False) else asked


def _heading(result: Mapping[str, Any]) -> str:
    return f"{result['name']} (first called by {result['test']})" if result["test"] else result["name"]


def _checked(one: Exercised) -> dict[str, Any]:
    """The check of one function, as plain data."""
    try:
        return checked(one.name, one.test, one.function, one.calls, one.settings, one.against)
    except Exception as error:  # the others are to be checked all the same; it fails the run
        return result_of_failure(one.name, one.test, f"the check failed: {type(error).__name__}: {error}")


def _place(node: Any, item: pytest.Item) -> str:
    """The file and the line of a marker: that of a test or a class, or of the module."""
    obj = inspect.unwrap(getattr(node, "obj", None) or item.function)  # type: ignore[attr-defined]
    file = str(node.path)
    if inspect.ismodule(obj):
        lines: Sequence[str] = linecache.getlines(file)
        first = 1
    else:
        lines, first = inspect.getsourcelines(obj)
    number = next((index for index, line in enumerate(lines, first or 1) if MARKER in line), first or 1)
    return f"{file}:{number}"
