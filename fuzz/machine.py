"""A state machine: the world changes, functions that read it are called again, and none gives what is past.

    python -m fuzz.machine --steps 20000 --seed 0

A life is a list of events: a change of the world, another function that reads it, other arguments.  After each event
all functions that read the world are called, plain and captured; they stay compiled as long as the world lives.  A step
is one such call.  Of a life in which the two differ, the fewest events that still differ are printed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import harness
import numpy as np

import astrace
from astrace.util.progress import Progress, say
from fuzz import live, worlds
from fuzz.compare import load, unload

ARRAYS: Final = (
    np.array([1.0, -2.0, 3.0]),
    np.array([-1.0, 0.5]),
    np.zeros(0),
    np.array([1, 2], dtype=np.float32),
)
NUMBERS: Final = (2.0, 0.5, np.float64(1.5), 3)
READERS: Final = tuple((expression, form) for expression in worlds.READS for form in worlds.FORMS)
AT_ONCE: Final = 10


@dataclass(frozen=True)
class Change:
    """A statement that changes the world."""

    text: str


@dataclass(frozen=True)
class Turn:
    """Another function reads the world in the place of one."""

    place: int
    expression: str
    form: str


@dataclass(frozen=True)
class Given:
    """Other arguments, by their numbers."""

    array: int = 0
    number: int = 0
    turns: int = 2


Event: TypeAlias = Change | Turn | Given


def drawn(rng: random.Random, length: int) -> list[Event]:
    """A life with so many changes."""
    events: list[Event] = [Turn(place, *rng.choice(READERS)) for place in range(AT_ONCE)]
    for _ in range(length):
        if rng.random() < 0.1:
            events.append(Turn(rng.randrange(AT_ONCE), *rng.choice(READERS)))
        if rng.random() < 0.2:
            events.append(Given(rng.randrange(len(ARRAYS)), rng.randrange(len(NUMBERS)), rng.randrange(4)))
        events.append(Change(rng.choice(worlds.CHANGES)))
    return events


@dataclass
class World:
    """Two copies of the world, one of them read by captured functions.

    Args:
        number: tells its modules from others.
    """

    number: int
    steps: int = 0
    given: Given = Given()
    reading: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])

    def __post_init__(self) -> None:
        self.plain = load(worlds.HEADER, f"machine_{self.number}_plain")
        self.captured = load(worlds.HEADER, f"machine_{self.number}_captured")
        self.functions: dict[tuple[str, str], tuple[Callable[..., Any], Callable[..., Any]]] = {}

    def live(self, events: Sequence[Event]) -> str:
        """Let events happen; gives the first difference, if there is one."""
        for event in events:
            self.happen(event)
            found = self.look()
            if found:
                return found
        return ""

    def happen(self, event: Event) -> None:
        """One event."""
        match event:
            case Change(text):
                live.change(text, self.plain, self.captured)
            case Turn(place, expression, form):
                self.reading[place] = expression, form
            case Given():
                self.given = event

    def look(self) -> str:
        """Call all functions, plain and captured; gives the first difference, if there is one."""
        x, s = ARRAYS[self.given.array], NUMBERS[self.given.number]
        for expression, form in self.reading.values():
            self.steps += 1
            plain, captured = (
                live.look(function, (x.copy(), s, self.given.turns))
                for function in self.reader(expression, form)
            )
            found = live.of_calls(plain, captured)
            if found:
                return f"{expression!r} in {form!r}: {found[0]}"
        return next(iter(live.of_worlds(self.plain, self.captured)), "")

    def reader(self, expression: str, form: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """A function that reads one thing of the world in one way, plain and captured."""
        if (expression, form) not in self.functions:
            name = f"reader_{len(self.functions)}"
            for module in (self.plain, self.captured):
                harness.run_with_source(worlds.reader(expression, form, name), vars(module))
            captured = astrace.compile(
                getattr(self.captured, name), recompile_limit=live.MOST_SPECIALISATIONS
            )
            self.functions[expression, form] = getattr(self.plain, name), captured
        return self.functions[expression, form]


@contextlib.contextmanager
def world(number: int) -> Iterator[World]:
    """A world of which nothing is left afterwards."""
    one = World(number)
    with live.patches_undone(), one.plain.FILE, one.captured.FILE:
        try:
            yield one
        finally:
            unload(f"machine_{number}_plain")
            unload(f"machine_{number}_captured")


def difference(events: Sequence[Event], number: int = 0) -> tuple[str, int]:
    """Return the differences in a life, and the number of its steps."""
    with world(number) as one:
        return one.live(events), one.steps


def fewest(events: Sequence[Event]) -> list[Event]:
    """The fewest events that still differ, by leaving out ever smaller parts."""
    kept, size = list(events), len(events) // 2
    while size:
        for start in range(len(kept) - size, -1, -size):
            fewer = kept[:start] + kept[start + size :]
            if difference(fewer)[0]:
                kept = fewer
        size //= 2
    return kept


def main() -> int:
    """Take the steps that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--length", type=int, default=40, help="how many changes one world sees")
    parser.add_argument("--show", type=int, default=3, help="stop after so many differences")
    options = parser.parse_args()
    os.environ.setdefault("ASTRACE_DEBUG", "1")
    os.environ.setdefault("ASTRACE_CACHE_DIR", "0")
    rng = random.Random(options.seed)
    steps = made = wrong = 0
    with Progress(-(-options.steps // options.length)) as shown:
        while steps < options.steps and wrong < options.show:
            made += 1
            shown.begin(f"world {made}")
            events = drawn(rng, options.length)
            found, taken = difference(events, made)
            steps += taken
            if found:
                wrong += 1
                events = fewest(events)
                say("\n".join([f"--- world {made}: {difference(events)[0]}", *map(str, events)]))
    print(f"{steps} steps in {made} worlds, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
