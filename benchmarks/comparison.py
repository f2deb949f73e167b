"""What compilers make of small programs that Python runs: astrace beside Numba, `jax.jit` and `torch.compile`.

python -m benchmarks.comparison                             # print the table
python -m benchmarks.comparison --write docs/comparison.md  # put it between the markers of that file
python -m benchmarks.comparison --smoke                     # astrace's column alone

Each compiler is asked for the whole function (`fullgraph=True`, `njit`), with its other settings as they come, but that JAX is
allowed 64 bits.  A cell says *yes* where everything that can be seen is what plain Python gives; else what happened instead.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import logging
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import astrace
from astrace.util.progress import progress
from benchmarks.comparison_programs import PROGRAMS, Compiler
from benchmarks.tables import Table, machine, replaced

YES: Final = "yes"
SHOWN: Final = 38
"""The most characters of a result that a cell shows."""


@dataclass(frozen=True)
class Peer:
    """A compiler: how it compiles a whole function, its array module, and how its programs are counted.

    Args:
        name: what it is called, with its version.
        compiled: compiles a function.
        arrays: its module of arrays.
        size: the length of the program that it makes of a function for arguments.
        programs: how many programs a function has after some calls.
    """

    name: str
    compiled: Compiler
    arrays: Any
    size: Callable[[Callable[..., Any], Any], int]
    programs: Callable[[Callable[..., Any], list[Any]], int]


# -- the compilers ---------------------------------------------------------------------------------------


def astrace_peer() -> Peer:
    def size(function: Any, x: Any) -> int:
        return len(str(astrace.compile(function).stages(x).graph).splitlines())

    def programs(function: Any, calls: list[Any]) -> int:
        compiled = astrace.compile(function)
        for x in calls:
            compiled(x)
        return compiled.stats.traces

    whole = lambda function: astrace.compile(function, fullgraph=True)  # noqa: E731
    return Peer(f"astrace {astrace.__version__}", whole, np, size, programs)


def numba_peer() -> Peer:
    import numba

    def size(function: Any, x: Any) -> int:
        compiled = numba.njit(function)
        compiled(x)
        (text,) = compiled.inspect_llvm().values()
        return len(text.splitlines())

    def programs(function: Any, calls: list[Any]) -> int:
        compiled = numba.njit(function)
        for x in calls:
            compiled(x)
        return len(compiled.signatures)

    return Peer(f"Numba {numba.__version__}", numba.njit, np, size, programs)


def jax_peer() -> Peer:
    import jax

    jax.config.update("jax_enable_x64", True)

    def size(function: Any, x: Any) -> int:
        return len(str(jax.make_jaxpr(function)(x)).splitlines())

    def programs(function: Any, calls: list[Any]) -> int:
        compiled = jax.jit(function)
        for x in calls:
            compiled(x)
        return compiled._cache_size()

    return Peer(f"`jax.jit` {jax.__version__}", jax.jit, jax.numpy, size, programs)


def torch_peer() -> Peer:
    import torch

    logging.getLogger("torch").setLevel(logging.ERROR)

    def compiled(function: Any) -> Any:
        torch._dynamo.reset()
        return torch.compile(function, fullgraph=True)

    def counted(function: Any, calls: list[Any]) -> list[int]:
        sizes: list[int] = []

        def backend(graph: Any, _: Any) -> Any:
            sizes.append(len(graph.graph.nodes))
            return graph.forward

        torch._dynamo.reset()
        recorded = torch.compile(function, fullgraph=True, backend=backend)
        for x in calls:
            recorded(x)
        return sizes

    version = torch.__version__.partition("+")[0]
    return Peer(
        f"`torch.compile` {version}",
        compiled,
        np,
        lambda function, x: counted(function, [x])[0],
        lambda function, calls: len(counted(function, calls)),
    )


PEERS: Final[Mapping[str, Callable[[], Peer]]] = {
    "astrace": astrace_peer,
    "numba": numba_peer,
    "jax": jax_peer,
    "torch": torch_peer,
}


# -- what can be seen ------------------------------------------------------------------------------------


def same(expected: Any, found: Any) -> bool:
    """Whether results are the same to the bit; arrays of other libraries count as NumPy's of their values."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and list(expected) == list(found)
            and same([*expected.values()], [*found.values()])
        )
    if isinstance(expected, list | tuple):
        alike = isinstance(found, list | tuple) and len(found) == len(expected)
        return alike and all(map(same, expected, found))
    if isinstance(expected, str) or isinstance(found, str):
        return type(expected) is type(found) and expected == found
    if isinstance(expected, int) and isinstance(found, int):  # Python's, of any size
        return type(expected) is type(found) and expected == found
    one, other = np.asarray(expected), np.asarray(found)
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def cell(program: Callable[[Compiler, Any], Any], peer: Peer) -> str:
    """Run a program plainly and through a compiler, and say what came of it."""
    expected = copy.deepcopy(program(lambda function: function, np))
    try:
        found = program(peer.compiled, peer.arrays)
    except Exception as error:  # any compiler has errors of its own: which one came is what the cell says
        return f"no: {type(error).__name__}"
    return YES if same(expected, found) else f"no: {told(expected, found)}"


def told(expected: Any, found: Any) -> str:
    """What came instead: the first part that differs."""
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple) and len(found) == len(expected):
        index = next(index for index, pair in enumerate(zip(expected, found, strict=True)) if not same(*pair))
        return told(expected[index], found[index])
    if isinstance(expected, dict) and isinstance(found, dict) and list(expected) != list(found):
        return "another order of keys"
    if isinstance(expected, str) and isinstance(found, str):
        return f"{found!r}"[:SHOWN]
    one, other = np.asarray(expected), np.asarray(found)
    if (
        one.dtype.kind == other.dtype.kind == "f"
        and one.shape == other.shape
        and np.allclose(one, other, rtol=1e-9)
    ):
        return "but for the last bits"
    return f"{other.tolist()!r}"[:SHOWN]


# -- sizes -----------------------------------------------------------------------------------------------


def summed(x):
    """A loop over the elements of an array."""
    total = 0.0
    for i in range(len(x)):
        total = total / 2 + x[i]
    return total


def doubled(x):
    """Array code for any size."""
    return x * 2 + x.sum()


def kept_as_loop(peer: Peer) -> str:
    """Whether the program for 200 iterations is as long as that for 10."""
    short, long = (peer.size(summed, peer.arrays.ones(count)) for count in (10, 200))
    return YES if short == long else f"no: {long / short:.0f} times as long"


def any_size(peer: Peer) -> str:
    """How many programs are made for arrays of six lengths."""
    count = peer.programs(doubled, [peer.arrays.ones(size) for size in range(2, 8)])
    return YES if count == 1 else f"no: {count} programs"


def column(name: str, smoke: bool) -> list[str]:
    """One compiler's cells; of a compiler that is not installed, that it was not measured."""
    tests: list[Callable[[Peer], str]] = [
        kept_as_loop,
        any_size,
        *(lambda peer, program=program: cell(program, peer) for program in PROGRAMS.values()),
    ]
    if importlib.util.find_spec(name) is None or (smoke and name != "astrace"):
        return [f"{name}, not measured", *[""] * len(tests)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        peer = PEERS[name]()
        return [peer.name, *(test(peer) for test in tests)]


def measure(smoke: bool) -> Table:
    """All programs through all compilers that are installed; in a smoke run through astrace alone."""
    columns = [column(name, smoke) for name in progress(PEERS, "compilers")]
    titles = [
        "a `for` over elements stays one loop",
        "one program for arrays of all lengths",
        *PROGRAMS,
    ]
    head, *rows = zip(*columns, strict=True)
    return Table(["", *head], [[title, *row] for title, row in zip(titles, rows, strict=True)])


def main() -> None:
    """Print the table; 1 where a cell of astrace is not *yes*, since the page says that they are."""
    parser = argparse.ArgumentParser(prog="benchmarks.comparison", description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="astrace's column alone")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table between its markers")
    options = parser.parse_args()
    table = measure(options.smoke)
    print(f"{machine()}\n\n{table}")
    if options.write is not None:
        parts = {"machine": machine(), "comparison": str(table)}
        options.write.write_text(replaced(options.write.read_text(), parts))
    sys.exit(any(row[1] != YES for row in table.rows))


if __name__ == "__main__":
    main()
