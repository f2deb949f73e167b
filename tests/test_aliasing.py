"""Arguments that are one object, or share memory: arrays need no guard for it, and objects only where one is written.

Each body is called with all pairs, in both orders, through one compiled function: what was captured for one
pair must not be used where it does not hold, and what holds for all is captured once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.guards.kinds import IsAt


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v


Box.__module__ = "program_aliasing"  # `harness` looks into instances of a program's classes


def base() -> np.ndarray[Any, Any]:
    return np.arange(8.0)


def twice(value: Any) -> tuple[Any, Any]:
    return value, value


ARRAYS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "apart": lambda: (base(), base() + 1),
    "one object": lambda: twice(base()),
    "a view and its base": lambda: (lambda x: (x[2:], x))(base()),
    "two views": lambda: (lambda x: (x[:5], x[3:]))(base()),
    "reversed": lambda: (lambda x: (x, x[::-1]))(base()),
    "interleaved": lambda: (lambda x: (x[::2], x[1::2]))(base()),
    "the same memory": lambda: (lambda x: (x[:], x[:]))(base()),
    "side by side": lambda: (lambda x: (x[:4], x[4:]))(base()),
}
ARRAY_BODIES = (
    "a[1:3] = b[:2]; c = b + 1; a[0] = -1; d = b + 1; return a, b, c, d, a is b",
    "a += 1; s = b.sum(); b *= 2; return a, b, s, a.sum()",
    "x = a + b\n    for i in range(2):\n        a[i] = b[-1 - i] + x[i]\n        x = a + b\n    return x, a",
    "t = a[0] + 0\n    while t < 3:\n        b[0] += 1\n        t = t + a[0] + 1\n    return t, a, b",
    "np.add(a[:3], b[:3], out=a[:3]); np.copyto(b[:2], a[1:3]); a.sort(); return a, b, np.shares_memory(a, b)",
    "if a[0] < b[0]:\n        a, b = b, a\n    a[:2] = 7\n    u = a.copy()\n    b -= 1\n    return a, b, u, a + 0",
    "v, w = a[::-1], b.reshape(-1)\n    v[:2] += w[:2]\n    w[0] = 50\n    return v, w, a.max(), b.max()",
)
OBJECTS: dict[str, dict[str, Callable[[], tuple[Any, Any]]]] = {
    "list": {"apart": lambda: ([1.0, 2.0], [1.0, 2.0]), "one object": lambda: twice([1.0, 2.0])},
    "dict": {"apart": lambda: ({0: 1.0}, {0: 1.0}), "one object": lambda: twice({0: 1.0})},
    "array in a list": {"apart": lambda: ([base()], [base()]), "one object": lambda: twice([base()])},
    "one array in two lists": {
        "apart": lambda: (lambda x: ([x], [x]))(base()),
        "one object": lambda: twice([base()]),
    },
}
READING = ("return a[0] + b[0], len(a) + len(b)", "c = a[0]\n    return c, [c, b[0]], b")
WRITING = ("a[0] = b[0] + 1; return a, b, a[0] + b[0]", "a[0] += 1; b[0] += 1; c = a[0]; return a, b, c")
ATTRIBUTES = ("a.v += 1; b.v = b.v * 2; return a.v, b.v, a is b", "a.v = b.v + 1; return b.v, a.v, a is b")


def function_of(body: str) -> Any:
    """A function of ``a`` and ``b`` with its source."""
    module: dict[str, Any] = {"np": np, "__name__": "program_aliasing"}
    harness.run_with_source(f"def f(a, b):\n    {body}\n", module)
    return module["f"]


def compiled_over(body: str, pairs: dict[str, Callable[[], tuple[Any, Any]]]) -> Any:
    """A compiled function that was called with all pairs, and compared."""
    plain = function_of(body)
    for order in (list(pairs), list(pairs)[::-1]):
        function = astrace.compile(plain)
        for name in (*order, *order):
            expected, found = (harness.observe(one, pairs[name]()) for one in (plain, function))
            assert harness.differences(expected, found) == [], (body, name)
        assert function.stats.fallbacks == 0
        yield function


def has_alias_guard(function: Any) -> bool:
    """Return whether a guard tells objects apart."""
    return any(
        isinstance(guard, IsAt) for entry in function._entries for guard in entry.specialisation.guards
    )


@pytest.mark.parametrize("body", ARRAY_BODIES)
def test_arrays_are_captured_once(body: str) -> None:
    """However they overlap: the graph refers to arrays as the program does."""
    for function in compiled_over(body, ARRAYS):
        assert function.stats.traces == 1
        assert not has_alias_guard(function)


@pytest.mark.parametrize("pairs", OBJECTS.values(), ids=OBJECTS)
@pytest.mark.parametrize("body", READING)
def test_objects_that_are_only_read_are_captured_once(
    body: str, pairs: dict[str, Callable[[], tuple[Any, Any]]]
) -> None:
    """A trace of two objects serves one that is given twice."""
    first, _ = compiled_over(body, pairs)
    assert first.stats.traces == 1
    assert not has_alias_guard(first)


@pytest.mark.parametrize("pairs", OBJECTS.values(), ids=OBJECTS)
@pytest.mark.parametrize("body", WRITING)
def test_objects_that_are_written_are_told_apart(
    body: str, pairs: dict[str, Callable[[], tuple[Any, Any]]]
) -> None:
    """A write under one name is seen under another, if both are one object."""
    for function in compiled_over(body, pairs):
        assert function.stats.traces == 2
        assert has_alias_guard(function)


@pytest.mark.parametrize("body", ATTRIBUTES)
def test_instances(body: str) -> None:
    """Attributes of one object, of two that hold one array, and of two that have nothing in common."""
    pairs = {
        "apart": lambda: (Box(base()), Box(base())),
        "one array": lambda: (lambda x: (Box(x), Box(x)))(base()),
        "one object": lambda: twice(Box(base())),
    }
    for function in compiled_over(body, pairs):
        assert function.stats.traces == 2


CONTAINERS = {
    "a list": ("[a[0]]", "x[0] = a[1]", "x[::1]"),
    "a list that grows": ("[a[0]]", "x.append(a[1])", "x[::1]"),
    "pairs": ("[(a[0], 1)]", "x[-1] = (a[1], 2)", "x[::1]"),
    "a dict": ("{'k': a[0]}", "x['k'] = a[1]", "dict(x)"),
    "a dict with more keys": ("{'k': a[0]}", "x['m'] = a[1]", "dict(x)"),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_what_one_branch_changes_and_another_makes_anew(name: str) -> None:
    """A container that may be the one from before, changed, or one that a loop has put in its place."""
    made, change, copied = CONTAINERS[name]
    body = (
        f"x = {made}\n    if a[0] < 1:\n        {change}\n    else:\n        i = 0\n"
        f"        while i < 3 and a[i] > 2:\n            i += 1\n            x = {copied}\n    return x"
    )
    for function in compiled_over(
        body, {str(first): lambda first=first: (np.array([first, 5.0, 1.0]), 0) for first in (0.0, 1.0, 3.0)}
    ):
        assert function.stats.traces == 1
