"""NumPy's surface: the page says what becomes of each part, and what becomes of it is right.

    pytest tests/test_surface.py --store

writes ``docs/reference/ops.md`` anew; the difference is reviewed as text.
"""

from __future__ import annotations

from pathlib import Path

import harness
import pytest
import samples
import surface_page
from surface import NONE, TYPED, entry, observed
from surface_samples import MOST_USED

import astrace

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "ops.md"
GROUPS = surface_page.groups


def test_the_page_is_current(request: pytest.FixtureRequest) -> None:
    """It is what the captures say, for the NumPy that it was made with."""
    if request.config.getoption("--store"):
        PAGE.write_text(surface_page.page())
    stored = PAGE.read_text()
    if f"with NumPy {surface_page.VERSION}," not in stored:
        pytest.skip("the page was made with another NumPy")
    assert surface_page.page() == stored


def test_nearly_all_is_recorded() -> None:
    """At least 95 % of each group, and the functions that are used most as typed ops."""
    parts = {name: entries for name, entries in GROUPS().items() if not name.startswith("writes")}
    assert min(map(surface_page.recorded, parts.values())) >= 95
    assert len(set(MOST_USED)) == 200
    assert [name for name in MOST_USED if entry(name).kind != TYPED] == []


@pytest.mark.parametrize("group", GROUPS())
def test_what_is_recorded_gives_the_same(group: str) -> None:
    """The sample of each part, compiled and as plain Python."""
    found = {one.part: differences(one.text, one.case) for one in GROUPS()[group] if one.kind != NONE}
    assert {part: one for part, one in found.items() if one} == {}


def differences(text: str, case: object) -> list[str]:
    """Return the differences between a sample and the sample compiled."""
    plain = samples.function_of(text)
    expected, got = observed(plain, case), observed(astrace.compile(plain), case)
    return harness.differences(expected, got) + harness.misplaced(expected, got)
