"""What ``pytest --astrace-packages=pkg,…`` does: compile packages for a test run, tell what became of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astrace.errors import InvalidArgument
from astrace.library.import_hook import import_hook


class Compiling:
    """One run of pytest with ``--astrace-packages``; made before the tests are collected.

    Args:
        packages: their names, separated by commas.
        policy: when their functions are captured.
        file: where the report is written as JSON, if anywhere.

    Raises:
        pytest.UsageError: a package or the policy is not accepted.
    """

    def __init__(self, packages: str, policy: str, file: str | None) -> None:
        names = [name.strip() for name in packages.split(",") if name.strip()]
        try:
            self.hook = import_hook(*names, policy=policy)
        except InvalidArgument as error:
            raise pytest.UsageError(str(error)) from None
        self._file = file

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What became of the packages' functions."""
        report = self.hook.report()
        terminalreporter.section("astrace packages")
        for line in report.summary() if terminalreporter.verbosity < 1 else str(report).splitlines():
            terminalreporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        """Put the functions back."""
        self.hook.uninstall()
        if self._file is not None:
            Path(self._file).write_text(self.hook.report().json() + "\n", encoding="utf-8")
