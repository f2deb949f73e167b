"""Random programs, captured and plain, compared.

    python -m fuzz.run --programs 2000 --seed 0
    python -m fuzz.run --kind arrays --steps 20000 --ways --seed 0

There are three kinds of programs: ``python`` (control flow, objects, exceptions; see `fuzz.programs`), ``arrays``
(reads and writes of arrays that share memory; see `fuzz.arrays`), ``draws`` (random numbers; see `fuzz.draws`) and
``worlds`` (globals, objects, classes and hooks that are read and changed, and change between the calls; see
`fuzz.worlds`).  Each is run on a few arguments; values, types, flags, exceptions, printed text, changed arguments,
identity, shared memory and the module's state must be the same.  The first differences are printed with their
programs, with ``--shrink`` as short as they get.
"""

from __future__ import annotations

import argparse
import collections
import functools
import os
import random
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import variants

from fuzz import arrays, draws, live, programs, worlds
from fuzz.compare import Endless, TimeUp, alarm, differences
from fuzz.shrink import shrunk

Compare = Callable[[str, int, "variants.Variant | None"], tuple[list[str], str]]
"""What differs for a program, its seed and a way to run it (``None`` as users do), and what became of it."""


@dataclass(frozen=True)
class Kind:
    """A kind of programs.

    Args:
        program: gives a source and its number of statements, from a seed.
        compare: runs one, plain and captured.
        body: where the part of the source that differs from program to program begins.
        ways: it can be run in other ways than as users do.
    """

    program: Callable[[int], tuple[str, int]]
    compare: Compare
    body: str
    ways: bool = True


def python_program(seed: int) -> tuple[str, int]:
    """A program of control flow and objects."""
    source = programs.program(seed)
    return source, source.count("\n") - programs.HEADER.count("\n")


def python_arguments(_module: Any, seed: int) -> list[tuple[Any, ...]]:
    """Arguments for four calls, the last of other types."""
    rng = np.random.default_rng(seed)
    calls: list[tuple[Any, ...]] = []
    for index in range(4):
        x = np.round(rng.normal(size=3) * 3, 2)
        s = float(np.round(rng.normal() * 3, 1))
        n = int(rng.integers(0, 5))
        calls.append((x, np.float64(s), n) if index < 3 else (x.astype(np.float32), s, np.int64(n)))
    return calls


def arrays_program(seed: int) -> tuple[str, int]:
    """A program about arrays that share memory."""
    return arrays.program(random.Random(seed))


def draws_program(seed: int) -> tuple[str, int]:
    """A program that draws random numbers."""
    return draws.program(random.Random(seed))


def called_arguments(module: Any, _seed: int) -> list[tuple[Any, ...]]:
    """Arguments for four calls, as the program itself makes them: other overlaps, other branches, other types."""
    return [module.arguments(call) for call in range(4)]


def worlds_program(seed: int) -> tuple[str, int]:
    """A program about a world that changes."""
    source = worlds.program(seed)
    return source, source.count("\n") - worlds.HEADER.count("\n")


PYTHON_STATE: Final = ("G", "TABLE", "LOG")
ARRAYS_STATE: Final = ("LOG", "KEPT", "remember.__defaults__")
KINDS: Final[Mapping[str, Kind]] = {
    "python": Kind(
        python_program,
        functools.partial(differences, arguments=python_arguments, state=PYTHON_STATE),
        "def f(",
    ),
    "arrays": Kind(
        arrays_program,
        functools.partial(differences, arguments=called_arguments, state=ARRAYS_STATE),
        "OTHER = ",
    ),
    "draws": Kind(
        draws_program,
        functools.partial(differences, arguments=called_arguments, state=("LOG", "states()")),
        "def f(",
    ),
    "worlds": Kind(worlds_program, live.compare, "def f(", ways=False),
}
WAYS: Final = tuple(way for way in variants.VARIANTS[:4] if way.name != "backend")
"""The ways to run a block besides the one that users get."""


def check(
    kind: Kind, seed: int, source: str, ways: Sequence[variants.Variant] = (), seconds: int = 20
) -> tuple[list[str], str]:
    """What differs, for the compiled function and other ways to run its block, within a time."""
    signal.signal(signal.SIGPROF, alarm)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        found, outcome = kind.compare(source, seed, None)
        for way in ways if kind.ways and not found else ():
            found += kind.compare(source, seed, way)[0]
    except Endless:
        return [], "endless"
    except TimeUp:
        return ["took too long"], "slow"
    except Exception as error:
        return [f"{type(error).__name__}: {error}"], "error"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return found, outcome


def short(kind: Kind, seed: int, source: str, found: list[str]) -> str:
    """A shorter program that differs likewise."""
    ways = [way for way in WAYS if found[0].startswith(f"{way.name}, ")]
    return shrunk(source, kind.body, lambda text: check(kind, seed, text, ways, 5)[0])


def options_given() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kind", choices=KINDS, default="python")
    parser.add_argument("--programs", type=int, help="how many programs; 500 if no steps are given")
    parser.add_argument("--steps", type=int, help="stop after so many statements")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ways", action="store_true", help="also the interpreter, and both without passes")
    parser.add_argument("--shrink", action="store_true", help="make the programs that are printed short")
    parser.add_argument("--show", type=int, default=3, help="how many differences to print whole")
    parser.add_argument(
        "--seconds", type=int, default=20, help="the most processor time one program may take"
    )
    return parser.parse_args()


def main() -> int:
    """Run the programs that the command line asks for."""
    options = options_given()
    os.environ.setdefault("ASTRACE_DEBUG", "1")
    kind = KINDS[options.kind]
    most = options.programs or (500 if options.steps is None else sys.maxsize)
    ways = WAYS if options.ways else ()
    outcomes: collections.Counter[str] = collections.Counter()
    wrong = steps = seed = 0
    for seed in range(options.seed, options.seed + most):
        source, count = kind.program(seed)
        steps += count

        found, outcome = check(kind, seed, source, ways, options.seconds)
        outcomes[outcome] += 1
        if found:
            wrong += 1
            print(f"seed {seed}: {found[0][:300]}")
        if found and wrong <= options.show:
            text = short(kind, seed, source, found) if options.shrink else source
            print(f"--- seed {seed}\n{text[text.index(kind.body) :]}")
        if options.steps is not None and steps >= options.steps:
            break
    total = sum(outcomes.values())
    print(f"{total} programs, {steps} steps, {wrong} differences; {dict(outcomes.most_common())}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
