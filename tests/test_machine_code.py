"""Machine code in the cache on disk: a second process compiles nothing, and what is not as it was written is compiled anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import harness
import loop_programs
import numpy as np
import pytest

import astrace
from astrace.backends.native import machine_code, object_code
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.machine_code import KIND
from astrace.util.disk_cache import store as stores
from astrace.util.disk_cache.entries import pack
from astrace.util.disk_cache.store import DiskCache
from fuzz import shared_cache


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(tmp_path / "cache"))
    found = stores.current()
    assert found is not None
    return found


def scale(n: int, a: np.ndarray, factor: float) -> float:
    """Writes an argument, gives a number, raises for an index outside, and warns where numbers overflow."""
    total = 0.0
    for i in range(n):
        a[i] = np.exp(a[i]) * factor
        total += a[i]
    return total


def diffuse(n: int, u: np.ndarray) -> np.ndarray:
    """Gives an array that was made, or the one that came in."""
    for _ in range(n):
        u = u * 0.5 + u
    return u


def entries(cache: DiskCache) -> list[stores.EntryFile]:
    """Return the entries with machine code."""
    return [file for file in cache.files() if file.kind == KIND]


def kernels_of(function: Any) -> list[Kernel]:
    return [
        kernel for one in function.captures if one.executable is not None for kernel in one.executable.kernels
    ]


def compilations(function: Any) -> int:
    """Return the number of pieces of machine code that were compiled for a function."""
    codes = [kernel.machine_code for kernel in kernels_of(function)]
    assert codes
    return sum(code.compilations for code in codes if code is not None)


def compared(function: Any, calls: Any) -> int:
    """Compare calls with plain Python; return the number of compilations."""
    native = astrace.compile(function, backend="native", recompile_limit=50)
    for make in calls:
        assert harness.differences(harness.observe(function, make()), harness.observe(native, make())) == []
    assert all(kernel.refused is None for kernel in kernels_of(native))
    return compilations(native)


ORDERS = [
    lambda: (5, np.linspace(-1, 1, 9), 2.0),
    lambda: (5, np.linspace(-1, 1, 9)[::2], 2.0),
    lambda: (9, np.linspace(-1, 1, 18)[::-2], np.float64(-0.5)),
    lambda: (0, np.zeros(3), 2.0),
    lambda: (5, np.zeros(3), 2.0),
    lambda: (3, np.array([1.0, 800.0, 2.0]), 2.0),
    lambda: (2, np.array([np.nan, np.inf]), -0.0),
]


def test_what_is_loaded_is_what_was_compiled(cache: DiskCache) -> None:
    assert compared(scale, ORDERS) == 2
    assert len(entries(cache)) == 2
    assert compared(scale, ORDERS) == 0
    assert cache.counts[f"written {KIND}"] == 2


ARRAYS = [
    lambda: (3, np.linspace(-1, 1, 9)),
    lambda: (0, np.linspace(-1, 1, 9)),
    lambda: (3, np.linspace(-1, 1, 18)[::2]),
    lambda: (0, np.linspace(-1, 1, 18)[::2]),
    lambda: (2, np.zeros((0,))),
    lambda: (2, np.linspace(0, 1, 12).reshape(3, 4)),
    lambda: (2, np.linspace(0, 1, 12).reshape(3, 4).T),
    lambda: (0, np.linspace(0, 1, 12).reshape(3, 4).T),
]


def test_arrays_that_come_out(cache: DiskCache) -> None:
    """Memory of arrays that were made lives as long as these; what came in comes out as the object it is."""
    first = compared(diffuse, ARRAYS)
    assert first
    assert compared(diffuse, ARRAYS) == 0
    native = astrace.compile(diffuse, backend="native")
    given = np.ones(1000)
    made = [native(3, given) for _ in range(50)]
    assert all((one == 3.375).all() and one is not given for one in made)
    assert native(0, given) is given
    view = made[0][10:]
    del made, native
    assert (view == 3.375).all()


@pytest.mark.parametrize("name", list(loop_programs.PROGRAMS)[::9])
def test_programs_out_of_the_cache(name: str, cache: DiskCache) -> None:
    function, calls = loop_programs.PROGRAMS[name]
    compared(function, calls)
    assert compared(function, calls) == 0


# -- keys ----------------------------------------------------------------------------------------------------


def doubled(n: int, a: np.ndarray) -> None:
    for i in range(n):
        a[i] = a[i] * 2.0


def tripled(n: int, a: np.ndarray) -> None:
    for i in range(n):
        a[i] = a[i] * 3.0


def test_what_differs_has_its_own_entry(cache: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    tripled.__name__ = doubled.__name__
    calls = [lambda: (3, np.arange(3.0))]
    narrow = [lambda: (3, np.arange(3, dtype=np.float32))]
    for function, given in ((doubled, calls), (tripled, calls), (doubled, narrow), (doubled, calls)):
        compared(function, given)
    assert len(entries(cache)) == 3
    monkeypatch.setenv("NUMBA_OPT", "3")
    assert compared(doubled, calls) == 1
    monkeypatch.setattr(machine_code, "_compiler", lambda: ("another version",))
    assert compared(doubled, calls) == 1
    assert len(entries(cache)) == 5


# -- what is not as it was written ---------------------------------------------------------------------------


def test_corrupt_machine_code_is_compiled_anew(cache: DiskCache) -> None:
    calls = [lambda: (3, np.arange(3.0))]
    assert compared(doubled, calls) == 1
    (entry,) = entries(cache)
    whole = entry.path.read_bytes()
    for place in (0, 20, 60, len(whole) // 2, len(whole) - 1):
        changed = bytearray(whole)
        changed[place] ^= 0x10
        entry.path.write_bytes(changed)
        assert compared(doubled, calls) == 1
    entry.path.write_bytes(whole[:-100])
    assert compared(doubled, calls) == 1
    assert cache.counts[f"ignored {KIND}"] == 6
    assert compared(doubled, calls) == 0


def test_foreign_machine_code_is_compiled_anew(cache: DiskCache) -> None:
    """What another program has written under the right key is looked at before LLVM would end the process."""
    calls = [lambda: (3, np.arange(3.0))]
    assert compared(doubled, calls) == 1
    (entry,) = entries(cache)
    whole = entry.path.read_bytes()[len(pack(b"", b"")) :]
    needed = [name for name in object_code.needed_names(whole) if name.startswith("Py")]
    unknown = whole.replace(needed[0].encode(), b"Xx" + needed[0][2:].encode())
    for payload in (b"", b"no code", object_code.ELF, whole[:300], unknown):
        entry.path.write_bytes(pack(bytes.fromhex(entry.path.name), payload))
        assert compared(doubled, calls) == 1
    assert compared(doubled, calls) == 0


def test_reasons_are_kept(cache: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Numba does not compile is not tried again by the next process."""
    machine = machine_code.imported("machine")
    tried: list[str] = []

    def refuse(function: Any, arguments: Any, written: Any, checks: Any, name: str, exact: bool) -> bytes:
        tried.append(name)
        raise NotImplementedError("not this\nat all")

    monkeypatch.setattr(machine, "object_file", refuse)
    for _ in range(2):
        native = astrace.compile(doubled, backend="native")
        given = np.arange(3.0)
        native(3, given)
        assert given.tolist() == [0.0, 2.0, 4.0]
        (kernel,) = kernels_of(native)
        assert str(kernel.refused.message) == "Numba does not compile it: not this"
    assert len(tried) == 1


# -- processes -----------------------------------------------------------------------------------------------

PROGRAM = """
import json, sys
import numpy as np
import astrace

def f(n, a):
    total = 0.0
    for i in range(n):
        a[i] = np.sin(a[i]) + a[i] ** 2
        total += np.sqrt(abs(a[i]))
    return total

g = astrace.compile(f, backend="native")
a, b = np.linspace(-3, 3, 100), np.linspace(-3, 3, 100)
found, expected = g(100, a), f(100, b)
codes = [kernel.machine_code for one in g.captures for kernel in one.executable.kernels]
print(json.dumps({
    "same": a.tobytes() == b.tobytes() and found.tobytes() == expected.tobytes(),
    "runs": sum(kernel.runs for one in g.captures for kernel in one.executable.kernels),
    "compilations": sum(code.compilations for code in codes),
    "numba": "numba" in sys.modules,
}))
"""


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """Nor does it import Numba."""
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "ASTRACE_CACHE_DIR": str(tmp_path / "cache"), "ASTRACE_BACKEND": "native"}
    command = [sys.executable, str(tmp_path / "program.py")]
    found = [
        json.loads(
            subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout
        )
        for _ in range(2)
    ]
    assert found == [
        {"same": True, "runs": 1, "compilations": 1, "numba": True},
        {"same": True, "runs": 1, "compilations": 0, "numba": False},
    ]


def test_processes_that_are_killed_and_spoilt_entries(capsys: pytest.CaptureFixture[str]) -> None:
    """Some processes on one folder, as ``python -m fuzz.shared_cache`` has many."""
    assert shared_cache.main(["--processes", "3", "--functions", "3"]) == 0, capsys.readouterr().out
