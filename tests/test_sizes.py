"""Long and deep programs: captured, or left to plain Python with a reason; never an error of Python's own limits."""

from __future__ import annotations

import types
from typing import Any

import harness
import pytest

import astrace

LIMIT = "AT208"


def returns(count: int) -> str:
    tests = "".join(f"    if x > {1000 - i}:\n        return {i}\n" for i in range(count))
    return f"def f(x):\n{tests}    return -1\n"


def elifs(count: int) -> str:
    tests = "".join(f"    elif x > {1000 - i}:\n        y = {i}\n" for i in range(count))
    return f"def f(x):\n    if x > 2000:\n        y = 0\n{tests}    else:\n        y = -1\n    return y\n"


def terms(count: int) -> str:
    return f"def f(x):\n    return {' + '.join(['x'] * count)}\n"


def conditions(count: int) -> str:
    return f"def f(x):\n    return {' and '.join(f'x != {i}' for i in range(count))}\n"


def calls(count: int) -> str:
    return f"def f(x):\n    return {'abs(-' * count}x{')' * count}\n"


def loops(count: int, body: str = "x = x + i0") -> str:
    lines = [f"{'    ' * (i + 1)}for i{i} in range({2 if i < 3 else 1}):\n" for i in range(count)]
    return f"def f(x):\n{''.join(lines)}{'    ' * (count + 1)}{body}\n    return x\n"


def loops_in_loops(count: int) -> str:
    return loops(count).replace("f(x)", "g(x)") + loops(count, "x = g(x) + i0")


def branches(count: int) -> str:
    lines = [f"{'    ' * (i + 1)}if x > {i}:\n" for i in range(count)]
    return f"def f(x):\n{''.join(lines)}{'    ' * (count + 1)}x = x + 1\n    return x\n"


def tries(count: int) -> str:
    opened = [f"{'    ' * (i + 1)}try:\n" for i in range(count)]
    closed = [
        f"{'    ' * (i + 1)}except ZeroDivisionError:\n{'    ' * (i + 2)}x = x - {i}\n" for i in range(count)
    ]
    body = f"{'    ' * (count + 1)}x = x + 1 / (x - 5)\n"
    return f"def f(x):\n{''.join(opened)}{body}{''.join(reversed(closed))}    return x\n"


def jumps(count: int) -> str:
    tests = "".join(
        f"        if x == {i}:\n            continue\n        if x < {-i - 1}:\n            break\n"
        for i in range(count)
    )
    return f"def f(x):\n    for i in range(10):\n{tests}        x = x + 1\n    return x\n"


def statements(count: int) -> str:
    return "def f(x):\n" + "    x = x + 1.5\n" * count + "    return x\n"


PROGRAMS = [
    (returns, 60, None),
    (returns, 110, LIMIT),
    (returns, 200, LIMIT),
    (elifs, 60, None),
    (elifs, 110, LIMIT),
    (elifs, 300, LIMIT),
    (terms, 100, None),
    (terms, 300, LIMIT),
    (terms, 1000, LIMIT),
    (conditions, 50, None),
    (conditions, 150, LIMIT),
    (calls, 60, None),
    (loops, 8, None),
    (loops, 18, None),
    (loops_in_loops, 8, None),
    (loops_in_loops, 12, LIMIT),
    (branches, 19, None),
    (branches, 90, None),
    (tries, 6, None),
    (jumps, 30, None),
    (jumps, 120, LIMIT),
    (statements, 1000, None),
]
IDS = [f"{make.__name__} {count}" for make, count, _ in PROGRAMS]


def made(source: str, **names: Any) -> types.FunctionType:
    """The function ``f`` of a source text."""
    module: dict[str, Any] = dict(names)
    harness.run_with_source(source, module)
    return module["f"]


@pytest.mark.parametrize(("make", "count", "code"), PROGRAMS, ids=IDS)
def test_sizes(make: Any, count: int, code: str | None) -> None:
    """The answers are plain Python's; what is too deep for it once rewritten is left plain, with its place."""
    plain = made(make(count))
    function = astrace.compile(plain)
    for x in (990.0, 5.0, -0.5, 990.0):
        assert harness.same(function(x), plain(x))
    reason = function.stages(990.0).fallback
    assert (reason and reason.code) == code
    assert not code or (reason.location.file, reason.location.line) == (
        plain.__code__.co_filename,
        plain.__code__.co_firstlineno,
    )


@pytest.mark.parametrize(("make", "count", "code"), PROGRAMS, ids=IDS)
def test_sizes_of_helpers(make: Any, count: int, code: str | None) -> None:
    """A helper that can't be rewritten is left plain; all is, where generated code would be too deep."""
    helper = made(make(count))
    plain = made("def f(x):\n    return helper(x) * 2 if x > 0 else x\n", helper=helper)
    function = astrace.compile(plain)
    for x in (990.0, 5.0, -0.5, 990.0):
        assert harness.same(function(x), plain(x))
    stages = function.stages(990.0)
    codes = (
        {reason.code for reason in stages.recording.plain_calls}
        if stages.recording
        else {stages.fallback.code}
    )
    assert codes == ({code} if code else set())


@pytest.mark.parametrize("stage", ["rewrite", "passes.run", "compile_block"])
def test_faults_in_a_stage(
    stage: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of astrace's leaves the function plain, is logged, and shows itself when astrace is debugged."""

    def broken(*_: Any, **__: Any) -> Any:
        raise KeyError("a fault")

    def plain(x: Any) -> Any:
        return x * 2 if x > 0 else x

    monkeypatch.delenv("ASTRACE_DEBUG", raising=False)
    monkeypatch.setattr(f"astrace.compiler.specialise.{stage}", broken)
    function = astrace.compile(plain)
    assert function(3.0) == 6.0 and function(-3.0) == -3.0
    reason = function.stages(3.0).fallback
    assert reason.code == "AT299" and "a fault" in reason.message and "a fault" in caplog.text
    with pytest.raises(astrace.NotCaptured, match="AT299"):
        astrace.compile(plain, fullgraph=True)(3.0)
    monkeypatch.setenv("ASTRACE_DEBUG", "1")
    with pytest.raises(KeyError, match="a fault"):
        astrace.compile(plain)(3.0)
