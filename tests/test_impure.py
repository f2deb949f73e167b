"""Impure sources are never kept by a capture; what users declare; the table and its page."""

from __future__ import annotations

import binascii
import builtins
import importlib
import json
import math
import os
import random
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest
from impure_sources import CHECKS

import astrace
from astrace.ops import OPS
from astrace.ops.callables.purity import (
    DECLARED,
    IMPURE,
    PURE,
    Declarations,
    PurityRow,
    impure_state,
    subject,
)
from astrace.tracing.values.callables import is_pure

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "reference" / "purity.md"


# -- sources -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wrong() -> dict[str, list[str]]:
    """Return the faults of each source, as a process that may change anything of itself finds them."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS / "helpers")]),
        "PYTHONWARNINGS": "ignore",
    }
    command = [sys.executable, str(TESTS / "helpers" / "impure_sources.py")]
    return json.loads(
        subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each source needs a process of its own")
@pytest.mark.parametrize("name", CHECKS)
def test_a_source_is_never_kept(wrong: dict[str, list[str]], name: str) -> None:
    """A change between two calls shows in the second; tracing takes nothing away."""
    assert name not in wrong, wrong[name]


# -- the table and its page ------------------------------------------------------------------------------------


def found(row: PurityRow) -> Iterator[Any]:
    """The callables of a row that this Python has."""
    try:
        module = importlib.import_module(row.module)
    except ImportError:
        return
    names = row.names or [name for name in vars(module) if not name.startswith("_")]
    for name in names:
        value: Any = module
        for part in name.split("."):
            value = getattr(value, part, None)
        if callable(value):
            yield value


@pytest.mark.parametrize("row", PURE, ids=lambda row: row.module)
def test_what_is_pure_runs_at_once(row: PurityRow) -> None:
    """Every row of pure callables names some that are there and are taken as pure, and none that is impure."""
    callables = [one for one in found(row) if row.names or isinstance(one, types.BuiltinFunctionType)]
    assert callables and len(callables) >= len(row.names)
    assert [one for one in callables if not is_pure(one) or impure_state(one) is not None] == []


@pytest.mark.parametrize("row", IMPURE, ids=lambda row: row.module)
def test_what_is_impure_is_known_to_be(row: PurityRow) -> None:
    """Every row of impure callables names some that are there; none of them is pure, or an op that passes may drop."""
    callables = [one for one in found(row) if row.names or impure_state(one) is not None]
    assert callables and (not row.names or len(callables) == len(row.names))
    for one in callables:
        op = OPS.find(one)
        assert not is_pure(one) or (isinstance(one, type) and issubclass(one, tuple)), one
        assert impure_state(one) is not None and (op is None or op.ordered), one


def table_of(rows: tuple[PurityRow, ...]) -> list[tuple[str, str, str]]:
    """Rows as the page shows them."""
    return [
        (f"`{row.module}`", ", ".join(f"`{name}`" for name in row.names) or "all", row.what) for row in rows
    ]


@pytest.mark.parametrize(("title", "rows"), [("Pure", PURE), ("Impure", IMPURE)])
def test_the_page_shows_the_table(title: str, rows: tuple[PurityRow, ...]) -> None:
    """The tables of the page are those of the package."""
    section = PAGE.read_text().partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    assert cells == [tuple(part for part in row if part) for row in table_of(rows)]


def test_the_examples_of_the_page_do_what_is_said() -> None:
    """Each block runs and asserts what it shows."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"np": np, "astrace": astrace, "__name__": "purity"}
    assert len(blocks) >= 3
    for block in blocks:
        harness.run_with_source(block, names)


# -- what users declare ----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def undeclared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the declarations of a test after it."""
    for name, value in vars(Declarations()).items():
        monkeypatch.setattr(DECLARED, name, value)


def counting(source: str) -> dict[str, Any]:
    """A module whose functions count their calls in ``N``."""
    names: dict[str, Any] = {"np": np, "astrace": astrace, "__name__": "world"}
    harness.run_with_source(f"N = []\n{source}", names)
    return names


RESULTS = {
    "number": "n * 2.5",
    "text": "f'{n}!'",
    "tuple": "(n, (n, 'a'))",
    "list": "[n, [n]]",
    "dict": "{'a': {n}, n: [n]}",
    "array": "np.arange(6.0).reshape(2, 3) * n",
    "array in Fortran's order": "np.asfortranarray(np.arange(6.0).reshape(2, 3) * n)",
    "integers": "np.arange(n)",
    "a class": "[int, float][n % 2]",
}


@pytest.mark.parametrize("name", RESULTS)
def test_pure_of_constants_is_computed_once(name: str) -> None:
    """While tracing; what can change is new at each call, and its own at each place."""
    source = (
        f"@astrace.pure\ndef table(n):\n    N.append(n)\n    return {RESULTS[name]}\n"
        "def f(x):\n    a, b = table(3), table(3)\n    if type(a) is list:\n        a[1].append(x)\n"
        "    if type(a) is np.ndarray:\n        a += 1\n    return a, b, x\n"
    )
    names = counting(source)
    function = astrace.compile(names["f"], fullgraph=True)
    expected = names["f"](1.5)
    names["N"].clear()
    results = [function(1.5) for _ in range(4)]
    assert all(harness.same(result, expected) for result in results)
    assert names["N"] == [3]
    for first, second in zip(results, results[1:], strict=False):
        changeable = isinstance(first[0], list | dict | np.ndarray)
        assert not changeable or (first[0] is not second[0] and first[0] is not first[1])


@pytest.mark.parametrize(
    "result", ["np.arange(9.0)[::2]", "iter([n])", "[np.arange(n)]", "np.array([n, None])"]
)
def test_pure_results_that_have_no_copy_are_computed_at_each_call(result: str) -> None:
    """A view, an iterator, a list of arrays: the call stays in the graph."""
    names = counting(
        f"@astrace.pure\ndef make(n):\n    N.append(n)\n    return {result}\ndef f(x):\n    return make(3)\n"
    )
    function = astrace.compile(names["f"], fullgraph=True)
    function(1.0)
    names["N"].clear()
    assert type(function(1.0)) is type(names["f"](1.0)) and len(names["N"]) == 2


def test_pure_of_traced_values_is_a_call_that_may_be_left_out() -> None:
    """Its body is not traced, what it reads is not guarded, and nobody waits for an unused one."""
    names = counting(
        "K = 2\n@astrace.pure\ndef h(x):\n    N.append(x)\n    return x * K\ndef f(x):\n    h(x + 1)\n    return h(x)\n"
    )
    function = astrace.compile(names["f"], fullgraph=True)
    assert [function(1.0), function(2.0)] == [2.0, 4.0]
    assert names["N"] == [1.0, 2.0]
    names["K"] = "a"
    assert function(2) == "aa" and function.stats.traces == 2  # the other type of `x`, not `K`


def test_pure_in_a_try_statement_is_kept() -> None:
    """A pure call whose exception a handler may wait for is made, even if its result is not used."""
    names = counting(
        "@astrace.pure\ndef check(x):\n    if x < 0:\n        raise ValueError(x)\n"
        "def f(x):\n    try:\n        check(x)\n    except ValueError:\n        return -x\n    return x\n"
    )
    function = astrace.compile(names["f"], fullgraph=True)
    assert [function(1.0), function(-2.0)] == [1.0, 2.0]


IMPURE_SOURCES = {
    "function": "@astrace.impure\ndef h(x):\n    N.append(x)\n    return len(N) * x\n",
    "class": "@astrace.impure\nclass h:\n    def __new__(cls, x):\n        N.append(x)\n        return len(N) * x\n",
    "object": "class C:\n    def __call__(self, x):\n        N.append(x)\n        return len(N) * x\nh = astrace.impure(C())\n",
    "compiled": "@astrace.impure\n@astrace.compile\ndef h(x):\n    N.append(x)\n    return len(N) * x\n",
    "declared, then compiled": "@astrace.compile\n@astrace.impure\ndef h(x):\n    N.append(x)\n    return len(N) * x\n",
    "method": "class C:\n    @astrace.impure\n    def m(self, x):\n        N.append(x)\n        return len(N) * x\nO = C()\n"
    "def h(x):\n    return O.m(x)\n",
    "method of a new object": "class C:\n    @astrace.impure\n    def m(self, x):\n        N.append(x)\n        return len(N) * x\n"
    "def h(x):\n    return C().m(x)\n",
    "bound method": "class C:\n    def m(self, x):\n        N.append(x)\n        return len(N) * x\n"
    "astrace.impure(C().m)\nO = C()\ndef h(x):\n    return O.m(x)\n",
    "static method": "class C:\n    @astrace.impure\n    @staticmethod\n    def m(x):\n        N.append(x)\n        return len(N) * x\n"
    "def h(x):\n    return C.m(x)\n",
    "in a partial": "import functools\n@astrace.impure\ndef g(n, x):\n    N.append(x)\n    return len(N) * x\nh = functools.partial(g, 1)\n",
    "by name": "def h(x):\n    N.append(x)\n    return len(N) * x\nastrace.impure(f'{__name__}.h')\n",
}  # fmt: skip


@pytest.mark.parametrize("name", IMPURE_SOURCES)
def test_impure_is_called_each_time_in_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not traced through, not run while tracing, not dropped; what it changed is seen by what comes after."""
    source = IMPURE_SOURCES[name]
    text = f"{source}def f(x):\n    h(x)\n    a = len(N)\n    b = h(x)\n    return a, b, len(N)\n"
    world = types.ModuleType("world")
    monkeypatch.setitem(sys.modules, "world", world)
    world.__dict__.update(np=np, astrace=astrace)
    harness.run_with_source(f"N = []\n{text}", world.__dict__)
    names = world.__dict__
    function = astrace.compile(names["f"], fullgraph=True)
    for _ in range(3):
        function.stages(2.0)
    assert names["N"] == []
    assert [function(2.0) for _ in range(2)] == [(1, 4.0, 2), (3, 8.0, 4)]
    assert "call" in str(function.stages(2.0).graph)


def test_impure_overrules_the_tables() -> None:
    """A pure builtin, an op, a method of C code."""
    for one, text in ((math.sqrt, "math.sqrt(2.0)"), (np.sin, "np.sin(2.0)"), (str.upper, "'a'.upper()")):
        names = counting(f"import math\ndef f(x):\n    return {text}\n")
        assert len(astrace.compile(names["f"]).stages(1.0).graph.block.nodes) <= (one is np.sin)
        assert astrace.impure(one) is one
        function = astrace.compile(names["f"], fullgraph=True)
        (node,) = function.stages(1.0).graph.block.nodes
        assert node.op in ("call", "call_method") and harness.same(function(1.0), names["f"](1.0))


def test_pure_for_c_functions_and_methods() -> None:
    """By identity; a method of C code for all instances."""
    names = counting("import binascii\ndef f(x):\n    return binascii.crc32(b'a')\n")
    assert len(astrace.compile(names["f"]).stages(1.0).graph.block.nodes) == 1
    astrace.pure(binascii.crc32)
    assert astrace.compile(names["f"]).stages(1.0).graph.block.nodes == ()
    assert subject("a".join) is subject("b".join) is str.join
    assert subject(random.random) is subject(random.Random().random)
    assert subject(dict.fromkeys) is subject({}.fromkeys) is vars(dict)["fromkeys"]


def test_the_last_word_counts() -> None:
    """A callable may be declared again, when a notebook's cell is run again."""

    def h(n: int) -> int:
        return n

    for declare, expected in ((astrace.pure, True), (astrace.impure, False), (astrace.pure, True)):
        assert declare(h) is h
        assert DECLARED.known()[id(h)] == (h, expected)


def test_a_name_is_looked_up_once_its_module_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported for it."""
    name = "a_module_that_comes_later"
    assert astrace.pure(f"{name}.h") == f"{name}.h" and DECLARED.known() == {} and name not in sys.modules
    module = types.ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    assert DECLARED.known() == {}
    module.h = len  # type: ignore[attr-defined]
    assert DECLARED.known() == {id(len): (len, True)}


@pytest.mark.parametrize(
    ("wrong_one", "message"),
    [
        (3, "impure: 3 is neither callable nor the qualified name of a callable"),
        ("sin", "impure: 'sin' is no qualified name"),
        ("numpy..sin", "is no qualified name"),
        ("numpy.sine", "impure: the module 'numpy' has no 'sine'"),
    ],
)
def test_what_can_not_be_declared(wrong_one: Any, message: str) -> None:
    """The message says what is wrong with it."""
    with pytest.raises(astrace.InvalidArgument, match=re.escape(message)):
        astrace.impure(wrong_one)


def test_builtins_are_not_declared_by_importing() -> None:
    """Nothing is declared until a user does."""
    assert DECLARED.known() == {} and builtins.len is len
