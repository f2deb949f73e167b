"""The guides: every block of Python is run, in order, and prints what stands below it; what they promise is complete.

pytest tests/test_guides.py --store   # write down what the blocks print
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import linecache
import re
import sys
import types
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGES = [
    *sorted(path for path in (DOCS / "guides").glob("*.md") if path.name != "README.md"),
    *(path for name in ("start", "how-it-works", "performance") if (path := DOCS / f"{name}.md").exists()),
]
BLOCK = re.compile(r"^```python\n(?P<source>.*?)^```\n(?:\n```text\n(?P<printed>.*?)^```\n)?", re.M | re.S)
NEEDS = re.compile(r"^import (torch|jax|numba)", re.M)


def ran(page: Path) -> str:
    """The page with what its blocks print; each is run in one module, whose source Python finds in the page."""
    text, name = page.read_text(), f"guide_{page.stem.replace('-', '_')}"
    module = sys.modules[name] = types.ModuleType(name)
    return BLOCK.sub(lambda match: match[0] if lacks(match["source"]) else block(match, module), text)


def lacks(source: str) -> bool:
    """Whether a block needs a package that is not installed."""
    return any(importlib.util.find_spec(name) is None for name in NEEDS.findall(source))


def block(match: re.Match[str], module: types.ModuleType) -> str:
    """A block with what it prints."""
    source, line = match["source"], match.string.count("\n", 0, match.start("source"))
    file = f"<{module.__name__}:{line}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, file, "exec"), module.__dict__)
    shown = f"\n```text\n{printed.getvalue()}```\n" if printed.getvalue() else ""
    return f"```python\n{source}```\n{shown}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_blocks_print(page: Path, request: pytest.FixtureRequest) -> None:
    found = ran(page)
    if request.config.getoption("--store"):
        page.write_text(found)
    assert page.read_text() == found


def test_there_is_a_rewrite_for_every_reason() -> None:
    codes = re.findall(r"^## (AT[123]\d\d)", (DOCS / "reference" / "reasons.md").read_text(), re.M)
    parts = re.split(r"^###? (?=AT)", (DOCS / "guides" / "make-it-whole.md").read_text(), flags=re.M)[1:]
    assert [part[:5] for part in parts] == codes
    for part in parts:
        code, example = part[:5], "".join(match["source"] for match in BLOCK.finditer(part))
        assert code == "AT299" or f'"{code}" in str(before.explain' in example
        assert code == "AT299" or "fullgraph=True" in example and "after(" in example
