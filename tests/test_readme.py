"""The README says what is so: its example runs and prints what it shows, its commands name what exists."""

from __future__ import annotations

import contextlib
import io
import linecache
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The fenced blocks in a language; the empty one for output."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


def test_example_prints_what_is_shown() -> None:
    """The first example, run as a file, prints the block behind it."""
    source, shown = blocks("python")[0], blocks("")[0]
    linecache.cache["<readme>"] = (len(source), None, source.splitlines(keepends=True), "<readme>")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "<readme>", "exec"), {"__name__": "readme"})
    assert printed.getvalue() == shown


@pytest.mark.parametrize("link", re.findall(r"\]\(([^):#]+)\)", TEXT))
def test_links_lead_somewhere(link: str) -> None:
    """Every relative link is a file or folder of the project."""
    assert (ROOT / link).exists()


def test_two_commands() -> None:
    """One command runs the example and one the tests; both make their own environment."""
    commands = re.findall(r"^    (python3 .*)$", TEXT, re.MULTILINE)
    assert [command.split(" && ")[0] for command in commands] == ["python3 -m venv .venv"] * 2
    example, tests = (command.split(" && ")[2] for command in commands)
    assert (ROOT / example.split()[1]).is_file() and tests.startswith(".venv/bin/python -m pytest")
