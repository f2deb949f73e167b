"""Texts for users: `explain`, logs, counts, errors."""

from __future__ import annotations

import contextlib
import math
import operator
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest

import astrace

ROOT = Path(__file__).parent.parent
SCALE = 2.0
MODE = "fast"


@astrace.compile
def f(x: Any, n: int) -> Any:
    total = 0.0
    if MODE == "fast":
        total = SCALE
    for v in x:
        if v > n:
            total += v
        else:
            total -= 1
    while total > 10:
        total /= 2
    for name in ("a", "b"):
        total += len(name)
    return total


def lines_of(text: str) -> dict[int, str]:
    """The gutter of each line that has one."""
    found: dict[int, str] = {}
    for line in text.splitlines():
        gutter, bar, rest = line.partition("|")
        number = rest.partition("|")[0].strip()
        if bar and number.isdigit():
            found[int(number)] = gutter.strip()
    return found


def test_explain_says_what_became_of_each_line() -> None:
    """Captured as what, read live, guarded: by line, with the codes of the reference."""
    text = f.explain(np.ones(3), 2)
    first = f.__wrapped__.__code__.co_firstlineno
    gutter = lines_of(text)
    assert set(gutter) == set(range(first, first + 15))
    assert {line - first for line, code in gutter.items() if "AT001" in code} == {6}
    assert "AT002" in gutter[first + 5] and "AT003" in gutter[first + 10]
    assert "MODE" in text and "SCALE" in text and "captured whole" in text
    for source in ("total += v", "while total > 10:"):
        assert source in text


def test_explain_of_a_fallback() -> None:
    """The reason, its line, and what to do."""

    def g(x: Any) -> Any:
        return locals()

    text = astrace.compile(g).explain(1.0)
    assert "AT106" in text and "return locals()" in text and "hint" in text


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (len, "len"),
        (np.sin, "np.sin"),
        (np.add.reduce, "ufunc.reduce"),
        (operator.itemgetter(0), "<itemgetter>"),
    ],
)
def test_explain_of_what_is_not_python(function: Any, name: str) -> None:
    """There is no source to show, but there is a reason."""
    text = astrace.compile(function).explain([1.0])
    assert text.startswith(name) and "runs as plain Python" in text and "AT101" in text


def test_explain_does_not_run() -> None:
    """Nothing of the function's is done."""
    ran: list[int] = []

    def g(x: Any) -> Any:
        ran.append(1)
        return x

    astrace.compile(g).explain(1.0)
    assert ran == []


def test_graph_text_is_stable() -> None:
    """Two captures print the same, so that they can be compared line by line."""
    texts = {str(astrace.compile(f.__wrapped__).stages(np.ones(3), 2).graph) for _ in range(3)}
    assert len(texts) == 1


def test_logs(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """`ASTRACE_LOGS` names what is logged; nothing else is."""
    monkeypatch.setenv("ASTRACE_LOGS", "graph,recompiles")
    g = astrace.compile(lambda x: x * 2 if x > 0 else x)
    g(1.0)
    assert "cond" in caplog.text and "def " not in caplog.text
    caplog.clear()
    g(np.float32(1))
    assert "`x` changed from float to float32" in caplog.text and "is captured again" in caplog.text


def test_logs_of_an_unknown_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that there is not is refused with those that there are."""
    monkeypatch.setenv("ASTRACE_LOGS", "everythin")
    with pytest.raises(astrace.InvalidArgument, match="everythin.*recompiles"):
        astrace.compile(lambda x: x)


def python(code: str, **environment: str) -> str:
    """Return the output of a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_import_is_light() -> None:
    """Importing loads next to nothing; compiling loads neither optional package."""
    heavy = "['libcst', 'jax', 'numba', 'hypothesis', 'pytest']"
    code = (
        f"import sys, astrace; print([name for name in {heavy} if name in sys.modules], astrace.__version__)"
    )
    assert python(code).startswith("[] 0.")
    code = f"import sys, astrace; astrace.compile(len)([]); print([name for name in {heavy}[1:] if name in sys.modules])"
    assert python(code) == "[]\n"


def test_disabled_by_the_environment() -> None:
    """`ASTRACE_DISABLE=1` leaves the functions as they are, behind the same wrapper."""
    code = """
        import astrace
        @astrace.compile
        def f(x):
            return x + 1 if x > 0 else x
        print(f(1.0), f.stats, type(f).__name__)
    """
    shown = "2.0 Stats(calls=1, traces=0, guard_failures=0, fallbacks=0, kernels=0) Compiled\n"
    assert python(code, ASTRACE_DISABLE="1") == shown
    assert python(code, ASTRACE_DISABLE="0") == shown.replace("fallbacks=0", "fallbacks=1").replace(
        "traces=0", "traces=1"
    )


def test_public_names() -> None:
    """Every public name is there, documented, and listed; others are not."""
    for name in astrace.__all__:
        assert getattr(astrace, name).__doc__, name
    assert dir(astrace) == sorted(astrace.__all__)
    with pytest.raises(AttributeError, match="module 'astrace' has no attribute 'nothing'"):
        astrace.nothing  # type: ignore[attr-defined]


def test_one_tree_of_errors() -> None:
    """All errors of astrace's own have one base."""
    own = [
        getattr(astrace, name) for name in ("BrokenBlock", "InvalidArgument", "NotCaptured", "StateChanged")
    ]
    assert all(issubclass(one, astrace.AstraceError) for one in own)


def adders(x: Any) -> Any:
    found = []
    for v in x:
        found.append(lambda y: y + v)
    return found


def adders_with_defaults(x: Any) -> Any:
    found = []
    for v in x:
        found.append(lambda y, v=v: y + v)
    return found


def suppressed(x: Any, manager: Any) -> Any:
    y = 0.0
    with manager:
        y = x[5]
    return y


def test_hints_that_mend() -> None:
    """What the hint of a reason says is captured; carets stand below what the reason or its hint names."""
    x = np.ones(2)
    told = str(astrace.compile(adders).explain(x))
    assert "(hint: hand over the present value as a default (`v=v`), if that is meant, or define it" in told
    compiled = astrace.compile(adders_with_defaults, fullgraph=True)
    assert [one(1.0) for one in compiled(x)] == [2.0, 2.0]
    told = str(astrace.compile(suppressed).explain(x, contextlib.suppress(IndexError)))
    assert "(hint: say it with `try` and `except`, or move the whole `with`" in told
    assert "|      |     ^^^^\n" in told


def keyed(x: Any, **options: Any) -> Any:
    return x * len(options)


def test_an_empty_dict_is_no_dear_guard() -> None:
    assert "keys of options are ()" in str(astrace.compile(keyed).explain(1.0))
    assert "not cheap" not in str(astrace.compile(keyed).explain(1.0))
    assert "not cheap: 1 items are compared" in str(astrace.compile(keyed).explain(1.0, a=1))


def named_by_texts(x: Any) -> Any:
    found = {}
    for i in range(len(x)):
        found[str(i)] = x[i]
    return found


def squares(x: Any) -> Any:
    for i in range(len(x)):
        x[i] = x[i] ** 2
    return x


def test_loops_that_can_not_be_machine_code_tell_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the backend that is the default, too; not where no machine code is asked for."""
    monkeypatch.delenv("ASTRACE_BACKEND")
    row = "     backend |      line LINE: `str` stands in the way of machine code (AT307)\n"
    line = named_by_texts.__code__.co_firstlineno + 3
    for backend, shown in (("auto", True), ("numpy", False), ("jax", False)):
        told = str(astrace.compile(named_by_texts, backend=backend).explain(np.ones(3)))
        assert (row.replace("LINE", str(line)) in told) == shown
    assert "AT307" not in str(astrace.compile(squares).explain(np.ones(3)))


IN_THE_WAY = {
    "print(x[i])": "a call that is left to Python",
    "x[i] = len(f'{x[i]}')": "an f-string",
    "x[i] = len({x[i]: 1})": "a dict",
    "try:\n            x[i] = 1 / kept[i]\n        except IndexError:\n            x[i] = 0.0": "`try`",
    "x[i] = float(str(x[i]))": "`str`",
}


@pytest.mark.parametrize("statement", IN_THE_WAY)
def test_what_stands_in_the_way_of_machine_code_is_told_in_words(statement: str) -> None:
    """Not by the name of an op that nobody writes."""
    text = (
        f"def f(x):\n    kept = [0.0]\n    for i in range(len(x)):\n        {statement}\n    return x, kept\n"
    )
    scope: dict[str, Any] = {}
    harness.run_with_source(text, scope)
    told = str(astrace.compile(scope["f"], backend="native").explain(np.ones(3)))
    assert f"AT307: {IN_THE_WAY[statement]}\n" in told


def nearest(points):
    best = np.inf
    for i in range(1, len(points)):
        best = min(best, math.dist(points[0], points[i]))
    return best


def test_what_gives_the_first_value_of_unknown_type_is_named() -> None:
    """Not the loop, all of whose variables have no known type for that reason."""
    told = astrace.compile(nearest, backend="native").explain(np.ones((3, 2)))
    where, what = told.splitlines()[[" AT307 " in one for one in told.splitlines()].index(True) :][:2]
    assert "best = min(best, math.dist(" in where and "^" in what
    assert "AT307: what `math.dist` gives, whose type is not known" in told
