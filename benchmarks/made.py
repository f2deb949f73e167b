"""Functions made from text, with their source where ``inspect`` finds it."""

from __future__ import annotations

import itertools
import linecache
import textwrap
import types
from collections.abc import Sequence

import numpy as np

_numbers = itertools.count()


def made(text: str) -> types.FunctionType:
    """The function ``f`` that a text defines, in a file of its own."""
    text = textwrap.dedent(text)
    file = f"<benchmark {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace = {"np": np}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


def straight(lines: Sequence[str]) -> str:
    """The text of a function ``f(x)`` with these lines, which gives what is in ``x`` at its end."""
    return "\n".join(["def f(x):", *(f"    {line}" for line in lines), "    return x", ""])


def chain(length: int) -> str:
    """A chain: each node uses the one before it."""
    return straight(["x = x + 1"] * length)


def diamond(depth: int) -> str:
    """Diamonds in a row: each node uses the one before it twice, so that there are 2**depth ways down."""
    return straight(["x = x + x"] * depth)


def nested(depth: int) -> str:
    """Loops in each other; none of the indices is used."""
    heads = [f"{'    ' * level}for i{level} in range(3):" for level in range(depth)]
    return straight([*heads, f"{'    ' * depth}x = x * 0.5 + 1"])


def branches(depth: int) -> str:
    """Branches in a row: each level is taken one way or the other, so that there are 2**depth ways down."""
    return straight(["if x > 0:", "    x = x - 1", "else:", "    x = x + 2"] * depth)


def tries(depth: int) -> str:
    """``try`` statements in each other, each with something that may raise and a handler."""
    lines = ["x = x * 0.5"]
    for level in range(depth):
        raising = ["    if x > 9:", "        raise ValueError(x)"]
        lines = [
            "try:",
            *raising,
            *(f"    {line}" for line in lines),
            "except ValueError:",
            f"    x = x + {level}",
        ]
    return straight(lines)
