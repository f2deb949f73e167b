"""Budgets of captures: programs that make them explode are left to plain Python, soon and always at the same place."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import time
import types
from typing import Any

import harness
import numpy as np
import pytest

import astrace
import astrace.util.capture_budget
from astrace.compiler.compiled import Compiled
from astrace.rewrite.pipeline import DONE
from astrace.util.capture_budget import (
    EXTENSION,
    MOST_CAPTURES,
    MOST_EXTENSIONS,
    MOST_SECONDS,
    MOST_WORK,
    Allowance,
    Budget,
    to_rewrite,
)
from benchmarks.puzzles import PUZZLES, Puzzle, frequency_response, hamiltonian_cycle, huge_numbers

MOST_OF_ALL = 1.2 * MOST_WORK + MOST_EXTENSIONS * EXTENSION
"""The most work of a capture: it may be started again, and checks its budget in steps."""


@pytest.fixture(autouse=True)
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """The budgets of all captures of a test."""
    made: list[Budget] = []
    make = Allowance.budget

    def budget(self: Allowance) -> Budget:
        made.append(make(self))
        return made[-1]

    monkeypatch.setattr(Allowance, "budget", budget)
    return made


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_programs_over_lists_and_texts_are_captured_or_given_up_within_the_budget(
    puzzle: Puzzle, budgets: list[Budget]
) -> None:
    compiled = astrace.compile(puzzle.function)
    for _ in range(2):
        given, plain = puzzle.arguments(), puzzle.arguments()
        wrong = harness.differences(harness.observe(puzzle.function, plain), harness.observe(compiled, given))
        assert not wrong, wrong
    assert all(one.spent < MOST_OF_ALL for one in budgets)


def reason(function: Any, *args: Any) -> Any:
    """Return the reason why a function is left to plain Python."""
    return astrace.compile(function).stages(*args).fallback


def test_the_reason_names_the_function_and_the_line_where_the_budget_ran_out() -> None:
    def counted(items):
        total = 0
        for first in items:
            for second in items:
                for third in items:
                    total += first * second * third
        return total

    found = reason(counted, [1, 2.0, 3j] * 15)
    assert found.code == "AT207" and "`counted`" in found.message
    assert counted.__code__.co_firstlineno + 3 <= found.location.line <= counted.__code__.co_firstlineno + 5
    assert found.location.text in (
        "total += first * second * third",
        "for third in items:",
        "for second in items:",
    )


def test_a_capture_whose_work_was_misjudged_is_given_up_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its budget of work it takes a small part."""
    clock = itertools.count(time.thread_time(), step=2 * MOST_SECONDS)
    assert reason(huge_numbers, "text") is None
    DONE.clear()
    monkeypatch.setattr(astrace.util.capture_budget, "LOOK_EVERY", 100)
    monkeypatch.setattr(
        astrace.util.capture_budget, "time", types.SimpleNamespace(thread_time=lambda: next(clock))
    )
    assert reason(huge_numbers, "text").code == "AT207"


def test_a_capture_is_given_up_at_the_same_place_each_time() -> None:
    places: set[str] = set()
    for _ in range(2):
        DONE.clear()  # what has been rewritten already is not counted again
        places.add(str(reason(frequency_response, 2)))
    assert len(places) == 1


def test_no_handler_of_the_program_sees_that_its_capture_is_given_up() -> None:
    def guarded(items):
        count = 0
        for first in items:
            for second in items:
                for third in items:
                    try:
                        count += int(first + second + third)
                    except BaseException:
                        count = -1
                    finally:
                        count += 1
        return count

    items = [1, 2.0, 3j] * 15
    assert reason(guarded, items).code == "AT207"
    assert astrace.compile(guarded)(items) == guarded(items)


def test_all_captures_of_one_function_have_a_budget_together(budgets: list[Budget]) -> None:
    compiled = Compiled(
        hamiltonian_cycle, dataclasses.replace(astrace.compile(len).__astrace_options__, quiet=True)
    )
    for size in range(8):
        graph = [[1.0 if row != size else 1 for row in range(6)] for _ in range(6)]
        compiled.stages(tuple(graph) if size % 2 else graph)
    assert sum(one.spent for one in budgets) < (MOST_CAPTURES + 1.5) * MOST_WORK


def test_captures_that_succeed_leave_the_budget_of_the_others_alone(budgets: list[Budget]) -> None:
    """All failed ones together may cost half as much again as one capture here; four captures succeed."""

    def doubled(x):
        return x + x

    given: list[Any] = [1.5, "text", np.ones(2), [1.0]]
    astrace.compile(doubled).stages(given[0])
    compiled = astrace.compile(doubled)
    compiled._allowance.left = 1.5 * budgets[-1].spent
    assert [compiled.stages(one).fallback for one in given] == [None] * len(given)


@pytest.mark.parametrize(("failures", "extensions"), [(0, MOST_EXTENSIONS), (MOST_CAPTURES, 0)])
def test_a_capture_without_budget_is_not_started_again(failures: int, extensions: int) -> None:
    """Captures that have failed have used up what restarts would cost."""
    allowance = Allowance()
    for _ in range(failures):
        budget = allowance.budget()
        budget.spent = budget.limit
        allowance.charge(budget)
    assert allowance.budget().extensions == extensions


@pytest.mark.parametrize("wanted", ["power", "items", "text"])
def test_constants_that_take_long_are_not_computed_while_tracing(wanted: str, budgets: list[Budget]) -> None:
    """The branch is traced, since the argument may be any text; nothing in it is done."""
    stages = astrace.compile(huge_numbers).stages(wanted)
    assert stages.fallback is None
    assert sum(one.spent for one in budgets) < MOST_WORK / 10


def test_a_list_of_many_items_is_made_when_the_program_runs() -> None:
    def sieve(limit):
        prime = [True] * 5_000
        order = list(range(2_000))
        for number in range(2, limit):
            prime[number * 2] = False
        return prime, order, sum(range(20_000)), sorted(range(30_000))[-1]

    compiled = astrace.compile(sieve, fullgraph=True)
    assert compiled(1_000) == sieve(1_000)
    assert len(compiled.captures[0].graph.block.nodes) < 20


def test_what_is_rewritten_counts_with_its_length() -> None:
    text = "def long(x):\n" + "".join(f"    x = x + {number}\n" for number in range(4_000)) + "    return x\n"
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    assert to_rewrite(namespace["long"].__code__) > MOST_WORK


def test_graphs_that_are_asked_for_may_cost_more() -> None:
    puzzle = next(one for one in PUZZLES if one.name == "frequency_response")
    graph = astrace.trace(puzzle.function, *puzzle.arguments())
    assert np.array_equal(graph(*puzzle.arguments()), puzzle.function(*puzzle.arguments()))


def searched(items):
    """Every item decides, so that it is traced step by step."""
    total = 0
    for first in items:
        for second in items:
            for third in items:
                total += first * second * third
    return total


def tripled(items, by):
    return searched(items) * by + 1


@pytest.mark.parametrize("by", [3, 2.5])
def test_a_callee_that_takes_most_of_the_budget_is_left_out(by: float, budgets: list[Budget]) -> None:
    """The function around is captured, and the reason names the one that is called as plain Python."""
    items = [1, 2.0, 3j] * 15
    compiled = astrace.compile(tripled)
    assert compiled(items, by) == tripled(items, by)
    (capture,) = compiled.captures
    (left,) = capture.recording.plain_calls
    assert left.code == "AT207" and left.message.startswith(
        "`searched` is called as plain Python: tracing through"
    )
    assert left.location.text == "return searched(items) * by + 1"
    assert left.callee() is searched and copy.deepcopy(left) == left == pickle.loads(pickle.dumps(left))
    assert compiled([], by) == tripled([], by) and compiled([1.5], by) == tripled([1.5], by)
    assert sum(one.spent for one in budgets) < 3 * MOST_OF_ALL


def test_a_call_of_a_compiled_function_that_is_left_out_runs_through_its_graph() -> None:
    """It is none of plain Python, and is told as what it is; ``fullgraph`` still wants it in the graph."""
    name = "searched"
    inner = astrace.compile(searched)
    namespace = {name: inner}
    outer = types.FunctionType(tripled.__code__, namespace, "tripled", None, None)
    compiled, items = astrace.compile(outer), [1, 2.0, 3j] * 15
    assert compiled(items, 2) == tripled(items, 2)
    recording = compiled.captures[0].recording
    assert recording.plain_calls == () and [one.code for one in recording.graph_calls] == ["AT207"]
    assert "`searched` is called through a graph of its own" in compiled.explain(items, 2)
    assert inner.stats.calls == 1
    strict = astrace.compile(outer, fullgraph=True)
    with pytest.raises(astrace.NotCaptured, match="`searched` is called through a graph of its own"):
        strict(items, 2)
