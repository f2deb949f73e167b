"""Many processes on one cache folder, some of which are killed, while bytes of entries are flipped and files cut off.

    python -m fuzz.shared_cache                               16 processes, 50 functions
    python -m fuzz.shared_cache --processes 3 --functions 4

Each process calls all functions in an order of its own, as machine code, and compares each result with plain Python's to the bit.
Afterwards one process runs undisturbed, which may have to compile what was spoilt, and another one, which must not
compile, rewrite or import anything for it.  Exit code 1 if a result differed or the last process had work to do.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import astrace
from astrace.util.disk_cache.store import DiskCache, current
from astrace.util.progress import progress

BODIES = (
    "a[i] = a[i] * {k}.5 + s",
    "a[i] = np.exp(a[i] * 0.{k}1) - s * {k}",
    "a[i] = max(a[i], s) if i % {k} else a[i] / {k}.0",
    "a[i:] = a[i:] + {k}.25 * s",
    "a[i] = np.sqrt(abs(a[i]) + {k}) + a[i - 1]",
)
FUNCTION = """
def function_{number}(n, a):
    s = {number}.0
    for i in range(n):
        {body}
        s = s * 0.5 + a[i]
    return s
"""
KINDS = ("machine-code", "rewritten")
LONGEST = 1200


def program(functions: int) -> str:
    """The text of a module with different functions."""
    texts = [
        FUNCTION.format(number=number, body=BODIES[number % len(BODIES)].format(k=1 + number // len(BODIES)))
        for number in range(functions)
    ]
    return "import numpy as np\n" + "\n".join(texts)


# -- one process -------------------------------------------------------------------------------------------------


def worker(path: Path, seed: int) -> dict[str, Any]:
    """Call all functions; tell how many results were wrong, and what had to be done."""
    spec = importlib.util.spec_from_file_location("programs", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = [value for name, value in vars(module).items() if name.startswith("function_")]
    random.Random(seed).shuffle(functions)
    wrong = compilations = runs = 0
    for plain in functions:
        native = astrace.compile(plain, backend="native")
        wrong += not same(plain, native)
        kernels = [kernel for one in native.captures for kernel in one.kernels]
        runs += sum(kernel.runs for kernel in kernels)
        codes = [kernel.machine_code for kernel in kernels if kernel.machine_code is not None]
        compilations += sum(code.compilations for code in codes)
    cache = current()
    return {
        "wrong": wrong,
        "runs": runs,
        "compilations": compilations,
        "imported": [name for name in ("numba", "libcst") if name in sys.modules],
        "counts": dict(cache.counts) if cache is not None else {},
    }


def same(plain: Callable[..., Any], native: Callable[..., Any]) -> bool:
    """Return whether a function gives and writes the same bits."""
    for size in (7, 7, 100):
        arguments = [np.linspace(-1, 1, size) for _ in range(2)]
        found = [function(size, a) for function, a in zip((plain, native), arguments, strict=True)]
        bits = [(np.float64(one).tobytes(), a.tobytes()) for one, a in zip(found, arguments, strict=True)]
        if bits[0] != bits[1]:
            return False
    return True


# -- all of them -------------------------------------------------------------------------------------------------


class Disturber(threading.Thread):
    """Flips bytes of entries and cuts files off until it is stopped."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(daemon=True)
        self.stopped = threading.Event()
        self.flips = 0
        self._cache = DiskCache(folder)
        self._rng = random.Random(seed)

    def run(self) -> None:
        while not self.stopped.wait(0.05):
            files = sorted(self._cache.files(), key=lambda one: one.path)
            if files:
                with contextlib.suppress(OSError):
                    self._spoil(self._rng.choice(files).path)

    def _spoil(self, path: Path) -> None:
        size = path.stat().st_size
        place = self._rng.randrange(max(size, 1))
        with path.open("r+b") as file:
            if self._rng.random() < 0.2:
                file.truncate(place)
            else:
                file.seek(place)
                byte = file.read(1)
                file.seek(place)
                file.write(bytes([byte[0] ^ 1 << self._rng.randrange(8)]) if byte else b"")
        self.flips += 1


def disturbed(
    start: Callable[[int], subprocess.Popen[str]], options: argparse.Namespace
) -> tuple[list[Any], int]:
    """Run processes; gives what they tell, and how many were killed in between."""
    rng = random.Random(options.seed)
    running = [start(options.seed + number) for number in range(options.processes)]
    kills = 0
    for place in rng.sample(range(options.processes), options.processes // 3):
        time.sleep(rng.random() * 2)
        running[place].kill()
        running[place].communicate()
        kills += 1
        running[place] = start(options.seed + options.processes + place)
    return [told(process) for process in progress(running, "processes")], kills


def told(process: subprocess.Popen[str]) -> Any:
    """What a process has printed; it has to come to its end."""
    out, errors = process.communicate(timeout=LONGEST)
    if process.returncode:
        raise SystemExit(f"a process ended with {process.returncode}\n{errors}")
    return json.loads(out)


def main(words: Sequence[str] | None = None) -> int:
    """Run the processes that the command line asks for; gives the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if options.worker is not None:
        print(json.dumps(worker(options.worker, options.seed)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), options)


def run(folder: Path, options: argparse.Namespace) -> int:
    """Run the processes in a folder of their own."""
    path, cache = folder / "programs.py", folder / "cache"
    path.write_text(program(options.functions))
    environment = {**os.environ, "ASTRACE_CACHE_DIR": str(cache), "ASTRACE_BACKEND": "native"}

    def start(seed: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "fuzz.shared_cache", "--worker", str(path), "--seed", str(seed)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=environment, text=True, **pipes)  # type: ignore[call-overload]

    started = time.perf_counter()
    disturber = Disturber(cache, options.seed)
    disturber.start()
    found, kills = disturbed(start, options)
    disturber.stopped.set()
    disturber.join()
    between = time.perf_counter()
    first = told(start(options.seed))
    second = told(start(options.seed + 1))
    counts = sum((Counter(one["counts"]) for one in found), Counter[str]())
    print(
        f"{options.processes} processes, {options.functions} functions, {kills} kills, {disturber.flips} spoilt files,"
        f" {between - started:.0f} s: {sum(one['wrong'] for one in found)} wrong results,"
        f" {sum(one['compilations'] for one in found)} compilations, of which"
        f" {sum(counts[f'ignored {kind}'] for kind in KINDS[:1])} for spoilt entries"
    )
    for name, one in (("undisturbed", first), ("last", second)):
        spoilt = sum(one["counts"].get(f"ignored {kind}", 0) for kind in KINDS)
        print(
            f"{name}: {one['wrong']} wrong, {one['runs']} runs, {one['compilations']} compilations, {spoilt} spoilt"
        )
    work = second["compilations"] + sum(second["counts"].get(f"missing {kind}", 0) for kind in KINDS)
    wrong = sum(one["wrong"] for one in (*found, first, second))
    return int(bool(wrong or work or second["imported"] or not second["runs"]))


if __name__ == "__main__":
    sys.exit(main())
