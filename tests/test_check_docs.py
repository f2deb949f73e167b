"""Every finding is explained in ``docs/reference/findings.md``, with an example that gives it."""

from __future__ import annotations

import importlib
import linecache
import re
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import astrace
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


def test_the_failing_run_that_is_shown(monkeypatch, tmp_path):
    """The output in docs/check.md is that of examples/ci."""
    folder = PAGE.parent.parent.parent / "examples" / "ci"
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(tmp_path)
    pricing = importlib.import_module("pricing")
    cash, years = np.array([100.0, 50.0]), np.array([1.0, 2.0])
    graph = astrace.trace(pricing.discounted, cash, years, True)
    report = astrace.check(graph, cash, years, True, original=pricing.discounted, level="quick")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", CHECK.read_text(), re.MULTILINE | re.DOTALL)
    (shown,) = [text for language, text in blocks if not language]
    assert str(report.errors[0]).replace(f"{folder}/", "") == shown.rstrip("\n")


def test_the_first_example_of_the_page_runs():
    source = re.findall(r"^```python\n(.*?)^```", CHECK.read_text(), re.MULTILINE | re.DOTALL)[0]
    linecache.cache["<check.md>"] = (len(source), None, source.splitlines(keepends=True), "<check.md>")
    exec(compile(source, "<check.md>", "exec"), {"__name__": "check_md"})
