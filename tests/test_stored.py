"""Stored texts of captures: rewritten text, graph and generated source of some programs, which are reviewed.

    pytest tests/test_stored.py --store

writes them anew; the difference is reviewed as text.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import harness
import pytest

import astrace

STORED = Path(__file__).parent / "stored"
NAMES = (
    "append_then_stack",
    "assert_forms",
    "binary_search",
    "break_and_return_mixed",
    "bubble_sort",
    "carry_dataclass",
    "game_of_life",
    "global_write_loop",
    "helper_with_branch",
    "lambdas_and_closures",
    "match_values",
    "newton_sqrt",
    "none_init",
    "numpy_scalar_kinds",
    "print_and_fstrings",
    "return_nested_loops",
    "sieve",
    "try_handlers",
    "views_and_writes",
    "while_else",
    "with_contextmanager",
)


def text_of(name: str) -> str:
    """Return the text of the stages of a program's first call."""
    program = harness.load_program(name)
    harness.prepare(program, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # where warnings are exceptions, a `try` is captured for that
        stages = astrace.compile(program.f).stages(*program.CALLS[0])
    parts = {"rewritten": stages.rewritten, "graph": stages.graph, "source": stages.executable}
    shown = "\n".join(f"== {title}\n{str(part).rstrip()}\n" for title, part in parts.items())
    return re.sub(r"\bprogram_(\w+?)_\d+\b", r"\1", shown)  # each load is a module of its own


@pytest.mark.parametrize("name", NAMES)
def test_reads_as_stored(name: str, request: pytest.FixtureRequest) -> None:
    """The text is the stored one."""
    path = STORED / f"{name}.txt"
    if request.config.getoption("--store"):
        STORED.mkdir(exist_ok=True)
        path.write_text(text_of(name))
    assert text_of(name) == path.read_text()


def test_nothing_else_is_stored() -> None:
    """Every stored text is compared."""
    assert sorted(path.stem for path in STORED.glob("*.txt")) == sorted(NAMES)
