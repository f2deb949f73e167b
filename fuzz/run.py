"""Random programs, captured and plain, compared.

    python -m fuzz.run --programs 2000 --seed 0

Each program is run on a few arguments; values, types, exceptions, printed text, changed arguments, shared
memory and the module's state must be the same.  The first differences are printed with their programs.
"""

from __future__ import annotations

import argparse
import collections
import copy
import linecache
import signal
import sys
import types
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import harness

import astrace
from fuzz.programs import program


def load(source: str, name: str) -> types.ModuleType:
    """A module with the given source."""
    file = f"<fuzz {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    module = types.ModuleType(f"program_{name}")
    sys.modules[module.__name__] = module
    exec(compile(source, file, "exec"), module.__dict__)
    return module


def arguments(rng: np.random.Generator) -> list[tuple[object, ...]]:
    """Arguments for four calls, the last of other types."""
    calls: list[tuple[object, ...]] = []
    for index in range(4):
        x = np.round(rng.normal(size=3) * 3, 2)
        s = float(np.round(rng.normal() * 3, 1))
        n = int(rng.integers(0, 5))
        calls.append((x, np.float64(s), n) if index < 3 else (x.astype(np.float32), s, np.int64(n)))
    return calls


class TimeUp(BaseException):
    """A program took too long."""


def alarm(*_: object) -> None:
    """End the program that is running."""
    raise TimeUp


def check(seed: int) -> tuple[list[str], str]:
    """What differs for one program, and what became of it: whole, partly, plain."""
    source = program(seed)
    plain, captured = load(source, f"{seed}_plain"), load(source, f"{seed}_captured")
    function = astrace.compile(captured.f)
    found: list[str] = []
    for given in arguments(np.random.default_rng(seed)):
        expected = harness.observe(plain.f, copy.deepcopy(given))
        outcome = harness.observe(function, copy.deepcopy(given))
        found += [f"{given}: {difference}" for difference in harness.differences(expected, outcome)]
        for name in ("G", "TABLE", "LOG"):
            if not harness.same(getattr(plain, name), getattr(captured, name)):
                found.append(
                    f"{given}: {name} is {getattr(captured, name)} instead of {getattr(plain, name)}"
                )
        if found:
            break
    stages = [entry.stages for entry in function._entries]
    kinds = {"plain " + stage.fallback.code for stage in stages if stage.fallback}
    partly = any(stage.recording and stage.recording.plain_calls for stage in stages)
    for suffix in ("plain", "captured"):
        del sys.modules[f"program_{seed}_{suffix}"], linecache.cache[f"<fuzz {seed}_{suffix}>"]
    return found, next(iter(kinds), "partly" if partly else "whole")


def main() -> int:
    """Run the programs that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="how many differences to print whole")
    parser.add_argument("--seconds", type=int, default=20, help="the most one program may take")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, alarm)
    outcomes: collections.Counter[str] = collections.Counter()
    wrong = 0
    for seed in range(options.seed, options.seed + options.programs):
        signal.alarm(options.seconds)
        try:
            found, outcome = check(seed)
        except TimeUp:
            found, outcome = ["took too long"], "slow"
        except Exception as error:
            found, outcome = [f"{type(error).__name__}: {error}"], "error"
        signal.alarm(0)
        outcomes[outcome] += 1
        if found:
            wrong += 1
            if wrong <= options.show:
                print(f"--- seed {seed}\n{program(seed).split('def f(', 1)[1]}")
            print(f"seed {seed}: {found[0][:300]}")
    print(f"{options.programs} programs, {wrong} differences; {dict(outcomes.most_common())}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
