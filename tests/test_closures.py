"""Variables of local functions that change, or do not, after the function is made."""

from __future__ import annotations

import textwrap
import types
from collections.abc import Iterator
from typing import Any

import pytest

from astrace.tracing.values.closures import is_settled

SETTLED = {
    "parameter": "inner = lambda: x",
    "assigned before": """
        x = x + 1
        inner = lambda: x
    """,
    "in a branch before": """
        if x:
            x = 2
        inner = lambda: x
    """,
    "in a loop before": """
        for x in range(3):
            print(x)
        inner = lambda: x
    """,
    "made in a loop": """
        for _ in range(3):
            inner = lambda: x
    """,
    "read by another one": """
        inner, other = lambda: x, lambda: x + 1
    """,
    "of another function": """
        inner = lambda: x
        def other(x):
            x = 1
            return lambda: x
    """,
}
CHANGING = {
    "assigned after": """
        inner = lambda: x
        x = 2
    """,
    "in a branch after": """
        inner = lambda: x
        if x:
            x = 2
    """,
    "loop variable": """
        for x in range(3):
            inner = lambda: x
    """,
    "before, in the same loop": """
        while x < 3:
            x = x + 1
            inner = lambda: x
    """,
    "deleted": """
        inner = lambda: x
        del x
    """,
    "assigned by itself": """
        def inner():
            nonlocal x
            x = 2
    """,
    "assigned two levels below": """
        inner = lambda: x
        def other():
            def deeper():
                nonlocal x
                x = 2
    """,
    "with": """
        inner = lambda: x
        with open(__file__) as x:
            pass
    """,
}


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield from (one for one in code.co_consts if isinstance(one, types.CodeType))


@pytest.mark.parametrize(
    ("body", "expected"),
    [*((body, True) for body in SETTLED.values()), *((body, False) for body in CHANGING.values())],
    ids=[*SETTLED, *CHANGING],
)
def test_settled(body: str, expected: bool) -> None:
    space: dict[str, Any] = {}
    exec("def outer(x):\n" + textwrap.indent(textwrap.dedent(body), "    ") + "\n    return inner", space)
    code = space["outer"].__code__
    inner = next(one for one in codes(code) if "x" in one.co_freevars)
    assert is_settled(code, inner, "x") is expected
