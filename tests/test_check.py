"""`astrace.check` as users call it: what it takes, what it reaches, what it gives back."""

from __future__ import annotations

import dataclasses
import functools
import gc
import inspect
import logging
import pydoc
import subprocess
import sys
import tomllib
import types
import warnings
from pathlib import Path

import checked
import hypothesis
import numpy as np
import pytest

import astrace
from astrace.check.compare.diff import difference
from astrace.check.compare.observe import Call
from astrace.check.compare.snapshots import Camera
from astrace.check.hypothesis_profiles import PROFILES, register_profiles
from astrace.check.inputs.call_variants import directed
from astrace.check.inputs.code_constants import Mined, mine
from astrace.check.inputs.guess import guesses
from astrace.check.inputs.numeric import KINDS, MINED, NumberSource, array_like
from astrace.check.report.findings import GRADES, TITLES, Finding, grade_of
from astrace.check.sandbox.world import World
from astrace.check.settings import LEVELS, Settings, settings_for

X = np.array([1.0, 5.0, 2.0])


# -- what it takes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("obj", "args"),
    [
        (checked.branchy, (X, 3)),
        (astrace.compile(checked.branchy), (X, 3)),
        (checked.Layer().forward, (X,)),
        (functools.partial(checked.branchy, X), (3,)),
        (functools.partial(checked.branchy, n=2), (X,)),
        (lambda x: x * checked.RATE, (X,)),
        (checked.caught, (X, 7)),
    ],
    ids=["function", "compiled", "method", "partial", "keyword partial", "lambda", "raises inside"],
)
def test_right_ones_are_right(obj, args):
    report = astrace.check(obj, *args, level="quick")
    assert report.ok and report.coverage.examples > 10, report.text(notes=True)


def test_a_long_loop_ends_in_its_graph_too():
    """Watching a run takes hundreds of times what it takes alone: that is not for the graph to answer for."""

    def long(x, n):
        total = 0.0
        for i in range(n):
            total = total + i * 0.5 if x > i else total - 1.0
        return total

    graph = astrace.trace(long, 3.0, 400_000)
    report = astrace.check(graph, 3.0, 400_000, original=long, level="quick", directed=0, changes=0)
    assert report.ok and report.coverage.examples, report


def test_a_class_and_a_module():
    report = astrace.check(checked.Layer, level="quick")
    assert report.ok and [part.name for part in report.parts] == ["Layer.forward"]
    module = types.ModuleType("small")
    module.double, module.Layer = types.FunctionType((lambda x: x * 2).__code__, {}, "double"), checked.Layer
    module.double.__module__ = "small"
    report = astrace.check(module, level="quick")
    assert [part.name for part in report.parts] == ["double"] and report.ok


def test_what_nobody_awaits_is_closed(recwarn):
    assert [one.code for one in astrace.check(checked.Later)] == ["AC303"]
    gc.collect()
    assert not [one for one in recwarn if "never awaited" in str(one.message)]


def test_loggers_of_astrace_are_no_effect():
    """They come with the first capture of a kind: with the check of the first such function in a process."""
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("astrace.")]:
        del logging.root.manager.loggerDict[name]
    for function in (checked.logs_if_asked, checked.sets_up_logging):
        assert astrace.check(function, X, level="quick").ok


def test_examples_of_all_forms():
    given = [(X, 2), {"x": X, "n": 1}, ((X,), {"n": 4})]
    assert astrace.check(checked.branchy, examples=given, level="quick").ok
    with pytest.raises(astrace.InvalidArgument, match="an example is"):
        astrace.check(checked.branchy, examples=[3])


def test_what_a_graph_refuses_may_be_accepted():
    def scaled(x, halved):
        return x * 0.5 if halved else x * 2.0

    graph, settings = astrace.trace(scaled, X, True), {"original": scaled, "level": "quick", "process": False}
    assert "AC101" in [one.code for one in astrace.check(graph, X, True, **settings)]
    report = astrace.check(graph, X, True, accept_refused=True, **settings)
    assert report.ok and report.coverage.examples > 10
    wrong = astrace.check(
        graph, X, True, accept_refused=True, **settings | {"original": lambda x, halved: x * 0.25}
    )
    assert not wrong.ok


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: astrace.check(astrace.trace(checked.deep, X), X), "pass it as `original=`"),
        (lambda: astrace.check(3), "not callable"),
        (lambda: astrace.check(checked.deep, X, level="much"), "the levels are"),
        (lambda: astrace.check(checked.deep, X, examples_max=3), "no setting 'examples_max'"),
        (lambda: astrace.check(checked.deep, X, max_examples=-1), "at least 0"),
        (lambda: astrace.check(checked.deep, X, deadline=0), "more than 0"),
    ],
)
def test_wrong_arguments_are_named(call, says):
    with pytest.raises(astrace.InvalidArgument, match=says):
        call()


@pytest.mark.parametrize("function", [checked.annotated, checked.branchy, checked.waits, checked.deep])
def test_arguments_are_guessed(function):
    (call,) = guesses(function, mine(function), World([function]))
    function(*call.copy().args, **call.copy().kwargs)
    checked.LOG.clear()
    assert astrace.check(function, level="quick").coverage.examples > 10


def test_nothing_is_checked_without_arguments():
    report = astrace.check(lambda x: x.no_such_attribute, level="quick")
    assert [one.code for one in report] == ["AC306"] and report.ok


def test_help_says_how_to_call_it():
    parameters = inspect.signature(astrace.check).parameters
    assert list(parameters) == ["obj", "args", "original", "examples", "level", "against", "settings"]
    text = pydoc.plain(pydoc.render_doc(astrace.check))
    assert all(f"{name}:" in text for name in ("obj", "*args", "original", "examples", "level", "**settings"))
    assert all(field.name in text for field in dataclasses.fields(Settings))
    assert text.index("astrace.check(obj, *args, original=None") < text.index("START HERE")


# -- arguments that are copied ---------------------------------------------------------------------------------

whole = np.arange(8.0)
fixed = np.arange(3.0)
fixed.flags.writeable = False
LAID_OUT = [
    whole[::2], whole[::-1], whole[2:], np.asfortranarray(np.ones((2, 3))), np.ones((3, 2)).T, fixed,
    np.broadcast_to(fixed, (2, 3)), np.zeros((0, 3)), whole.reshape(2, 4)[:, 1:], np.ma.array([1.0], mask=[True]), np.zeros(2, [("a", "f8")])["a"], np.array(2.0),
]  # fmt: skip


@pytest.mark.parametrize("array", LAID_OUT, ids=lambda array: f"{array.dtype}{list(array.shape)}")
def test_a_copy_of_an_array_lies_in_memory_as_the_array(array):
    (found,) = Call((array,)).copy().args
    assert type(found) is type(array) and not np.shares_memory(found, array)
    assert difference(Camera().picture(array), Camera().picture(found)) is None


def test_copies_share_what_the_originals_share():
    left, (right, again) = Call((whole[:5], [whole[3:], whole])).copy().args
    assert np.shares_memory(left, right) and np.shares_memory(right, again)
    left[4] = -1.0
    assert right[1] == again[4] == -1.0 and whole[4] == 4.0
    one, two = Call((whole, whole)).copy().args
    assert one is two
    apart, other = Call((whole[:2].copy(), whole[:2].copy())).copy().args
    assert not np.shares_memory(apart, other)


def overlapping(x, y):
    x += 1.0
    return y.sum()


@pytest.mark.parametrize(
    ("wrong", "original", "args"),
    [
        (lambda x, y: overlapping(x, y.copy()), overlapping, (X, X + 1)),
        (lambda x: x * 2, lambda x: x * 2 if x.flags.writeable else x, (X,)),
        (lambda x: x * 2, lambda x: x * 2 if x.flags.contiguous else x, (X,)),
        (lambda text: text.capitalize(), lambda text: text.upper(), ("ab",)),
        (lambda x, mode: x, lambda x, mode: x * 2 if mode == "gauss" else x, (X, "none")),
        (lambda x, **options: x, lambda x, **options: -x if options.get("turned") else x, (X,)),
        (lambda x, **options: x, lambda x, **options: x * (1 + len(options)), (X,)),
        (lambda *xs: xs[0] + xs[1], lambda *xs: sum(xs[1:], xs[0]), (X, X)),
        (lambda x, given: x, lambda x, given: x if "w" not in given else -x, (X, {})),
        (lambda x, given: x, lambda x, given: x if "w" not in given else -x, (X, set())),
        (lambda x, given: x, lambda x, given: x * (6 - sum(given)), (X, {2, 3})),
    ],
    ids=[
        "overlap",
        "read-only",
        "strided",
        "text",
        "mode",
        "a name",
        "any name",
        "more arguments",
        "a key",
        "a member",
        "a number in a set",
    ],
)
def test_inputs_of_all_forms_come_to_the_function(wrong, original, args):
    assert not astrace.check(wrong, *args, original=original, level="quick").ok


def test_read_only_example_arguments_stay_so():
    assert astrace.check(overlapping, fixed, fixed, level="quick").ok
    report = astrace.check(
        lambda x, y: y.sum(), fixed, fixed, original=overlapping, level="quick", directed=0
    )
    assert report.errors[0].code == "AC103" and "read-only" in report.errors[0].message


# -- what it reaches ---------------------------------------------------------------------------------------


def goals(report, kind):
    return {goal.what: goal.reached for goal in report.coverage.goals if goal.kind == kind}


def test_branches_and_turns_are_reached():
    graph = astrace.trace(checked.branchy, X, 3)
    report = astrace.check(graph, X, 3, original=checked.branchy, level="quick")
    assert all(goals(report, "branch").values()) and all(goals(report, "loop").values())
    report = astrace.check(checked.branchy, X, 3, level="quick")
    assert all(goals(report, "branch").values()) and all(goals(report, "loop").values())


def test_what_was_not_reached_is_told():
    def never(x):
        if x.sum() > 1e300 and x.min() < -1e300:
            return -x
        return x

    report = astrace.check(never, X, level="quick")
    missed = [one for one in report if one.code == "AC305"]
    assert missed and missed[0].location.line == never.__code__.co_firstlineno + 1
    assert len(report.coverage.never_reached) >= len(missed)


def raises_in_a_branch(x):
    if x[0] < 0:
        raise ValueError("negative")
    return x


def raises_after_a_branch(x):
    if x[0] < 0:
        return x * 2
    raise ValueError("positive")


def raises_in_a_loop(x):
    for v in x:
        if v > 3.0:
            raise ValueError
    return x


def raises_inside_a_handler(x):
    try:
        if x[0] < 0:
            raise ValueError("negative")
    except ValueError:
        return -x
    return x


@pytest.mark.parametrize(
    "function",
    [raises_in_a_branch, raises_after_a_branch, raises_in_a_loop, raises_inside_a_handler],
    ids=lambda one: one.__name__,
)
@pytest.mark.parametrize("frozen", [False, True])
def test_branches_that_end_in_an_exception_are_reached(function, frozen):
    graph = astrace.trace(function, X) if frozen else function
    report = astrace.check(graph, X, examples=[(-X,)], original=function if frozen else None, level="quick")
    reached = [goal for goal in report.coverage.goals if goal.kind != "guard"]
    assert reached and all(goal.reached for goal in reached), report.coverage


def test_guards_are_made_to_fail():
    report = astrace.check(checked.configured, X)
    reached = {goal.what: goal.reached for goal in report.coverage.goals if goal.kind == "guard"}
    assert reached["x: float64[n] fails"] and reached["CONFIG['mode'] == 'double' fails"]


@pytest.mark.parametrize("function", [checked.deep, checked.exact], ids=["nested", "one value"])
def test_rare_branches_are_reached(function):
    report = astrace.check(function, np.array([1.0, 2.0]))
    assert all(goals(report, "branch").values()), report.coverage


def test_hypothesis_is_steered_by_distance():
    """A constant that stands nowhere in the code is come to by making a distance smaller."""

    def odd(x):
        return -x if x > np.pi * 1234.5 else x  # mined: only 1234.5

    report = astrace.check(odd, 1.0, directed=0, max_examples=300)
    assert goals(report, "branch")["taken"]


# -- inputs ------------------------------------------------------------------------------------------------


def helper(x):
    return x > 77.5


def test_constants_are_mined_from_helpers_and_inner_functions():
    def f(x, mode="fast"):
        """Not this text: 999."""
        if mode == "slow" or helper(x):
            return [v for v in x if v < 13]
        return (lambda y: y == 3.25)(x)

    found = mine(f)
    assert {77.5, 78.5, 13, 14, 12, 3.25, np.nextafter(3.25, 4)} <= set(found.numbers)
    assert "slow" in found.strings and 13 in found.sizes and 999 not in found.numbers


@pytest.mark.parametrize("kind", sorted({**KINDS, **MINED}))
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", "c16", ">f8"])
def test_noise_keeps_dtype_and_shape(kind, dtype):
    example = np.ones((2, 3), dtype)
    source = NumberSource(np.random.default_rng(0), Mined((7.25, -1e300, 2**70)), 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = array_like(example, {**KINDS, **MINED}[kind], source)
    assert found.shape == (2, 3) and found.dtype == example.dtype


def test_directed_inputs_vary_everything():
    source = NumberSource(np.random.default_rng(0), mine(checked.branchy))
    calls = [Call((X, X + 1, 3, 2.5, True, None, "a", {"k": X}, [1.0], np.sin))]
    kinds, seen = set(), []
    for call, _ in zip(directed(calls, source), range(300)):
        kinds.add(call.kind.split(" {")[0])
        seen.append(call.args)
    assert {
        "given",
        "jitter",
        "special",
        "mined, one",
        "sizes",
        "rank",
        "layout",
        "the same array twice",
        "overlapping arrays",
    } <= kinds
    assert {"float32", "int64", "bool"} <= {
        str(args[0].dtype) for args in seen if isinstance(args[0], np.ndarray)
    }
    for place, other in ((4, False), (5, 2.0), (2, True)):
        assert any(type(args[place]) is type(other) and args[place] == other for args in seen)
    assert any(len(args[7]) == 2 for args in seen) and any(args[9] is not np.sin for args in seen)
    assert X.tolist() == [1.0, 5.0, 2.0]


# -- what it gives back ------------------------------------------------------------------------------------


def test_the_same_report_at_every_run():
    texts = set()
    for _ in range(2):
        graph = astrace.trace(checked.configured, X)
        report = astrace.check(graph, X, original=checked.configured)
        texts.add(report.text(notes=True).rpartition(",")[0])
    assert len(texts) == 1


def test_a_failing_input_is_made_small():
    graph = astrace.trace(lambda x: x, np.arange(6.0))
    original = lambda x: x if x.max() < 1000 else x + 1  # noqa: E731
    report = astrace.check(graph, np.arange(6.0), original=original)
    (found,) = [one for one in report.errors if one.code == "AC101"]
    (x,) = found.example.args
    assert x.size <= 6 and np.count_nonzero(x) <= 2, x


def test_failing_inputs_are_kept_and_tried_first(tmp_path):
    def wrong(x):
        return x + 1 if x > 4321.0 else x

    def original(x):
        return x

    settings = {"directed": 0, "database": str(tmp_path), "max_examples": 400}
    first = astrace.check(wrong, 1.0, original=original, **settings)
    assert not first.ok and list(tmp_path.iterdir())
    second = astrace.check(wrong, 1.0, original=original, **{**settings, "max_examples": 1})
    assert not second.ok and second.errors[0].example.args == first.errors[0].example.args


def test_profiles_for_hypothesis():
    project = tomllib.loads((Path(astrace.__file__).parent.parent / "pyproject.toml").read_text())["project"]
    found = project["entry-points"]["hypothesis"]["astrace"]
    assert found == f"{register_profiles.__module__}:{register_profiles.__name__}"
    register_profiles()
    for name in PROFILES:
        assert hypothesis.settings.get_profile(name).deadline is None
    assert hypothesis.settings.get_profile("astrace-ci").derandomize


def test_the_profiles_can_be_imported_before_hypothesis():
    module = register_profiles.__module__
    text = f"import sys, {module}; assert 'hypothesis' not in sys.modules; {module}.register_profiles()"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_strict_promotes_warnings():
    graph = astrace.trace(checked.configured, X)
    report = astrace.check(graph, X, original=checked.configured, level="quick")
    strict = astrace.check(graph, X, original=checked.configured, level="quick", strict=True)
    assert report.ok and report.warnings and not strict.ok
    assert [one.code for one in strict] == [one.code for one in report] and not strict.warnings
    assert len(strict.notes) == len(report.notes)


def test_grades_are_never_mixed():
    assert {grade_of(code) for code in TITLES} == set(GRADES)
    assert [code for code in TITLES if grade_of(code) == "error"] == [code for code in TITLES if code < "AC2"]


def test_findings_and_reports_print_themselves():
    graph = astrace.trace(checked.configured, X)
    report = astrace.check(graph, X, original=checked.configured, level="quick")
    for one in report:
        assert isinstance(one, Finding) and one.code in str(one) and one.location.text in str(one)
    assert str(report).endswith("s)") and report.text(color=True).count("\x1b[1;33mwarning AC") == len(
        report.warnings
    )
    for text in (report.json(), report.sarif(), report.html(), report.junit()):
        assert "AC202" in text


def test_the_levels_are_ordered():
    quick, default, thorough = (LEVELS[name] for name in ("quick", "default", "thorough"))
    for name in ("max_examples", "directed", "changes", "deadline", "shrink"):
        assert getattr(quick, name) <= getattr(default, name) < getattr(thorough, name)
    assert settings_for("quick", seed=None).seed is None


class OneDimension(np.ndarray):
    def __array_finalize__(self, obj):
        if self.ndim != 1:
            raise ValueError("an array of one dimension")


STRANGE = [
    X.view(OneDimension),
    np.ma.array([1.0, 2.0], mask=[0, 1]),
    np.array([(1, 2.0)], [("a", int), ("b", float)]),
    np.array([1, "a", None], object),
    np.array([], dtype="M8[s]"),
    np.longdouble(2),
    10**400,
    2**63 - 1,
    (1 << 63, -0.0, None, range(3), slice(1, 2), ..., int, frozenset([1])),
]


@pytest.mark.parametrize("argument", STRANGE, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("settings", [{"level": "quick"}, {"max_examples": 20}], ids=str)
def test_any_argument_is_taken(argument, settings):
    def pair(x):
        return [x, x]

    assert astrace.check(pair, argument, **settings).ok
