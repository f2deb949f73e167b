"""The command line and pytest, as they are used: in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from made_packages import write_package

ROOT = Path(__file__).parent.parent
PLUGIN = ["-p", "pytest_astrace"]
FILES = {
    "__init__.py": "from .core import half\n",
    "core.py": """
        def half(x):
            return x / 2 if x.sum() > 0 else x
    """,
}
SCRIPT = """
import sys
import numpy as np
import halves
for _ in range(3):
    found = halves.half(np.ones(2))
print(found, sys.argv[1:], __name__)
sys.exit(len(sys.argv))
"""
TEST = """
import numpy as np
import halves


def helper(x):
    return halves.half(x)


def test_half():
    assert (halves.half(np.ones(2)) == 0.5).all()
    assert (helper(-np.ones(2)) == -1).all()


def test_again():
    assert (halves.half(np.ones(3)) == 0.5).all()
    assert (halves.half(np.ones(2)) == 0.5).all()
    assert "run" not in dir(helper.__code__.co_consts[-1])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("ways")
    write_package(found, "halves", FILES)
    (found / "script.py").write_text(SCRIPT)
    (found / "test_halves.py").write_text(TEST)
    return found


def started(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with this project and the folder on its path."""
    paths = os.pathsep.join(map(str, (ROOT, folder)))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_run(folder: Path) -> None:
    """The script prints and ends as by itself; the report goes to standard error and to a file."""
    options = ["--packages", "halves", "--policy", "always", "--json", "report.json"]
    done = started(folder, "-m", "astrace", "run", *options, "script.py", "--flag", "b")
    assert done.stdout == "[0.5 0.5] ['--flag', 'b'] __main__\n" and done.returncode == 3
    assert done.stderr.startswith("halves: 1 of 1 tried functions captured whole")
    found = json.loads((folder / "report.json").read_text())
    assert [one["state"] for one in found["functions"]] == ["whole"]


def test_run_a_module_and_tell_nothing_but_json(folder: Path) -> None:
    options = ["--packages", "halves", "--quiet", "--json", "-"]
    done = started(folder, "-m", "astrace", "run", *options, "-m", "script", "x")
    assert (done.stderr, done.returncode) == ("[0.5 0.5] ['x'] __main__\n", 2)
    assert json.loads(done.stdout)["packages"] == ["halves"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--packages", "numpy", "script.py"], "'numpy' is part of what astrace itself runs on"),
        (["--packages", ",", "script.py"], "no packages are given"),
        (["script.py"], "a script is run with --packages, which says what to compile"),
        (
            ["--packages", "halves", "--policy", "some", "script.py"],
            "argument --policy: invalid choice: 'some'",
        ),
        (["--packages", "havles", "script.py"], "there is no package 'havles'; is the name right"),
        (["--packages", "halves", "nowhere.py"], "there is no script 'nowhere.py'"),
        (
            ["--packages", "halves", "--json", "nowhere/r.json", "script.py"],
            "there is no folder",
        ),
    ],
)
def test_run_with_wrong_options(folder: Path, arguments: list[str], message: str) -> None:
    done = started(folder, "-m", "astrace", "run", *arguments)
    assert done.returncode == 2 and message in done.stderr and not done.stdout


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one process", "xdist"])
def test_pytest(folder: Path, workers: tuple[str, ...]) -> None:
    """The packages are compiled, the tests are not, and a summary says what became of them, once for all workers."""
    if workers:
        pytest.importorskip("xdist")
    plugin = [*PLUGIN, "-p", "no:cacheprovider", *workers]
    options = ["--astrace-packages=halves", "--astrace-policy=always", "--astrace-json=tests.json"]
    done = started(folder, "-m", "pytest", "-q", *plugin, *options)
    assert done.returncode == 0, done.stdout
    assert "halves: 1 of 1 tried functions captured whole (100%)" in done.stdout
    assert json.loads((folder / "tests.json").read_text())["summary"] == {
        "whole": 1,
        "called": 1,
        "codes": {},
    }


def test_pytest_with_several_processes(folder: Path) -> None:
    """The findings of all workers are reported once."""
    pytest.importorskip("xdist")
    plugin = ["-q", "-p", "xdist", *PLUGIN, "-p", "no:cacheprovider", "-n", "2"]
    options = ["--astrace-packages=halves", "--astrace-policy=always", "--astrace-json=workers.json"]
    done = started(folder, "-m", "pytest", *plugin, *options)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("halves: 1 of 1 tried functions captured whole (100%)") == 1
    (half,) = json.loads((folder / "workers.json").read_text())["functions"]
    assert half["state"] == "whole" and half["calls"] == 4


def test_pytest_without_and_with_wrong_options(folder: Path) -> None:
    plugin = ["-m", "pytest", "-q", *PLUGIN, "-p", "no:cacheprovider"]
    plain = started(folder, *plugin)
    assert plain.returncode == 0 and "astrace" not in plain.stdout
    wrong = started(folder, *plugin, "--astrace-packages=halves", "--astrace-policy=some")
    assert wrong.returncode == 4 and "policy='some'; accepted are" in wrong.stderr


def test_hypothesis_is_loaded_by_tests_that_need_it(folder: Path) -> None:
    """And it counts no time, then, whoever loads it first."""
    (folder / "test_first.py").write_text("""
import sys
def test_unloaded():
    assert "hypothesis" not in sys.modules
def test_loaded():
    from hypothesis import settings
    assert settings.default.deadline is None
""")
    plugin = ["-m", "pytest", "-q", *PLUGIN, "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    done = started(folder, *plugin, "--astrace-packages=halves", "test_first.py")
    assert "2 passed" in done.stdout, done.stdout


def test_captures_are_no_deadline_of_hypothesis(folder: Path) -> None:
    """The first example of a test may be the call that is captured; other settings stay, so do those of a test."""
    (folder / "conftest.py").write_text("""
from hypothesis import settings
settings.register_profile("few", max_examples=2)
""")
    (folder / "test_slow.py").write_text("""
import time
from hypothesis import Phase, given, settings, strategies as st
ran = []
@given(st.integers())
def test_slow(n):
    ran.append(n)
    time.sleep(0.25)
def test_few():
    assert len(ran) == 2
@settings(deadline=100, max_examples=1, phases=[Phase.generate])
@given(st.integers())
def test_own(n):
    time.sleep(0.25)
""")
    plugin = ["-m", "pytest", "-q", *PLUGIN, "-p", "no:cacheprovider", "--hypothesis-profile=few"]
    done = started(folder, *plugin, "--astrace-packages=halves", "test_slow.py")
    assert "FAILED test_slow.py::test_own" in done.stdout and "1 failed, 2 passed" in done.stdout, done.stdout


def test_loading_the_plugin_loads_nothing_else(folder: Path) -> None:
    code = "import sys; import pytest_astrace; print('numpy' in sys.modules)"
    assert started(folder, "-c", code).stdout == "False\n"


def test_importing_and_calls_without_arrays_rewrite_nothing(folder: Path) -> None:
    code = """
import astrace, sys
hook = astrace.import_hook("halves", policy="always")
import halves
halves.half.__doc__
try: halves.half(2.0)
except AttributeError: pass
print("astrace.compiler.compiled" in sys.modules)
import numpy
halves.half(numpy.ones(2))
from astrace.rewrite.pipeline import DONE
print(len(DONE))
"""
    assert started(folder, "-c", code).stdout == "False\n1\n"
