"""Programs that spend some seconds in loops, in new processes without a cache: plain, with another process that compiles, and without.

    python -m benchmarks.warming          print the table
    python -m benchmarks.warming 0        the same, all on the processor of that number

Each program does a fixed number of calls, so that plain ones take the time in the first column.  The times are those of the
calls, the first one with its capture included; the processor's time is that of the program, without the other process.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmarks.tables import Cell, Table

SECONDS: Final = (0.05, 0.3, 1.0, 3.0)
ROUNDS: Final = 3
FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    "plain": {"ASTRACE_DISABLE": "1"},
    "NumPy source": {"ASTRACE_BACKEND": "numpy"},
    "another process": {"ASTRACE_BACKEND": "auto", "ASTRACE_CHILD": "1"},
    "the program itself": {"ASTRACE_BACKEND": "auto", "ASTRACE_CHILD": "0"},
}
PROGRAM: Final = """
import json, sys, time
import numpy as np
import astrace

@astrace.compile
def filtered(x, y, a):
    state = 0.0
    for i in range(len(x)):
        state += a * (x[i] - state)
        y[i] = state
    return state

astrace.compile(lambda x: x + 1.0)(np.ones(3))
x, y = np.linspace(0.0, 1.0, 1000), np.zeros(1000)
started, used = time.perf_counter(), time.process_time()
for k in range(int(sys.argv[1])):
    filtered(x, y, 0.5)
print(json.dumps([time.perf_counter() - started, time.process_time() - used]))
"""


def run(form: str, calls: int) -> tuple[float, float]:
    """Run a program; return the seconds of its calls, by the clock and of the processor.

    Args:
        form: one of `FORMS`.
        calls: how many.
    """
    paths = os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH")]))
    variables = {**os.environ, "ASTRACE_CACHE_DIR": "0", "PYTHONPATH": paths, **FORMS[form]}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.py")  # a function is captured from its source
        program.write_text(PROGRAM)
        command = [sys.executable, str(program), str(calls)]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    by_clock, used = json.loads(done.stdout)
    return by_clock, used


def measure(smoke: bool) -> Table:
    """The time of programs, beside plain ones."""
    calls = 2000
    each = run("plain", calls)[1] / calls
    rows: list[list[Cell]] = []
    for seconds in SECONDS[: 1 if smoke else None]:
        count = max(int(seconds / each), 1)
        taken: dict[str, list[tuple[float, float]]] = {form: [] for form in FORMS}
        for _ in range(1 if smoke else ROUNDS):
            for form, times in taken.items():
                times.append(run(form, count))
        clock, used = (
            {form: statistics.median(time[place] for time in times) for form, times in taken.items()}
            for place in (0, 1)
        )
        row: list[Cell] = [seconds, clock["plain"]]
        row += [clock[form] / clock["plain"] for form in FORMS if form != "plain"]
        row += [used[form] / used["plain"] for form in FORMS if form != "plain"]
        rows.append(row)
    names = [form for form in FORMS if form != "plain"]
    head = ["plain, aimed at, s", "plain, s", *names, *(f"{name}, processor" for name in names)]
    return Table(head, rows)


if __name__ == "__main__":
    if sys.argv[1:]:
        os.sched_setaffinity(0, {int(sys.argv[1])})
    print(measure(smoke=False))
