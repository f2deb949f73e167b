"""The pytest plugin.

``pytest --astrace-check`` checks every compiled function that the tests exercised; ``--astrace-packages=pkg,…``
compiles packages for the run.

This module is loaded by every run of pytest where astrace is installed, so it imports nothing but pytest;
`astrace.integrations.pytest_plugin` and `packages_plugin` do the work when it is asked for.
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
    group.addoption(
        "--astrace-packages", metavar="PKG,…", help="compile the functions of these packages, lazily"
    )
    group.addoption("--astrace-policy", metavar="NAME", help="when they are captured: default, always, never")
    group.addoption("--astrace-json", metavar="FILE", help="write what became of them as JSON")
    parser.addini("astrace_packages", "compile the functions of these packages, lazily", default="")
    parser.addini("astrace_policy", "when functions of packages are captured", default="default")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and the parts that work if they are asked for."""
    config.addinivalue_line("markers", MARKER)
    level = config.getoption("--astrace-check") or config.getini("astrace_check")
    if level and level != "off":
        from astrace.integrations.pytest_plugin import Checking

        strict = config.getoption("--astrace-check-strict") or config.getini("astrace_check_strict")
        ignored = frozenset(config.getini("astrace_check_ignore"))
        config.pluginmanager.register(Checking(level, bool(strict), ignored), "astrace-checking")
    packages = config.getoption("--astrace-packages") or config.getini("astrace_packages")
    if packages:
        from astrace.integrations.packages_plugin import Compiling

        policy = config.getoption("--astrace-policy") or config.getini("astrace_policy")
        part = Compiling(str(packages), str(policy), config.getoption("--astrace-json"))
        config.pluginmanager.register(part, "astrace-packages")


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
