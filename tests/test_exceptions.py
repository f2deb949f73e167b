"""Exceptions in every surrounding: the programs named ``exception_…``, each in a branch, a loop, a `try`, ….

`tests/test_programs.py` runs them as they are.
"""

from __future__ import annotations

import linecache
import types
from collections.abc import Mapping
from typing import Final

import harness
import pytest

import astrace

SURROUNDINGS: Final[Mapping[str, str]] = {
    "branch": "def framed(x):\n    result = None\n    if x > 0:\n        result = f(x)\n    return result, x\n",
    "loop": "def framed(x):\n    return [f(i) for i in range(int(x) + 1)]\n",
    "loop over": "def framed(x):\n    out = []\n    for i in range(x + 1):\n        out.append(f(i))\n    return out\n",
    "try": "def framed(x):\n    try:\n        result = f(x)\n    finally:\n        print('left')\n    return result\n",
    "handler": "def framed(x):\n    try:\n        x / 0\n    except ZeroDivisionError:\n        return f(x)\n",
    "known handler": "def framed(x):\n    try:\n        {}['k']\n    except KeyError:\n        return f(x)\n",
    "generator": "def items(x):\n    yield f(x)\n    yield x\n\ndef framed(x):\n    return [i for i in items(x)]\n",
    "opaque": "through = eval('lambda g, x: g(x)')\n\ndef framed(x):\n    return through(f, x)\n",
    "caught": "def framed(x):\n    try:\n        return f(x)\n    except BaseException as e:\n        return e\n",
}
NAMES: Final = [name for name in harness.program_names() if name.startswith("exception_")]


@pytest.mark.parametrize("surrounding", SURROUNDINGS)
@pytest.mark.parametrize("name", NAMES)
def test_in_every_surrounding(name: str, surrounding: str) -> None:
    """A function behaves as in plain Python, whatever surrounds it."""
    plain, captured = (_framed(name, surrounding) for _ in range(2))
    function = astrace.compile(captured.framed)
    for given in plain.CALLS:
        expected, found = harness.observe(plain.framed, given), harness.observe(function, given)
        assert harness.differences(expected, found) == [], given
        assert getattr(function.stages(*given).fallback, "code", "") != "AT299", given


def _framed(name: str, surrounding: str) -> types.ModuleType:
    module = harness.load_program(name)
    source, file = SURROUNDINGS[surrounding], f"<{name} in {surrounding}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), module.__dict__)
    return module
