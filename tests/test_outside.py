"""Outside values that a capture must not keep (``tests/programs/outside``), and constants that it may keep."""

from __future__ import annotations

import warnings
from typing import Any

import cases
import harness
import numpy as np
import pytest

import astrace

NAMES = cases.names()
APART = ("constant", "shared_code")
MOST_LOUD = 2


@pytest.mark.parametrize(("file", "name"), [found for found in NAMES if found[0] not in APART])
def test_second_call_as_plain_python(file: str, name: str) -> None:
    """Two calls with a change in between, the first result overwritten by its owner."""
    plain, captured = cases.load(file), cases.load(file)
    case = plain.CASES[name]
    function = astrace.compile(getattr(captured, name))
    shapes = []
    for index in range(2):
        if index == 1:
            for module in (plain, captured):
                harness.run_with_source(case.change, module.__dict__)
        expected = harness.observe(getattr(plain, name), harness.fresh_arguments(case.calls[index]))
        found = harness.observe(function, harness.fresh_arguments(captured.CASES[name].calls[index]))
        shapes.append(harness.shape_of(found.result))
        if not case.varies:
            assert harness.differences(expected, found) == []
        overwrite(expected.result, found.result)
    assert harness.same(eval(case.after, plain.__dict__), eval(case.after, captured.__dict__))
    assert not case.varies or shapes[0] != shapes[1]
    assert codes(function) == ({case.plain} if case.plain else set())


def test_an_error_lasts_no_longer_than_its_cause() -> None:
    """A function that raised while it was traced is captured once the value it read has changed."""
    module = cases.load("hooks")
    function = astrace.compile(module.attribute_that_was_missing)
    given = np.ones(2)
    for _ in range(2):
        with pytest.raises(AttributeError):
            function(given)
    module.estimator.rate = 3.0
    assert harness.same(function(given), given * 3.0)
    assert (function.stats.traces, function.stats.fallbacks) == (2, 2)


def overwrite(*results: Any) -> None:
    """Change a result in each way that its owner may."""
    for result in results:
        if isinstance(result, np.ndarray) and result.flags.writeable:
            result[...] = 77


def codes(function: Any) -> set[str]:
    """Return the codes of the reasons why something of a compiled function ran as plain Python."""
    stages = [entry.stages for entry in function._entries]
    whole = {stage.fallback.code for stage in stages if stage.fallback}
    return whole | {
        reason.code for stage in stages if stage.recording for reason in stage.recording.plain_calls
    }


def test_few_cases_are_left_to_plain_python() -> None:
    """All others are captured whole."""
    loud = [
        name for file, name in NAMES if file not in (*APART, "hooks") and cases.load(file).CASES[name].plain
    ]
    assert len(loud) <= MOST_LOUD


@pytest.mark.parametrize("name", [name for file, name in NAMES if file == "constant"])
def test_constants_are_kept(name: str) -> None:
    """Legitimate constants cost nothing: one capture, no warning, no fallback."""
    module = cases.load("constant")
    function = astrace.compile(getattr(module, name))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in module.CASES[name].calls:
            assert harness.same(function(*given), getattr(module, name)(*given))
    assert (function.stats.traces, function.stats.fallbacks, codes(function)) == (1, 0, set())


@pytest.mark.parametrize("name", [name for file, name in NAMES if file == "shared_code"])
def test_functions_that_look_alike(name: str) -> None:
    """Two functions of one text, called in turn."""
    module = cases.load("shared_code")
    case = module.CASES[name]
    made = getattr(module, name)()
    compiled = [astrace.compile(function) for function in made]
    for _ in range(2):
        for function, captured in zip(made, compiled, strict=True):
            assert harness.same(captured(*case.calls[0]), function(*case.calls[0]))
    assert set().union(*map(codes, compiled)) == ({case.plain} if case.plain else set())


def opaque(*given: Any) -> Any:
    """Code that is not captured."""
    locals()
    return given


def looked_at(pair: tuple[Any, Any], n: int) -> Any:
    """Views in a tuple, after code in a loop that may have changed anything."""
    for i in range(n):
        opaque(i)
    return [*opaque(pair[0])[0]], [*opaque(pair)[0][1]], pair[0] is opaque(pair[0])[0]


def test_views_of_dicts_are_those_of_the_present_call() -> None:
    """A view of a dict that is handed on is no constant, where it is read anew after each opaque call."""
    function = astrace.compile(looked_at)
    for held in ({"a": 1, "b": 2.0}, {"a": 3}, {"c": 1, "a": 5}, {}, {"a": 1, "b": 2.0}):
        for pair in ((held.values(), held.keys()), (held.items(), held.values())):
            assert function(pair, 2) == looked_at(pair, 2)
