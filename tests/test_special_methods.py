"""Each special method, plain and compiled by itself, in each place: straight on, in branches, loops, ``try``, generators.

What is compiled does what plain Python does, and calls what it calls, as often and in that order.
"""

from __future__ import annotations

import itertools
import types
from typing import Any

import harness
import pytest
from special_methods import CASES, CONTEXTS, DEFINITIONS

import astrace
from tests.test_compiled_parts import compile_parts

_numbers = itertools.count()


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("case", CASES)
def test_special_method(case: str, compiled: bool) -> None:
    """The same results, errors and calls, for both ways of each branch and for no, one and more iterations."""
    for context in CONTEXTS:
        plain, captured = program(case, context), program(case, context)
        if compiled:
            compile_parts(captured)
        function = astrace.compile(captured.f)
        for turns in (0, 2):
            expected, found = outcome(plain, plain.f, turns), outcome(captured, function, turns)
            assert harness.differences(expected[0], found[0]) == [], (context, turns)
            assert expected[1:] == found[1:], (context, turns)
        assert "AT299" not in codes_of(function), context


def test_a_method_that_may_decline_leaves_only_its_operator_to_the_program() -> None:
    """The function around is captured, and each reason names the method."""
    module = harness.load_program("operators_left_to_the_program")
    function = astrace.compile(module.f)
    for given in module.CALLS:
        stages = function.stages(*given)
        assert stages.fallback is None
        called = {reason.callee() for reason in stages.recording.plain_calls}
        assert called == {module.Gain.__mul__, module.Gain.__eq__, module.Gain.__iadd__}


def program(case: str, context: str) -> types.ModuleType:
    """A module that asks for the special methods of one case in one place."""
    methods, questions = CASES[case]
    after = "D.d = Desc()" if case == "desc" else ""
    text = DEFINITIONS % {"methods": methods, "desc": "", "after": after}
    module = types.ModuleType(f"program_special_{next(_numbers)}")
    asked = f"({', '.join(questions)},)"
    harness.run_with_source(text + CONTEXTS[context].format(e=asked), module.__dict__)
    return module


def outcome(module: types.ModuleType, function: Any, turns: int) -> tuple[harness.Outcome, list[str], int]:
    """Return the outcome of a call, and the methods of the class that it called."""
    module.LOG.clear()
    module.N = 0
    found = harness.observe(function, (module.D(1), module.D(2), turns))
    return found, list(module.LOG), module.N


def codes_of(function: Any) -> set[str]:
    """The reasons for which a function, or a part of it, ran as plain Python."""
    stages = [entry.stages for entry in function._entries]
    parts = {reason.code for one in stages if one.recording for reason in one.recording.plain_calls}
    return parts | {one.fallback.code for one in stages if one.fallback}
