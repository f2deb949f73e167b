"""Code of the user's that runs where nothing shows it: what it changes is seen, whatever it is and wherever it is read again.

Kinds of code × kinds of outside state × places, beside plain Python, over several calls of one compiled function.
"""

from __future__ import annotations

import itertools
import types

import harness
import numpy as np
import pytest
from hidden_code import HIDDEN, PLACES, RESHAPED, STATE, USED, WORLD

import astrace
from benchmarks.native_times import hot_at_once

_numbers = itertools.count()
ARRAYS = {
    "an argument": ("held", "KEPT[0]"),
    "one that is made and kept": ("kept(np.arange(4.0) + k)", "KEPT[1]"),
    "one of which a view is kept": ("viewed(np.arange(4.0) + k)", "KEPT[1].base"),
}
KEEPING = "\ndef kept(a):\n    KEPT.append(a)\n    return a\n"
KEEPING += "\ndef viewed(a):\n    KEPT.append(a[:][1:])\n    return a\n"


@pytest.mark.share(4)
@pytest.mark.parametrize("state", STATE)
@pytest.mark.parametrize("code", HIDDEN)
def test_what_hidden_code_changes_is_seen(code: str, state: str) -> None:
    """The same results as plain Python; `StateChanged` where what decided how the capture went on was changed."""
    setup, statement = HIDDEN[code]
    read, change = STATE[state]
    for place, text in PLACES.items():
        body = text.format(setup=setup or "pass", statement=statement, read=read)
        decided = state in ("a flag", "a method", "a class")
        assert outcomes(change, body, "numpy") <= ({"same", "StateChanged"} if decided else {"same"}), place


@pytest.mark.share(2)
@pytest.mark.parametrize("effect", RESHAPED)
@pytest.mark.parametrize(
    "code", ["call", "call from a list made here", "method", "operator", "truth", "text", "key", "item"]
)
def test_arrays_whose_shape_or_type_hidden_code_sets_are_not_taken_for_what_they_were(
    code: str, effect: str
) -> None:
    """No other result than plain Python's is given."""
    for array, (made, known) in ARRAYS.items():
        for use, text in USED.items():
            body = arrays_body(code, made, text)
            found = outcomes(RESHAPED[effect].format(a=known), body, "numpy")
            same = {"same"} if use == "handed on" or effect == "written" else {"same", "StateChanged"}
            assert found <= same, (array, use)


@pytest.mark.share(2)
@pytest.mark.parametrize("backend", ["native", "auto"])
@pytest.mark.parametrize("effect", ["smaller dtype", "resize", "written"])
@pytest.mark.parametrize("code", ["call", "call from a list made here", "operator"])
def test_machine_code_reads_no_memory_of_arrays_that_are_others_by_now(
    code: str, effect: str, backend: str
) -> None:
    """Kernels behind hidden code."""
    pytest.importorskip("numba")
    made, known = ARRAYS["one that is made and kept"]
    body = arrays_body(code, made, USED["straight on"])
    with hot_at_once():
        found = outcomes(RESHAPED[effect].format(a=known), body, backend)
    assert found <= {"same", "StateChanged"}
    assert effect != "written" or found == {"same"}


def arrays_body(code: str, made: str, text: str) -> str:
    """The body of a function that uses an array around code that is hidden."""
    setup, statement = HIDDEN[code]
    return text.format(setup=setup or "pass", statement=statement, array=made)


def outcomes(change: str, body: str, backend: str) -> set[str]:
    """How calls of the compiled function compare with those of the plain one."""
    plain, captured = program(change, body), program(change, body)
    function = astrace.compile(captured.f, backend=backend)
    found = set[str]()
    for number in range(3):
        given = [(np.arange(1.0, 5.0) + number, 3) for _ in range(2)]
        for module in (plain, captured):
            module.reset()
        expected, got = harness.observe(plain.f, given[0]), harness.observe(function, given[1])
        if got.error is not None and got.error[0] == "StateChanged":
            found.add("StateChanged")
            continue
        differences = harness.differences(expected, got)
        found.add(str(differences) if differences else "same")
    return found


def program(change: str, body: str) -> types.ModuleType:
    """A module with hidden code, and a function that runs it."""
    module = types.ModuleType(f"program_hidden_{next(_numbers)}")
    harness.run_with_source(WORLD % {"change": change, "body": body} + KEEPING, module.__dict__)
    return module


EARLY = """
import contextlib

class Gauge:
    meter = 1.0

GAUGE, SEEN = Gauge(), []
HOOKS = [SEEN.append, lambda number: SEEN.append(-number)]

def f(x, n):
    turns = 0
    while turns < n and n >= 1:
        turns += 1
        with contextlib.nullcontext(GAUGE) as held:
            return -x
        [hook(2.0) for hook in HOOKS]
    print(n)
    return x, n
"""


def test_what_is_not_there_yet_has_no_shape_to_check() -> None:
    """The array that is returned out of the loop is not there before."""
    module = types.ModuleType("program_returns_early")
    harness.run_with_source(EARLY, module.__dict__)
    function = astrace.compile(module.f)
    for turns in (0, 2, 1):
        expected, found = (harness.observe(one, (np.arange(3.0), turns)) for one in (module.f, function))
        assert harness.differences(expected, found) == []


class Split:
    """Where a tree goes to the left or the right, or a leaf."""

    def __init__(self, place: int, limit: float, left: Split | float, right: Split | float) -> None:
        self.place, self.limit, self.left, self.right = place, limit, left, right


def leaves_of_rows(tree, x):
    """Walk down a tree of objects, of which nothing is known, with each row of an array."""
    found = []
    for row in x:
        node = tree
        while type(node) is not float:
            node = node.left if row[node.place] <= node.limit else node.right
        found.append(node)
    return found


def test_rows_that_nobody_else_has_are_not_looked_at_again() -> None:
    """Code that is not known may know the array, and has no way to get hold of its rows."""
    tree = Split(0, 0.5, Split(1, 0.0, 1.0, 2.0), 3.0)
    x = np.random.default_rng(0).normal(size=(20, 2))
    compiled = astrace.compile(leaves_of_rows, backend="numpy")
    assert compiled(tree, x) == leaves_of_rows(tree, x)
    assert "check_array" not in str(compiled.captures[0].graph)
