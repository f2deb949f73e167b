"""Recompilations: the reasons that are given, and the values that become inputs instead."""

from __future__ import annotations

import re
import warnings
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.guards.failures import Failure, history

X = np.ones(3)


def world(source: str) -> dict[str, Any]:
    """A module with a function ``f``."""
    names: dict[str, Any] = {"np": np, "__name__": "world"}
    harness.run_with_source(source, names)
    return names


# -- what is said ----------------------------------------------------------------------------------------------

CHANGES: dict[str, tuple[str, tuple[Any, ...], str, tuple[Any, ...], str]] = {
    # source, first arguments, change, second arguments, what is said
    "text": ("MODE = 'a'\ndef f(x):\n    return x if MODE == 'a' else -x", (1,), "MODE = 'b'", (1,),
        "`MODE` changed from 'a' to 'b' (line 3)"),
    "flag": ("C = {'on': True}\ndef f(x):\n    return x if C['on'] else -x", (1,), "C['on'] = None", (1,),
        "`C['on']` changed from True to None (line 3)"),
    "kind of number": ("def f(x):\n    return x + 1", (1,), "", (1.5,), "`x` changed from int to float (line 1)"),
    "dtype": ("def f(x):\n    return x + 1", (X,), "", (X.astype("f4"),),
        "`x` changed from float64[n] to float32[3] (line 1)"),
    "rank": ("def f(x):\n    return x + 1", (X,), "", (np.ones((2, 3)),),
        "`x` changed from float64[n] to float64[2, 3] (line 1)"),
    "class": ("class A:\n    k = 1\nclass B:\n    k = 2\nO = A()\ndef f(x):\n    return x + O.k", (1,), "O = B()", (1,),
        "the type of `O` changed from world.A to world.B (line 7)"),
    "length": ("L = [1.0]\ndef f(x):\n    return x * len(L)", (1,), "L.append(2.0)", (1,),
        "the length of `L` changed from 1 to 2 (line 3)"),
    "keys": ("D = {'a': 1}\ndef f(x):\n    return [x, *D]", (1,), "D['b'] = 2", (1,),
        "the keys of `D` changed from {'a'} to {'a', 'b'} (line 3)"),
    "members": ("S = {1}\ndef f(x):\n    return [x, *S]", (1,), "S.add(2)", (1,),
        "the members of `S` changed from {1} to {1, 2} (line 3)"),
    "a new key": ("D = {}\ndef f(x):\n    return x + D.get('k', 0)", (1,), "D['k'] = 2", (1,),
        "the key 'k' of `D` changed from missing to there (line 3)"),
    "a key that is gone": ("D = {'k': 2}\ndef f(x):\n    return x + D.get('k', 0)", (1,), "del D['k']", (1,),
        "the key 'k' of `D` changed from there to missing (line 3)"),
    "a function": ("def h(x):\n    return x\ndef f(x):\n    return h(x)", (1,), "def h(x):\n    return -x", (1,),
        "`h` changed from h of FILE:1 to h of FILE:1 (line 4)"),
    "an edit in place": ("def h(x):\n    return x\ndef g(x):\n    return -x\ndef f(x):\n    return h(x)", (1,),
        "h.__code__ = g.__code__", (1,), "the code of `h` changed from h of FILE:1 to g of FILE:3 (line 6)"),
    "a builtin": ("def f(x):\n    return abs(x)", (1,), "abs = float", (1,), "`abs` changed from the builtin to a global (line 2)"),
    "one object": ("def f(x, y):\n    x.append(1)\n    return y[0]", ([1],) * 2, "", ([1], [2]),
        "`y` and `x` changed from one object to 2 objects (line 1)"),
    "two objects": ("def f(x, y):\n    x.append(1)\n    return y[0]", ([1], [2]), "", ([1],) * 2,
        "`x` and `y` changed from 2 objects to one object (line 1)"),
    "an instance's own": ("class A:\n    @staticmethod\n    def k(x):\n        return x\nO = A()\ndef f(x):\n    return O.k(x)",
        (1,), "O.k = abs", (1,), "the attribute 'k' of `O` itself changed from missing to there (line 7)"),
    "an attribute that is gone": ("class A:\n    pass\nO = A()\nO.k = 'a'\ndef f(x):\n    return x if O.k else 0", (1,),
        "del O.k\nA.k = 'b'", (1,), "`O.k` changed from 'a' to 'b' (line 6)"),
    "a long text": ("T = 'a' * 100\ndef f(x):\n    return x * len(T)", (1,), "T = 'a' * 101", (1,),
        f"`T` changed from '{'a' * 58}… to another '{'a' * 58}… (line 3)"),
    "a helper's read": ("K = 'a'\ndef h(x):\n    return x if K == 'a' else 0\ndef f(x):\n    return h(x)", (1,), "K = 'b'",
        (1,), "`K` changed from 'a' to 'b' (line 3)"),
    "what is passed": ("def f(x, y=1):\n    return x + y", (1,), "", (1, 2), "the choice of arguments changed from `x` to `x`, `y`"),
}  # fmt: skip


def said(names: dict[str, Any], text: str) -> str:
    """A message with the file and the function left out."""
    file = re.escape(names["f"].__code__.co_filename)
    text = re.sub(rf"{file}:(\d+), in \w+", r"line \1", text)
    return re.sub(r"<statements \d+>", "FILE", text)


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_is_said(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """The log and `explain` tell which guard failed: access path, value before and now, line of the read."""
    source, first, change, second, expected = CHANGES[name]
    names = world(source)
    function = astrace.compile(names["f"])
    function(*first)
    harness.run_with_source(change, names)
    with caplog.at_level("DEBUG", logger="astrace.recompiles"):
        assert harness.same(function(*second), names["f"](*second))
    (message,) = [record.getMessage() for record in caplog.records]
    head, failed, *_ = said(names, message).splitlines()
    assert head == "f is captured again (capture 2 of at most 8)" and failed == f"  {expected}"
    explained = said(names, function.explain(*second))
    assert f"captured again, because {expected}" in explained


def test_guards_are_logged_with_their_lines(caplog: pytest.LogCaptureFixture) -> None:
    """`ASTRACE_LOGS=guards` lists what a capture holds under."""
    names = world("MODE = 'a'\ndef f(x):\n    return x if MODE == 'a' else -x")
    with caplog.at_level("DEBUG", logger="astrace.guards"):
        astrace.compile(names["f"])(1)
    (message,) = [record.getMessage() for record in caplog.records]
    assert said(names, message).splitlines() == [
        "guards of f",
        "  x: int  (line 2)",
        "  MODE == 'a'  (line 3)",
    ]


DEAR = {
    "keys": ("D = {'a': 1, 'b': 2}\ndef f(x):\n    return [x, *D]", "2 items are compared, one by one"),
    "members": ("D = {1, 2, 3}\ndef f(x):\n    return [x, *D]", "3 items are compared, one by one"),
    "parts": (
        "D = (1, 'a')\ndef f(x):\n    return x, D",
        "it is compared part by part, unless it is the same object",
    ),
    "text": (
        "D = 'a' * 10_000\ndef f(x):\n    return x, D",
        "a long text is compared, unless it is the same object",
    ),
    "method": (
        "class A:\n    def k(self):\n        return 1\nD = A()\ndef f(x):\n    return D.k()",
        "each read binds the method",
    ),
    "unit": (
        "D = np.timedelta64(1, 's')\ndef f(x):\n    return D * x",
        "NumPy makes a new dtype at each read",
    ),
    "many": ("def f(x):\n    for item in x:\n        item.append(1)", "9 objects are compared by identity"),
}


@pytest.mark.parametrize("name", DEAR)
def test_checks_that_are_not_cheap_say_so(name: str) -> None:
    """`explain` tells what makes them dear; others say nothing."""
    source, reason = DEAR[name]
    names = world(source)
    given = [[] for _ in range(8)] if name == "many" else 2
    lines = astrace.compile(names["f"]).explain(given).splitlines()
    dear = [line.partition("not cheap: ")[2] for line in lines if "not cheap" in line]
    assert dear == [reason]


def test_what_changed_over_several_captures() -> None:
    """The most frequent first, each with its values in order; long rows and identical texts are shortened."""

    def changes(subject: str, *values: str) -> list[Failure]:
        return [Failure(None, subject, before, now) for before, now in zip(values, values[1:], strict=False)]

    assert history(changes("`n`", "1", "2", "3")) == "`n` (1, 2, 3)"
    assert (
        history([*changes("`a`", "1", "2"), *changes("`b`", "x", "y", "z")]) == "`b` (x, y, z) and `a` (1, 2)"
    )
    mixed = [*changes("`a.v`", "1", "2"), *changes("the type of `a.v`", "int", "str")]
    assert history(mixed) == "`a.v` (1, 2, str)"
    assert history(mixed[1:]) == "the type of `a.v` (int, str)"
    assert history(changes("`n`", *map(str, range(9)))) == "`n` (0, 1, …, 7, 8)"
    assert history(changes("`g`", "g of m.py:1", "another g of m.py:1")) == "`g` (2 different g of m.py:1)"
    many = [one for letter in "abcde" for one in changes(f"`{letter}`", "1", "2")]
    assert history(many) == "`a` (1, 2), `b` (1, 2), `c` (1, 2) and 2 more"


def test_the_limit_names_what_changed_each_time() -> None:
    """One warning, with every value, the line of the read, and what to do."""
    names = world("MODE = 'a'\ndef f(x):\n    return x if MODE == 'a' else (x, MODE)")
    function = astrace.compile(names["f"], recompile_limit=3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for mode in "abcdefg":
            names["MODE"] = mode
            assert harness.same(function(1.0), names["f"](1.0))
    (warning,) = caught
    assert said(names, str(warning.message)).splitlines() == [
        "AT207: `f` was specialised 3 times, which is the limit; this changed: `MODE` ('a', 'b', 'c', 'd')",
        "  at line 3",
        "    3 | return x if MODE == 'a' else (x, MODE)",
        "      |             ^^^^                 ^^^^",
        "  hint: pass what changes as an array or a number, or raise `recompile_limit`",
    ]


def test_the_limit_is_told_of_at_the_def_of_a_decorated_function() -> None:
    """An argument that changes is asked for nowhere: the line is that behind the decorators."""
    names = world("def same(f):\n    return f\n@same\n@same\ndef f(x, kind):\n    return x")
    function = astrace.compile(names["f"], recompile_limit=2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for kind in "abc":
            function(1.0, kind)
    assert said(names, str(caught[0].message)).splitlines()[1:3] == ["  at line 5", "    5 | def f(x, kind):"]


class Asked:
    """Tells of each attribute that it is asked for and has not."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.asked.append(name)
        raise AttributeError(name)

    def __getitem__(self, index: int) -> int:
        return [4, 5][index]


def test_guards_about_arrays_ask_no_other_object() -> None:
    """A change is found without running the code of an object that has replaced an array."""

    @astrace.compile
    def spread(x: Any) -> Any:
        return max(*x)

    spread(np.arange(3))
    spread(np.arange(2.0))
    plain = Asked()
    max(*plain)
    given = Asked()
    assert spread(given) == 5
    assert given.asked == plain.asked


def test_a_name_that_a_library_lacks_is_no_change() -> None:
    """NumPy's modules have a ``__getattr__``, which is asked once; then the name is known to be missing."""

    @astrace.compile
    def integral(x: Any) -> Any:
        return (np.no_such_sum if hasattr(np, "no_such_sum") else getattr(np, "nor_this", np.sum))(x)

    for size in (3, 4, 5):
        assert integral(np.ones(size)) == size
    assert integral.stats.traces == 1
