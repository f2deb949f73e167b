"""The plugin for ``pytest --astrace-packages=pkg,…``: compiles packages for a test run, and reports on them.

Under xdist each worker compiles them for its own tests and hands its report to the controller, which tells of all.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from astrace.check.hypothesis_profiles import count_no_time
from astrace.errors import InvalidArgument
from astrace.library.import_hook import import_hook
from astrace.library.report import LibraryReport
from astrace.util.atomic_files import check_writable, write_whole
from astrace.util.module_finders import AfterImport

OUTPUT: Final = "astrace_packages"


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
            if file is not None:
                check_writable(file)
            self.hook = import_hook(*names, policy=policy)
        except InvalidArgument as error:
            raise pytest.UsageError(error.message) from None
        AfterImport("hypothesis", count_no_time)
        self._file = file
        self._workers: list[LibraryReport] = []
        self._is_worker = False

    @property
    def report(self) -> LibraryReport:
        """The report on the packages' functions, in this process and in the workers that have ended."""
        return LibraryReport.merged([self.hook.report(), *self._workers])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A worker of xdist hands its report over."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            self._is_worker = True
            output[OUTPUT] = self.hook.report().json()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has ended: take over its report."""
        text = getattr(node, "workeroutput", {}).get(OUTPUT)
        if text is not None:
            self._workers.append(LibraryReport.of_json(text))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the outcome of the packages' functions."""
        report = self.report
        terminalreporter.section("astrace packages")
        for line in report.summary() if terminalreporter.verbosity < 1 else str(report).splitlines():
            terminalreporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        """Put the functions back."""
        self.hook.uninstall()
        if self._file is not None and not self._is_worker:
            write_whole(self._file, self.report.json() + "\n")
