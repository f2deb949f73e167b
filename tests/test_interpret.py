"""The meaning of a block: each control flow node on hand-built blocks, no iterations and early ends included."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from drafts import Draft, interpreted, operand

from astrace.ir.block import Block, Constant, Operand, Value
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import ANY, BOOL, FLOAT, INT, ArraySpec, ListSpec

F8 = np.dtype("float64")
VECTOR, MATRIX = ArraySpec(("n",), F8), ArraySpec(("n", "m"), F8)


# -- branches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "expected"),
    [(True, 1.0), (0, 2.0), (np.float64(0), 2.0), ("", 2.0), ([0], 1.0), (np.array([3]), 1.0), (None, 2.0)],
)
def test_cond_goes_by_truth(test: object, expected: float) -> None:
    draft = Draft(test=ANY)
    found = draft.cond(draft["test"], [], lambda d: 1.0, lambda d: 2.0)
    assert interpreted(draft.block(found), test) == (expected,)


def test_cond_runs_one_branch_only() -> None:
    draft = Draft(x=ANY, test=BOOL)
    draft.cond(
        draft["test"], [draft["x"]], lambda d, x: d.do("append", x, 1), lambda d, x: d.do("append", x, 2)
    )
    given: list[int] = []
    assert interpreted(draft.block(), given, True) == ()
    assert interpreted(draft.block(), given, False) == ()
    assert given == [1, 2]


# -- loops ----------------------------------------------------------------------------------------

A, B = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0, 7.0])


@pytest.mark.parametrize(
    ("over", "given", "iterations"),
    [
        (Range(0, 1, 2), [0, 3, 1], [0, 1, 2]),
        (Range(0, 1, 2), [3, 0, -2], [3, 1]),
        (Range(2, 1, 0), [1, 3, 0], [0, 1, 2]),
        (Range(0, 1, 2), [0, 0, 1], []),
        (Each(0), [B], [5.0, 6.0, 7.0]),
        (Each(0), [[1, "a", None]], [1, "a", None]),
        (Each(0), [{"k": 1}], ["k"]),
        (Enumerate(Each(0), 1), [B, 10], [(10, 5.0), (11, 6.0), (12, 7.0)]),
        (Zip((Each(0), Each(1))), [B, [1, 2]], [(5.0, 1), (6.0, 2)]),
        (Zip((Each(0),)), [B[:1]], [5.0]),
        (Zip(()), [], []),
        (Reversed(Range(0, 1, 2)), [0, 3, 1], [2, 1, 0]),
        (Reversed(Each(0)), [B], [7.0, 6.0, 5.0]),
        (
            Enumerate(Zip((Each(0), Range(1, 2, 3))), 4),
            [B, 0, 9, 1, 0],
            [(0, 5.0, 0), (1, 6.0, 1), (2, 7.0, 2)],
        ),
        (Zip((Enumerate(Each(0), 1), Reversed(Each(2)))), [B, 3, [8, 9]], [(3, 5.0, 9), (4, 6.0, 8)]),
    ],
)
def test_for_loop_gives_each_turn_its_elements(over: Over, given: list[Any], iterations: list[Any]) -> None:
    draft = Draft(log=ANY)

    def body(inner: Draft, *values: Value) -> None:
        *found, log = values
        inner.do("append", log, found[0] if len(found) == 1 else inner("make_tuple", *found))

    draft.for_loop(over, given, [], [draft["log"]], body)
    log: list[Any] = []
    interpreted(draft.block(), log)
    assert log == iterations


def test_strict_zip_raises_behind_the_last_common_iteration() -> None:
    draft = Draft(log=ANY)
    over = Zip((Each(0), Each(1)), strict=True)
    draft.for_loop(over, [[1, 2], [3]], [], [draft["log"]], lambda d, a, b, log: d.do("append", log, a))
    log: list[Any] = []
    with pytest.raises(ValueError, match="shorter"):
        interpreted(draft.block(), log)
    assert log == [1]


def test_rows_are_views() -> None:
    draft = Draft(x=MATRIX)
    draft.for_loop(Each(0), [draft["x"]], [], [], lambda d, row: d.do("set_item", row, 0, 9.0))
    given = A.copy()
    interpreted(draft.block(), given)
    assert given[:, 0].tolist() == [9.0, 9.0]


def counting(stop: Any, break_at: int | None) -> Block:
    """Counts iterations and sums their numbers, in a ``for``."""
    draft = Draft(n=INT)

    def body(inner: Draft, index: Value, count: Value, total: Value) -> Sequence[Operand]:
        results = [inner("add", count, 1), inner("add", total, index)]
        return results if break_at is None else [inner("eq", index, break_at), *results]

    return draft.block(*draft.for_range(draft["n"] if stop is None else stop, [0, 0.5], [], body))


@pytest.mark.parametrize(
    ("iterations", "break_at", "expected"),
    [
        (4, None, (4, 6.5)),
        (0, None, (0, 0.5)),
        (4, 9, (False, 4, 6.5)),
        (4, 1, (True, 2, 1.5)),
        (4, 3, (True, 4, 6.5)),
        (0, 0, (False, 0, 0.5)),
    ],
)
def test_for_loop_carries_values_and_tells_of_breaks(
    iterations: int, break_at: int | None, expected: Any
) -> None:
    assert interpreted(counting(None, break_at), iterations) == expected


@pytest.mark.parametrize("iterations", [0, 1, 3])
@pytest.mark.parametrize("break_at", [None, 0, 2])
def test_while_loop_carries_values_and_tells_of_breaks(iterations: int, break_at: int | None) -> None:
    draft = Draft(n=INT)

    def body(inner: Draft, count: Value, n: Value) -> Sequence[Operand]:
        after = inner("add", count, 1)
        return [after] if break_at is None else [inner("eq", count, break_at), after]

    found = draft.while_loop([0], [draft["n"]], lambda d, count, n: d("lt", count, n), body)
    left = break_at is not None and break_at < iterations
    count = break_at + 1 if left and break_at is not None else iterations
    outputs = found if break_at is not None else [found]
    assert interpreted(draft.block(*outputs), iterations) == ((count,) if break_at is None else (left, count))


def test_the_flag_of_a_break_goes_by_truth() -> None:
    draft = Draft(x=VECTOR)
    left, last = draft.for_loop(Each(0), [draft["x"]], [0.0], [], lambda d, one, last: (one, one))
    assert interpreted(draft.block(last), np.array([0.0, 0.0, 7.0, 8.0])) == (7.0,)


# -- exceptions and managers ----------------------------------------------------------------------


def attempt(*handlers: tuple[tuple[type, ...], Callable[..., Any]]) -> Block:
    """``x[k]``, with handlers."""
    draft = Draft(x=ANY, k=ANY)
    found = draft.try_([draft["x"], draft["k"]], lambda d, x, k: d("get_item", x, k), *handlers)
    return draft.block(found)


def test_handlers_are_asked_in_order() -> None:
    block = attempt(
        ((KeyError,), lambda d, error, x, k: "key"),
        ((TypeError, IndexError), lambda d, error, x, k: d("make_tuple", "index", k)),
        ((LookupError,), lambda d, error, x, k: "late"),
    )
    assert interpreted(block, [4], 0) == (4,)
    assert interpreted(block, [4], 1) == (("index", 1),)
    assert interpreted(block, {}, 1) == ("key",)
    assert interpreted(block, None, 1) == (("index", 1),)


def test_what_no_handler_catches_goes_on() -> None:
    with pytest.raises(KeyError):
        interpreted(attempt(((IndexError,), lambda d, error, x, k: (None,))), {}, 1)


def test_a_handler_is_given_the_exception_and_may_raise_it_again() -> None:
    def handler(draft: Draft, error: Value, x: Value, k: Value) -> Any:
        draft.do("reraise", error)
        return Constant(None)

    with pytest.raises(IndexError, match="list index out of range"):
        interpreted(attempt(((IndexError,), handler)), [], 1)


def test_a_handler_does_not_guard_another() -> None:
    def handler(draft: Draft, error: Value, x: Value, k: Value) -> Any:
        return draft("get_item", x, 5)

    block = attempt(((IndexError,), handler), ((IndexError,), lambda d, error, x, k: "late"))
    with pytest.raises(IndexError):
        interpreted(block, [], 1)


@contextlib.contextmanager
def logging_manager(log: list[str]) -> Iterator[str]:
    """Logs being entered and left."""
    log.append("in")
    try:
        yield "entered"
    except BaseException as error:
        log.append(type(error).__name__)
        raise
    finally:
        log.append("out")


def test_with_enters_runs_and_leaves() -> None:
    draft = Draft(manager=ANY, log=ANY)

    def body(inner: Draft, entered: Value, log: Value) -> Value:
        inner.do("append", log, "body")
        return entered

    block = draft.block(draft.with_(draft["manager"], [draft["log"]], body))
    log: list[str] = []
    assert interpreted(block, logging_manager(log), log) == ("entered",)
    assert log == ["in", "body", "out"]


def test_with_leaves_when_its_body_raises() -> None:
    draft = Draft(manager=ANY, x=ANY)
    block = draft.block(draft.with_(draft["manager"], [draft["x"]], lambda d, _, x: d("get_item", x, 9)))
    log: list[str] = []
    with pytest.raises(IndexError):
        interpreted(block, logging_manager(log), [])
    assert log == ["in", "IndexError", "out"]


def test_nested_controls_see_their_captures() -> None:
    draft = Draft(n=INT, x=VECTOR, log=ANY)

    def inner_body(d: Draft, j: Value, total: Value, i: Value, x: Value) -> Any:
        test = d("lt", j, i)
        return d.cond(
            test, [total, x, j], lambda d, t, x, j: d("add", t, d("get_item", x, j)), lambda d, t, x, j: t
        )

    def body(d: Draft, i: Value, total: Value, n: Value, x: Value) -> Any:
        return d.for_range(n, [total], [i, x], inner_body)

    total = draft.for_range(draft["n"], [0.0], [draft["n"], draft["x"]], body)
    expected = sum(B[j] for i in range(3) for j in range(3) if j < i)
    assert interpreted(draft.block(total), 3, B, []) == (expected,)


def test_interpreting_needs_an_object_for_each_input() -> None:
    with pytest.raises(ValueError, match="argument"):
        interpreted(Draft(x=FLOAT).block())


def test_operands_of_drafts_are_values_or_constants() -> None:
    value = Value(ListSpec(None))
    assert operand(value) is value
    assert isinstance(operand([1]), Constant)
