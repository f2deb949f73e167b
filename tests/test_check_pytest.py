"""The pytest plugin, run as users run it: its summary, its exit code, marker, fixture, settings, and under xdist."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULE = """
import numpy as np
import astrace

RATE = 2.0


@astrace.compile
def good(x):
    return x * RATE if x.sum() > 0 else -x


@astrace.compile
def noisy(x):
    return x + np.random.rand(x.size)


class Model:
    def __init__(self):
        self.w = 2.0

    @astrace.compile
    def step(self, x):
        return x * self.w
"""
TESTS = """
import numpy as np
import pytest
import model


def test_good():
    assert model.good(np.ones(3)).sum() == 6.0


def test_model():
    assert model.Model().step(np.ones(2)).sum() == 4.0


@pytest.mark.astrace_check(skip=True)
def test_noisy():
    assert model.noisy(np.ones(3)).shape == (3,)


def test_fixture(astrace_check):
    assert astrace_check(model.good, np.ones(3), level="quick").ok
"""
WRONG = """
import numpy as np
import astrace
import model


def halves(x):
    return x / 2 if x.dtype.kind == "f" else x // 2


def test_wrong(astrace_check):
    graph = astrace.trace(halves, np.ones(3))
    astrace_check(graph, np.ones(3), original=halves, level="quick")
"""
FAULTY = '''
import dataclasses
import numpy as np
import astrace
from astrace.compiler import dispatcher
from astrace.guards.kinds import Fits

CONFIG = {"mode": "double"}


def f(x):
    return x * 2 if CONFIG["mode"] == "double" else x


def test_faulty(monkeypatch):
    """A compiler that forgets its guards."""
    from astrace.compiler import specialise
    real = specialise.trace

    def forgetful(*args, **kwargs):
        found = real(*args, **kwargs)
        return dataclasses.replace(found, guards=tuple(one for one in found.guards if isinstance(one, Fits)))

    specialise.trace = forgetful
    assert astrace.compile(f)(np.ones(2)).sum() == 4.0
'''


@pytest.fixture
def run(tmp_path):
    """Runs pytest on some files; gives the exit code and what it said."""

    def start(*options: str, ini: str = "", **files: str):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{ini}\n")
        env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
        env.pop("PYTEST_ADDOPTS", None)
        command = [sys.executable, "-m", "pytest", "-p", "pytest_astrace", "-p", "no:cacheprovider", *options]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout + done.stderr

    return start


def test_without_the_option_nothing_is_checked(run):
    code, text = run(model=MODEL_FILE, test_model=TESTS)
    assert code == 0 and "astrace check" not in text


def test_every_function_that_was_exercised_is_checked(run):
    code, text = run("--astrace-check", model=MODEL_FILE, test_model=TESTS)
    assert code == 0, text
    assert "= astrace check =" in text and "2 functions checked" in text and "nothing found" in text


MARKED = """
import numpy as np
import pytest
import model


def test_first():
    model.good(np.ones(3))


@pytest.mark.astrace_check({marker})
def test_second():
    model.good(np.ones(3))
"""


@pytest.mark.parametrize(
    ("first", "second", "examples"),
    [
        ("max_examples=0, directed=0, changes=0", "skip=True", 1),
        ("skip=True", "max_examples=0, directed=0, changes=0", 1),
        ("skip=True", "skip=True", 0),
        ("directed=0, changes=0", "directed=0, changes=0, ulps=1", 2),
        ("directed=0, changes=0", "changes=0, directed=0", 1),
    ],
)
def test_settings_belong_to_the_test_that_asks_for_them(run, first, second, examples):
    """Whoever calls a function first: it is checked once for each different settings."""
    text = MARKED.replace("def test_first", "@pytest.mark.astrace_check({first})\ndef test_first")
    code, text = run("--astrace-check", model=MODEL_FILE, test_model=text.format(first=first, marker=second))
    assert code == 0, text
    number = f"1 function checked on {examples} example{'s' * (examples != 1)}"
    assert (number if examples else "nothing was checked: the tests called no compiled function") in text


@pytest.mark.parametrize(
    ("marker", "says"),
    [
        ("level='fast'", "there is no level 'fast'; the levels are quick, default, thorough"),
        ("examples=3", "there is no setting 'examples'; the settings are"),
        ("max_examples='many'", "max_examples is 'many'; it must be a whole number of at least 0"),
        ("skip=1", "skip is 1; it must be True or False"),
        ("'quick'", "'quick' stands without a name; write level=..."),
    ],
)
def test_wrong_markers_are_told_before_any_test_runs(run, marker, says):
    code, text = run("--astrace-check", model=MODEL_FILE, test_model=MARKED.format(marker=marker))
    assert code == 4 and "test_model.py:11: @pytest.mark.astrace_check: " in text and says in text, text
    assert "Traceback" not in text and "passed" not in text


def test_wrong_markers_are_told_by_workers(run):
    pytest.importorskip("xdist")
    options = ("--astrace-check", "-n", "2")
    code, text = run(*options, model=MODEL_FILE, test_model=MARKED.format(marker="ulps=-1"))
    assert code == 4 and text.count("test_model.py:11: @pytest.mark.astrace_check: ulps is -1;") == 1, text
    assert "INTERNALERROR" not in text and "passed" not in text


@pytest.mark.parametrize(
    ("options", "ini", "says"),
    [
        (
            ["--astrace-check=fast"],
            "",
            "there is no level 'fast'; the levels are quick, default, thorough, off",
        ),
        ([], "# first\nastrace_check = fast", "pytest.ini:3: astrace_check: there is no level 'fast'"),
        (
            ["--astrace-check"],
            "astrace_check_strict = maybe",
            "pytest.ini:2: astrace_check_strict: invalid truth value 'maybe'; it is true or false",
        ),
        (["--astrace-check"], "astrace_check_ignore = model:f", "'model:f' is no name of a function"),
        (
            ["--astrace-check", "--astrace-check-json=no/a.json"],
            "",
            "--astrace-check-json: no/a.json: there is no",
        ),
        (["--astrace-packages=model", "--astrace-json=no/a.json"], "", "no/a.json: there is no folder no"),
    ],
)
def test_wrong_settings_are_told_before_any_test_runs(run, options, ini, says):
    code, text = run(*options, ini=ini, model=MODEL_FILE, test_model=TESTS)
    assert code == 4 and says in text and "Traceback" not in text and "passed" not in text, text


@pytest.mark.parametrize("path", ["test_model.py", "test_model.py::test_good", "."])
def test_a_path_behind_the_option_is_a_path(run, path):
    code, text = run("--astrace-check", path, model=MODEL_FILE, test_model=TESTS)
    assert code == 0 and "checked on" in text, text
    assert "1 passed" in text if "::" in path else "4 passed" in text


FAILING_LATER = """
import numpy as np
import pytest
import model


@pytest.mark.parametrize("size", range(1, 7))
def test_good(size):
    model.good(np.ones(size))


@pytest.mark.parametrize("size", range(1, 7))
def test_noisy(size):
    model.noisy(np.ones(size))
"""


def test_what_several_workers_found_of_a_function_is_told_once(run, tmp_path):
    pytest.importorskip("xdist")
    options = ("--astrace-check", "--astrace-check-strict", "--astrace-check-json=found.json", "-n", "2")
    code, text = run(*options, model=MODEL_FILE, test_model=FAILING_LATER)
    found = json.loads((tmp_path / "found.json").read_text())
    assert not found["ok"] and [one["name"] for one in found["functions"]] == ["model.good", "model.noisy"]
    (noisy,) = [one for one in found["functions"][1]["findings"] if one["code"] == "AC201"]
    assert noisy["grade"] == "error" and noisy["location"]["line"] == 15 and found["functions"][1]["failed"]
    assert code == 1 and text.count("error AC201") == 1 and text.count("first called by") == 1, text
    assert "2 functions checked" in text


def test_what_the_tests_of_a_lost_worker_called_is_told(run):
    pytest.importorskip("xdist")
    tests = FAILING_LATER.replace("    model.noisy(np.ones(size))", "    import os; os._exit(3)")
    code, text = run(
        "--astrace-check", "-n", "1", "--max-worker-restart=0", model=MODEL_FILE, test_model=tests
    )
    assert code == 1 and "ended early: what its tests called was not checked" in text, text


def test_annotations_in_a_workflow(run, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, text = run("--astrace-check", model=MODEL_FILE, test_model=FAILING_LATER)
    assert code == 0 and "::warning file=model.py,line=15,title=astrace AC201" in text, text


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one process", "xdist"])
def test_an_error_fails_the_run_and_is_told_once(run, workers):
    if workers:
        pytest.importorskip("xdist")
    code, text = run("--astrace-check=quick", *workers, test_faulty=FAULTY)
    assert code == 1, text
    assert text.count("error AC108") == 1 and "CONFIG['mode']" in text
    assert "1 function checked" in text and "first called by test_faulty.py::test_faulty" in text


def test_settings_of_the_file(run):
    ini = "astrace_check = quick\nastrace_check_strict = true\nastrace_check_ignore = model.good"
    tests = TESTS.replace("@pytest.mark.astrace_check(skip=True)\n", "")
    code, text = run(ini=ini, model=MODEL_FILE, test_model=tests)
    assert code == 1 and "AC201" in text and "model.good" not in text
    code, text = run("--astrace-check=off", ini=ini, model=MODEL_FILE, test_model=tests)
    assert code == 0 and "astrace check" not in text


def test_the_fixture_fails_the_test(run):
    code, text = run(model=MODEL_FILE, test_wrong=WRONG)
    assert code == 1 and "error AC102" in text and "`x` was float64[n]" in text


def test_the_plugin_imports_nothing_heavy():
    source = "import sys, pytest_astrace; print([n for n in ('numpy', 'hypothesis', 'libcst', 'astrace') if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


MODEL_FILE = MODULE
