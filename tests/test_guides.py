"""The guides: every block of Python is run, in order, and prints what stands below it; what they promise is complete.

pytest tests/test_guides.py --store   # write down what the blocks print
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import inspect
import io
import itertools
import linecache
import re
import runpy
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import astrace

DOCS = Path(__file__).parent.parent / "docs"
PAGES = [
    *sorted(path for path in (DOCS / "guides").glob("*.md") if path.name != "README.md"),
    *(DOCS / name for name in ("start.md", "how-it-works.md", "performance.md")),
]
BLOCK = re.compile(r"^```python\n(?P<source>.*?)^```\n(?:\n```text\n(?P<printed>.*?)^```\n)?", re.M | re.S)
NEEDS = re.compile(r"^import (torch|jax|numba)", re.M)


def ran(page: Path) -> str:
    """The page with what its blocks print; each is run in one module, whose source Python finds in the page."""
    text, name = page.read_text(), f"guide_{page.stem.replace('-', '_')}"
    module = sys.modules[name] = types.ModuleType(name)
    numbers = itertools.count(1)

    def shown(match: re.Match[str]) -> str:
        file = f"<block {next(numbers)}>"
        return match[0] if lacks(match["source"]) else block(match, module, file)

    return BLOCK.sub(shown, text)


@pytest.fixture(autouse=True)
def settings_of_jax() -> Iterator[None]:
    """What a guide sets holds for that guide: other tests of this process have JAX as it was."""
    before = jax_has_64_bits()
    yield
    if before != jax_has_64_bits():
        sys.modules["jax"].config.update("jax_enable_x64", before)


def jax_has_64_bits() -> bool:
    """Whether JAX was loaded, and computes in 64 bits."""
    jax = sys.modules.get("jax")
    return jax is not None and bool(jax.config.jax_enable_x64)


def lacks(source: str) -> bool:
    """Whether a block needs a package that is not installed."""
    return any(importlib.util.find_spec(name) is None for name in NEEDS.findall(source))


def block(match: re.Match[str], module: types.ModuleType, file: str) -> str:
    """A block with what it prints."""
    source = match["source"]
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


def test_the_reference_names_everything_that_is_public() -> None:
    text = (DOCS / "reference" / "api.md").read_text()
    public = {*astrace.__all__, *(f"observe.{name}" for name in astrace.observe.__all__)}
    told = dict(re.findall(r"^\* `astrace\.([\w.]+)`: (.+)$", text, re.M))
    assert set(told) == public
    for name, sentence in told.items():
        found = functools.reduce(getattr, name.split("."), astrace)
        assert sentence == inspect.getdoc(found).partition("\n")[0].replace("``", "`")
    marked = re.findall(r"^<!-- api: \w+ astrace\.([\w.]+) -->$", text, re.M)
    assert {name.replace("check.check.check", "check") for name in marked} == public


def test_the_pictures_are_drawn_from_the_compiler_as_it_is() -> None:
    drawn = runpy.run_path(str(DOCS / "pictures.py"))["DRAWN"]
    for name, draw in drawn.items():
        assert (DOCS / "pictures" / f"{name}.svg").read_text() == draw(), "run python docs/pictures.py"


def test_the_site_finds_a_place_for_every_page() -> None:
    below = runpy.run_path(str(DOCS / "conf.py"))["contents"]()
    placed = [page for pages in below.values() for page in pages]
    pages = [path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(placed) == sorted(page for page in pages if page != "README")
