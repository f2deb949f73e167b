"""What captures learn is of use to others: they take fewer attempts, go on at the next call, and stay right."""

from __future__ import annotations

import copy
import gc
import inspect
import linecache
import pickle
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest

import astrace
import astrace.tracing.trace
import astrace.util.capture_budget
from astrace.compiler.compiled import Compiled
from astrace.compiler.stages import Options
from astrace.tracing.lessons import KnownLessons
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


def check(function: Any, compiled: Any, *args: Any) -> None:
    """Compare a call with plain Python's."""
    wrong = harness.differences(harness.observe(function, args), harness.observe(compiled, args))
    assert not wrong, wrong


INPUTS = (np.array([1.0, 2.5, 2.5]), np.array([]), np.array([4.0]))


def taken(function: Any, compiled: Any, attempts: list[Any]) -> int:
    """Return the number of attempts that calls of a function take."""
    before = len(attempts)
    for x in INPUTS:
        check(function, compiled, x)
    assert compiled.captures[0].fallback is None
    return len(attempts) - before


def test_another_caller_of_a_function_takes_over_what_was_learned_of_it(attempts: list[Any]) -> None:
    together = astrace.compile(recompile_limit=8)
    first, second, third = (taken(one, together(one), attempts) for one in (doubled, shifted, doubled))
    assert first > second >= third


def handed_out(x):
    first, second = Account(x.sum()), Account(2)
    return opaque(first) + opaque(second), opaque(Account(x.max(initial=0.0)))


def test_all_objects_that_opaque_code_gets_are_learned_of_in_one_attempt(attempts: list[Any]) -> None:
    assert taken(handed_out, astrace.compile(handed_out), attempts) == 2


def test_functions_that_are_compiled_apart_learn_apart(attempts: list[Any]) -> None:
    first, second = (taken(doubled, astrace.compile(doubled), attempts) for _ in range(2))
    assert first == second


def test_functions_under_one_hook_learn_from_one_another(
    attempts: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = map(inspect.getsource, (Account, opaque, folded, doubled, shifted))
    tmp_path.joinpath("learned_together.py").write_text("\n\n".join(parts))
    monkeypatch.syspath_prepend(tmp_path)
    made: list[int] = []
    with astrace.import_hook("learned_together", policy="always"):
        import learned_together  # pyright: ignore[reportMissingImports]

        for name, plain in {"doubled": doubled, "shifted": shifted}.items():
            before = len(attempts)
            check(plain, getattr(learned_together, name), INPUTS[0])
            made.append(len(attempts) - before)
    assert made[0] > made[1]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_of_what_was_learned_begins_with_nothing(again: Any) -> None:
    options = Options(recompile_limit=3)
    Compiled(doubled, options).stages(INPUTS[0])
    assert len(options.lessons)
    assert not len(again(options.lessons))
    assert again(options) == options and hash(again(options)) == hash(options)


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
    lessons = KnownLessons()
    check(namespace["forgotten"], Compiled(namespace["forgotten"], Options(lessons=lessons)), INPUTS[0])
    assert len(lessons)
    namespace.clear()
    gc.collect()
    assert not len(lessons)


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
    monkeypatch.setattr(astrace.util.capture_budget, "MOST_WORK", 0.9 * made[0].traced)
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


def flattened(x):
    """Set the shape of an array in place, which has to be known where it is made."""
    rows = {}
    rows[float(x[0])] = x.sum()
    made = x * 2.0
    made.shape = (1, x.size)
    return made, rows


def flattened_once_more(x):
    made, rows = flattened(x + 1.0)
    return made.shape, made, rows


def test_arrays_that_are_reshaped_in_place_are_known_to_others(attempts: list[Any]) -> None:
    together, made = astrace.compile(recompile_limit=8), list[int]()
    for function in (flattened, flattened_once_more):
        before, compiled = len(attempts), together(function)
        for x in (INPUTS[0], INPUTS[2], np.ones(5, np.float32)):
            check(function, compiled, x)
        assert compiled.captures[0].fallback is None
        made.append(len(attempts) - before)
    assert made[0] > made[1]


def keyed(x):
    """Return two dicts with keys that are data."""
    first, second = {}, {}
    for row in x:
        first[float(row)] = row * 2
    for row in x:
        second[float(row) + 1] = len(second)
    return first, second


def keyed_and_asked(x):
    """Return what depends on a dict whose keys are data: while it is not known, on the wrong ground."""
    first, second = {}, {}
    for row in x:
        first[float(row)] = row * 2
    if not first:
        second["empty"] = x.sum()
        return second
    second[float(first.get(2.5, 0.0))] = next(iter(first))
    try:
        second["found"] = first[2.5]
    except KeyError:
        second.clear()
    return first, second


@pytest.mark.parametrize(("function", "most"), [(keyed, 2), (keyed_and_asked, 4)])
def test_dicts_with_data_for_keys_are_found_in_one_attempt(
    function: Any, most: int, attempts: list[Any]
) -> None:
    compiled = astrace.compile(function)
    assert compiled.stages(INPUTS[0]).fallback is None
    assert len(attempts) <= most
    for x in (*INPUTS, np.array([2.5]), np.array([1, 2, 1])):
        check(function, compiled, x)


def left_in_part(x):
    return looks(x), folded(x)


def looks(x):
    """Have no graph."""
    return len(locals()) + x.size


def left_at_the_end(x):
    return folded(x), object()


@pytest.mark.parametrize(
    ("function", "code"), [(folded, None), (left_in_part, "AT106"), (left_at_the_end, "AT204")]
)
def test_a_capture_that_took_long_is_where_the_next_one_of_the_function_begins(
    function: Any, code: str | None, attempts: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One attempt is enough for arguments of other types; where something is left to plain Python, once that was so twice."""
    monkeypatch.setattr(astrace.tracing.trace, "WORTH_RESUMING", 0)
    compiled, made = astrace.compile(function), list[int]()
    for x in (INPUTS[0], np.array([1, 2]), np.ones((2,), np.float32), np.ones(2, np.int8)):
        before = len(attempts)
        check(function, compiled, x)
        made.append(len(attempts) - before)
    reasons = [
        {reason.code for reason in ([one.fallback] if one.fallback else one.recording.plain_calls)}
        for one in compiled.captures
    ]
    assert set(map(frozenset, reasons)) == {frozenset(filter(None, [code]))}
    assert made[0] > 2 and made[-1] == 1 and (code or made[1:] == [1, 1, 1])


def test_what_the_last_capture_knew_is_dropped_where_it_stands_in_the_way(
    attempts: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list that had to exist in one capture has a known length in another: that is found without what was learned."""
    monkeypatch.setattr(astrace.tracing.trace, "WORTH_RESUMING", 0)
    compiled = astrace.compile(spread_of)
    for values in (np.array([1.0, 2.0, 3.0]), (1.0, 2.0, 3.0), (1, 2, 3)):
        check(spread_of, compiled, values)
    assert [bool(one.recording.plain_calls) for one in compiled.captures] == [True, False, False]


def spread_of(values):
    """Spread a list whose length is known if it is made of a tuple."""
    made = []
    for value in values:
        made.append(value * 2)
    return added(*made)


def added(first, *rest):
    return first + sum(rest)


def test_what_is_not_known_of_an_item_is_learned_later() -> None:
    """An item that is computed from items of the same list has no type in the first attempt, and one in the last."""

    def smoothed(y: Any, m: int) -> Any:
        season = [y[i] - 1.0 for i in range(m)]
        for t in range(len(y)):
            s = season[t % m]
            season[t % m] = 0.25 * y[t] + 0.5 * s
        return season

    compiled = astrace.compile(smoothed, backend="numpy")
    given = np.arange(7.0), 3
    assert compiled(*given) == smoothed(*given)
    assert "season: list[float64]" in str(compiled.stages(*given).graph)
