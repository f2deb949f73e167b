"""Whole programs under the import hook: the first process and later ones, beside plain Python.

python -m benchmarks.hooked                              print the table
python -m benchmarks.hooked gh_tuning learning           of some programs
python -m benchmarks.hooked --write docs/libraries.md    put it between the markers of that file

Each program of ``benchmarks/hooked_programs`` runs as ``python program.py`` and as ``astrace run --packages …`` with the default
policy, in processes of their own and on a new folder for the cache: once to fill that, then in turn plainly and with the
hook.  Times are of the processor, with what compiles in another process; the medians count.  A program prints the bits
of its results, which have to be the same each time.  A program whose library is not installed is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from astrace.util.progress import progress, say
from benchmarks.tables import Cell, Table, machine, replaced

FOLDER = Path(__file__).parent / "hooked_programs"
PROGRAMS = {
    "gh_tuning": "filterpy",
    "clock_stability": "allantools",
    "kalman_steps": "filterpy",
    "kalman_batch": "filterpy",
    "unscented": "filterpy",
    "geodesy_points": "pymap3d",
    "geodesy_arrays": "pymap3d",
    "rotations": "transforms3d",
    "control_simulation": "control",
    "responses": "control",
    "signals": "scipy.signal",
    "windows": "scipy.signal",
    "learning": "sklearn,networkx",
}
"""The packages that the hook compiles, by the name of the program."""
ROUNDS = 3
"""The number of later processes, each way."""
COLUMNS = (
    "Program",
    "packages",
    "same bits",
    "plain, s",
    "first process",
    "later processes",
    "plain / later",
)


@dataclass(frozen=True)
class Ran:
    """One process.

    Args:
        seconds: of the processor, with those of the processes that it started.
        printed: what it printed first.
    """

    seconds: float
    printed: str


def run(name: str, packages: str, folder: str) -> Ran:
    """Run a program.

    Args:
        name: of the program.
        packages: what the hook compiles; empty for no hook.
        folder: for the cache.

    Raises:
        RuntimeError: the program fails.
    """
    hook = ["-m", "astrace", "run", "--packages", packages] if packages else []
    command = [sys.executable, *hook, str(FOLDER / f"{name}.py")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=_environment(folder), capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{name} fails:\n{done.stderr[-2000:]}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ran(seconds, done.stdout.splitlines()[0])


def _environment(folder: str) -> Mapping[str, str]:
    """The variables of a process: one that users have, which keeps the bytecode of modules."""
    paths = os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH")]))
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": paths, "ASTRACE_CACHE_DIR": folder, "ASTRACE_BACKEND": "auto"}


def is_installed(packages: str) -> bool:
    """Return whether all packages are installed."""
    return all(importlib.util.find_spec(one.partition(".")[0]) is not None for one in packages.split(","))


def measure(names: Sequence[str], rounds: int = ROUNDS) -> dict[str, str]:
    """The table of some programs, by the name of its place.

    Args:
        names: of programs.
        rounds: how many later processes run, each way.
    """
    rows: list[list[Cell]] = []
    for name in progress(names, "programs"):
        packages = PROGRAMS[name]
        with tempfile.TemporaryDirectory() as folder:
            run(name, "", folder)  # fills the caches of the disk
            first = run(name, packages, folder)
            pairs = [(run(name, "", folder), run(name, packages, folder)) for _ in range(rounds)]
        printed = {one.printed for one in (first, *(one for pair in pairs for one in pair))}
        plain, later = (statistics.median(pair[place].seconds for pair in pairs) for place in (0, 1))
        ratios = [f"{first.seconds / plain:.2f}x", f"{later / plain:.2f}x", f"{plain / later:.1f}"]
        rows.append([name, packages, "yes" if len(printed) == 1 else "no", plain, *ratios])
        say("\n".join(map(str, rows[-1])))
    return {"hooked-machine": machine(), "hooked": str(Table(COLUMNS, rows))}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks.hooked", description=__doc__.splitlines()[0])
    parser.add_argument(
        "names", nargs="*", metavar="program", help=f"of {', '.join(PROGRAMS)}; all by default"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="later processes, each way")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table between its markers")
    options = parser.parse_args()
    if unknown := set(options.names) - set(PROGRAMS):
        parser.error(f"no program {min(unknown)!r}; there are {', '.join(PROGRAMS)}")
    names = [name for name in options.names or PROGRAMS if is_installed(PROGRAMS[name])]
    parts = measure(names, options.rounds)
    for name, text in parts.items():
        print(f"\n{name}\n\n{text}", flush=True)
    if options.write is not None:
        options.write.write_text(replaced(options.write.read_text(), parts))


if __name__ == "__main__":
    main()
