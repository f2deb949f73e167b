"""A state machine: the world changes, functions that read it are called, and none gives what is past.

    python -m fuzz.machine --steps 20000 --seed 0

A step is one change of the world, or one call of a function that reads one thing of it in one way; the functions
stay compiled from step to step.  A failure is shrunk to the fewest steps.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import Any

import harness
import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

import astrace
from fuzz import live, worlds
from fuzz.compare import load

ARRAYS = [np.array([1.0, -2.0, 3.0]), np.array([-1.0, 0.5]), np.zeros(0), np.array([1, 2], dtype=np.float32)]
CALM = settings(
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)


class World(RuleBasedStateMachine):
    """Two copies of the world, one of them read by compiled functions."""

    steps = 0
    made = 0

    def __init__(self) -> None:
        super().__init__()
        World.made += 1
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(live.patches_undone())
        self.plain = load(worlds.HEADER, f"machine_{World.made}_plain")
        self.captured = load(worlds.HEADER, f"machine_{World.made}_captured")
        self.functions: dict[tuple[str, str], tuple[Any, Any]] = {}

    @rule(text=st.sampled_from(worlds.CHANGES))
    def change(self, text: str) -> None:
        """The world changes."""
        World.steps += 1
        live.change(text, self.plain, self.captured)

    @rule(text=st.sampled_from(worlds.CHANGES), again=st.data())
    def change_and_call_again(self, text: str, again: st.DataObject) -> None:
        """The world changes, and a function is called that has been called before."""
        self.change(text)
        if self.functions:
            expression, form = again.draw(st.sampled_from(sorted(self.functions)))
            self.call(expression, form, ARRAYS[0], 2.0, 2)

    @rule(
        expression=st.sampled_from(worlds.READS),
        form=st.sampled_from(worlds.FORMS),
        x=st.sampled_from(ARRAYS),
        s=st.sampled_from([0.5, 2.0, np.float64(1.5), 3]),
        n=st.integers(0, 3),
    )
    def call(self, expression: str, form: str, x: Any, s: Any, n: int) -> None:
        """A function reads the world."""
        World.steps += 1
        plain, captured = self._function(expression, form)
        expected, found = live.look(plain, (x.copy(), s, n)), live.look(captured, (x.copy(), s, n))
        assert live.differences(self.plain, self.captured, expected, found) == []

    def _function(self, expression: str, form: str) -> tuple[Any, Any]:
        if (expression, form) not in self.functions:
            name = f"reader_{len(self.functions)}"
            for module in (self.plain, self.captured):
                harness.run_with_source(worlds.reader(expression, form, name), vars(module))
            plain, captured = getattr(self.plain, name), getattr(self.captured, name)
            compiled = astrace.compile(captured, recompile_limit=live.MOST_SPECIALISATIONS)
            self.functions[expression, form] = plain, compiled
        return self.functions[expression, form]

    def teardown(self) -> None:
        """Nothing of the world is left."""
        self._stack.close()
        for module in (self.plain, self.captured):
            del sys.modules[module.__name__]


def main() -> int:
    """Take the steps that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--length", type=int, default=50, help="how many steps one world lives")
    options = parser.parse_args()
    seed = options.seed
    while World.steps < options.steps:
        machine = hypothesis.seed(seed)(type("Seeded", (World,), {}))
        run_state_machine_as_test(
            machine, settings=settings(CALM, max_examples=20, stateful_step_count=options.length)
        )
        seed += 1
    print(f"{World.steps} steps in {World.made} worlds: nothing stale")
    return 0


if __name__ == "__main__":
    sys.exit(main())
