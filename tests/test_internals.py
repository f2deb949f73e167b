"""The pages for those who change astrace: the walkthrough prints what it says, and every module that is named is there."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "internals").glob("*.md"))
NAMED = re.compile(r"`((?:astrace/)?(?:\w+/)+(?:\w+\.py)?)`")


def test_walkthrough() -> None:
    """Every value of the walkthrough is what the code above it prints."""
    failed, tried = doctest.testfile(str(ROOT / "docs/internals/walkthrough.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.stem)
def test_named_modules_exist(page: Path) -> None:
    """Every module and folder that a page names is there; paths below the package may leave it out."""
    names = set(NAMED.findall(page.read_text()))
    assert names
    missing = [name for name in names if not any((base / name).exists() for base in (ROOT, ROOT / "astrace"))]
    assert missing == []


def test_questions() -> None:
    """Forty-four questions, each with one module; the glossary has each word once, in order."""
    rows = re.findall(
        r"^\| (.+\?) \| `(\S+)` \|$", (ROOT / "docs/internals/where.md").read_text(), re.MULTILINE
    )
    assert len(dict(rows)) == len(rows) == 44
    words = re.findall(
        r"^\| ([a-z -]+) \| .+ \| `\S+` \|$", (ROOT / "docs/internals/glossary.md").read_text(), re.MULTILINE
    )
    assert words[1:] == sorted(set(words[1:])) and len(words) > 30
