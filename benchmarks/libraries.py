"""Installed libraries under the import hook: their own test suites, without it, with it, and watched only.

python -m benchmarks.libraries                              print the tables
python -m benchmarks.libraries numpy_financial              of one suite
python -m benchmarks.libraries --write docs/libraries.md    put them between the markers of that file
python -m benchmarks.libraries --second transforms3d        print the times of the second process with the default policy

Each suite runs three times in a process of its own: plainly, with everything captured at its first call with
arrays, and with the hook on and everything left plain.  With `--second`, it runs with the default policy and the backend that is
chosen, on a new folder for the cache: once to fill that, then in turn plainly and with the hook.  A library that is not installed, or has no tests, is
left out.  Times are of the processor, the whole run included.  What tests draw at random is the same in each run.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from astrace.util.progress import progress, say
from benchmarks.tables import Cell, Table, machine, replaced

PLUGIN = ("-p", "pytest_astrace", "-p", "benchmarks.seeded", "-p", "no:cacheprovider", "-W", "ignore")
QUIET = ("-q", "--tb=no", "--disable-warnings", "-o", "addopts=", "-o", "xfail_strict=false")


@dataclass(frozen=True)
class Suite:
    """Tests of a library.

    Args:
        package: what the hook compiles.
        files: the test files, relative to the package's folder; the folder itself where there are none.
        project: the name under which it is installed.
    """

    package: str
    files: Sequence[str] = ()
    project: str = ""


SUITES = {
    "numpy_financial": Suite("numpy_financial", project="numpy-financial"),
    "transforms3d": Suite("transforms3d"),
    "scipy.integrate": Suite("scipy.integrate", ("_ivp/tests/test_ivp.py", "_ivp/tests/test_rk.py"), "scipy"),
    "scipy.optimize": Suite(
        "scipy.optimize",
        tuple(
            f"tests/test_{name}.py"
            for name in [
                "zeros",
                "linesearch",
                "nonlin",
                "hessian_update_strategy",
                "lsq_common",
                "trustregion",
                "bracket",
            ]
        ),
        "scipy",
    ),
    "emcee": Suite("emcee", ("tests/unit",)),
    "colour": Suite(
        "colour",
        (
            *(f"algebra/tests/test_{name}.py" for name in ["common", "interpolation", "regression"]),
            "adaptation/tests",
        ),
        "colour-science",
    ),
    "pint": Suite("pint", tuple(f"testsuite/test_{name}.py" for name in ["numpy", "numpy_func", "umath"])),
}


@dataclass(frozen=True)
class Run:
    """One run of a suite.

    Args:
        outcomes: what became of each test.
        seconds: the processor time of the whole run.
        report: what the hook reported.
    """

    outcomes: Mapping[str, str]
    seconds: float
    report: Mapping[str, Any] = field(default_factory=dict[str, Any])


def run(suite: Suite, policy: str | None, variables: Mapping[str, str] | None = None) -> Run:
    """Run the tests of a library.

    Args:
        suite: the tests.
        policy: that of the hook; ``None`` for no hook.
        variables: of the environment, beside those that are set.
    """
    with tempfile.TemporaryDirectory() as folder:
        results, report = Path(folder, "results.xml"), Path(folder, "report.json")
        command = [sys.executable, "-m", "pytest", *PLUGIN, *QUIET, f"--junitxml={results}", *_files(suite)]
        if policy is not None:
            command += [f"--astrace-packages={suite.package}", f"--astrace-policy={policy}"]
            command += [f"--astrace-json={report}"]
        paths = os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH")]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment = {**kept, "PYTHONPATH": paths, **(variables or {})}
        subprocess.run(command, cwd=folder, env=environment, check=False, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found = json.loads(report.read_text()) if report.exists() else {}
        return Run(dict(_outcomes(results)), seconds, found)


def _files(suite: Suite) -> list[str]:
    spec = importlib.util.find_spec(suite.package)
    assert spec is not None and spec.submodule_search_locations is not None
    folder = Path(spec.submodule_search_locations[0])
    return [str(folder / file) for file in suite.files or [""]]


def _outcomes(results: Path) -> Iterator[tuple[str, str]]:
    for case in ET.parse(results).iter("testcase"):
        found = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        yield f"{case.get('classname')}::{case.get('name')}", found[0] if found else "passed"


def is_installed(suite: Suite) -> bool:
    """Return whether a library is installed."""
    try:
        return importlib.util.find_spec(suite.package) is not None
    except ModuleNotFoundError:
        return False


IMPORT = """
import sys, time
import numpy, astrace
hook = astrace.import_hook({package!r}) if {hooked} else astrace.import_hook
start = time.process_time()
import {package}
print(time.process_time() - start)
"""


def import_ratio(package: str, times: int = 15) -> float:
    """Return the ratio of a package's import times with and without the hook: medians, in new processes in turn."""
    found: dict[bool, list[float]] = {False: [], True: []}
    for index in range(2 * times + 2):
        hooked = bool(index % 2)
        command = [sys.executable, "-c", IMPORT.format(package=package, hooked=hooked)]
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
        if index > 1:  # the first ones fill caches
            found[hooked].append(float(ran.stdout))
    return statistics.median(found[True]) / statistics.median(found[False])


def measure(names: Sequence[str]) -> dict[str, str]:
    """The tables of some suites, by the name of their place."""
    rows: list[list[Cell]] = []
    reasons: Counter[str] = Counter()
    examples: dict[str, str] = {}
    totals = [0, 0]
    for name in progress(names, "suites"):
        suite = SUITES[name]
        plain, always, watched = run(suite, None), run(suite, "always"), run(suite, "never")
        rows.append(_row(name, suite, plain, always, watched))
        say("\n".join(map(str, rows[-1])))
        summary = always.report["summary"]
        totals = [totals[0] + summary["whole"], totals[1] + summary["called"]]
        for function in always.report["functions"]:
            reasons.update(function["codes"])
            examples.update(
                {reason[:5]: reason for reason in function["reasons"] if reason[:5] not in examples}
            )
    share = totals[0] / totals[1] if totals[1] else 0.0
    total = (
        f"{totals[0]} of {totals[1]} functions that are called with arrays are captured whole: {share:.0%}."
    )
    codes: list[list[Cell]] = [
        [code, str(count), _shortened(examples[code])] for code, count in reasons.most_common()
    ]
    return {
        "machine": machine(),
        "suites": str(Table(SUITE_COLUMNS, rows)),
        "total": total,
        "reasons": str(Table(["Code", "functions", "for example"], codes)),
    }


ROUNDS = 3
"""The number of runs of the second process, each way; the medians count."""
SECOND_COLUMNS = (
    "Library",
    "tests",
    "same outcome",
    "time, plain, s",
    "time, auto, first process",
    "time, auto, second process",
)


def measure_second(names: Sequence[str]) -> dict[str, str]:
    """The table of the second process with the default policy, by the name of its place.

    Args:
        names: of suites.
    """
    rows: list[list[Cell]] = []
    for name in progress(names, "suites"):
        suite = SUITES[name]
        with tempfile.TemporaryDirectory() as folder:
            variables = {"ASTRACE_CACHE_DIR": folder, "ASTRACE_BACKEND": "auto"}
            run(suite, None)  # writes the bytecode of the tests
            first = run(suite, "default", variables)
            pairs = [(run(suite, None), run(suite, "default", variables)) for _ in range(ROUNDS)]
        plain, second = (statistics.median(pair[place].seconds for pair in pairs) for place in (0, 1))
        outcomes = pairs[0][0].outcomes
        different = {
            test
            for one in (first, *(chosen for _, chosen in pairs))
            for test in outcomes
            if outcomes[test] != one.outcomes.get(test)
        }
        same = f"not {', '.join(sorted(different))}" if different else "all"
        ratios = [f"{first.seconds / plain:.2f}x", f"{second / plain:.2f}x"]
        rows.append([name, str(len(outcomes)), same, plain, *ratios])
        say("\n".join(map(str, rows[-1])))
    return {"machine": machine(), "second": str(Table(SECOND_COLUMNS, rows))}


SUITE_COLUMNS = (
    "Library",
    "tests",
    "same outcome",
    "functions called with arrays",
    "whole",
    "partly",
    "plain",
    "time, all captured",
    "time, all left plain",
    "import with the hook",
)


def _row(name: str, suite: Suite, plain: Run, always: Run, watched: Run) -> list[Cell]:
    states = Counter(function["state"] for function in always.report["functions"])
    called = always.report["summary"]["called"]
    different = [test for test in plain.outcomes if plain.outcomes[test] != always.outcomes.get(test)]
    different += [test for test in plain.outcomes if plain.outcomes[test] != watched.outcomes.get(test)]
    version = importlib.metadata.version(suite.project or suite.package)
    share = f"{states['whole']} ({states['whole'] / called:.0%})" if called else "0"
    return [
        f"{name} {version}",
        str(len(plain.outcomes)),
        "all" if not different else f"not {', '.join(different)}",
        str(called),
        share,
        str(states["partly"]),
        str(states["plain"]),
        f"{always.seconds / plain.seconds:.1f}x",
        f"{watched.seconds / plain.seconds:.2f}x",
        f"{import_ratio(suite.package):.2f}x",
    ]


def _shortened(reason: str) -> str:
    """The message of a reason, on one line of a table."""
    message = reason.partition(": ")[2].splitlines()[0].replace("|", "/")
    return message if len(message) <= 110 else f"{message[:107]}…"


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks.libraries", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="suite", help=f"of {', '.join(SUITES)}; all by default")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables between its markers")
    parser.add_argument("--second", action="store_true", help="the default policy in a second process")
    options = parser.parse_args()
    if unknown := set(options.names) - set(SUITES):
        parser.error(f"no suite {min(unknown)!r}; there are {', '.join(SUITES)}")
    measured = measure_second if options.second else measure
    parts = measured([name for name in options.names or SUITES if is_installed(SUITES[name])])
    for name, text in parts.items():
        print(f"\n{name}\n\n{text}", flush=True)
    if options.write is not None:
        options.write.write_text(replaced(options.write.read_text(), parts))


if __name__ == "__main__":
    main()
