"""The source that the NumPy backend generates beside the user's own: hot calls of kernels and programs, in turn.

    python -m benchmarks.numpy_source            print the table
    python -m benchmarks.numpy_source wave_1d    print the rows of some names

Generated source must not be slower than what it was generated from.  A row is a function and a size;
its ratio is the time of a plain call to that of a compiled one.
"""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

import astrace
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.programs import captured_programs, quiet, ready
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians, cpu_time

import harness  # isort: skip; found through benchmarks.programs

SECONDS: Final = 0.5
"""How long the plain calls of one row are timed, in all."""
LEAST: Final = 40e-6
"""How many seconds a plain call of a program takes at least, so that it is more than the call itself."""


@dataclass(frozen=True)
class Subject:
    """A function that is timed.

    Args:
        name: what the row is called.
        size: the size of its arguments.
        plain: the function.
        compiled: the same, compiled for the NumPy backend.
        make: gives fresh arguments.
    """

    name: str
    size: str
    plain: Callable[..., Any]
    compiled: Callable[..., Any]
    make: Callable[[], tuple[Any, ...]]

    def verify(self) -> None:
        """Raise if a compiled call is not the same to the bit; the second one is, if it is hot."""
        for _ in range(2):
            found = [harness.observe(one, self.make()) for one in (self.plain, self.compiled)]
            if differences := harness.differences(*found):
                raise AssertionError(f"{self.name}, {self.size}: {differences}")

    def row(self, smoke: bool) -> list[Cell]:
        """Return the name, the medians of both forms in microseconds and their ratio."""
        once = cpu_time(self.plain, self.make())
        samples = 2 if smoke else min(max(int(SECONDS / once), 31), 1001)
        plain, compiled = cpu_medians((self.plain, self.compiled), self.make, samples)
        return [f"`{self.name}`", self.size, plain * 1e6, compiled * 1e6, plain / compiled]


def kernel_subject(kernel: Kernel, size: int) -> Subject:
    """Return a kernel at one of its sizes."""
    compiled = astrace.compile(kernel.function, fullgraph=True, backend="numpy")
    return Subject(kernel.name, f"{size:,}", kernel.function, compiled, lambda: kernel.make(size))


def program_subject(name: str) -> Subject | None:
    """Return a program of the tests that is worth timing: not too short, calm, and the same at each call."""
    module = ready(name)
    if is_stateful(module):
        return None

    def make() -> tuple[Any, ...]:
        return harness.fresh_arguments(module.CALLS[0])

    first = harness.observe(module.f, make())
    if first.error or first.printed or first.warned:
        return None
    if min(cpu_time(module.f, make()) for _ in range(5)) < LEAST:
        return None
    return Subject(name, "", module.f, astrace.compile(module.f, backend="numpy"), make)


def is_stateful(module: types.ModuleType) -> bool:
    """Return whether a program says that its calls are not all alike."""
    return any(hasattr(module, name) for name in ("BEFORE", "AFTER", "VARIES", "PLAIN"))


def subjects(smoke: bool, names: Collection[str] = ()) -> Iterator[Subject]:
    """Give all subjects, or those of some names."""
    for kernel in KERNELS[:: 8 if smoke else 1]:
        if not names or kernel.name in names:
            for size in (kernel.small,) if smoke else (kernel.small, kernel.large):
                yield kernel_subject(kernel, size)
    for name in captured_programs(smoke):
        if (not names or name in names) and (subject := program_subject(name)) is not None:
            yield subject


def measure(smoke: bool, names: Collection[str] = ()) -> Table:
    """The plain call beside the hot compiled one, the slowest compiled one first."""
    rows: list[list[Cell]] = []
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for subject in subjects(smoke, names):
            subject.verify()
            rows.append(subject.row(smoke))
    rows.sort(key=lambda row: row[-1])
    return Table(["Function", "size", "plain, µs", "compiled, µs", "plain to compiled"], rows)


if __name__ == "__main__":
    print(measure(smoke=False, names=sys.argv[1:]))
