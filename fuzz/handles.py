"""A state machine of Hypothesis: arrays are made, viewed, read and written by one function after the other.

    python -m fuzz.handles --steps 20000 --seed 0

There are two worlds with the same arrays.  A step writes a function of some of them, or takes one that was written
before, and calls it in both: plain in one, compiled in the other.  What it gives joins the arrays, so that the next
step may be given an array together with views of it, views of views, and what overlaps it by chance.  After each step
all arrays of both worlds have to be the same, and share memory in the same way.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import harness

import astrace
from astrace.util.progress import Progress
from fuzz import forms
from fuzz.arrays import PLACE
from fuzz.compare import load

STEPS_OF_ONE: Final = 20
MOST_ARRAYS: Final = 8
MOST_ITEMS: Final = 60
MOST_FUNCTIONS: Final = 4
MOST_CAPTURES: Final = 500
DTYPES: Final = ("float64", "int64", "float32", "complex128", "bool", "int8")
ELSEWHERE: Final = re.compile(r"box|items|table|remember|LOG|KEPT|print|\.data|frombuffer|tofile")
"""Names of templates that are not arguments of these functions."""

STATEMENTS: Final = (
    "x = {Y}",
    "y = {Y}",
    "x = {X}",
    "y = {X}",
    *(f"{target} = {value}" for target in forms.TARGETS for value in ("{N}", "{A}", "{Y}")),
    *(f"{target} {operator} {{N}}" for target in forms.TARGETS for operator in forms.OPERATORS[:3]),
    *(f"{{A}} {operator} {value}" for operator in forms.OPERATORS[:6] for value in ("{N}", "{A}", "{Y}")),
    *forms.UPDATES,
)
AROUND: Final = (
    ("",),
    ("if {C}:",),
    ("if {C}:", "else:"),
    ("for i in range(k):",),
    ("for i in range(2, -1, -1):",),
    ("for x in {M}:",),
    ("while k < 3:\n        k += 1",),
    ("try:", "except ValueError:"),
)
COMMON: Final = {
    "I": ("0", "-1", "k", "k % 2", "-k", "1"),
    "N": ("0", "1", "-2", "0.5", "s", "k", "{A}.sum()", "len({A})"),
}


def usable(templates: Sequence[str]) -> list[str]:
    """The templates that mention nothing but arrays and numbers."""
    return [one for one in templates if not ELSEWHERE.search(one)]


TABLES: Final = {kind: usable(COMMON.get(kind, found)) for kind, found in forms.TABLES.items()}
TEXTS: Final = usable(STATEMENTS)


@dataclass(frozen=True)
class Pair:
    """A function, plain and compiled, with its source."""

    source: str
    plain: Callable[..., Any]
    captured: Callable[..., Any]


@st.composite
def filled(draw: st.DrawFn, template: str, depth: int = 2) -> str:
    """A template with its places filled in."""
    known: dict[str, str] = {}

    def one(match: re.Match[str]) -> str:
        kind, digit = match.groups()
        if match.group() not in known or not digit:
            known[match.group()] = part(kind)
        return known[match.group()]

    def part(kind: str) -> str:
        if kind in "AVM" or (kind == "Y" and depth == 0):
            return draw(st.sampled_from("abcxy"))
        if kind == "N" and depth == 0:
            return draw(st.sampled_from(["0", "1", "-2", "0.5", "s", "k"]))
        return draw(filled(draw(st.sampled_from(TABLES[kind])), depth - 1))

    return PLACE.sub(one, template).replace("{{", "{").replace("}}", "}")


def statements() -> st.SearchStrategy[str]:
    """A statement; ``+a[:] += 1`` is none."""
    return st.sampled_from(TEXTS).flatmap(filled).filter(is_python)


def is_python(text: str) -> bool:
    """Return whether a text is a Python statement."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A function of three arrays, a whole number, another number, and indices."""
    lines = ["def f(a, b, c, k, s, idx):", "    x, y = a, b"]
    for _ in range(draw(st.integers(1, 3))):
        for head in draw(st.sampled_from(AROUND)):
            lines += [f"    {draw(filled(head))}"] if head else []
            inside = "        " if head else "    "
            lines += [inside + draw(statements()) for _ in range(draw(st.integers(1, 2)))]
    return "\n".join([*lines, "    return x, y", ""])


class Handles(RuleBasedStateMachine):
    """Two worlds of arrays that are to stay the same."""

    numbers = itertools.count()

    @initialize(dtype=st.sampled_from(DTYPES), order=st.sampled_from("CF"), turn=st.integers(0, 5))
    def begin(self, dtype: str, order: Any, turn: int) -> None:
        """The first arrays; views of one another already."""
        self.worlds: tuple[list[Any], list[Any]] = ([], [])
        self.functions: list[Pair] = []
        for world in self.worlds:
            m = ((np.arange(12) * (turn + 2)) % 7 - 3).reshape(3, 4).astype(dtype, order=order)
            world += [m, m[turn % 3], m[::-1, 1:], np.arange(4).astype(dtype), m.T]

    @rule(source=sources(), data=st.data())
    def write_and_call(self, source: str, data: st.DataObject) -> None:
        """A new function."""
        number = next(self.numbers)
        plain, captured = (
            load(f"{forms.HEADER}\n\n{source}", f"handles_{number}_{kind}").f
            for kind in ("plain", "captured")
        )
        self.functions = [
            *self.functions,
            Pair(source, plain, astrace.compile(captured, recompile_limit=MOST_CAPTURES)),
        ][-MOST_FUNCTIONS:]
        self.call(self.functions[-1], data)

    @precondition(lambda self: self.functions)
    @rule(data=st.data())
    def call_again(self, data: st.DataObject) -> None:
        """A function that was called before, with other arrays."""
        self.call(data.draw(st.sampled_from(self.functions)), data)

    def call(self, pair: Pair, data: st.DataObject) -> None:
        """Call a function in both worlds, and compare them."""
        picked = [data.draw(st.integers(0, len(self.worlds[0]) - 1)) for _ in "abc"]
        k, s = data.draw(st.integers(0, 3)), data.draw(st.sampled_from([1.5, -2.0, 0.0]))
        outcomes: list[harness.Outcome] = []
        for function, world in zip((pair.plain, pair.captured), self.worlds, strict=True):
            given = (*(world[index] for index in picked), k, s, np.array([1, 0, -1]))
            outcomes.append(harness.observe(function, given))
            world += [one for one in outcomes[-1].result or () if is_small(one)]
            del world[:-MOST_ARRAYS]
        found = harness.differences(*outcomes)
        assert found == [], (found, pair.source, picked)
        assert outcomes[0].line == outcomes[1].line, pair.source
        everything = [harness.observe(list, (world,)) for world in self.worlds]
        found = harness.differences(*everything)
        assert found == [], (found, pair.source, picked)


def is_small(value: Any) -> bool:
    """Return whether an array is small enough to join the others."""
    return type(value) is np.ndarray and value.ndim > 0 and value.size <= MOST_ITEMS


def run(steps: int, start: int) -> None:
    """Run for about so many steps.

    Raises:
        AssertionError: the two worlds differ; what Hypothesis prints is as short as it gets.
    """
    options = settings(
        max_examples=max(1, steps // STEPS_OF_ONE),
        stateful_step_count=STEPS_OF_ONE,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    with Progress(options.max_examples) as shown:

        def begun() -> Handles:
            shown.begin("programs")
            return Handles()

        run_state_machine_as_test(seed(start)(begun), settings=options)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    run(given.steps, given.seed)
    print(f"{given.steps} steps, no difference")
