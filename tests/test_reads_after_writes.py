"""A function reads back its own writes: every read of a list or dict after every write to it.

The containers are globals, or arguments; each pair is a program of its own, generated here.
"""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import harness
import pytest

import astrace

HEAD = "import copy, numpy as np\nT = {'n': 1, 'm': 2}\nL = [1, 2]\n"
DICT_WRITES = (
    "T['n'] = T['n'] + 1",
    "T['q'] = x",
    "if x > 0: T['q'] = x",
    "if x > 0: del T['n']",
    "T.update(q=x)",
    "T.pop('n')",
    "for i in range(2): T[i] = x",
    "T.clear()",
)
DICT_READS = (
    "dict(T)", "dict(T, z=1)", "list(T)", "T.copy()", "{**T}", "len(T)", "list(T.items())", "sorted(map(str, T))",
    "[k for k in T]", "T == {'n': 1}", "'q' in T", "T.get('q')", "str(T)", "bool(T)", "list(T.values())", "tuple(T)",
    "T | {'r': 2}", "T.setdefault('n', 7)", "list(zip(T, range(9)))", "sum(T.values())", "[*T]", "repr(T)", "any(T)",
    "copy.copy(T)", "T.keys() - {'n'}", "list(enumerate(T))", "f'{T}'", "next(iter(T), 0)", "list(reversed(T))",
    "'n' in T.keys()", "{k: v for k, v in T.items()}", "print(T)",
)  # fmt: skip
LIST_WRITES = (
    "L[0] = x",
    "L.append(x)",
    "if x > 0: L.append(x)",
    "L.pop()",
    "L.extend([x, x])",
    "L[:] = L + [x]",
    "L.insert(0, x)",
    "L.clear()",
    "for i in range(2): L.append(i)",
    "L.reverse()",
    "del L[0]",
    "L.sort()",
)
LIST_READS = (
    "list(L)", "L[:]", "len(L)", "L[-1]", "sum(L)", "[v for v in L]", "L + [9]", "L == [1]", "5 in L", "L.index(1)",
    "str(L)", "tuple(L)", "max(L)", "L.copy()", "sorted(L)", "[*L]", "L * 2", "list(reversed(L))", "set(L)", "bool(L)",
    "L.count(1)", "list(zip(L, L))", "list(enumerate(L))", "(lambda *a: a)(*L)", "any(L)", "list(map(abs, L))",
    "repr(L)", "L.pop()", "np.array(L)", "np.sum(L)", "print(L)", "L[1:]", "min(L)",
)  # fmt: skip


def namespace_of(source: str, file: str) -> dict[str, Any]:
    """Return the names that a text defines."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"__name__": "program_reads"}
    exec(compile(source, file, "exec"), namespace)
    return namespace


def compare(write: str, read: str, parameters: str) -> None:
    """One program, plain and compiled, called three times."""
    source = f"{HEAD}def f({parameters}):\n    {write}\n    return {read}\n"
    plain, captured = (namespace_of(source, f"<{write}; {read}; {parameters}>") for _ in range(2))
    function = astrace.compile(captured["f"])
    for x in (1.5, -1.5, 2.5):
        expected = harness.observe(plain["f"], given(plain, x, parameters))
        found = harness.observe(function, given(captured, x, parameters))
        assert harness.differences(expected, found) == [], source
        assert harness.same([plain["T"], plain["L"]], [captured["T"], captured["L"]]), source


def given(namespace: dict[str, Any], x: float, parameters: str) -> tuple[Any, ...]:
    """The arguments for the parameters."""
    return tuple(x if name == "x" else namespace[name] for name in parameters.split(", "))


@pytest.mark.parametrize("parameters", ["x", "x, T, L"], ids=["globals", "arguments"])
@pytest.mark.parametrize("write", DICT_WRITES)
def test_dict(write: str, parameters: str) -> None:
    """A dict, read in every way after one write."""
    for read in DICT_READS:
        compare(write, read, parameters)


@pytest.mark.parametrize("parameters", ["x", "x, T, L"], ids=["globals", "arguments"])
@pytest.mark.parametrize("write", LIST_WRITES)
def test_list(write: str, parameters: str) -> None:
    """A list, read in every way after one write."""
    for read in LIST_READS:
        compare(write, read, parameters)


PAIRS = [*itertools.permutations(DICT_WRITES, 2)], [*itertools.permutations(LIST_WRITES, 2)]


@pytest.mark.parametrize(
    ("pairs", "reads"), [(PAIRS[0], DICT_READS), (PAIRS[1], LIST_READS)], ids=["dict", "list"]
)
def test_two_writes(pairs: list[tuple[str, str]], reads: tuple[str, ...]) -> None:
    """Two writes, then one read, each read about as often as the others."""
    for (first, second), read in zip(pairs, itertools.cycle(reads), strict=False):
        compare(f"{first}\n    {second}", read, "x")
