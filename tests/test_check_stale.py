"""The check on functions whose frozen graphs go stale: each is flagged, on the right line; controls are not."""

from __future__ import annotations

import copy

import harness
import pytest
from naive import naive_trace
from stale import cases, first

import astrace

pytestmark = [  # some cases leave files open, as such code does
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
STALE = [case for case in cases() if case.trigger not in ("cache", "control")]
CONTROLS = [case for case in cases() if case.trigger == "control"]
UNSUPPORTED = {"V21"}  # the naive tracer knows no handlers


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch, tmp_path):
    """Some of the cases write files."""
    monkeypatch.chdir(tmp_path)


def is_stale(module, graph):
    """Whether a graph differs from its function at the later call, in the changed world."""
    getattr(module, "mut", lambda: None)()
    expected = harness.observe(module.f, copy.deepcopy(module.A2))
    found = harness.observe(graph, copy.deepcopy(module.A2))
    getattr(module, "undo", lambda: None)()
    return bool(harness.differences(expected, found))


def lines(report):
    return {one.location.line for one in report if one.grade != "note" and one.location is not None}


@pytest.mark.parametrize("case", STALE, ids=lambda case: case.name)
def test_a_frozen_graph_that_goes_stale_is_flagged_on_its_line(case):
    module = case.load()
    graph = astrace.trace(module.f, *first(module))
    report = astrace.check(graph, *first(module), original=module.f, level="quick")
    if case.line:
        assert case.line in lines(report), report.text(notes=True)
    if is_stale(module, graph):
        assert report.errors or report.warnings, case.title


@pytest.mark.parametrize("case", STALE, ids=lambda case: case.name)
def test_with_guards_nothing_is_wrong(case):
    module = case.load()
    assert astrace.check(module.f, *first(module), level="quick", changes=40).ok


@pytest.mark.parametrize(
    "case", [one for one in STALE if one.name not in UNSUPPORTED], ids=lambda case: case.name
)
def test_what_a_naive_tracer_makes_is_flagged(case):
    module = case.load()
    graph = naive_trace(module.f, *first(module))
    report = astrace.check(graph, *first(module), original=module.f, level="quick")
    if is_stale(module, graph):
        assert report.errors or report.warnings, case.title
        assert any(one.location is not None for one in report)


@pytest.mark.parametrize("case", CONTROLS, ids=lambda case: case.name)
@pytest.mark.parametrize("level", ["quick", "default"])
def test_a_legitimate_constant_is_no_error(case, level):
    module = case.load()
    for make in (astrace.trace, naive_trace):
        graph = make(module.f, *first(module))
        assert astrace.check(graph, *first(module), original=module.f, level=level).ok
    assert astrace.check(module.f, *first(module), level=level).ok
