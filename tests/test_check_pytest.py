"""The pytest plugin, run as users run it: its summary, its exit code, marker, fixture, settings, and under xdist."""

from __future__ import annotations

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
from astrace import dispatch
from astrace.guards import Fits

CONFIG = {"mode": "double"}


def f(x):
    return x * 2 if CONFIG["mode"] == "double" else x


def test_faulty(monkeypatch):
    """A compiler that forgets its guards."""
    from astrace import specialise
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


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one process", "xdist"])
def test_an_error_fails_the_run_and_is_told_once(run, workers):
    if workers:
        pytest.importorskip("xdist")
    code, text = run("--astrace-check=quick", *workers, test_faulty=FAULTY)
    assert code == 1, text
    assert text.count("error AC108") == 1 and "CONFIG['mode']" in text
    assert "1 functions checked" in text and "first called by test_faulty.py::test_faulty" in text


def test_settings_of_the_file(run):
    ini = "astrace_check = quick\nastrace_check_strict = true\nastrace_check_ignore = model.good"
    tests = TESTS.replace("@pytest.mark.astrace_check(skip=True)\n", "")
    code, text = run(ini=ini, model=MODEL_FILE, test_model=tests)
    assert code == 1 and "AC201" in text and "model.good" not in text
    code, text = run("--astrace-check=off", ini=ini, model=MODEL_FILE, test_model=tests)
    assert code == 0 and "astrace check" not in text


def test_the_fixture_fails_the_test(run):
    code, text = run(model=MODEL_FILE, test_wrong=WRONG)
    assert code == 1 and "error AC102" in text and "type of x" in text


def test_the_plugin_imports_nothing_heavy():
    source = "import sys, pytest_astrace; print([n for n in ('numpy', 'hypothesis', 'libcst', 'astrace') if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


MODEL_FILE = MODULE
