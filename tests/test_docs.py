"""The documentation: every code is explained, every example does what is said of it, every link leads somewhere."""

import ast
import contextlib
import io
import linecache
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import astrace

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
REASONS = DOCS / "reference" / "reasons.md"
LIMITS = DOCS / "reference" / "limits.md"
PAGES = sorted(DOCS.rglob("*.md"))
RECORDS = sorted((DOCS / "design").glob("*.md"))
CODE = re.compile(r"AT\d{3}")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SUMMARIES = {
    "captured": "captured whole; ",
    "plain call": "captured, with 1 call left to plain Python; ",
    "plain function": "runs as plain Python: ",
}


class Section(NamedTuple):
    """A heading of ``reasons.md`` with the Python block below it."""

    code: str
    title: str
    example: str


def sections() -> list[Section]:
    """Return the sections of ``reasons.md``, by code."""
    found: list[Section] = []
    for part in re.split(r"^## ", REASONS.read_text(), flags=re.MULTILINE)[1:]:
        heading = part.partition("\n")[0]
        if CODE.match(heading):
            (example,) = BLOCK.findall(part)
            found.append(Section(heading[:5], heading[6:], example))
    return found


def table() -> dict[str, tuple[str, str]]:
    """The rows at the top of ``reasons.md``: code to meaning and what follows."""
    rows = re.findall(r"^\| \[(AT\d{3})\]\(#\S+\) \| (.+) \| (.+) \|$", REASONS.read_text(), re.MULTILINE)
    return {code: (meaning, then) for code, meaning, then in rows}


def codes_in_source() -> set[str]:
    """Every code that stands in the package as a string of its own."""
    constants = (
        node.value
        for path in (ROOT / "astrace").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return {text for text in constants if CODE.fullmatch(text)}


def run(source: str, file: str, namespace: dict[str, object]) -> str:
    """Run a block whose functions have their source where Python looks for it; what it printed."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, file, "exec"), namespace)
    return printed.getvalue()


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made from the text."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def links() -> Iterator[tuple[Path, str]]:
    """Every link to a place in the repository."""
    for page in PAGES:
        for target in LINK.findall(page.read_text()):
            if "://" not in target:
                yield page, target


# -- codes -------------------------------------------------------------------------------------------------


def test_every_code_is_documented_and_every_documented_code_exists() -> None:
    assert [section.code for section in sections()] == sorted(codes_in_source())


def test_the_table_lists_the_sections_in_their_order() -> None:
    titles = {section.code: section.title.lower() for section in sections()}
    assert {code: meaning.lower() for code, (meaning, _) in table().items()} == titles
    assert list(table()) == list(titles)


@pytest.mark.parametrize("section", sections(), ids=lambda section: section.code)
def test_an_example_gives_its_code_and_leads_to_what_the_table_says(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)  # AT205: not imported before
    monkeypatch.delenv("ASTRACE_DEBUG", raising=False)  # AT299: faults become reasons
    namespace = {"np": np, "astrace": astrace, "__name__": section.code}
    _, summary, *lines = run(section.example, f"<{section.code}>", namespace).splitlines()
    assert summary.startswith(SUMMARIES[table()[section.code][1]])
    gutters = [line.split("|")[0].split() for line in lines]
    assert any(section.code in gutter for gutter in gutters), "\n".join(lines)


# -- limits ------------------------------------------------------------------------------------------------


def test_every_example_of_the_limits_does_what_is_said() -> None:
    namespace: dict[str, object] = {"__name__": "limits"}
    for number, block in enumerate(BLOCK.findall(LIMITS.read_text())):
        assert "assert " in block or number == 0
        run(block, f"<limits {number}>", namespace)


def test_the_limits_name_codes_that_exist() -> None:
    assert set(CODE.findall(LIMITS.read_text())) <= codes_in_source()


# -- decision records --------------------------------------------------------------------------------------


def test_decision_records_are_numbered_without_gaps() -> None:
    assert [path.name[:5] for path in RECORDS] == [f"{number:04}-" for number in range(1, len(RECORDS) + 1)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_decision_record_has_its_parts_and_fits_on_a_page(record: Path) -> None:
    text = record.read_text()
    assert re.match(rf"# {record.name[:4]} \S", text)
    assert re.findall(r"^\*\*(Context|Choice|Consequence)\b", text, re.MULTILINE) in (
        ["Context", "Choice", "Consequence"],
        ["Context", "Choice", "Choice", "Consequence"],
    )
    assert len(text.splitlines()) <= 60


# -- links -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "target"), list(links()), ids=str)
def test_a_link_leads_to_a_file_and_a_heading(page: Path, target: str) -> None:
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    assert path.is_file()
    assert not anchor or anchor in anchors(path)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_modules_that_a_page_names_exist(page: Path) -> None:
    named = re.findall(r"`(astrace/[\w/]+(?:\.py|/))`", page.read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_pages_that_the_source_names_exist() -> None:
    sources = (path.read_text() for path in (ROOT / "astrace").rglob("*.py"))
    named = {name for text in sources for name in re.findall(r"docs/[\w/\-]+\.md", text)}
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_the_index_leads_to_every_page() -> None:
    """By itself, or through the first page of a folder."""
    indexes = {path for path in PAGES if path.name == "README.md"}
    reached = {
        (page.parent / target.partition("#")[0]).resolve() for page, target in links() if page in indexes
    }
    assert reached >= set(PAGES) - {DOCS / "README.md"}
