"""Measurements of coverage do not see tracing: a branch counts when the program takes it, and only then."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace

PROGRAM = """
import sys

import numpy as np

import astrace


def helper(x):
    if x.sum() > 100:
        return x - 1
    return x + 1


def f(x):
    if x[0] > 5:
        x = x * 2
        x = helper(x)
    else:
        x = x + 1
    for i in range(3):
        if x[0] > 1000:
            x = x / 2
            break
    try:
        y = x[1] * 3
    except IndexError:
        y = 7.0
    while y > 100:
        y = y / 2
    return x * y


def plain_python(x):
    import this_is_no_module

    if x > 0:
        return 1
    return 2


if "compiled" in sys.argv:
    f, plain_python = astrace.compile(f), astrace.compile(plain_python)
f(np.arange(3.0))
f(np.arange(4.0))
try:
    plain_python(1.0)
except ImportError:
    print("after")
print("end")
"""
QUIET = ("return x * y",)
"""Lines that leave nothing to do in a graph, or are one with the line before."""


def executed(folder: Path, *options: str, compiled: bool = False, core: str = "") -> dict[str, Any]:
    """Return the lines of a program that coverage.py reports as executed."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    where = {"cwd": folder, "env": {**os.environ, "COVERAGE_CORE": core} if core else dict(os.environ)}
    coverage = [sys.executable, "-m", "coverage"]
    included = f"--include={program}"
    words = ["compiled"] if compiled else []
    run = subprocess.run(
        [*coverage, "run", *options, included, str(program), *words],
        **where,
        capture_output=True,
        check=False,
    )
    assert run.stdout.decode().split() == ["after", "end"], run.stderr.decode()
    subprocess.run([*coverage, "json", "-q", "-o", "found.json"], **where, check=True)
    (found,) = json.loads((folder / "found.json").read_text())["files"].values()
    return found


@pytest.mark.parametrize("core", ["ctrace", "pytrace"])
def test_lines_that_only_tracing_walks_are_missed_and_those_that_run_are_not(
    tmp_path: Path, core: str
) -> None:
    plain = executed(tmp_path, "--branch", core=core)
    captured = executed(tmp_path, "--branch", compiled=True, core=core)
    lines = PROGRAM.splitlines()
    last = lines.index('if "compiled" in sys.argv:')
    told = {line for line in captured["executed_lines"] if line <= last}
    assert told <= set(plain["executed_lines"])
    missed = {
        lines[line - 1].strip() for line in set(plain["executed_lines"]) - set(captured["executed_lines"])
    }
    assert missed <= set(QUIET)
    assert set(range(last + 1, len(lines) + 1)) - {last + 2} <= set(captured["executed_lines"])


def test_switched_off_the_figures_are_those_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = executed(tmp_path, "--branch")
    monkeypatch.setenv("ASTRACE_DISABLE", "1")
    disabled = executed(tmp_path, "--branch", compiled=True)
    last = PROGRAM.splitlines().index('if "compiled" in sys.argv:')
    assert [one for one in disabled["executed_lines"] if one <= last] == [
        one for one in plain["executed_lines"] if one <= last
    ]


def branches(x: Any) -> Any:
    if x.sum() > 10:
        x = x * 2
    else:
        x = x * 3
    return x


def test_a_trace_function_is_put_back_and_told_of_calls_and_returns_in_pairs() -> None:
    events: list[tuple[str, str]] = []

    def tell(frame: types.FrameType, event: str, arg: Any) -> Any:
        events.append((event, f"{frame.f_code.co_name}:{frame.f_lineno}"))
        return tell

    compiled = astrace.compile(branches)
    before = sys.gettrace()
    sys.settrace(tell)
    try:
        compiled(np.ones(3))
        told = sys.gettrace()
    finally:
        sys.settrace(before)
    first = branches.__code__.co_firstlineno
    lines = {place for event, place in events if event == "line" and place.startswith("branches:")}
    assert told is tell
    assert f"branches:{first + 2}" not in lines and f"branches:{first + 4}" in lines
    assert sum(event == "call" for event, _ in events) == sum(event == "return" for event, _ in events)


def test_what_fails_while_it_is_traced_puts_the_trace_function_back() -> None:
    def needs(x: Any) -> Any:
        return range(x[0])

    def tell(frame: types.FrameType, event: str, arg: Any) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(tell)
    try:
        for function in (needs, lambda x: missing_name):  # type: ignore[name-defined] # noqa: F821
            astrace.compile(function).stages(np.arange(3))
        told = sys.gettrace()
    finally:
        sys.settrace(before)
    assert told is tell


def test_other_threads_are_watched_meanwhile() -> None:
    found: list[Any] = []

    def other() -> None:
        found.append(sys.gettrace())

    threading.settrace(lambda *_: None)
    try:
        thread = threading.Thread(target=other)
        thread.start()
        astrace.compile(branches).stages(np.ones(2))
        thread.join()
    finally:
        threading.settrace(None)  # type: ignore[arg-type]
    assert found[0] is not None


class Monitoring:
    """The events of `sys.monitoring` (Python 3.12), with a tool that is told of all calls."""

    def __init__(self) -> None:
        self.events = {1: 3}
        self.set: list[tuple[int, int]] = []

    def get_tool(self, tool: int) -> str | None:
        return "coverage" if tool in self.events else None

    def get_events(self, tool: int) -> int:
        return self.events[tool]

    def set_events(self, tool: int, events: int) -> None:
        self.events[tool] = events
        self.set.append((tool, events))


def test_what_monitors_all_code_is_suspended_and_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monitoring = Monitoring()
    monkeypatch.setattr(sys, "monitoring", monitoring, raising=False)
    astrace.compile(branches).stages(np.ones(2))
    assert monitoring.set == [(1, 0), (1, 3)]
