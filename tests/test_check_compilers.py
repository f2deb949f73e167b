"""What other compilers make of a function, beside the plain one: Numba, JAX, PyTorch, partials, any callable."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
import other_programs as programs
import pytest

import astrace
from astrace.check.compare.beside import Beside, within_rounding
from astrace.check.compare.diff import difference
from astrace.check.compare.observe import Call
from astrace.check.compare.snapshots import Camera
from astrace.check.compilers.deviations import DEVIATIONS
from astrace.check.compilers.table import COMPILERS, compiler_of, original_of, static_names
from astrace.check.compilers.tolerances import COMPILED, NONE, accepted
from astrace.errors import InvalidArgument

numba = pytest.importorskip("numba")
jax = pytest.importorskip("jax")

FEW = {"directed": 12, "max_examples": 0, "process": False, "deadline": 60.0}
X = np.array([1.0, 5.0, 2.0])


def checked(function, *args, **settings):
    return astrace.check(function, *args, **{**FEW, **settings})


def codes(report):
    return {one.code for one in report}


def line_of(function, text):
    """The number of the line of a function that holds a text."""
    code = function.__code__
    lines = Path(code.co_filename).read_text().splitlines()
    return next(
        number for number, line in enumerate(lines, 1) if number >= code.co_firstlineno and text in line
    )


# -- results beside NumPy's --------------------------------------------------------------------------------


def beside(expected, found, narrows=False):
    """The difference of two values after they were brought to one form, and what was told."""
    told = []
    pair = Beside(narrows, told.append).pair(Camera().picture(expected), Camera().picture(found))
    return difference(*pair, tolerances=COMPILED), told


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (np.float64(2.5), 2.5),
        (2.5, np.float64(2.5)),
        (np.float32(0.1), 0.1),
        (np.bool_(True), True),
        (3, np.int64(3)),
        (3, np.int32(3)),
        (2**63, np.uint64(2**63)),
        (np.float64(2.5), np.array(2.5)),
        (X, jax.numpy.asarray(X, "float32").astype("float32")),
        ((X.astype("f4"), 2), (jax.numpy.asarray(X, "float32"), jax.numpy.asarray(2))),
        ({"b": 1, "a": X}, {"a": X, "b": 1}),
        (np.asfortranarray(np.ones((2, 3))), np.ones((2, 3))),
        (X.astype(">f8"), X),
        (np.array([np.nan, np.inf, 1.0]), np.array([np.nan, np.inf, 1.0 + 1e-9])),
        (np.array([0.0]), np.array([-0.0])),
    ],
    ids=str,
)
def test_results_that_stand_for_each_other(expected, found):
    assert beside(expected, found, narrows=True)[0] is None


@pytest.mark.parametrize(
    ("expected", "found", "code"),
    [
        (2**70, np.int64(0), "AC101"),
        (2**40, np.int32(0), "AC101"),
        (3, np.float64(3.0), "AC102"),
        (True, np.int64(1), "AC102"),
        (X, X.astype("f4"), "AC102"),
        (X, X[:2], "AC102"),
        (X, X + 1e-6, "AC101"),
        (np.array([1.0]), np.array([np.inf]), "AC101"),
        (np.array([np.nan]), np.array([0.0]), "AC101"),
        ((1, 2), [1, 2], "AC102"),
        ({"a": 1}, {"b": 1}, "AC101"),
        (np.float64(1.0), np.ones(1), "AC102"),
    ],
    ids=str,
)
def test_results_that_do_not(expected, found, code):
    assert beside(expected, found)[0].code == code


def test_what_is_not_the_same_and_no_difference_is_told():
    assert beside(X, jax.numpy.asarray(X.astype("f4")), narrows=True)[1] == [
        "x64 is off: float64 comes back as float32"
    ]
    assert any("weakly typed" in one for one in beside(2.0, jax.jit(lambda: 2.0)(), narrows=True)[1])
    assert beside(np.float64(2.0), 2.0)[1] == [
        "numbers come back as numbers of Python instead of numbers of NumPy"
    ]
    assert beside(X, X.copy())[1] == []


def test_a_difference_that_the_last_places_of_arguments_decide_is_rounding():
    expected, near, far = (Camera().picture(np.array([one])) for one in (1.0, 1.0 + 4e-6, 2.0))
    nudged = [Camera().picture(np.array([1.0 + 1e-6]))]
    assert within_rounding(expected, near, nudged)
    assert not within_rounding(expected, far, nudged)
    assert not within_rounding(expected, Camera().picture(np.ones(2)), nudged)


# -- tolerances --------------------------------------------------------------------------------------------


def test_tolerances_for_each_dtype():
    assert COMPILED.of(np.dtype("c16")) == COMPILED.of(np.dtype("f8")) == (1e-7, 1e-7)
    assert NONE.of(np.dtype("f8")) == (0.0, 0.0) and COMPILED.of(np.dtype("i8")) == (0.0, 0.0)
    given = COMPILED.with_given(accepted("rtol", {"float32": 1e-2}), accepted("atol", 0))
    assert given.of(np.dtype("f4")) == (1e-2, 0.0) and given.of(np.dtype("f8")) == (1e-7, 0.0)


@pytest.mark.parametrize(
    "wrong", [-1, float("nan"), "1e-3", {"int64": 1.0}, {"float33": 1.0}, {"f4": -1}, True]
)
def test_tolerances_that_are_none(wrong):
    with pytest.raises(InvalidArgument, match="rtol"):
        astrace.check(programs.plain, X, rtol=wrong)


def test_tolerances_are_kept_stated_and_hold_for_any_callable():
    def near(x):
        return x * (1 + 1e-12)

    assert not checked(near, X, original=lambda x: x * 1.0).ok
    report = checked(near, X, original=lambda x: x * 1.0, rtol=1e-9)
    assert report.ok and "float64 1e-09/0" in report.against and report.against in report.text()
    assert not checked(near, X, original=lambda x: x * 1.0, rtol={"float32": 1e-3}).ok


# -- who made it -------------------------------------------------------------------------------------------


def test_compiled_functions_are_recognised():
    for name, make in (("numba", numba.njit), ("jax", jax.jit)):
        made = make(programs.plain)
        assert compiler_of(made) is COMPILERS[name] and original_of(made) is programs.plain
        half = functools.partial(made, 1.0)
        assert compiler_of(half) is COMPILERS[name] and original_of(half).func is programs.plain
    for other in (programs.plain, np.sin, functools.partial(programs.plain, X), jax.vmap(programs.plain), 3):
        assert compiler_of(other) is None and original_of(other) is other


def test_flags_and_texts_are_static_for_jax():
    assert static_names(programs.chosen, Call((X, False))) == ("up",)
    assert static_names(programs.scale_and_shift, Call((X, 2.0))) == ()


def test_every_deviation_is_of_a_compiler_and_has_a_page():
    assert {one.compiler for one in DEVIATIONS} == set(COMPILERS)
    assert all(one.because and one.fix and one.page for one in DEVIATIONS)


@pytest.mark.parametrize("name", ["cython", "", 3])
def test_an_unknown_compiler(name):
    with pytest.raises(InvalidArgument, match="numba, jax, torch"):
        astrace.check(programs.plain, X, against=name)


@pytest.mark.parametrize(
    ("obj", "settings"),
    [
        (programs.plain, {"original": programs.plain}),
        (functools.partial(programs.plain, X), {}),
        (np.ndarray, {}),
    ],
    ids=["an original", "a partial", "a class"],
)
def test_what_is_no_function_is_not_compiled(obj, settings):
    with pytest.raises(InvalidArgument):
        astrace.check(obj, X, against="numba", **settings)


# -- Numba -------------------------------------------------------------------------------------------------


def test_numba_freezes_a_global():
    """It is named with its line, and the program of the finding shows it."""
    report = checked(numba.njit(programs.scaled), X, directed=0)
    (found,) = report.warnings
    assert (found.code, found.constant.what, report.errors) == ("AC202", "RATE", ())
    assert found.location.line == line_of(programs.scaled, "RATE")
    assert "numba.njit" in report.against and "graph" not in found.message + found.because
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(programs.__file__), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", found.example.source], capture_output=True, text=True, check=True, env=env
    )
    ours, theirs = map(float, done.stdout.split())
    assert ours == 3.5 * theirs


def test_what_numba_does_not_take_is_a_note():
    """And nothing else is found in a function of which it makes the same."""
    report = checked(programs.plain, X, against="numba", directed=80)
    assert report.ok and not report.warnings, report
    refused = [one.message for one in report if one.code == "AC304"]
    assert any("float16" in one for one in refused) and any(">f8" in one for one in refused)


@pytest.mark.parametrize(
    ("function", "example", "code", "word"),
    [
        (programs.ratio, (X, X), "AC103", "error_model"),
        (programs.picked, (X, 1), "AC103", "boundscheck"),
        (programs.power, (3, 4), "AC101", "64 bits"),
    ],
    ids=["division", "bounds", "integers"],
)
def test_what_numba_does_otherwise_is_explained(function, example, code, word):
    more = [(10, 30)] if function is programs.power else []
    report = checked(function, *example, against="numba", examples=more, directed=30)
    found = next(one for one in report.errors if one.code == code)
    assert word in found.because + found.fix and found.location.file == function.__code__.co_filename


def test_a_function_that_is_not_compiled_for_its_example():
    """The line that stops it is told, and nothing was checked."""
    report = checked(programs.untyped, X, against="numba")
    (note,) = report.findings
    assert note.code == "AC306" and "numba.njit does not take" in note.message and report.is_empty
    assert (
        programs.untyped.__code__.co_firstlineno
        <= note.location.line
        < programs.scale_and_shift.__code__.co_firstlineno
    )


def test_a_loop_in_machine_code_is_ended():
    """No signal ends it: its process is."""
    started = time.monotonic()
    report = astrace.check(numba.njit(programs.forever), X, deadline=3.0)
    if not jax._src.xla_bridge.backends_are_initialized():
        assert time.monotonic() - started < 5.0
    assert report.ok, report


# -- JAX ---------------------------------------------------------------------------------------------------


def test_jax_freezes_a_global_and_says_that_x64_is_off():
    report = checked(jax.jit(lambda x: x * programs.RATE), X, original=programs.scaled, directed=0)
    assert not report.ok  # another function
    report = checked(programs.spread, X, against="jax", directed=40)
    assert report.ok, report
    told = " ".join(one.message for one in report if one.code == "AC307")
    assert "x64 is off: arguments of float64 are given as float32" in told
    report = checked(programs.scaled, X, against="jax", directed=0)
    assert [one.constant.what for one in report.warnings] == ["RATE"]


def test_jax_takes_the_nearest_item():
    report = checked(programs.picked, X, 1, against="jax", directed=30)
    found = next(one for one in report.errors if one.code == "AC103")
    assert "nearest item" in found.because and "IndexError" in found.message


def test_arrays_of_jax_are_arguments_too():
    """Their items are compared, and the program of a finding makes them."""
    half = jax.jit(lambda x: x * 0.5)
    x = jax.numpy.asarray(X, "float32")
    assert checked(half, x, directed=0).ok
    report = checked(half, x, original=lambda x: x * 0.25, directed=0)
    found = report.errors[0]
    assert found.code == "AC101" and "jax.numpy.asarray(np.array([1.0" in found.example.source


def test_jax_keeps_effects_for_the_trace():
    report = checked(programs.logged, X, against="jax", directed=4)
    found = next(one for one in report.errors if one.code == "AC106")
    assert "to trace it" in found.because


def test_flags_are_static_and_branches_on_values_are_refused():
    report = checked(programs.chosen, X, True, against="jax", directed=20)
    assert report.ok, report
    report = checked(programs.branches, X, against="jax")
    (note,) = [one for one in report if one.code != "AC307"]
    assert note.code == "AC306" and note.location.line == line_of(programs.branches, "if x.sum()")


# -- partials, any callable ----------------------------------------------------------------------------------


def test_partials_of_compiled_functions_and_changed_defaults():
    half = functools.partial(numba.njit(programs.scale_and_shift), scale=0.5)
    report = checked(half, X, directed=0)
    assert report.name == "scale_and_shift" and report.ok and "numba" in report.against, report
    shifted = functools.partial(programs.scale_and_shift, shift=1.0)
    report = checked(shifted, X, original=programs.scale_and_shift)
    assert "AC101" in codes(report)


def test_a_frozen_number_and_a_frozen_shape_are_named():
    def repeated(x, n):
        return x * n

    report = checked(lambda x, n: x * 3, X, 3, original=repeated, directed=40)
    found = next(one for one in report.errors if one.constant is not None)
    assert found.constant.what == "n" and found.constant.then == "3" and "`n` was 3" in found.because

    def total(x):
        return x.sum()

    report = checked(lambda x: x[0] + x[1] + x[2], X, original=total, directed=40)
    found = next(one for one in report.errors if one.constant is not None)
    assert found.constant.what == "x" and found.constant.then == "float64[3]"


# -- PyTorch -------------------------------------------------------------------------------------------------


def test_torch():
    pytest.importorskip("torch", reason="PyTorch is not installed: it is large, and no part of the dev extra")
    report = checked(programs.plain, X, against="torch")
    assert report.ok, report
    report = checked(programs.scaled, X, against="torch", directed=0)
    assert report.ok and not report.warnings, report  # it has a guard on the global
    report = checked(programs.picked, X, 1, against="torch", directed=6)
    assert "AC105" in codes(report), report


def test_the_examples_of_the_page_run():
    page = Path(__file__).parent.parent / "docs" / "check-others.md"
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    for number, source in enumerate(blocks):
        module = types.ModuleType(f"page_{number}")
        exec(compile(source, f"<{module.__name__}>", "exec"), module.__dict__)
    assert len(blocks) == 2


# -- the command line, pytest ----------------------------------------------------------------------------------

GOOD = (
    "import numpy as np\nASTRACE_EXAMPLES = {'twice': [(np.ones(3),)]}\n\n\ndef twice(x):\n    return x * 2\n"
)
ENDS = "import os\n\nos._exit(5)\n"
CRASHES = """
import ctypes


def fine(x: float):
    return x * 2


class Crashes:
    def __init__(self):
        ctypes.string_at(0)

    def method(self, x: float):
        return x
"""


def command(folder, *words):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, cwd=folder, env=env
    )


def test_a_target_that_ends_the_process_is_told_and_the_others_go_on(tmp_path):
    for name, text in (("ends.py", ENDS), ("crashes.py", CRASHES), ("good.py", GOOD)):
        (tmp_path / name).write_text(text)
    done = command(
        tmp_path, "-m", "astrace", "check", "ends.py", "crashes.py", "good.py", "--level", "quick", "--json"
    )
    assert done.returncode == 3, done.stderr
    assert "ends.py: it ended the process with 5 while it was loaded" in done.stderr
    assert "crashes.py: it ended the process by SIGSEGV after fine was checked" in done.stderr
    for name in ('"name": "twice"', '"name": "fine"', '"name": "ends.py"'):
        assert name in done.stdout


RATED = """
RATE = 0.5
ASTRACE_EXAMPLES = {"rated": [(1.0,)]}


def rated(x):
    return abs(x) > RATE
"""
TEST = """
import astrace, model, pytest


@pytest.mark.astrace_check(directed=0, deadline=60.0)
def test_rated():
    astrace.compile(model.rated)(1.0)
"""


def test_against_on_the_command_line(tmp_path):
    (tmp_path / "model.py").write_text(RATED)
    words = (
        "-m",
        "astrace",
        "check",
        "model.py",
        "--against",
        "numba",
        "--level",
        "quick",
        "--deadline",
        "60",
    )
    done = command(tmp_path, *words, "--rtol", "float64=1e-5")
    assert done.returncode == 0 and "`RATE` set to 1.75" in done.stdout, done.stdout + done.stderr
    assert "float64 1e-05/1e-07" in done.stdout
    for wrong in (["--rtol", "float33=1"], ["--rtol", "x"], ["--against", "cython"], ["--frozen"]):
        done = command(tmp_path, *words, *wrong)
        assert done.returncode == 2 and done.stderr, wrong


def test_a_decorated_function_of_a_module_is_recognised_and_its_program_runs(tmp_path):
    text = RATED.replace("def rated", "@numba.njit\ndef rated")
    (tmp_path / "decorated.py").write_text(f"import numba\n{text}")
    done = command(
        tmp_path,
        "-m",
        "astrace",
        "check",
        "decorated.py",
        "--deadline",
        "60",
        "--max-examples",
        "0",
        "--json",
    )
    report = json.loads(done.stdout)
    (found,) = [one for one in report["findings"] if one["code"] == "AC202"]
    assert (found["location"]["line"], found["constant"]["what"]) == (9, "RATE") and "numba" in report[
        "against"
    ]
    shown = command(tmp_path, "-c", found["example"])
    assert (shown.stdout, "rated.py_func" in found["example"]) == ("False\nTrue\n", True), shown.stderr


def test_against_in_pytest(tmp_path):
    (tmp_path / "model.py").write_text(RATED)
    (tmp_path / "test_model.py").write_text(TEST)
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    done = command(tmp_path, *words, "--astrace-check-against=numba")
    assert done.returncode == 0 and "`RATE` set to 1.75" in done.stdout, done.stdout + done.stderr
    done = command(tmp_path, *words, "--astrace-check-against=cython")
    assert done.returncode == 4 and "numba, jax, torch" in done.stderr
