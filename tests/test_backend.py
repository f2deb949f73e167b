"""Generated source: Python that a reviewer can read, evaluated in the user's order, with the user's lines."""

from __future__ import annotations

import ast
import builtins
import keyword
import math
import traceback
from collections.abc import Callable
from typing import Any, Final

import harness
import numpy as np
import pytest

import astrace

RESERVED: Final = {*keyword.kwlist, *dir(builtins), "np", "math", "operator"}


def source_of(function: Callable[..., Any], *args: Any) -> str:
    """The source that is generated for a call."""
    stages = astrace.compile(function, fullgraph=True).stages(*args)
    assert stages.executable is not None
    return stages.executable.source


def stored(source: str) -> set[str]:
    """The names that a source assigns, parameters included."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


# -- names ---------------------------------------------------------------------------------------------------


def mean_above(values: Any, limit: Any) -> Any:
    total, count = 0.0, 0
    for value in values:
        if value > limit:
            total += value
            count += 1
    return total / count if count else math.nan


def numbered(t: Any, t1: Any) -> Any:
    t2 = (t + 1) * (t1 + 1)
    for t3 in t:
        t2 = t2 * t3
    return t2, t3, t1


SHADOWING: Final = """
def shadowing(list, sum, np_):
    len = list * 2
    max = len[0] + sum
    print = max * np_
    for range in list:
        print = print + range
    if print > 3:
        type = print
    else:
        type = -print
    return type, max
"""
SOFT_KEYWORDS: Final = """
def soft_keywords(match, case):
    type = match + case
    _ = type * 2
    return _ + type
"""


def function_of(text: str) -> Callable[..., Any]:
    """The function that a text defines."""
    namespace: dict[str, Any] = {}
    harness.run_with_source(text, namespace)
    return next(one for name, one in namespace.items() if not name.startswith("__"))


PROGRAMS: Final[list[tuple[Callable[..., Any], tuple[Any, ...]]]] = [
    (mean_above, (np.array([1.0, 5.0, 7.0]), 3.0)),
    (function_of(SHADOWING), (np.array([1.0, 2.0]), 3.0, 2.0)),
    (numbered, (np.array([1.0, 2.0]), 3.0)),
    (function_of(SOFT_KEYWORDS), (1.5, 2.5)),
]


@pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=lambda item: getattr(item, "__name__", ""))
def test_generated_source_is_python_with_names_of_its_own(function: Callable[..., Any], args: Any) -> None:
    source = source_of(function, *args)
    assert stored(source) & RESERVED == set()
    assert source.startswith(f"def {function.__name__}(")
    plain = harness.observe(function, harness.fresh_arguments(args))
    found = harness.observe(astrace.compile(function), harness.fresh_arguments(args))
    assert harness.differences(plain, found) == []


def test_names_of_the_user_are_kept() -> None:
    assert {"values", "limit", "value", "total", "count"} <= stored(source_of(mean_above, *PROGRAMS[0][1]))


def test_source_reads_as_written() -> None:
    lines = [line.split("  #@")[0].rstrip() for line in source_of(mean_above, *PROGRAMS[0][1]).splitlines()]
    assert lines == [
        "def mean_above(values, limit):",
        "    count = 0",
        "    total = 0.0",
        "    for value in values:",
        "        if value > limit:",
        "            total = total + value",
        "            count = count + 1",
        "    return total / count if count else nan",
    ]


def test_a_function_without_a_proper_name_is_compiled() -> None:
    assert source_of(lambda x: x + 1, 2.0).startswith("def compiled(x):")


# -- order of evaluation -------------------------------------------------------------------------------------


def say(word: str, value: Any) -> Any:
    """Prints, and gives its value."""
    print(word)
    return value


def in_expressions(a: Any, b: Any) -> Any:
    return say("a", a) + say("b", b) * say("a again", a) - (say("b again", b) ** 2)


def in_arguments(a: Any, b: Any) -> Any:
    return np.clip(say("first", a), say("second", b), say("third", b) + 1, out=say("out", np.zeros(3)))


def in_keywords(a: Any, b: Any) -> Any:
    return dict(x=say("x", a), y=say("y", b)), np.sum(a=say("array", b), axis=say("axis", 0))


def in_displays(a: Any, b: Any) -> Any:
    return [say("one", a), (say("two", b), say("three", a))], {say("key", 1): say("value", a)}


def in_chains(a: Any, b: Any) -> Any:
    return say("low", a) < say("mid", b.sum()) < say("high", a + 5), say("x", a) == say("y", a) != say("z", 1)


def in_logic(a: Any, b: Any) -> Any:
    return say("p", a > 1) and say("q", b.sum() > 1) or say("r", a), say("n", a) or say("never", b)


def in_choices(a: Any, b: Any) -> Any:
    return say("yes", a) if say("test", b[0] > 1) else say("no", b), say("after", a)


def in_subscripts(a: Any, b: Any) -> Any:
    say("base", b)[say("key", 0)] = say("value", a)
    return say("base", b)[say("low", 0) : say("high", 2)], b


def in_updates(a: Any, b: Any) -> Any:
    say("base", b)[say("key", 0)] += say("value", a)
    total = say("start", a)
    total -= say("less", b[0]) * say("twice", 2)
    return total, b


def in_swaps(a: Any, b: Any) -> Any:
    b[say("left", 0)], b[say("right", 1)] = say("one", b[1]), say("two", b[0])
    return b


def in_methods(a: Any, b: Any) -> Any:
    return say("array", b).reshape(say("rows", 3), say("columns", 1)).sum(axis=say("axis", 0))


def in_strings(a: Any, b: Any) -> Any:
    return f"{say('a', a)} and {say('b', b.sum()):.2f}" + str(say("c", a))


def in_comprehensions(a: Any, b: Any) -> Any:
    return [say("item", x) * say("a", a) for x in say("list", b) if say("test", x) > 1]


def around_writes(a: Any, b: Any) -> Any:
    before = b.sum()
    b[0] = 100.0
    after = b.sum()
    both = before + after
    b[1] = both
    return both - b.sum(), before


def reads_before_writes(a: Any, b: Any) -> Any:
    first = b[0]
    view = b[:2]
    b[0] = first + 1
    second = view[0]
    view[1] = second
    return first, second, b[1], b


ORDERED: Final = (
    *(in_expressions, in_arguments, in_keywords, in_displays, in_chains, in_logic, in_choices, in_subscripts),
    *(in_updates, in_swaps, in_methods, in_strings, in_comprehensions, around_writes, reads_before_writes),
)


@pytest.mark.parametrize("function", ORDERED, ids=lambda function: function.__name__)
@pytest.mark.parametrize("args", [(2.0, np.array([1.0, 2.0, 3.0])), (0.0, np.array([3.0, -1.0, 0.5]))])
def test_parts_are_evaluated_in_the_order_of_the_text(function: Callable[..., Any], args: Any) -> None:
    compiled = astrace.compile(function)
    plain = harness.observe(function, harness.fresh_arguments(args))
    found = harness.observe(compiled, harness.fresh_arguments(args))
    assert harness.differences(plain, found) == []
    assert plain.printed or function in (around_writes, reads_before_writes)
    assert compiled.stats.fallbacks == 0


# -- lines ---------------------------------------------------------------------------------------------------


def fails_in_a_branch(x: Any, n: int) -> Any:
    y = x + 1
    if n > 1:
        z = y * 2
        y[0] = 4
        return z[n + 3]
    elif n == 0:
        y[0] = 3
        return y[9]
    y[0] = 5
    return y[7]


def fails_in_either_return(x: Any, n: int) -> Any:
    y = x * 2
    if n > 1:
        return y[9]
    return y[7]


def fails_in_either_value(x: Any, n: int) -> Any:
    if n > 1:
        y = x[n + 9]
    elif n == 0:
        y = x[n + 7]
    else:
        y = 1 if n == 5 else x[n + 8]
    return y


# fmt: off
def fails_in_parts_of_a_test(x: Any, n: int) -> Any:
    if (
        n == 2
        and x[n + 4] > 1
        or n == 1
        and x[n + 5] > 1
        or (
            x[9]
            if n
            else x[8]
        )
    ):
        return 1
    return 2


def fails_in_parts_of_a_loop_s_test(x: Any, n: int) -> Any:
    i = 0
    while (
        i < n
        or
        x[i + 3]
    ):
        i += 1
    return i


# fmt: on
def fails_in_a_return_of_a_callee(x: Any, n: int) -> Any:
    return fails_in_either_return(x, n) + 1


def fails_in_a_loop(x: Any, n: int) -> Any:
    total = 0.0
    for i in range(9):
        y = x * 2
        total += y[i + n]
        total -= 1
    return total


def fails_in_a_while(x: Any, n: int) -> Any:
    i = 0
    while i < 9:
        i += 1
        if i > 2:
            x = x / 2
            x[i] = 1
    return x


def pick(x: Any, n: int) -> Any:
    double = x * 2

    return double[n + 3]


def fails_in_a_callee(x: Any, n: int) -> Any:
    first = x.sum()
    second = pick(x, n)
    return first, second


def fails_in_a_test(x: Any, n: int) -> Any:
    y = 0
    if n > 5:
        y = 1
        x[0] = n
    elif x > n:
        y = 2
        x[0] = 2
    return y


def fails_in_a_loop_s_test(x: Any, n: int) -> Any:
    i = 0
    while i < 2 or x[i + n]:
        i += 1
    return i


def fails_over_the_elements(x: Any, n: int) -> Any:
    total = n
    for _, one in zip(range(4), x, strict=True):
        total += one
    return total


def fails_in_a_handler(x: Any, n: int) -> Any:
    try:
        return x[n + 9]
    except IndexError:
        y = x * 2
        return y[n + 8]


def raises(x: Any, n: int) -> Any:
    if n < 4:
        message = f"only {n}"
        raise ValueError(message)
    raise KeyError(n)


def fails_in_a_comprehension(x: Any, n: int) -> Any:
    y = x + 1
    return [y[i] for i in range(n + 5)]


FAILING: Final = (
    *(fails_in_a_branch, fails_in_a_loop, fails_in_a_while, fails_in_a_callee, fails_in_a_test),
    *(
        fails_in_either_return,
        fails_in_either_value,
        fails_in_parts_of_a_test,
        fails_in_parts_of_a_loop_s_test,
    ),
    *(
        fails_in_a_return_of_a_callee,
        fails_in_a_handler,
        raises,
        fails_in_a_comprehension,
        fails_in_a_loop_s_test,
        fails_over_the_elements,
    ),
)


@pytest.mark.parametrize("function", FAILING, ids=lambda function: function.__name__)
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_tracebacks_end_at_the_user_s_line(function: Callable[..., Any], n: int) -> None:
    """Also where the line stands in a function that was traced through."""
    compiled = astrace.compile(function)
    assert last_line(compiled, n) == last_line(function, n)
    assert compiled.stats.fallbacks == 0


@pytest.mark.parametrize("function", [fails_in_a_loop, fails_in_a_callee])
def test_tracebacks_mark_no_columns_of_generated_text(function: Callable[..., Any]) -> None:
    """Python would print an empty line below the user's."""
    with pytest.raises(Exception) as raised:  # noqa: PT011
        astrace.compile(function)(np.arange(3.0), 4)
    text = "".join(traceback.format_exception(raised.value))
    assert f'File "{__file__}"' in text
    assert all(line.strip() for line in text.splitlines())


def last_line(function: Callable[..., Any], n: int) -> tuple[str, str, int]:
    """The exception that a function raises, and the last line of this file in its traceback."""
    try:
        function(np.arange(3.0), n)
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__]
        return type(error).__name__, str(error), frames[-1].lineno or 0
    raise AssertionError("nothing was raised")
