"""The check on functions whose frozen graphs go stale: each is flagged, on the right line; controls are not."""

from __future__ import annotations

import cases
import harness
import pytest
from naive import naive_trace

import astrace

pytestmark = [  # some cases leave files open, as such code does
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
APART = ("constant", "shared_code", "hooks")  # hooks: the check gives none to a class
STALE = [found for found in cases.names() if found[0] not in APART]
CONTROLS = [name for file, name in cases.names() if file == "constant"]
UNSUPPORTED = {"path_chosen_by_error"}  # the naive tracer knows no handlers


def load(file, name):
    """A fresh module, its function and the arguments of the first call."""
    module = cases.load(file)
    cases.add_change(module, name)
    return module, getattr(module, name), module.CASES[name].calls[0]


def is_stale(file, name, make):
    """Return whether a graph of the first call differs from the function, at the same call or after the change.

    A graph that refuses a call says so itself.
    """
    plain, captured = cases.load(file), cases.load(file)
    case = plain.CASES[name]
    graph = make(getattr(captured, name), *harness.fresh_arguments(case.calls[0]))
    for index in range(2):
        if index:
            for module in (plain, captured):
                harness.run_with_source(case.change, module.__dict__)
        expected = harness.observe(getattr(plain, name), harness.fresh_arguments(case.calls[index]))
        found = harness.observe(graph, harness.fresh_arguments(case.calls[index]))
        if found.error is not None and found.error[0] == "SignatureMismatch":
            return False
        if harness.differences(expected, found):
            break
    left, right = (eval(case.after, module.__dict__) for module in (plain, captured))
    return bool(harness.differences(expected, found)) or not harness.same(left, right)


def checked(file, name, make):
    """The report on a graph at quick settings, and the module."""
    module, function, given = load(file, name)
    graph = make(function, *harness.fresh_arguments(given))
    return astrace.check(graph, *harness.fresh_arguments(given), original=function, level="quick"), module


def lines(report):
    """Return the lines that have an error or a warning."""
    return {one.location.line for one in report if one.grade != "note" and one.location is not None}


@pytest.mark.parametrize(("file", "name"), STALE)
def test_a_frozen_graph_that_goes_stale_is_flagged_on_its_line(file, name):
    report, module = checked(file, name, astrace.trace)
    line = cases.frozen_line(module, name)
    if line:
        assert line in lines(report), report.text(notes=True)
    if is_stale(file, name, astrace.trace):
        assert report.errors or report.warnings


@pytest.mark.parametrize(("file", "name"), STALE)
def test_with_guards_nothing_is_wrong(file, name):
    _, function, given = load(file, name)
    assert astrace.check(function, *harness.fresh_arguments(given), level="quick", changes=40).ok


@pytest.mark.parametrize(("file", "name"), [one for one in STALE if one[1] not in UNSUPPORTED])
def test_what_a_naive_tracer_makes_is_flagged(file, name):
    report, _ = checked(file, name, naive_trace)
    if is_stale(file, name, naive_trace):
        assert report.errors or report.warnings
        assert any(one.location is not None for one in report)


@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize("level", ["quick", "default"])
def test_a_legitimate_constant_is_no_error(name, level):
    _, function, given = load("constant", name)
    for make in (astrace.trace, naive_trace):
        graph = make(function, *harness.fresh_arguments(given))
        assert astrace.check(graph, *harness.fresh_arguments(given), original=function, level=level).ok
    assert astrace.check(function, *harness.fresh_arguments(given), level=level).ok
