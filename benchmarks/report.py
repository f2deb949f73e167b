"""The command that measures everything and writes it down.

python -m benchmarks.report                            print all tables
python -m benchmarks.report hot-call import            print some
python -m benchmarks.report --write docs/benchmarks.md put them between the markers of that file, and charts beside it
python -m benchmarks.report --smoke                    run each measurement once, shortened
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from astrace.util.progress import Progress, say
from benchmarks import (
    bundles,
    calls,
    fields,
    first_calls,
    growth,
    guards,
    hidden,
    imports,
    jax_checks,
    jax_dispatch,
    jax_times,
    jax_writes,
    kernel_calls,
    kernel_times,
    loops,
    native_scaling,
    native_times,
    numpy_source,
    objects,
    observing,
    programs,
    puzzle_times,
    windows,
    writes,
)
from benchmarks.tables import Table, machine, replaced

MEASURES: dict[str, Callable[[bool], Table]] = {
    "import": imports.measure,
    "stages": programs.measure_stages,
    "first-call": programs.measure_first_calls,
    "first-call-bound": first_calls.measure_bound,
    "first-call-peers": first_calls.measure,
    "hot-call": calls.measure,
    "guards": guards.measure,
    "guard-kinds": guards.measure_kinds,
    "trip-count": loops.measure_trips,
    "iteration": loops.measure_iterations,
    "writes": writes.measure,
    "kernels": kernel_times.measure,
    "native": native_times.measure,
    "kernel-calls": kernel_calls.measure,
    "hidden": hidden.measure,
    "windows": windows.measure,
    "fields": fields.measure,
    "objects": objects.measure,
    "native-inexact": native_times.measure_inexact,
    "native-scaling": native_scaling.measure,
    "numpy-source": numpy_source.measure,
    "bundles": bundles.measure,
    "observe": observing.measure,
    "observe-arrays": observing.measure_arrays,
    "puzzles": puzzle_times.measure,
    "growth": growth.measure,
    "jax-pairs": jax_times.measure,
    "jax-kernels": jax_times.measure_kernels,
    "jax-checks": jax_checks.measure,
    "jax-writes": jax_writes.measure,
    "jax-dispatch": jax_dispatch.measure,
}

TOGETHER: Final = {"native": ("native", "native-scaling"), "observe": ("observe", "observe-arrays")}
"""What is measured together under one name."""
CHARTS: Final[dict[str, Callable[[Table], str]]] = {"native-scaling": native_scaling.drawn}
"""What draws a table, as SVG."""


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks.report", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(MEASURES)}; all by default")
    parser.add_argument("--smoke", action="store_true", help="shorten every measurement")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables between its markers")
    options = parser.parse_args()
    if unknown := set(options.names) - set(MEASURES):
        parser.error(f"no measurement {min(unknown)!r}; there are {', '.join(MEASURES)}")
    names = [one for name in options.names or MEASURES for one in TOGETHER.get(name, (name,))]
    parts = {"machine": machine()}
    print(parts["machine"])
    chosen = list(dict.fromkeys(names))
    with Progress(
        len(chosen), delay=0
    ) as progress:  # each takes long, and nothing must draw while it is measured
        for name in chosen:
            progress.begin(f"measuring {name}")
            table = MEASURES[name](options.smoke)
            parts[name] = str(table)
            say(f"\n{name}\n\n{parts[name]}")
            if options.write is not None and name in CHARTS:
                options.write.with_name(f"{name}.svg").write_text(CHARTS[name](table))
    if options.write is not None:
        options.write.write_text(replaced(options.write.read_text(), parts))


if __name__ == "__main__":
    main()
