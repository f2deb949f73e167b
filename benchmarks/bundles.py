"""What saved graphs cost: tracing, loading until the first result, and warm calls, beside plain Python and matxscript.

    python -m benchmarks.report bundles
    MATXSCRIPT_PYTHON=/path/to/python python -m benchmarks.report bundles

With the path of an interpreter that has ``matxscript``, the same programs are measured there in turn with those here:
additions of two integers, one and a thousand in a row.  Tracing and loading are told in time of the processor.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
import timeit
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

import astrace
from benchmarks.tables import Cell, Table

SIZES: Final = (1, 1000)
PEER: Final = """
import json, sys, tempfile, time, timeit, warnings
warnings.simplefilter("ignore")
import matx

class Add:
    def __init__(self) -> None:
        pass
    def __call__(self, a: int, b: int) -> int:
        return a + b

add = matx.script(Add)()
def pipeline(count):
    def run(a, b):
        for _ in range(count):
            a = add(a, b)
        return a
    return run

repeats = int(sys.argv[1])
found = {}
for count in (1, 1000):
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        traced = matx.trace(pipeline(count), 1, 2)
        times.append(time.process_time() - begun)
    found[f"trace {count}"] = min(times)
    number = 2000 // count or 20
    call = lambda: traced.run({"a": 1, "b": 2})
    found[f"call {count}"] = min(timeit.repeat(call, number=number, repeat=5 * repeats)) / number
    with tempfile.TemporaryDirectory() as folder:
        traced.Save(folder)
        times = []
        for _ in range(repeats):
            begun = time.process_time()
            matx.load(folder, "cpu").run({"a": 1, "b": 2})
            times.append(time.process_time() - begun)
    found[f"load {count}"] = min(times)
print("RESULT" + json.dumps(found))
"""  # fmt: skip


def program(count: int, operand: str) -> Callable[..., Any]:
    """A function of so many additions, written out in a file of its own."""
    file = Path(tempfile.mkdtemp()) / f"added_{count}_{operand}.py"
    lines = ["def added(a, b):", *["    a = a + b"] * count, "    return a", ""]
    file.write_text("\n".join(lines))
    module = types.ModuleType(file.stem)
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    return module.__dict__["added"]


def measured(count: int, arguments: tuple[Any, Any], repeats: int, folder: str) -> dict[str, float]:
    """Seconds for tracing, loading with a first result, and a warm call; and for a call of the plain function."""
    function = program(count, type(arguments[0]).__name__)
    graph = astrace.trace(function, *arguments)
    path = f"{folder}/{count}{type(arguments[0]).__name__}.zip"
    graph.save(path)
    found = {"trace": _least(lambda: astrace.trace(function, *arguments), repeats)}
    found["load"] = _least(lambda: astrace.load(path)(*arguments), repeats)
    loaded = astrace.load(path)
    number = 2000 // count or 20
    for name, call in (("call", loaded), ("plain", function)):
        timer = timeit.Timer("f(a, b)", globals={"f": call, "a": arguments[0], "b": arguments[1]})
        found[name] = min(timer.repeat(5 * repeats, number)) / number
    return found


def _least(call: Callable[[], Any], repeats: int) -> float:
    times: list[float] = []
    for _ in range(repeats):
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    return min(times)


def peer(repeats: int) -> Mapping[str, float]:
    """The same of matxscript, in its own interpreter; nothing where there is none."""
    interpreter = os.environ.get("MATXSCRIPT_PYTHON")
    if not interpreter:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "peer.py"
        file.write_text(PEER)
        command = [interpreter, str(file), str(repeats)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    return json.loads(done.stdout.rpartition("RESULT")[2])


def measure(smoke: bool) -> Table:
    """The smallest times: others can only add to them."""
    repeats = 1 if smoke else 7
    other = peer(repeats)
    rows: list[list[Cell]] = []
    with tempfile.TemporaryDirectory() as folder:
        for count in SIZES:
            found = measured(count, (1, 2), repeats, folder)
            arrays = measured(count, (np.ones(8), np.ones(8)), repeats, folder)
            ops = "1 op" if count == 1 else f"{count:,} ops"
            for name, title in (
                ("trace", "tracing"),
                ("load", "loading and first result"),
                ("call", "warm call"),
            ):
                plain = (found["plain"] * 1e6, arrays["plain"] * 1e6) if name == "call" else ("", "")
                theirs = other.get(f"{name} {count}")
                cells = (
                    found[name] * 1e6,
                    "" if theirs is None else theirs * 1e6,
                    plain[0],
                    arrays[name] * 1e6,
                    plain[1],
                )
                rows.append([f"{title}, {ops}", *cells])
    head = ["µs", "integers", "matxscript", "plain Python", "arrays of 8", "plain NumPy"]
    return Table(head, rows)
