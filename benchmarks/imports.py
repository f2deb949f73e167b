"""The time that ``import astrace`` adds to ``import numpy``, each time in a new process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks.tables import Cell, Table

HEAVY = ("libcst", "jax", "numba", "hypothesis")
STEPS = (
    ("`import numpy`", "import numpy"),
    ("`import astrace`, after that", "import astrace"),
    ("first use of `astrace.compile`, after that", "astrace.compile"),
)
CHILD = """
import sys, time
for step in {steps!r}:
    start = time.perf_counter()
    exec(step)
    taken = time.perf_counter() - start
    print(taken, *(name for name in {heavy!r} if name in sys.modules))
"""


def steps_once(cache: str) -> list[tuple[float, list[str]]]:
    """For each step its time in seconds, and which heavy packages are loaded after it.

    Args:
        cache: a folder for compiled modules; it is full from the second run on, as after an installation.
    """
    child = CHILD.format(steps=[step for _, step in STEPS], heavy=HEAVY)
    command = [sys.executable, "-X", f"pycache_prefix={cache}", "-c", child]
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=settings)
    lines = [line.split() for line in ran.stdout.splitlines()]
    return [(float(time), heavy) for time, *heavy in lines]


def measure(smoke: bool) -> Table:
    """Times of the steps beside that of NumPy, and what each loads."""
    with tempfile.TemporaryDirectory() as cache:
        steps_once(cache)
        runs = [steps_once(cache) for _ in range(2 if smoke else 25)]
    times = [statistics.median(time for time, _ in step) for step in zip(*runs, strict=True)]
    rows: list[list[Cell]] = []
    for (label, _), time, (_, heavy) in zip(STEPS, times, runs[0], strict=True):
        rows.append([label, time * 1e3, time / times[0], ", ".join(heavy) or "none"])
    return Table(["Step", "ms", "to NumPy's", "heavy packages loaded"], rows)
