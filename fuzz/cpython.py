"""CPython's own tests of the language, with their functions compiled: each test must end as it does plain.

    python -m fuzz.cpython                               # all of `MODULES`, in all ways; an hour on one core
    python -m fuzz.cpython test_grammar --ways methods   # one module, its test methods compiled
    python -m fuzz.cpython test_dict --only test_update --show

The ways: ``methods`` compiles the test methods, ``helpers`` the functions and all other methods of the module, ``nested`` the
functions inside functions.  A test differs if its outcome, or the class of its exception, is another one than without the
compiler, if a capture takes longer than `SLOW` seconds of the processor, or if astrace reports a fault of its own.  What may
differ stands in `fuzz.cpython_known`, with the reason.  Needs an installation with the ``test`` package.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from astrace.util.progress import progress, say
from fuzz.cpython_known import MODULES, allowed

WAYS: Final = ("methods", "helpers", "nested")
SLOW: Final = 2.0
RESTARTS: Final = 12
"""The number of restarts of a module after tests that hung or ended the process."""


@dataclass(frozen=True)
class Ended:
    """The end of one test.

    Args:
        outcome: the status, the class of the exception and the traceback, for each thing that went wrong.
        seconds: how long it took.
        capture: how long its longest capture took.
        faults: what astrace said of its own faults.
    """

    outcome: Sequence[Sequence[str]]
    seconds: float
    capture: float = 0.0
    faults: Sequence[str] = ()

    @property
    def signature(self) -> list[tuple[str, ...]]:
        """The values that must be the same."""
        return sorted({tuple(part[:2]) for part in self.outcome})


@dataclass
class Ran:
    """The results of the tests of a module, run in one way."""

    ended: dict[str, Ended] = field(default_factory=dict)
    broken: str = ""


def lines_of(file: Path) -> Iterator[Mapping[str, Any]]:
    """The lines that a worker has written, the last of which may be half."""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            yield json.loads(line)
        except ValueError:
            return


def run(module: str, way: str, seconds: int, only: str = "") -> Ran:
    """Run a module in one way, again without a test that hung or ended the process.

    Args:
        module: the name of a module of the package ``test``.
        way: one of `WAYS`, or ``plain``.
        seconds: how long the tests of the module may take.
        only: a part of the names of the tests to run; all if empty.
    """
    ran = Ran()
    for _ in range(RESTARTS):
        known = len(ran.ended)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "tests")
            command = [
                sys.executable,
                "-m",
                "fuzz.cpython_worker",
                module,
                way,
                str(file),
                *ran.ended,
            ]
            how = _process(command, folder, seconds, only)
            running = ""
            for line in lines_of(file):
                if "begin" in line:
                    running = line["begin"]
                    continue
                rest = {name: line[name] for name in ("outcome", "seconds", "capture", "faults")}
                ran.ended[line["end"]], running = Ended(**rest), ""
            if not how:
                return ran
            if running:
                ran.ended[running] = Ended([(how.splitlines()[-1], "", how)], float(seconds))
            elif len(ran.ended) == known:
                ran.broken = how
                return ran
    return ran


def _process(command: Sequence[str], folder: str, seconds: int, only: str) -> str:
    """Run a worker; what went wrong, if anything."""
    here = Path(__file__).parent.parent
    environment = {
        **os.environ,
        "PYTHONPATH": str(here),
        "ONLY": only,
        "PYTHONHASHSEED": "0",
        "JAX_PLATFORMS": "cpu",
    }
    with Path(folder, "said").open("w+", encoding="utf-8", errors="replace") as said:
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                timeout=seconds,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )
        except subprocess.TimeoutExpired:
            return f"hangs for {seconds} s"
        said.seek(0)
        return "" if done.returncode == 0 else f"{said.read()[-3000:]}\nexit status {done.returncode}"


def differences(module: str, way: str, plain: Ran, found: Ran) -> Iterator[tuple[str, str, str]]:
    """The tests that differ: name, in a word how, and the whole story."""
    if plain.broken or not plain.ended:
        yield f"test.{module}", "no test ran", plain.broken
    elif found.broken:
        yield f"test.{module}", "the module", found.broken
    for name, expected in plain.ended.items():
        ended = found.ended.get(name)
        if allowed(name, way):
            continue
        if ended is None:
            yield name, "did not run", found.broken
        elif ended.faults:
            yield name, "AT299", "\n".join(ended.faults)
        elif ended.signature != expected.signature:
            said = ", ".join(" ".join(part) for part in ended.signature)
            yield name, f"{said} in place of {' '.join(expected.signature[0])}", ended.outcome[0][2]
        elif ended.capture > SLOW:
            yield name, "slow", f"a capture took {ended.capture:.1f} s"


def main() -> int:
    """Run what the command line names and list what differs; the exit status is 1 if anything does."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="*", default=MODULES, help="modules of the package `test`")
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS)
    parser.add_argument("--only", default="", help="a part of the names of the tests to run")
    parser.add_argument("--seconds", type=int, default=240, help="the time of a module, in each way")
    parser.add_argument("--jobs", type=int, default=1, help="modules at a time")
    parser.add_argument("--show", action="store_true", help="the tracebacks")
    options = parser.parse_args()
    counts: Counter[str] = Counter()

    def of_module(module: str) -> list[tuple[str, Ran, Ran]]:
        plain = run(module, "plain", options.seconds, options.only)
        return [(way, plain, run(module, way, options.seconds, options.only)) for way in options.ways]

    with ThreadPoolExecutor(options.jobs) as pool:
        results = zip(options.modules, pool.map(of_module, options.modules), strict=True)
        for module, ways in progress(results, "modules", len(options.modules)):
            for way, plain, found in ways:
                differ = list(differences(module, way, plain, found))
                counts["tests"] += len(plain.ended)
                counts["differ"] += len(differ)
                say(f"{module} {way}: {len(plain.ended)} tests, {len(differ)} differ")
                for name, how, story in differ:
                    say(f"  {name.removeprefix('test.')}: {how}")
                    if options.show:
                        say("    " + story.replace("\n", "\n    "))
    print(f"{counts['tests']} tests, {counts['differ']} differ")
    return int(counts["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main())
