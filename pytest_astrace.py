"""The pytest plugin: ``pytest --astrace-check`` checks every compiled function that the tests exercised.

This module is loaded by every run of pytest where astrace is installed, so it imports nothing but pytest;
`astrace.integrations.pytest_plugin` does the work when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from astrace.check.report import Report

LEVELS: Final = ("quick", "default", "thorough")
MARKER: Final = (
    "astrace_check(skip=False, level=None, **settings): how the functions that this test is the first to call are"
    " checked under --astrace-check; skip=True leaves them out"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and settings."""
    group = parser.getgroup("astrace")
    group.addoption(
        "--astrace-check",
        nargs="?",
        const="quick",
        choices=(*LEVELS, "off"),
        help="check the compiled functions that the tests call, on inputs grown from those they were called with",
    )
    group.addoption(
        "--astrace-check-strict", action="store_true", help="warnings of the check fail the run, too"
    )
    parser.addini(
        "astrace_check", "the level of --astrace-check: quick, default, thorough; empty for none", default=""
    )
    parser.addini("astrace_check_strict", "warnings fail the run, too", type="bool", default=False)
    parser.addini(
        "astrace_check_ignore",
        "names of functions that are not checked, as module.name",
        type="linelist",
        default=[],
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and the part that works if it is asked for."""
    config.addinivalue_line("markers", MARKER)
    level = config.getoption("--astrace-check") or config.getini("astrace_check")
    if level and level != "off":
        from astrace.integrations.pytest_plugin import Checking

        strict = config.getoption("--astrace-check-strict") or config.getini("astrace_check_strict")
        ignored = frozenset(config.getini("astrace_check_ignore"))
        config.pluginmanager.register(Checking(level, bool(strict), ignored), "astrace-checking")


@pytest.fixture
def astrace_check() -> Callable[..., Report]:
    """`astrace.check` that fails the test if it finds an error; returns the report."""

    def run(obj: Any, *args: Any, **settings: Any) -> Report:
        import astrace

        report = astrace.check(obj, *args, **settings)
        if not report.ok:
            pytest.fail(report.text(), pytrace=False)
        return report

    return run
