"""Random programs, captured and plain, compared.

    python -m fuzz.run --programs 2000 --seed 0
    python -m fuzz.run --kind arrays --steps 20000 --ways --seed 0

There are two kinds of programs: ``python`` (control flow, objects, exceptions; see `fuzz.programs`) and ``arrays``
(reads and writes of arrays that share memory; see `fuzz.arrays`).  Each is run on a few arguments; values,
types, flags, exceptions, printed text, changed arguments, identity, shared memory and the module's state must be
the same.  The first differences are printed with their programs, with ``--shrink`` as short as they get.
"""

from __future__ import annotations

import argparse
import collections
import linecache
import os
import random
import signal
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import harness
import variants

import astrace
from fuzz import arrays, programs
from fuzz.shrink import shrunk


@dataclass(frozen=True)
class Kind:
    """A kind of programs.

    Args:
        program: gives a source and its number of statements, from a seed.
        arguments: gives the arguments of all calls, from a program's module and the seed.
        state: expressions for what is compared of the module.
        body: where the part of the source that differs from program to program begins.
    """

    program: Callable[[int], tuple[str, int]]
    arguments: Callable[[Any, int], list[tuple[Any, ...]]]
    state: tuple[str, ...]
    body: str


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


def arrays_arguments(module: Any, _seed: int) -> list[tuple[Any, ...]]:
    """Arguments for four calls: other overlaps, other branches, and for the last other types."""
    return [module.arguments(call) for call in range(4)]


KINDS: Final[Mapping[str, Kind]] = {
    "python": Kind(python_program, python_arguments, ("G", "TABLE", "LOG"), "def f("),
    "arrays": Kind(arrays_program, arrays_arguments, ("LOG", "KEPT", "remember.__defaults__"), "OTHER = "),
}
WAYS: Final = tuple(way for way in variants.VARIANTS[:4] if way.name != "backend")
"""The ways to run a block besides the one that users get."""


@contextmanager
def loaded(source: str, name: str) -> Iterator[types.ModuleType]:
    """A module with the given source, for a while."""
    file = f"<fuzz {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    module = types.ModuleType(f"program_{name}")
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, file, "exec"), module.__dict__)
        yield module
    finally:
        del sys.modules[module.__name__], linecache.cache[file]


class TimeUp(BaseException):
    """A program took too long."""


class Endless(BaseException):
    """So did the plain function: nothing can be compared."""


def alarm(*_: object) -> None:
    """End the program that is running."""
    raise TimeUp


def differences(
    kind: Kind, source: str, seed: int, way: variants.Variant | None = None
) -> tuple[list[str], str]:
    """What differs for one program, and what became of it: whole, partly, plain."""
    with loaded(source, f"{seed}_plain") as plain, loaded(source, f"{seed}_captured") as captured:
        function = astrace.compile(captured.f)
        run = function if way is None else variants.captured_by(way, captured.f)
        found: list[str] = []
        calls = zip(kind.arguments(plain, seed), kind.arguments(captured, seed), strict=True)
        for number, (given, again) in enumerate(calls):
            shown = f"{way.name if way else 'compiled'}, call {number}: "
            expected = plainly(plain.f, given)
            outcome = harness.observe(run, again)
            states = [[eval(one, module.__dict__) for one in kind.state] for module in (plain, captured)]
            found += [shown + difference for difference in harness.differences(expected, outcome)]
            if not harness.same(*states):
                found.append(f"{shown}the module's state is {states[1]} instead of {states[0]}")
            if found:
                break
        return found, outcome_of(function)


def plainly(function: Callable[..., Any], given: tuple[Any, ...]) -> harness.Outcome:
    """What the plain function does; it may have written an endless loop."""
    signal.signal(signal.SIGVTALRM, alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        return harness.observe(function, given)
    except TimeUp:
        raise Endless from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def outcome_of(function: Any) -> str:
    """Whether a compiled function was captured whole."""
    stages = [entry.stages for entry in function._entries]
    kinds = {"plain " + stage.fallback.code for stage in stages if stage.fallback}
    partly = any(stage.recording and stage.recording.plain_calls for stage in stages)
    return next(iter(kinds), "partly" if partly else "whole")


def check(
    kind: Kind, seed: int, source: str, *, ways: bool = False, seconds: int = 20
) -> tuple[list[str], str]:
    """As `differences`, for the compiled function and (``ways``) through the interpreter and without passes."""
    signal.signal(signal.SIGALRM, alarm)
    signal.alarm(seconds)
    try:
        found, outcome = differences(kind, source, seed)
        for way in WAYS if ways and not found else ():
            found += differences(kind, source, seed, way)[0]
    except Endless:
        return [], "endless"
    except TimeUp:
        return ["took too long"], "slow"
    except Exception as error:
        return [f"{type(error).__name__}: {error}"], "error"
    finally:
        signal.alarm(0)
    return found, outcome


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
    parser.add_argument("--seconds", type=int, default=20, help="the most one program may take")
    return parser.parse_args()


def main() -> int:
    """Run the programs that the command line asks for."""
    options = options_given()
    os.environ.setdefault("ASTRACE_DEBUG", "1")
    kind = KINDS[options.kind]
    most = options.programs or (500 if options.steps is None else sys.maxsize)
    outcomes: collections.Counter[str] = collections.Counter()
    wrong = steps = seed = 0
    for seed in range(options.seed, options.seed + most):
        source, count = kind.program(seed)
        steps += count

        def compared(text: str, seed: int = seed) -> list[str]:
            return check(kind, seed, text, ways=options.ways, seconds=options.seconds)[0]

        found, outcome = check(kind, seed, source, ways=options.ways, seconds=options.seconds)
        outcomes[outcome] += 1
        if found:
            wrong += 1
            print(f"seed {seed}: {found[0][:300]}")
        if found and wrong <= options.show:
            text = shrunk(source, kind.body, compared) if options.shrink else source
            print(f"--- seed {seed}\n{text[text.index(kind.body) :]}")
        if options.steps is not None and steps >= options.steps:
            break
    total = sum(outcomes.values())
    print(f"{total} programs, {steps} steps, {wrong} differences; {dict(outcomes.most_common())}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
