"""Every finding is explained in ``docs/reference/findings.md``, with an example that gives it."""

from __future__ import annotations

import json
import linecache
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import astrace
from astrace.check.report.findings import TITLES, grade_of
from astrace.integrations import cli

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "findings.md"
CHECK = PAGE.parent.parent / "check.md"
TEXT = PAGE.read_text()
FAULTS = {"AC108"}  # only a fault of astrace's gives it: see test_check_faults.py


def sections():
    """The page's sections: code, title, example."""
    for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]:
        heading = part.partition("\n")[0]
        blocks = re.findall(r"^```python\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
        yield heading[:5], heading[6:], blocks


def test_every_code_has_a_section_and_a_row():
    titles = {code: title.lower() for code, title in TITLES.items()}
    assert {code: title.lower() for code, title, _ in sections()} == titles
    rows = re.findall(r"^\| \[(AC\d{3})\]\(#\S+\) \| (.+) \| (.+) \|$", TEXT, re.MULTILINE)
    assert [(code, meaning) for code, meaning, _ in rows] == list(TITLES.items())
    assert all(grade == grade_of(code) for code, _, grade in rows)


@pytest.mark.parametrize(
    ("code", "blocks"), [(code, blocks) for code, _, blocks in sections() if code not in FAULTS]
)
def test_the_example_gives_its_finding(code, blocks):
    (source,) = blocks
    head = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)[0]
    module = types.ModuleType(f"finding_{code}")
    sys.modules[module.__name__] = module
    file = f"<finding {code}>"
    text = head + source
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), module.__dict__)
    report = module.report
    (found, *_) = [one for one in report if one.code == code]
    assert found.grade == grade_of(code)
    assert found.location is not None and (found.location.file == file or code == "AC103")
    if code.startswith("AC1"):
        assert found.example is not None and isinstance(found.example.args[0], np.ndarray)


def test_the_failing_run_that_is_shown(request):
    """The output in docs/check.md is that of examples/ci; ``--store`` writes it anew."""
    root = PAGE.parent.parent.parent
    settings = {
        "PYTHONPATH": str(root),
        "COLUMNS": "80",
        "PY_COLORS": "0",
        "CI": "true",
        "PYTEST_ADDOPTS": "",
    }
    environment = {**os.environ, **settings}
    environment.pop("GITHUB_ACTIONS", None)
    plugins = [
        word for name in ("pytest_astrace", "no:cacheprovider", "no:benchmark") for word in ("-p", name)
    ]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *plugins,
        "-q",
        "-c",
        os.devnull,
        "--rootdir=.",
        "test_pricing.py",
    ]
    folder = root / "examples" / "ci"
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    page = CHECK.read_text()
    if request.config.getoption("--store"):
        CHECK.write_text(RUN.sub(lambda _: f"\n```\n$ pytest\n{done.stdout}```\n", page, count=1))
        return
    assert done.returncode == 1, done.stderr
    assert timeless(RUN.search(page)[1]) == timeless(f"$ pytest\n{done.stdout}")


RUN = re.compile(r"^\n```\n(.*?)```\n", re.MULTILINE | re.DOTALL)


def timeless(text):
    return re.sub(r"\d+\.\d+ ?s", "0 s", text)


def test_the_first_example_of_the_page_runs():
    source = re.findall(r"^```python\n(.*?)^```", CHECK.read_text(), re.MULTILINE | re.DOTALL)[0]
    linecache.cache["<check.md>"] = (len(source), None, source.splitlines(keepends=True), "<check.md>")
    exec(compile(source, "<check.md>", "exec"), {"__name__": "check_md"})


# -- examples/ci -------------------------------------------------------------------------------------------

CI = PAGE.parent.parent.parent / "examples" / "ci"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder with a package as the examples name it."""
    for folder in ("mypackage", "mypackage/model"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / "mypackage/model/price.py").write_text("RATE = 2.0\n\n\ndef price(x):\n    return x * RATE\n")
    (tmp_path / "mypackage/model/__init__.py").write_text("def half(x: float):\n    return x / 2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in [
        name for name in sys.modules if name.partition(".")[0] in ("mypackage", "price", "__init__")
    ]:
        del sys.modules[name]


def test_the_workflow_says_what_can_be_run(package, capsys):
    """Its steps are in order, and each command of astrace runs as it stands."""
    data = pytest.importorskip("yaml").safe_load((CI / "workflow.yml").read_text())
    assert set(data) == {"name", True, "permissions", "jobs"} and set(data[True]) == {"push", "schedule"}
    steps = data["jobs"]["check"]["steps"]
    assert all(("uses" in step) is not ("run" in step) for step in steps)
    assert all(re.fullmatch(r"[\w./-]+@v\d+", step["uses"]) for step in steps if "uses" in step)
    runs = [step["run"].replace("${{ github.run_number }}", "7").split() for step in steps if "run" in step]
    install, tests, thorough = runs
    assert install[:2] == ["pip", "install"] and "astrace[check]" in " ".join(install)
    assert tests == ["pytest", "--astrace-check=quick"]
    assert thorough[0] == "astrace" and thorough[thorough.index("--level") + 1] == "thorough"
    sooner = ["--max-examples", "1", "--deadline", "1"]
    assert cli.main([*thorough[1:], *sooner]) == 0, capsys.readouterr().err
    upload = steps[-1]["with"]["sarif_file"]
    assert json.loads((package / upload).read_text())["runs"] and upload in steps[-1]["if"]
    database = thorough[thorough.index("--database") + 1]
    assert database == next(step["with"]["path"] for step in steps if "cache" in step.get("uses", ""))


def test_the_hook_for_pre_commit_runs(package, capsys):
    data = pytest.importorskip("yaml").safe_load((CI / "pre-commit-config.yaml").read_text())
    (hook,) = data["repos"][0]["hooks"]
    assert data["repos"][0]["repo"] == "local" and {"id", "name", "entry", "language"} <= set(hook)
    command, *words = hook["entry"].split()
    (package / "mypackage/model/none.py").write_text("X = 1\n")
    (package / "mypackage/model/wrong.py").write_text("def f(x):\n    return x +\n")
    files = [str(file.relative_to(package)) for file in sorted(package.rglob("*.py"))]
    given = [file for file in files if re.search(hook["files"], file)]
    assert command == "astrace" and len(given) == 4
    assert cli.main([*words, *(file for file in given if "wrong" not in file)]) == 0, capsys.readouterr().err
    assert cli.main([*words, "mypackage/model/none.py"]) == 0
    assert cli.main([*words, *given]) == 3 and "wrong.py:2: SyntaxError" in capsys.readouterr().err


def test_the_tests_of_the_example_pass_where_the_graph_is_right():
    """The example's test fails because of what it checks: with ``astrace.compile`` in place of the graph it passes."""
    sys.path.insert(0, str(CI))
    try:
        import pricing
    finally:
        sys.path.remove(str(CI))
    cash, years = np.array([100.0, 50.0]), np.array([1.0, 2.0])
    assert astrace.check(astrace.compile(pricing.discounted), cash, years, True, level="quick").ok
