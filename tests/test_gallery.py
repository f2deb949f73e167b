"""The gallery: each program is captured whole and gives plain Python's bits; its page shows it as it is.

pytest tests/test_gallery.py --store   # write the graphs down anew; `python -m benchmarks.gallery` makes all of a page
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

import astrace
from benchmarks import gallery


def test_there_are_enough() -> None:
    assert len(gallery.names()) >= 12


@pytest.mark.parametrize("name", gallery.names())
def test_a_program_is_whole_and_exact(name: str) -> None:
    module = gallery.load(name)
    function: Any = getattr(module, name)
    given = module.arguments(large=False)
    plain, compiled = copy.deepcopy(given), copy.deepcopy(given)
    expected = function(*plain)
    found = astrace.compile(function, fullgraph=True, backend="numpy")(*compiled)
    assert gallery.bits(found) == gallery.bits(expected)
    assert gallery.bits(compiled) == gallery.bits(plain)  # what it writes to its arguments


@pytest.mark.parametrize("name", gallery.names())
def test_a_page_shows_the_program_and_its_graph(name: str, request: pytest.FixtureRequest) -> None:
    path = gallery.PAGES / f"{name}.md"
    text = path.read_text()
    if request.config.getoption("--store"):
        text = gallery.with_graph(text, name)
        path.write_text(text)
    assert f"```python\n{gallery.source_of(gallery.load(name))}\n```" in text
    assert text == gallery.with_graph(text, name)
    assert (gallery.PAGES / f"{name}.png").is_file()


def test_the_index_shows_all() -> None:
    assert (gallery.PAGES / "README.md").read_text() == gallery.index()
