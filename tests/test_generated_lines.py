"""Statements of generated source: nested however long they are, in place, and each piece with its own line."""

from __future__ import annotations

import itertools
import traceback
import warnings
from collections.abc import Callable
from typing import Any, Final

import harness
import numpy as np
import pytest

import astrace
from astrace.backends.python_source.expressions import hint_of
from astrace.backends.python_source.lines import WIDTH, Line, marked, rows_of, source_text
from astrace.backends.python_source.loading import load
from astrace.locations import Location

SQUARE, ROW = np.ones((4, 4)), np.arange(1.0, 7.0)


def source_of(function: Callable[..., Any], *args: Any) -> list[str]:
    """The lines that are generated for a call, without the user's lines."""
    stages = astrace.compile(function, fullgraph=True).stages(*args)
    assert stages.executable is not None
    return [line.split("  #@")[0] for line in stages.executable.source.splitlines()]


# -- nested expressions --------------------------------------------------------------------------------------


def relaxed(a: Any, b: Any) -> Any:
    b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
    return b


def smooth(u: Any) -> Any:
    return (
        (u[2:] - 2.0 * u[1:-1] + u[:-2])
        + (u[2:] * u[1:-1] * u[:-2])
        + (u[2:] / u[1:-1] / u[:-2])
    )  # fmt: skip


def scaled(u: Any, rate: float) -> Any:
    u += rate * smooth(u).sum() * (smooth(u) * 2.0)[0]
    return u


def named(u: Any) -> Any:
    left = u[1:] - u[:-1]
    return left * 2.0


def curved(u: Any) -> Any:
    v = u + 1.0
    return v[2:] - 2.0 * v[1:-1] + v[:-2] + (v[2:] * v[1:-1]) * v[:-2]


def filled(board: Any, i: int, j: int, old: int) -> int:
    rows, columns = board.shape
    if i < 0 or i >= rows or j < 0 or j >= columns or board[i, j] != old:
        return 0
    board[i, j] = 7
    return 1


def mixed(a: Any, b: Any, c: Any, d: Any) -> Any:
    first = (a or b) and (c or d)
    second = a or (b and (c or d))
    third = (a and b and c) or (d and (c and (b and (a or c))))
    return first, second, third, a or (b or (c or d)), ((a and b) and c) and d


def test_conditions_of_several_parts_are_one_expression() -> None:
    """However they are nested, they are what they were."""
    lines = source_of(filled, np.ones((3, 3)), 1, 1, 1)
    assert "    if i < 0 or i >= rows or j < 0 or j >= columns or board[i, j] != old:" in lines
    compiled = astrace.compile(filled, fullgraph=True)
    for i, j, old in itertools.product((-1, 0, 2, 3), (-1, 0, 2, 3), (0, 1)):
        expected, found = (harness.observe(one, (np.ones((3, 3)), i, j, old)) for one in (filled, compiled))
        assert harness.differences(expected, found) == []
    compiled = astrace.compile(mixed, fullgraph=True)
    for given in itertools.product((0, 1, 2), (0, 3), (0, 4), (0, 5)):
        assert compiled(*given) == mixed(*given)
    source = "\n".join(source_of(mixed, 1, 2, 3, 4))
    assert "(a or b) and (c or d)" in source and "a or b or c or d" in source


def test_special_methods_of_objects_have_names() -> None:
    assert hint_of(itertools.count(3).__next__) == "count_next" and hint_of([].append) == "append"


def test_long_expressions_stay_nested() -> None:
    """Names would keep NumPy from computing in the memory of temporaries."""
    assert source_of(relaxed, SQUARE, SQUARE.copy()) == [
        "def relaxed(a, b):",
        "    b[1:-1, 1:-1] = 0.2 * (",
        "        a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1]",
        "    )",
        "    return b",
    ]


SMOOTH = ["u[2:] - 2.0 * u[1:-1] + u[:-2]", "+ u[2:] * u[1:-1] * u[:-2]", "+ u[2:] / u[1:-1] / u[:-2]"]


def test_expressions_over_several_lines_stay_nested() -> None:
    assert source_of(smooth, ROW) == [
        "def smooth(u):",
        "    return (",
        *(f"        {row}" for row in SMOOTH),
        "    )",
    ]


def test_what_callees_compute_stays_nested() -> None:
    assert source_of(scaled, ROW, 0.5) == [
        "def scaled(u, rate):",
        "    u += (",
        "        rate * (",
        *(f"            {row}" for row in SMOOTH),
        "        ).sum() * (",
        "            (",
        *(f"                {row}" for row in SMOOTH),
        "            ) * 2.0",
        "        )[0]",
        "    )",
        "    return u",
    ]


def test_names_of_the_user_are_kept() -> None:
    assert source_of(named, ROW) == [
        "def named(u):",
        "    left = u[1:] - u[:-1]",
        "    return left * 2.0",
    ]


def test_views_that_are_shared_are_named_before_the_expression() -> None:
    """A name in the middle of it would need names for all that was computed before."""
    lines = source_of(curved, ROW)
    assert [line.strip().split(" = ")[1] for line in lines[1:5]] == ["u + 1.0", "v[2:]", "v[1:-1]", "v[:-2]"]
    assert lines[5].startswith("    return ")
    assert len(lines) == 6


# -- assignments ---------------------------------------------------------------------------------------------


def updated(x: Any, d: Any, n: int) -> Any:
    x[1:] += x[:-1] * 2.0
    x[0] -= x[n] * 2.0
    d["a"] *= x
    x[n] = x[n] + 1
    x[n] = 1 - x[n]
    d["b"] = [n] + [n]
    return x


def split(todo: Any) -> Any:
    total = 0
    while todo:
        low, high = todo.pop()
        total += low * high
    return total


def summed(d: Any) -> Any:
    total, names = 0.0, []
    for index, (name, value) in enumerate(d.items()):
        total += value * index
        names.append(name)
    return total, names


def test_updates_are_written_in_place() -> None:
    lines = source_of(updated, ROW.copy(), {"a": np.ones(6)}, 3)
    assert "    x[1:] += x[:-1] * 2.0" in lines
    assert "    x[0] -= x[n] * 2.0" in lines
    assert any(line.endswith("*= x") for line in lines)
    assert lines[-4:-2] == ["    x[n] += 1", "    x[n] = 1 - x[n]"]


def test_items_of_a_tuple_are_taken_in_one_line() -> None:
    assert "        low, high = todo.pop()" in source_of(split, [(1, 2), (3, 4)])


def test_items_are_taken_in_the_header_of_a_loop() -> None:
    lines = source_of(summed, {f"k{index}": float(index) for index in range(400)})
    assert any("(name, value) in enumerate(d.items()):" in line for line in lines)


ASSIGNING: Final[list[tuple[Callable[..., Any], tuple[Any, ...]]]] = [
    (updated, (ROW, {"a": np.ones(6)}, 3)),
    (updated, (ROW, {"a": np.ones(5)}, 3)),
    (updated, (ROW, {"b": np.ones(6)}, 3)),
    (updated, (ROW.astype(np.int32), {"a": np.ones(6)}, 3)),
    (split, ([(1, 2), (3, 4)],)),
    (split, ([(1, 2), (3, 4, 5)],)),
    (summed, ({f"k{index}": float(index) for index in range(400)},)),
    (relaxed, (SQUARE, SQUARE)),
    (scaled, (ROW, 0.5)),
    (curved, (np.asfortranarray(np.ones((5, 3))),)),
]


@pytest.mark.parametrize(("function", "args"), ASSIGNING)
def test_they_mean_the_same(function: Callable[..., Any], args: Any) -> None:
    compiled = astrace.compile(function)
    for _ in range(2):
        plain = harness.observe(function, harness.fresh_arguments(args))
        found = harness.observe(compiled, harness.fresh_arguments(args))
        assert harness.differences(plain, found) == harness.misplaced(plain, found) == []


# -- the user's lines ----------------------------------------------------------------------------------------


def divided(u: Any, n: int) -> Any:
    return (
        u[n:] / u[n + 1 :]
    )  # fmt: skip


def fails_in_rows(u: Any, n: int) -> Any:
    return (
        np.log(u[n]) * u
        + u[n + 1] * np.sqrt(-u)
        - (u + u[n + 2] * 0.0)
        / (u * 0.0)
        + u[n + 3]
    ) * 2.0  # fmt: skip


def fails_in_callees(u: Any, n: int) -> Any:
    return (divided(u, n) * 2.0 + 1.0
        + divided(u, n + 9)
        + u[: n + 3]
    )  # fmt: skip


def fails_in_a_method(u: Any, n: int) -> Any:
    return (
        divided(u, 5).reshape(
            n - 2,
            u[n + 1]
        ).sum()
        + 1.0
    ).take(
        n
    )  # fmt: skip


FAILING: Final = (fails_in_rows, fails_in_callees, fails_in_a_method)


@pytest.mark.parametrize("function", FAILING, ids=lambda function: function.__name__)
@pytest.mark.parametrize("n", range(7))
def test_errors_and_warnings_tell_the_line_of_their_piece(function: Callable[..., Any], n: int) -> None:
    compiled = astrace.compile(function)
    assert told(compiled, n) == told(function, n)
    assert compiled.stats.fallbacks == 0


def told(function: Callable[..., Any], n: int) -> tuple[set[tuple[str, int]], tuple[str, int] | None]:
    """The warnings of a call with their lines, and its exception with the last line in this file."""
    failed = None
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            function(np.arange(6.0), n)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno or 0 for frame in frames if frame.filename == __file__]
            failed = (str(error), lines[-1])
    return {(str(one.message), one.lineno) for one in found}, failed


# -- rows ----------------------------------------------------------------------------------------------------


def rows(text: str, indent: int = 0, line: int = 1) -> list[str]:
    """A line as it is shown."""
    source, _ = source_text("def f():", [Line(indent, text, Location("file.py", line, "f"))])
    return source.splitlines()[1:]


LONG: Final = "a_rather_long_name_of_a_variable"


def test_short_lines_stay_as_they_are() -> None:
    assert rows("x = y + 1", 2, 7) == ["        x = y + 1  #@7"]


STATEMENTS: Final = (
    f"x = {LONG} + {LONG} * {LONG} - {LONG}",
    f"x[{LONG}] -= {LONG} + {LONG} * ({LONG} - {LONG})",
    f"if {LONG} < {LONG} and not {LONG} or {LONG} is not {LONG}:",
    f"for a, (b, c) in zip({LONG}, {LONG}, {LONG}, {LONG}):",
    f"return [{LONG}, ({LONG},), {{{LONG}: {LONG}}}, 'a, (b' + {LONG}]",
    f"{LONG}.append(f({LONG}, {LONG}, key={LONG} if {LONG} else 1e-05))",
    f"a, b = {LONG}, {LONG}, {LONG}, f'{{{LONG}}} + {{1}}'",
    f"{LONG}_and_{LONG}_and_{LONG}_and_{LONG} = 1",
    f"raise ValueError({LONG}, {LONG}, {LONG}) from None",
    f"del {LONG}[{LONG}, {LONG}, {LONG}]",
    f"with {LONG}({LONG} + {LONG}, {LONG}) as x:",
    f"with {LONG}_and_{LONG}_and_{LONG} as x:",
)


@pytest.mark.parametrize("text", STATEMENTS)
def test_long_lines_are_broken_where_python_allows_it(text: str) -> None:
    found = rows_of(Line(1, text))
    assert all(len(row.text) <= WIDTH or len(found) == 1 for row in found)
    joined = "".join(row.text for row in found).replace(" ", "")
    assert joined.replace("(", "").replace(")", "") == text.replace(" ", "").replace("(", "").replace(")", "")
    body = "\n".join("    " * row.indent + row.text for row in found)
    block = f"{body}\n        pass" if text.endswith(":") else body
    compile(f"def f():\n{block}\n", "<text>", "exec")


def test_pieces_of_other_lines_stand_in_rows_of_their_own() -> None:
    text = f"x = {marked('a + b', 5)} * c - ({marked('d', 7)})"
    assert rows(text, 1, 3) == [
        "    x = (  #@3",
        "        a + b  #@5",
        "        * c  #@3",
        "        - (d)  #@7",
        "    )",
    ]


def test_the_innermost_piece_gives_the_line_of_a_syntax_tree() -> None:
    inner = f"é + {marked('missing', 9)} + ({marked('also_missing', 8)})"
    text = f"return {marked(inner, 5)}"
    source, found = source_text("def f(é):", [Line(1, text, Location("file.py", 3, "f"))])
    for name, line in (("missing", 9), ("also_missing", 8)):
        namespace = {one: 1 for one in ("missing", "also_missing") if one != name}
        try:
            load(source, found, "f", "file.py", namespace)(1)
        except NameError as error:
            assert traceback.extract_tb(error.__traceback__)[-1].lineno == line
