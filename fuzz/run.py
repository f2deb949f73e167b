"""Random programs, captured and plain, compared.

    python -m fuzz --programs 2000 --seed 0
    python -m fuzz --kind arrays --steps 20000 --ways --seed 0

The kinds of programs: ``python`` (control flow, objects, exceptions; see `fuzz.programs`), ``arrays`` (reads and
writes of arrays that share memory; see `fuzz.arrays`), ``draws`` (random numbers; see `fuzz.draws`), ``repeats`` (equal
and nearly equal expressions, around writes and effects; see `fuzz.repeats`), ``scalars`` (numbers of all kinds, texts,
bytes, and what turns one into the other; see `fuzz.scalars`), ``containers`` (lists, dicts, sets and iterators that
change while they are used; see `fuzz.containers`), ``closures`` (functions made in comprehensions and loops, and when
their names are looked up; see `fuzz.closures`), ``special`` and ``derived`` (classes with special methods, compiled and plain,
of their own and of built-in bases; see `fuzz.special`), ``exceptions`` (and all that hangs on them; see `fuzz.raised`),
``identity`` (which object a value is; see `fuzz.identity`), ``operators`` (called as functions; see `fuzz.operations`), ``worlds`` (globals, objects, classes and hooks that are read and
changed, and change between the calls; see `fuzz.worlds`),
``nests`` (loops that change arrays in place, through XLA; see `fuzz.nests`), ``typed`` (numbers, arrays and lists of known
types, through XLA; see `fuzz.typed`), ``nests_native`` and ``typed_native`` (the same through kernels, to the bit;
``nests_text`` and ``typed_text`` with kernels that Python runs, ``nests_seen`` and ``typed_seen`` with arguments of which nothing
is known until loops are entered; see `fuzz.kernels`), ``lists_native`` and ``lists_text``
(lists of numbers, likewise; see `fuzz.listed`), ``resized_native`` and ``resized_text`` (arrays that get shorter or longer,
likewise; see `fuzz.resized`), ``draws_native`` and ``draws_text`` (typed programs that draw random numbers, likewise; see
`fuzz.typed_draws`), ``complex_native`` and ``complex_text`` (complex numbers, likewise; see `fuzz.complex_numbers`),
``chains_native`` and ``chains_text`` (array statements that run together, likewise; see `fuzz.chains`), ``fields_native`` and
``fields_text`` (loops over levels and rows, likewise; see `fuzz.fields`), ``words_native`` and ``words_text`` (integers without a sign, and NumPy's settings for errors,
likewise; see `fuzz.words`), ``stored_native`` and ``stored_text`` (loops that store into objects, likewise; see `fuzz.stored`) and ``variants`` (programs of the tests,
rewritten so that they mean the same; see `fuzz.variants`).  Each is run on a few
arguments; values, types, flags, exceptions, printed text, changed arguments, identity, shared memory and the module's
state must be the same.  The first differences are printed with their programs, with ``--shrink`` as short as they
get; ``--rules`` says how often each rule of the grammar was used.  ``python -m fuzz`` does both, ``python -m fuzz.run``
neither, unless asked.
"""

from __future__ import annotations

import argparse
import ast
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

from astrace.util.progress import progress, say

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import variants

from fuzz import (
    arrays,
    chains,
    closures,
    complex_numbers,
    containers,
    draws,
    fields,
    identity,
    kernels,
    listed,
    live,
    nests,
    operations,
    pairs,
    programs,
    raised,
    repeats,
    resized,
    rewritten,
    scalars,
    special,
    stored,
    typed,
    typed_draws,
    words,
    worlds,
)
from fuzz.compare import Endless, TimeUp, alarm, differences
from fuzz.shrink import shrunk

Compare = Callable[[str, int, "variants.Variant | None"], tuple[list[str], str]]
"""Returns the differences for a program, its seed and a way to run it (``None`` as users do), and how it was captured."""


@dataclass(frozen=True)
class Kind:
    """A kind of programs.

    Args:
        program: gives a source and its number of statements, from a seed.
        compare: runs one, plain and captured.
        body: where the part of the source that differs from program to program begins.
        ways: it can be run in other ways than as users do.
        rules: tells what was used to make the program of a seed; by default the kinds of its statements.
    """

    program: Callable[[int], tuple[str, int]]
    compare: Compare
    body: str
    ways: bool = True
    rules: Callable[[int], Mapping[str, int]] | None = None

    def used(self, seed: int, source: str) -> Mapping[str, int]:
        """Return the uses of each rule in the making of a program."""
        return self.rules(seed) if self.rules is not None else statements(source[source.index(self.body) :])


def statements(source: str) -> Mapping[str, int]:
    """Count the statements of each kind in a source."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt))
    return collections.Counter(type(node).__name__ for node in nodes)


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


def seeded(program: Callable[[random.Random], tuple[str, int]]) -> Callable[[int], tuple[str, int]]:
    """Return a maker of programs from seeds, given one from a generator of random numbers."""
    return lambda seed: program(random.Random(seed))


def called_arguments(module: Any, _seed: int) -> list[tuple[Any, ...]]:
    """Arguments for four calls, as the program itself makes them: other overlaps, other branches, other types."""
    return [module.arguments(call) for call in range(4)]


def worlds_program(seed: int) -> tuple[str, int]:
    """A program about a world that changes."""
    source = worlds.program(seed)
    return source, source.count("\n") - worlds.HEADER.count("\n")


def complex_program(seed: int) -> tuple[str, int]:
    """A program of complex numbers."""
    source = complex_numbers.program(seed)
    return source, source.count("\n") - complex_numbers.HEADER.count("\n")


def chains_program(seed: int) -> tuple[str, int]:
    """Array statements."""
    source = chains.program(seed)
    return source, source.count("\n") - chains.HEADER.count("\n")


def words_program(seed: int) -> tuple[str, int]:
    """A program of integers without a sign."""
    source = words.program(seed)
    return source, source.count("\n") - words.HEADER.count("\n")


def fields_program(seed: int) -> tuple[str, int]:
    """Loops over levels and rows."""
    source = fields.program(seed)
    return source, source.count("\n") - fields.HEADER.count("\n")


def nests_program(seed: int) -> tuple[str, int]:
    """A loop nest that changes arrays in place."""
    source = nests.program(seed)
    return source, source.count("\n") - nests.HEADER.count("\n")


def draws_program(seed: int) -> tuple[str, int]:
    """A program that draws random numbers, and its number of lines."""
    source = typed_draws.program(seed)
    return source, source.count("\n") - typed.HEADER.count("\n")


def typed_program(seed: int) -> tuple[str, int]:
    """A program of numbers, arrays and lists of known types."""
    source = typed.program(seed)
    return source, source.count("\n") - typed.HEADER.count("\n")


def lists_program(seed: int) -> tuple[str, int]:
    """A program of lists of numbers."""
    source = listed.program(seed)
    return source, source.count("\n") - listed.HEADER.count("\n")


def resized_program(seed: int) -> tuple[str, int]:
    """A program of arrays whose sizes change."""
    source = resized.program(seed)
    return source, source.count("\n") - resized.HEADER.count("\n")


def stored_program(seed: int) -> tuple[str, int]:
    """A program that stores into objects."""
    source = stored.program(seed)
    return source, source.count("\n") - stored.HEADER.count("\n")


def called(
    program: Callable[[random.Random], tuple[str, int]],
    state: Sequence[str],
    body: str = "def f(",
    identities: bool = False,
) -> Kind:
    """A kind of programs that make their own arguments."""
    compare = functools.partial(differences, arguments=called_arguments, state=state, identities=identities)
    return Kind(seeded(program), compare, body)


TYPED_KINDS: Final = (
    ("nests", nests_program, nests.arguments),
    ("typed", typed_program, typed.arguments),
    ("draws", draws_program, typed_draws.arguments),
    ("lists", lists_program, listed.arguments),
    ("resized", resized_program, resized.arguments),
    ("stored", stored_program, stored.arguments),
)
"""Programs of known types that run as machine code, with their arguments."""
PYTHON_STATE: Final = ("G", "TABLE", "LOG")
ARRAYS_STATE: Final = ("LOG", "KEPT", "remember.__defaults__")
CONTAINERS_STATE: Final = ("LOG", "ITEMS", "TABLE", "keep.__defaults__")
KINDS: Final[Mapping[str, Kind]] = {
    "python": Kind(
        python_program,
        functools.partial(differences, arguments=python_arguments, state=PYTHON_STATE),
        "def f(",
        rules=programs.rules_of,
    ),
    "arrays": Kind(
        seeded(arrays.program),
        functools.partial(differences, arguments=called_arguments, state=ARRAYS_STATE),
        "OTHER = ",
    ),
    "draws": Kind(
        seeded(draws.program),
        functools.partial(differences, arguments=called_arguments, state=("LOG", "states()")),
        "def f(",
    ),
    "repeats": Kind(
        seeded(repeats.program),
        functools.partial(differences, arguments=called_arguments, state=("LOG", "counted.__defaults__")),
        "def f(",
    ),
    "scalars": Kind(
        seeded(scalars.program),
        functools.partial(differences, arguments=called_arguments, state=("LOG",)),
        "def f(",
    ),
    "containers": Kind(
        seeded(containers.program),
        functools.partial(differences, arguments=called_arguments, state=CONTAINERS_STATE),
        "def f(",
    ),
    "closures": called(closures.program, ("LOG", "G")),
    "special": called(special.program, ("LOG",), "class M"),
    "derived": called(special.derived, ("LOG",), "class M"),
    "exceptions": called(raised.program, ("LOG",)),
    "identity": called(identity.program, ("LOG",), identities=True),
    "operators": called(operations.program, ("LOG", "KEPT")),
    "pairs": called(pairs.program, ("LOG",)),
    "worlds": Kind(worlds_program, live.compare, "def f(", ways=False),
    "variants": Kind(
        rewritten.program,
        rewritten.differences,
        "def f(",
        rules=lambda seed: collections.Counter(rewritten.rewritten(seed)[1]),
    ),
    "nests": Kind(nests_program, nests.compare, "def f(", ways=False),
    "typed": Kind(
        typed_program,
        functools.partial(nests.compare, arguments=typed.arguments),
        "def f(",
        ways=False,
    ),
    **{
        f"{kind}_{how}": Kind(
            program,
            functools.partial(kernels.compare, arguments=arguments, through_numba=how == "native"),
            "def f(",
            ways=False,
        )
        for kind, program, arguments in TYPED_KINDS
        for how in ("native", "text")
    },
    **{
        f"{kind}_seen": Kind(
            program, functools.partial(kernels.compare_seen, arguments=arguments), "def f(", ways=False
        )
        for kind, program, arguments in TYPED_KINDS
    },
    **{
        f"{kind}_{how}": Kind(
            program, functools.partial(compare, through_numba=how == "native"), "def f(", ways=False
        )
        for kind, program, compare in (
            ("complex", complex_program, complex_numbers.compare),
            ("chains", chains_program, chains.compare),
            ("fields", fields_program, fields.compare),
            ("words", words_program, words.compare),
        )
        for how in ("native", "text")
    },
}
WAYS: Final = tuple(way for way in variants.VARIANTS[:4] if way.name != "backend")
"""The ways to run a block besides the one that users get."""


def check(
    kind: Kind, seed: int, source: str, ways: Sequence[variants.Variant] = (), seconds: int = 20
) -> tuple[list[str], str]:
    """Return the differences of the compiled function, and of other ways to run its block, within a time."""
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


def options_given(words: Sequence[str] | None = None, full: bool = False) -> argparse.Namespace:
    """Return the options of the command line.

    Args:
        words: its words; by default those of the process.
        full: rules and short programs are reported unless it says otherwise.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--kind", choices=KINDS, nargs="+", default=["python"], help="one kind after the other"
    )
    parser.add_argument(
        "--programs", type=int, help="how many programs of each kind; 500 if no steps are given"
    )
    parser.add_argument("--steps", type=int, help="stop after so many statements")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ways", action="store_true", help="also the interpreter, and both without passes")
    either = argparse.BooleanOptionalAction
    parser.add_argument(
        "--shrink", action=either, default=full, help="make the programs that are printed short"
    )
    parser.add_argument("--rules", action=either, default=full, help="say how often each rule was used")
    parser.add_argument("--first", action="store_true", help="stop at the first difference")
    parser.add_argument("--show", type=int, default=3, help="how many differences to print whole")
    parser.add_argument(
        "--seconds", type=int, default=20, help="the most processor time one program may take"
    )
    return parser.parse_args(words)


class Tally:
    """The runs of one kind of programs.

    Args:
        kind: the kind.
        options: what the command line asks for.
    """

    def __init__(self, kind: Kind, options: argparse.Namespace) -> None:
        self.kind, self.options = kind, options
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.rules: collections.Counter[str] = collections.Counter()
        self.steps = self.wrong = 0

    @property
    def is_done(self) -> bool:
        """True if the command line asks for no more."""
        stepped = self.options.steps is not None and self.steps >= self.options.steps
        return stepped or bool(self.options.first and self.wrong)

    def one(self, seed: int) -> None:
        """Run the program of a seed; print what differs."""
        source, count = self.kind.program(seed)
        ways = WAYS if self.options.ways else ()
        found, outcome = check(self.kind, seed, source, ways, self.options.seconds)
        self.steps += count
        self.outcomes[outcome] += 1
        if self.options.rules:
            self.rules.update(self.kind.used(seed, source))
        if not found:
            return
        self.wrong += 1
        say(f"seed {seed}: {found[0][:300]}")
        if self.wrong <= self.options.show:
            text = short(self.kind, seed, source, found) if self.options.shrink else source
            say(f"--- seed {seed}\n{text[text.index(self.kind.body) :]}")

    def row(self, name: str) -> tuple[str, ...]:
        """Return the result as a row of the table."""
        outcomes = ", ".join(f"{number} {outcome}" for outcome, number in self.outcomes.most_common())
        return name, str(sum(self.outcomes.values())), str(self.steps), str(self.wrong), outcomes


HEADER: Final = ("kind", "programs", "statements", "differences", "outcomes")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows below each other, the first of them a header, numbers to the right."""
    columns = [_aligned(column) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    return "\n".join([lines[0], "  ".join("-" * len(column[0]) for column in columns), *lines[1:]])


def _aligned(column: Sequence[str]) -> list[str]:
    """Cells of one width."""
    width = max(map(len, column))
    numbers = all(cell.isdigit() for cell in column[1:])
    return [cell.rjust(width) if numbers else cell.ljust(width) for cell in column]


def rules_table(tallies: Mapping[str, Tally]) -> str:
    """Return a table of the uses of each rule, by kind of program, the rarest last."""
    rows = [
        (name, rule, str(number))
        for name, tally in tallies.items()
        for rule, number in tally.rules.most_common()
    ]
    return table([("kind", "rule", "used"), *rows])


def main(words: Sequence[str] | None = None, full: bool = False) -> int:
    """Run the programs that the command line asks for.

    Args:
        words: the words of the command line; by default those of the process.
        full: rules and short programs are reported unless it says otherwise.
    """
    options = options_given(words, full)
    os.environ.setdefault("ASTRACE_DEBUG", "1")
    os.environ.setdefault("ASTRACE_CACHE_DIR", "0")
    most = options.programs if options.programs is not None else 500 if options.steps is None else sys.maxsize
    tallies: dict[str, Tally] = {}
    for name in options.kind:
        tally = tallies[name] = Tally(KINDS[name], options)
        seeds = range(options.seed, options.seed + most)
        for seed in progress(seeds, f"{name} programs", most if most < sys.maxsize else None):
            tally.one(seed)
            if tally.is_done:
                break
        if tally.wrong and options.first:
            break
    if options.rules:
        print(f"\n{rules_table(tallies)}\n")
    print(table([HEADER, *(tally.row(name) for name, tally in tallies.items())]))
    wrong = sum(tally.wrong for tally in tallies.values())
    print(f"{wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
