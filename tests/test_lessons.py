"""What captures learn is of use to others: they take fewer attempts, go on at the next call, and stay right."""

from __future__ import annotations

import gc
import linecache
from collections.abc import Iterator
from typing import Any

import harness
import numpy as np
import pytest

import astrace
import astrace.tracing.trace
import astrace.util.capture_budget
from astrace.tracing.lessons import LESSONS
from astrace.util.capture_budget import MOST_RESUMED, Allowance, Budget


class Account:
    """An object that has to exist when the program runs."""

    def __init__(self, start):
        self.rows = {"start": start}
        self.log = []


def opaque(value):
    """Return the type of an object, which no graph knows of one that it makes while tracing."""
    return eval("len", {})(vars(value))


def folded(x):
    """Return what takes several attempts: two dicts that grow in loops, and an object that is handed out."""
    account, seen = Account(x.sum()), {}
    for row in x:
        account.rows[float(row)] = row * 2
    for row in x:
        seen[float(row)] = len(account.rows)
    return opaque(account), sorted(seen)


def doubled(x):
    return folded(x * 2.0)


def shifted(x):
    found = folded(x + 1.0)
    return found[0] + 1, found[1]


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The attempts of all captures of a test."""
    made: list[Any] = []
    attempt = astrace.tracing.trace._attempt

    def counted(*args: Any) -> Any:
        made.append(None)
        return attempt(*args)

    monkeypatch.setattr(astrace.tracing.trace, "_attempt", counted)
    return made


@pytest.fixture(autouse=True)
def _nothing_is_known() -> Iterator[None]:
    LESSONS.clear()
    yield
    LESSONS.clear()


def check(function: Any, compiled: Any, *args: Any) -> None:
    """Compare a call with plain Python's."""
    wrong = harness.differences(harness.observe(function, args), harness.observe(compiled, args))
    assert not wrong, wrong


INPUTS = (np.array([1.0, 2.5, 2.5]), np.array([]), np.array([4.0]))


def test_another_caller_of_a_function_takes_over_what_was_learned_of_it(attempts: list[Any]) -> None:
    taken: list[int] = []
    for function in (doubled, shifted, doubled):
        compiled = astrace.compile(function)
        before = len(attempts)
        for x in INPUTS:
            check(function, compiled, x)
        assert compiled.captures[0].fallback is None
        taken.append(len(attempts) - before)
    assert taken[0] > taken[1] >= taken[2]


FORGOTTEN = """
def forgotten(x):
    found = {}
    for row in x:
        found[float(row)] = 1
    return found
"""


def test_code_that_is_no_longer_in_use_takes_what_was_learned_of_it_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = (len(FORGOTTEN), None, FORGOTTEN.splitlines(keepends=True), "forgotten.py")
    monkeypatch.setitem(linecache.cache, "forgotten.py", known)
    namespace: dict[str, Any] = {}
    exec(compile(FORGOTTEN, "forgotten.py", "exec"), namespace)
    check(namespace["forgotten"], astrace.compile(namespace["forgotten"]), INPUTS[0])
    assert len(LESSONS)
    namespace.clear()
    gc.collect()
    assert not len(LESSONS)


def picked(x, by_name):
    """Return an item of a dict that only has to exist where it is filled by data."""
    table = {"a": x, "b": x * 2}
    if by_name:
        return table["b"]
    for row in x:
        table[float(row)] = row
    return len(table)


def test_what_does_not_apply_changes_nothing() -> None:
    compiled = astrace.compile(picked)
    for by_name in (False, True, False):
        for x in INPUTS:
            check(picked, compiled, x, by_name)
    assert all(stages.fallback is None and not stages.recording.plain_calls for stages in compiled.captures)


def test_a_capture_that_is_out_of_budget_goes_on_at_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Budget] = []
    make = Allowance.budget
    monkeypatch.setattr(Allowance, "budget", lambda self: made.append(make(self)) or made[-1])
    astrace.compile(folded).stages(INPUTS[0])
    LESSONS.clear()
    monkeypatch.setattr(astrace.util.capture_budget, "MOST_WORK", 0.8 * made[0].traced)
    compiled = astrace.compile(folded)
    check(folded, compiled, INPUTS[0])
    assert compiled.captures[0].fallback.code == "AT207"
    for _ in range(2):
        check(folded, compiled, INPUTS[0])
    assert [stages.fallback for stages in compiled.captures] == [None]


def test_a_capture_goes_on_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(astrace.util.capture_budget, "MOST_WORK", 2_000)
    compiled = astrace.compile(folded)
    for _ in range(6):
        check(folded, compiled, INPUTS[0])
    assert compiled.stats.traces <= 1 + MOST_RESUMED
    assert [stages.fallback.code for stages in compiled.captures] == ["AT207"]


def test_garbage_is_searched_for_again_after_a_capture_and_left_alone_where_it_was() -> None:
    for before in (True, False):
        (gc.enable if before else gc.disable)()
        try:
            check(folded, astrace.compile(folded), INPUTS[0])
            assert astrace.compile(refused).stages(INPUTS[0]).fallback is not None
            assert gc.isenabled() == before
        finally:
            gc.enable()


def refused(x):
    """Have no graph."""
    yield x
