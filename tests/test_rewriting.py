"""The rewritten text: short, the user's own words, every line the user's; in tracebacks, debugger and coverage.

PYTEST_DONT_REWRITE: the functions compiled here have ``assert`` statements of their own.
"""

from __future__ import annotations

import re
import statistics
import sys
import traceback
import types
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.locations import SCOPE
from astrace.rewrite.pipeline import rewrite
from astrace.tracing import ag

NAMES = harness.program_names()


def functions_of(name: str) -> list[types.FunctionType]:
    """The Python functions of a program, its methods included."""
    module = harness.load_program(name)
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    found = [value for owner in (module, *classes) for value in vars(owner).values()]
    functions = [value for value in found if isinstance(value, types.FunctionType)]
    return [
        one for one in functions if one.__code__.co_filename == module.__file__ and one.__name__ != "noise"
    ]


def code_characters(text: str) -> int:
    """The length of a text without comments, indentation and empty lines."""
    lines = (re.sub(r"\s*#.*$", "", line).strip() for line in text.splitlines())
    return sum(len(line) for line in lines if line)


def growth_of(names: Sequence[str]) -> list[float]:
    """For each function of some programs, how much longer its rewritten text is than its source."""
    found = [rewrite(function) for name in names for function in functions_of(name)]
    return [code_characters(one.source) / code_characters(one.original) for one in found if one.source]


def test_text_is_short() -> None:
    """Rewritten text is about twice the source; only jumps out of protected bodies make it much longer."""
    common = growth_of(harness.COMMON)
    assert statistics.median(common) <= 2 and statistics.mean(common) <= 2.5
    assert statistics.median(growth_of(NAMES)) <= 2


def codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and all those in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_of(constant)


@pytest.mark.parametrize("name", NAMES)
def test_operators_exist(name: str) -> None:
    """Rewritten code knows one global, and all it asks of that are operators that exist."""
    for function in functions_of(name):
        code = rewrite(function).code
        if code is None:
            continue
        names = {one for part in codes_of(code) for one in part.co_names} - {"ag"}
        assert {one for one in names if one not in ag.__all__} <= {SCOPE}
        shown = set(re.findall(r"\bag\.(\w+)", rewrite(function).source))
        assert {one for one in shown if one not in ag.__all__} == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_line_says_where_it_is_from(name: str) -> None:
    """The marks in the text are lines of the function."""
    for function in functions_of(name):
        rewritten = rewrite(function)
        first = function.__code__.co_firstlineno
        last = first + rewritten.original.count("\n") + 1
        for number in map(int, re.findall(r"#@(\d+)$", rewritten.source, re.MULTILINE)):
            assert first <= number <= last


@pytest.mark.parametrize("name", NAMES)
def test_code_has_the_users_lines(name: str) -> None:
    """Every instruction of the rewritten code stands on a line of the function."""
    for function in functions_of(name):
        code = rewrite(function).code
        if code is None:
            continue
        assert code.co_filename == function.__code__.co_filename
        assert (code.co_name, code.co_firstlineno) == (
            function.__code__.co_name,
            function.__code__.co_firstlineno,
        )
        lines = {line for _, _, line in code.co_lines() if line is not None}
        last = function.__code__.co_firstlineno + rewrite(function).original.count("\n") + 1
        assert lines <= set(range(function.__code__.co_firstlineno, last + 1))


def passes(x: Any) -> Any:
    for _ in range(3):
        pass
    if x:
        pass
    return x


def test_statements_without_parts_have_the_users_lines() -> None:
    code = rewrite(passes).code
    assert code is not None
    lines = {line for part in codes_of(code) for _, _, line in part.co_lines() if line is not None}
    first = passes.__code__.co_firstlineno
    assert {first + 2, first + 4} <= lines <= set(range(first, first + 6))


# -- tracebacks ------------------------------------------------------------------------------------------------


def inner(x: Any, i: Any) -> Any:
    y = x + 1
    return y[i]


def outer(x: Any, i: Any) -> Any:
    """Fails in many places, by its arguments."""
    y = x * 2
    if i > 100:
        z = inner(
            y,
            i,
        )
        return z
    for k in range(3):
        if i > 50:
            y = y + x[i]
    while i < -50:
        raise ValueError("too small")
    assert i > -10, "small"
    try:
        return {"a": y}[i]
    except KeyError:
        w = x[i]
    return w


FAILURES = [
    (200, IndexError, ["z = inner(", "return y[i]"]),
    (70, IndexError, ["y = y + x[i]"]),
    (-70, ValueError, ['raise ValueError("too small")']),
    (-20, AssertionError, ['assert i > -10, "small"']),
    (9, IndexError, ["w = x[i]"]),
]


@pytest.mark.parametrize(("i", "kind", "lines"), FAILURES)
@pytest.mark.parametrize("decorated", [False, True])
def test_traceback(i: int, kind: type, lines: list[str], decorated: bool) -> None:
    """An exception is the plain function's, from the plain function's innermost line."""
    with pytest.raises(kind) as plain:
        outer(np.zeros(3), i)
    with pytest.raises(kind) as compiled:
        astrace.compile(outer)(np.zeros(3), i)
    assert str(compiled.value) == str(plain.value)
    frames = [frame for frame in traceback.extract_tb(compiled.tb) if frame.filename == __file__][1:]
    expected = [frame for frame in traceback.extract_tb(plain.tb) if frame.filename == __file__][1:]
    assert expected[-1].line == lines[-1]
    assert frames[-1].lineno in {frame.lineno for frame in expected} and frames[-1].line in lines


@astrace.compile
def decorated(x: Any, i: Any) -> Any:
    y = x + 1
    z = y[i]
    return z


def test_traceback_of_a_decorated_function() -> None:
    """The line is right below a decorator, too."""
    with pytest.raises(IndexError) as caught:
        decorated(np.zeros(3), 7)
    assert [frame.line for frame in traceback.extract_tb(caught.tb)][-1] == "z = y[i]"


def test_debugger_and_coverage_see_the_users_lines() -> None:
    """A trace function, as debuggers and coverage use, is told the lines that ran, and no others."""
    compiled = astrace.compile(outer)
    compiled.stages(np.zeros(200), 70)
    seen: set[int] = set()

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename == __file__ and event == "line":
            seen.add(frame.f_lineno)
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        compiled(np.zeros(200), 70)
    finally:
        sys.settrace(before)
    first = outer.__code__.co_firstlineno
    ran = {number - first for number in seen if first <= number < first + 25}
    assert {2, 3, 9, 10, 11} <= ran
    assert not ran & {4, 5, 6, 8, 13}


def test_name_of_the_operators_is_refused() -> None:
    """A function that uses the name of the operators itself runs as it is."""

    def f(x: Any) -> Any:
        ag = x + 1
        return ag if ag > 0 else x

    compiled = astrace.compile(f)
    assert compiled(1.0) == 2.0 and compiled.stages(1.0).fallback.code == "AT106"


def test_syntax_that_the_parser_does_not_know_is_refused() -> None:
    """An annotated name in parentheses is Python, and none of libcst's: the function runs as it is."""

    def f(x: Any) -> Any:
        y = x
        (z): Any = y + 1
        return z

    compiled = astrace.compile(f)
    assert compiled(1.0) == 2.0
    fallback = compiled.stages(1.0).fallback
    assert fallback.code == "AT106" and fallback.location.line - f.__code__.co_firstlineno == 2
