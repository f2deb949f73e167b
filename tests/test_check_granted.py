"""The assumptions of a frozen graph are told on their lines, and changed: every kind of guard has a row."""

from __future__ import annotations

import inspect
import re
import typing

import granted
import numpy as np
import pytest

import astrace
from astrace.check.diagnose.frozen_assumptions import DECISIONS
from astrace.check.inputs.code_constants import mine
from astrace.check.inputs.numeric import NumberSource
from astrace.check.mutate.alternatives import alternatives
from astrace.check.mutate.guard_mutations import BREAKS
from astrace.guards import kinds

X = np.array([1.0, 2.0, 3.0])
KINDS = set(typing.get_args(kinds.Guard))
MARKED = re.compile(r"# `(.*)`$")

WARNED = (
    "default_of_get missing_key known_key missing_attribute default_of_getattr member ufunc_in_a_list "
    "ufunc_in_an_instance held precision keyword_changed default_of_a_helper item_of_a_changed_tuple "
    "function_of_numpy field_changed_from_outside attribute_of_member array_in_a_partial value_of_member_changed"
).split()
"""They lie in something that can change, or something in the program changes them."""
NOTED = (
    "frozen_member scalar_type dtype ufunc instance_of enumerated day pattern keyword_only type_only item_of_a_tuple "
    "value_of_member field_of_frozen choice_by_member"
).split()
"""Nothing in the program changes these."""
SEEN = (
    "default_of_get missing_key known_key missing_attribute default_of_getattr member ufunc_in_a_list "
    "ufunc_in_an_instance default_of_a_helper item_of_a_changed_tuple "
    "attribute_of_member array_in_a_partial value_of_member_changed"
).split()
"""A change of these was tried, and the graph did not follow."""


def marked(function):
    """Return what a function takes for granted, and the line."""
    lines, first = inspect.getsourcelines(function)
    return next(
        (found[1], number)
        for number, line in enumerate(lines, first)
        if (found := MARKED.search(line.rstrip())) is not None
    )


def test_every_kind_of_guard_has_its_rows():
    assert set(DECISIONS) == KINDS and set(BREAKS) == KINDS


@pytest.mark.parametrize("name", [*WARNED, *NOTED])
def test_what_is_taken_for_granted_is_told_on_its_line(name):
    function = getattr(granted, name)
    what, line = marked(function)
    graph = astrace.trace(function, X)
    report = astrace.check(graph, X, original=function, level="quick")
    told = [one for one in report if one.constant is not None and one.constant.what == what]
    assert [(one.location.line, one.grade) for one in told] == [
        (line, "warning" if name in WARNED else "note")
    ], report.text(notes=True)
    assert report.ok
    if name in SEEN:
        assert told[0].example is not None and "instead of" in told[0].message


@pytest.mark.parametrize("name", [*WARNED, *NOTED])
def test_with_guards_every_change_is_noticed(name):
    assert astrace.check(getattr(granted, name), X, level="quick").ok


def test_what_a_method_is_bound_to_is_not_an_argument():
    method = granted.SETTINGS.scale
    what, line = marked(granted.Settings.scale)
    report = astrace.check(astrace.trace(method, X), X, original=method, level="quick")
    (told,) = report
    assert (told.constant.what, told.location.line, told.code) == (what, line, "AC202")


def test_the_default_of_a_decorated_function_is_a_note():
    function = granted.default_of_a_decorated
    report = astrace.check(astrace.trace(function, X), X, original=function, level="quick")
    assert {one.grade for one in report} == {"note"}, report.text(notes=True)
    assert "default_of_a_decorated.__defaults__[-1]" in {one.constant.what for one in report}


@pytest.mark.parametrize("called", ["bound_by_place", "bound_by_name"])
def test_what_a_partial_holds_is_called_as_its_parameter(called):
    """The parameter, on the line that reads it; the program that shows it can be run."""
    function = getattr(granted, called)
    code = function.func.__code__
    at = code.co_firstlineno + (code.co_name == "weighted")
    report = astrace.check(astrace.trace(function, X), X, original=function, level="quick")
    (told,) = (one for one in report if one.constant is not None and one.constant.what == "weights")
    assert told.location.line == at
    assert told.message.startswith("with `weights"), told.message
    assert astrace.check(function, X, level="quick").ok


@pytest.mark.parametrize("name", ["identity", "by_name"])
def test_the_program_itself_is_not_told(name):
    """Modules, builtins, functions under their own names: who changes them makes another program."""
    function = getattr(granted, name)
    report = astrace.check(astrace.trace(function, X), X, original=function, level="quick", changes=0)
    told = {one.constant.what for one in report if one.constant is not None}
    assert told <= {"WEIGHTS", "OPTIONS['k']", "SETTINGS.act"}, told


@pytest.mark.parametrize(
    "value",
    [True, 1, 1.5, 1j, "a", b"a", None, np.float32(1), X, [1.0], (1,), {"a": 1}, {1}, frozenset("a"), np.float32,
     np.dtype("f4"), np.sin, granted.DAY, granted.WORD, granted.Mode.SLOW, object()],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_other_contents_are_other_ones_of_the_kind(value):
    mined = mine(granted.member)
    found = alternatives(value, mined, NumberSource(np.random.default_rng(0), mined))
    assert found
    for one in found:
        assert value is None or isinstance(one, type(value)) or isinstance(value, type | np.dtype)
        assert one is not value and not np.array_equal(one, value)
