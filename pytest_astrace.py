"""The pytest plugin.

``pytest --astrace-check`` checks every compiled function that the tests exercised; ``--astrace-packages=pkg,…``
compiles packages for the run.

This module is loaded by every run of pytest where astrace is installed, so it imports nothing but pytest;
`astrace.integrations.pytest_plugin` and `packages_plugin` do the work when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from astrace.check.report.report import Report

LEVELS: Final = ("quick", "default", "thorough", "off")
OPTION: Final = "--astrace-check"
MARKER: Final = (
    "astrace_check(skip=False, level=None, against=None, **settings): how the compiled functions that this test calls are checked"
    " under --astrace-check; skip=True leaves them out, as far as this test calls them"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and settings."""
    group = parser.getgroup("astrace")
    group.addoption(
        OPTION,
        nargs="?",
        const="quick",
        metavar="LEVEL",
        help="check the compiled functions that the tests call, on inputs grown from those they were called with:"
        " quick (also without =LEVEL), default, thorough, off",
    )
    group.addoption(
        "--astrace-check-strict", action="store_true", help="warnings of the check fail the run, too"
    )
    group.addoption(
        "--astrace-check-against",
        metavar="COMPILER",
        help="check what another compiler makes of those functions instead: numba, jax, torch",
    )
    group.addoption("--astrace-check-json", metavar="FILE", help="write what the check found as JSON")
    parser.addini(
        "astrace_check",
        "the level of --astrace-check: quick, default, thorough, off; empty for none",
        default="",
    )
    parser.addini(
        "astrace_check_against", "the compiler of --astrace-check-against; empty for none", default=""
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
    group.addoption("--astrace-json", metavar="FILE", help="write what became of their functions as JSON")
    parser.addini("astrace_packages", "compile the functions of these packages, lazily", default="")
    parser.addini("astrace_policy", "when functions of packages are captured", default="default")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> None:
    """Let ``--astrace-check test_x.py`` mean what it says: the path is none of the option's."""
    taken = early_config.known_args_namespace.astrace_check
    if taken is None or taken in LEVELS or not Path(taken.partition("::")[0]).exists():
        return
    for index, word in enumerate(args[:-1]):
        if word == OPTION and args[index + 1] == taken:
            args[index] = f"{OPTION}=quick"
            early_config.known_args_namespace.astrace_check = "quick"
            early_config.known_args_namespace.file_or_dir = parser.parse_known_args(args).file_or_dir


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and the parts that work if they are asked for.

    Raises:
        pytest.UsageError: a value is not accepted.
    """
    config.addinivalue_line("markers", MARKER)
    against = _against(config)
    level = _level(config, "quick" if against else "off")
    if level != "off":
        from astrace.integrations.pytest_plugin import Checking

        strict = config.getoption("--astrace-check-strict") or _strict(config)
        file = config.getoption("--astrace-check-json")
        part = Checking(level, strict, _ignored(config), file, against)
        config.pluginmanager.register(part, "astrace-checking")
    packages = config.getoption("--astrace-packages") or config.getini("astrace_packages")
    if packages:
        from astrace.integrations.packages_plugin import Compiling

        policy = config.getoption("--astrace-policy") or config.getini("astrace_policy")
        compiling = Compiling(str(packages), str(policy), config.getoption("--astrace-json"))
        config.pluginmanager.register(compiling, "astrace-packages")


def _against(config: pytest.Config) -> str | None:
    """The compiler that the command line or the settings name."""
    given = config.getoption("--astrace-check-against") or config.getini("astrace_check_against")
    if not given:
        return None
    from astrace.check.compilers.table import compiler_named
    from astrace.errors import InvalidArgument, MissingExtra

    try:
        return compiler_named(given).name
    except (InvalidArgument, MissingExtra) as error:
        text = f"--astrace-check-against: {str(error).removeprefix('check: ')}"
        raise pytest.UsageError(text) from None


def _level(config: pytest.Config, usual: str) -> str:
    """The level that the command line or the settings ask for."""
    given, levels = config.getoption(OPTION), ", ".join(LEVELS)
    if given is not None and given not in LEVELS:
        raise pytest.UsageError(
            f"{OPTION}: there is no level {given!r}; the levels are {levels} (write {OPTION}=LEVEL)"
        )
    level = given or config.getini("astrace_check") or usual
    if level not in LEVELS:
        raise _wrong(config, "astrace_check", f"there is no level {level!r}; the levels are {levels}")
    return level


def _strict(config: pytest.Config) -> bool:
    """Whether the settings let warnings fail the run."""
    try:
        return bool(config.getini("astrace_check_strict"))
    except (ValueError, TypeError, pytest.UsageError) as error:
        raise _wrong(config, "astrace_check_strict", f"{error}; it is true or false") from None


def _ignored(config: pytest.Config) -> frozenset[str]:
    """The names that the settings leave out."""
    names: list[str] = config.getini("astrace_check_ignore")
    for name in names:
        if not all(part.isidentifier() or part == "<locals>" for part in name.split(".")):
            raise _wrong(config, "astrace_check_ignore", f"{name!r} is no name of a function, as module.name")
    return frozenset(names)


def _wrong(config: pytest.Config, name: str, problem: str) -> pytest.UsageError:
    """The error about a value of the settings, with the line that gives it."""
    file = config.inipath
    lines = file.read_text(encoding="utf-8").splitlines() if file is not None else []
    found = (number for number, line in enumerate(lines, 1) if re.match(rf"\s*{name}\s*=", line))
    return pytest.UsageError(f"{file or 'settings'}:{next(found, 1)}: {name}: {problem}")


@pytest.fixture
def astrace_check() -> Callable[..., Report]:
    """`astrace.check` that fails the test if it finds an error; returns the report."""

    def run(obj: Any, *args: Any, **settings: Any) -> Report:
        import astrace

        report = astrace.check(obj, *args, **settings)
        if not report.ok:
            raise CheckFailed(report)
        return report

    return run


class CheckFailed(pytest.fail.Exception):
    """A check found errors: the report is the test's failure, its first finding the line of the summary.

    Args:
        report: what was found.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report.text(), pytrace=False)
        self.line = str(report.errors[0]).partition("\n")[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Keep the summary at the end short: where ``CI`` is set, pytest repeats the whole message there."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, CheckFailed):
        report.longrepr.reprcrash.message = call.excinfo.value.line
    return report
