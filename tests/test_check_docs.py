"""Every finding is explained in ``docs/reference/findings.md``, with an example that gives it."""

from __future__ import annotations

import linecache
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from astrace.check.findings import TITLES, grade_of

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
    environment = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "80", "NO_COLOR": "1"}
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
