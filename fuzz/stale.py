"""Findings of the check for graphs that go stale: the cases of ``tests/programs/outside``, at quick settings.

    python -m fuzz.stale

Each case is frozen twice: by `astrace.trace`, and by a tracer that sees no control flow (``tests/helpers/naive.py``).  Those
that differ from their function later, or in the changed world, must be flagged as an error or a warning, on the
line that is marked there; functions whose constants are legitimate must have no error.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import cases
import harness
from naive import naive_trace

import astrace
from astrace.util.progress import progress
from tests.test_check_stale import CONTROLS, STALE, UNSUPPORTED, is_stale, lines, load

MAKERS = {"astrace.trace": astrace.trace, "a naive tracer": naive_trace}


def measure(name: str) -> None:
    """The row of one way to freeze."""
    make, spent, alone, marked, flagged, on_line = MAKERS[name], [], [], 0, 0, 0
    chosen = [one for one in STALE if make is astrace.trace or one[1] not in UNSUPPORTED]
    for file, case in progress(chosen, f"frozen by {name}"):
        line = cases.frozen_line(cases.load(file), case)
        if not line and not is_stale(file, case, make):
            continue
        started = time.process_time()
        _, function, given = load(file, case)
        graph = make(function, *harness.fresh_arguments(given))
        frozen = time.process_time()
        report = astrace.check(graph, *harness.fresh_arguments(given), original=function, level="quick")
        spent.append(time.process_time() - started)
        alone.append(time.process_time() - frozen)
        flagged += not report.ok or bool(report.warnings)
        marked += bool(line)
        on_line += line in lines(report)
    alarms = 0
    for case in progress(CONTROLS, "controls"):
        _, function, given = load("constant", case)
        graph = make(function, *harness.fresh_arguments(given))
        report = astrace.check(graph, *harness.fresh_arguments(given), original=function, level="quick")
        alarms += len(report.errors)
    print(
        f"{name}: {flagged} of {len(spent)} flagged, {on_line} of {marked} on the marked line, {alarms} errors in "
        f"{len(CONTROLS)} controls, median {statistics.median(spent) * 1e3:.0f} ms, of which the check takes {statistics.median(alone) * 1e3:.0f} ms"
    )


def main() -> int:
    """Measure both."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in MAKERS:
            measure(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
