"""Rewritten text in the cache on disk: what is read is what would have been made, and libcst is not imported for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import harness
import pytest

from astrace.rewrite import text_cache
from astrace.rewrite.pipeline import DONE, Rewritten, rewrite
from astrace.rewrite.text_cache import KIND
from astrace.util.disk_cache import store as stores
from astrace.util.disk_cache.entries import pack
from astrace.util.disk_cache.store import DiskCache

NAMES = harness.program_names()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(tmp_path / "cache"))
    found = stores.current()
    assert found is not None
    return found


def functions_of(names: list[str]) -> list[types.FunctionType]:
    modules = [harness.load_program(name) for name in names]
    found = [value for module in modules for value in vars(module).values()]
    return [one for one in found if isinstance(one, types.FunctionType)]


def anew(functions: list[types.FunctionType]) -> list[Rewritten]:
    """Rewrite functions as a process does that knows none of them."""
    DONE.clear()
    return [rewrite(one) for one in functions]


def facts(rewritten: Rewritten) -> Any:
    """All that is to be told of a rewritten function."""
    code = rewritten.code
    return (
        (rewritten.source, rewritten.original, [str(one) for one in rewritten.skipped], rewritten.generator),
        None if code is None else facts_of_code(code),
    )


def facts_of_code(code: types.CodeType) -> Any:
    constants = [
        facts_of_code(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts
    ]
    lines = list(code.co_lines())
    return code.co_code, code.co_qualname, code.co_varnames, code.co_freevars, code.co_names, lines, constants


def test_what_is_read_is_what_was_made(cache: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    functions = functions_of(NAMES[::20])
    monkeypatch.setenv("ASTRACE_CACHE_DIR", "0")
    without = anew(functions)
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(cache.folder))
    made = anew(functions)
    assert cache.counts[f"found {KIND}"] < cache.counts[f"written {KIND}"]
    written = cache.counts[f"written {KIND}"]
    monkeypatch.setattr(text_cache, "_made", lambda source: pytest.fail(source.text))
    read = anew([one for one, form in zip(functions, made, strict=True) if form.source])
    assert cache.counts[f"written {KIND}"] == written
    assert [*map(facts, without)] == [*map(facts, made)]
    assert [*map(facts, read)] == [facts(form) for form in made if form.source]


TEXTS = [
    "def f(x):\n    return x + 1\n",
    "\ndef f(x):\n    return x + 1\n",
    "def f(x):\n    return x + 2\n",
    "def f(x):  # why\n    return x + 1\n",
    "f = lambda x: x + 1\n",
]


def compiled_text(folder: Path, text: str) -> types.FunctionType:
    path = folder / f"text_{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    namespace: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), namespace)
    return namespace["f"]


def test_each_text_and_line_has_its_own(cache: DiskCache, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    functions = [compiled_text(tmp_path / "texts", text) for text in TEXTS]
    anew(functions)
    assert len(list(cache.files())) == len(TEXTS)
    again = [compiled_text(tmp_path / "texts", text) for text in TEXTS]  # files of other names
    anew(again)
    assert len(list(cache.files())) == len(TEXTS)
    assert [one.code.co_filename for one in anew(again)] == [one.__code__.co_filename for one in again]


PAYLOADS = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b'{"text": 1}',
    b'{"text": "def f(x): pass", "regions": 7}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_makes_no_sense_is_made_anew(payload: bytes, cache: DiskCache, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    function = compiled_text(tmp_path / "texts", TEXTS[0])
    expected = [*map(facts, anew([function]))]
    (file,) = cache.files()
    file.path.write_bytes(pack(bytes.fromhex(file.path.name), payload))
    assert [*map(facts, anew([function]))] == expected
    file.path.write_bytes(payload)
    assert [*map(facts, anew([function]))] == expected


PROGRAM = """
import json, sys
import numpy as np
import astrace

def helper(x, n):
    if n > 2:
        return x * 2
    return x

def f(n, a):
    total = 0.0
    for i in range(n):
        total += a[i]
    return helper(total, n)

found = astrace.compile(f, fullgraph=True)(9, np.ones(9))
print(json.dumps([float(found), "libcst" in sys.modules]))
"""


def test_a_second_process_does_not_import_libcst(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "ASTRACE_CACHE_DIR": str(tmp_path / "cache"), "ASTRACE_BACKEND": "numpy"}
    command = [sys.executable, str(tmp_path / "program.py")]
    found = [
        json.loads(
            subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout
        )
        for _ in range(2)
    ]
    assert found == [[18.0, True], [18.0, False]]
