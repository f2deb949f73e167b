"""The kernels with the backend that is chosen, once their hot loops are compiled, beside plain calls and peers (`peers`).

    python -m benchmarks.native_times            print the table
    python -m benchmarks.native_times lu fold    print the rows of some names
    python -m benchmarks.native_times --inexact  print it for kernels that need not be exact

Loops count as hot at once here.  The time of the call that waits for Numba stands in a column of its own.
"""

from __future__ import annotations

import os
import statistics
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final
from unittest import mock

import numpy as np

import astrace
from astrace.backends.native import judge, warm_up
from astrace.backends.native.modes.tolerance import Tolerance, are_close
from benchmarks.kernels import GROUPS, KERNELS, Kernel
from benchmarks.numpy_source import SECONDS, kernel_subject
from benchmarks.peers import agrees, gives_same_bits, peers_of
from benchmarks.programs import quiet
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians, cpu_time

CALLS: Final = judge.TRIALS + 2
"""Calls after which every kernel has been judged."""


PEERS: Final = ("njit", "by hand", "JAX")
"""The columns of the peers."""
HEAD: Final = (
    *("Kernel", "size", "plain, µs", "NumPy source, µs", "chosen, µs", "plain to chosen"),
    *(*(f"{name}, µs" for name in PEERS), "njit to chosen", "wait, s", "loops"),
)


@dataclass(frozen=True)
class Result:
    """One kernel at one size.

    Args:
        row: the cells of the table.
        compiling: the seconds of the longest call, which compiles; 0 where nothing is.
        speedup: how many times as fast as plain calls the later ones are.
        over_njit: how many times as fast as `numba.njit` on the same source they are, or as NumPy where that does not
            compile or gives something else.
        over_exact_njit: the same, where something else is what differs in any bit.
    """

    row: list[Cell]
    compiling: float
    speedup: float
    over_njit: float
    over_exact_njit: float

    @property
    def name(self) -> str:
        """The kernel's name."""
        return str(self.row[0]).strip("`")


@contextmanager
def hot_at_once() -> Iterator[None]:
    """Let the backend be chosen, whatever the environment says, and no loop wait to be compiled; each is, at once."""
    variables = {"ASTRACE_BACKEND": "auto", "ASTRACE_CACHE_DIR": "0", "ASTRACE_CHILD": "0"}
    with mock.patch.dict(os.environ, variables), mock.patch.object(warm_up, "HOT", 0.0):
        yield


def result(kernel: Kernel, size: int, smoke: bool, exact: bool = True) -> Result:
    """Time a kernel, after a call that may compile and those that judge; results are the same to the bit.

    Args:
        kernel: the program.
        size: of its arguments.
        smoke: each form is called twice only.
        exact: results are; else they are within the tolerance.
    """
    chosen = astrace.compile(kernel.function, fullgraph=True, exact=exact)
    waited = max(cpu_time(chosen, kernel.make(size)) for _ in range(CALLS))
    source = kernel_subject(kernel, size)
    if exact:
        replace(source, compiled=chosen).verify()
    else:
        verify_close(kernel, size, chosen)
    given = kernel.make(size)
    peers = {
        name: peer for name, peer in peers_of(kernel).items() if agrees(name, kernel.function, peer, given)
    }
    forms: list[Callable[..., Any]] = [kernel.function, source.compiled, chosen, *peers.values()]
    once = cpu_time(kernel.function, given)
    samples = 2 if smoke else min(max(int(SECONDS / once), 11), 301)
    plain, by_numpy, later, *others = cpu_medians(forms, source.make, samples)
    by_peer = dict(zip(peers, others, strict=True))
    over_njit = over_exact_njit = by_peer.get("njit", plain) / later
    if "njit" in peers and not gives_same_bits(kernel.function, peers["njit"], kernel.make(size)):
        over_exact_njit = plain / later
    cells: list[Cell] = [plain * 1e6, by_numpy * 1e6, later * 1e6, plain / later]
    cells += [by_peer[name] * 1e6 if name in by_peer else "" for name in PEERS]
    compiling = waited if any(one.kernels for one in chosen.captures) else 0.0
    machine = chosen.stats.kernels
    told = f"{machine} kernel{'s' * (machine != 1)}" if machine else "NumPy"
    row = [f"`{kernel.name}`", f"{size:,}", *cells, over_njit, compiling or "", told]
    return Result(row, compiling, plain / later, over_njit, over_exact_njit)


def verify_close(kernel: Kernel, size: int, chosen: Callable[..., Any]) -> None:
    """Raise if what a call gives or writes is not within the tolerance."""
    given = list(leaves(kernel.make(size)))
    found, expected = (
        [*leaves(one(*arguments)), *leaves(arguments)]
        for one, arguments in ((chosen, kernel.make(size)), (kernel.function, kernel.make(size)))
    )
    tolerance = Tolerance.of([*given, *expected])
    if len(found) != len(expected) or not all(
        are_close(one, other, tolerance) for one, other in zip(found, expected, strict=True)
    ):
        raise AssertionError(f"{kernel.name}, {size}: not within the tolerance")


def leaves(value: Any) -> Iterator[Any]:
    """Yield the numbers and arrays in lists and tuples."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from leaves(one)
    elif isinstance(value, np.ndarray | np.generic | float | int):
        yield value


def measure_inexact(smoke: bool, names: Collection[str] = ()) -> Table:
    """The same where kernels need not be exact."""
    return measure(smoke, names, exact=False)


def measure(smoke: bool, names: Collection[str] = (), exact: bool = True) -> Table:
    """Plain calls, those of NumPy source and those of the chosen backend, the slowest one first."""
    kernels = [one for one in KERNELS[:: 8 if smoke else 1] if not names or one.name in names]
    with quiet(), warnings.catch_warnings(), hot_at_once():
        warnings.simplefilter("ignore")
        astrace.compile(kernels[0].function)(*kernels[0].make(kernels[0].small))
        small = [result(one, one.small, smoke, exact) for one in kernels]
        large = [] if smoke else [result(one, one.large, smoke, exact) for one in kernels]
    return table_of(small, large)


def table_of(small: Sequence[Result], large: Sequence[Result]) -> Table:
    """Return the table of results at both sizes, and their geometric means."""
    found = sorted([*small, *large], key=lambda one: one.speedup)
    rows = [one.row for one in found]
    for size, ones in (("small", small), ("large", large)):
        rows += _means(size, ones) if ones else []
    waits = [one.compiling for one in found if one.compiling]
    if waits:
        for name, wait in (("median wait for Numba", statistics.median(waits)), ("longest", max(waits))):
            rows.append([name, *[""] * (6 + len(PEERS)), wait, ""])
    return Table(HEAD, rows)


def _means(size: str, results: Sequence[Result]) -> Iterator[list[Cell]]:
    """Yield the rows of geometric means: of all kernels, of groups, and where bits that differ make NumPy's time count for `numba.njit`'s."""
    yield _mean(size, [one.speedup for one in results], [one.over_njit for one in results])
    for group, names in GROUPS.items():
        if members := [one for one in results if one.name in names]:
            yield _mean(
                f"{size}, {group} ({len(members)})",
                [one.speedup for one in members],
                [one.over_njit for one in members],
            )
    yield _mean(f"{size}, `numba.njit` only with the same bits", [], [one.over_exact_njit for one in results])


def _mean(told: str, speedups: Sequence[float], over_njit: Sequence[float]) -> list[Cell]:
    over_plain = statistics.geometric_mean(speedups) if speedups else ""
    return [
        f"geometric mean, {told}",
        *[""] * 4,
        over_plain,
        *("" for _ in PEERS),
        statistics.geometric_mean(over_njit),
        "",
        "",
    ]


if __name__ == "__main__":
    inexact = "--inexact" in sys.argv
    print(measure(smoke=False, names=[one for one in sys.argv[1:] if one != "--inexact"], exact=not inexact))
