"""What ``pytest --astrace-packages=pkg,…`` does: compile packages for a test run, tell what became of them.

Under xdist each worker compiles and runs; the controller puts their reports together, tells and writes one.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import pytest

from astrace.errors import InvalidArgument
from astrace.integrations.files import check_writable, write_whole
from astrace.library.import_hook import import_hook
from astrace.library.report import Report, Row, put_together

OUTPUT: Final = "astrace_packages"


class Compiling:
    """One run of pytest with ``--astrace-packages``; made before the tests are collected.

    Args:
        packages: their names, separated by commas.
        policy: when their functions are captured.
        file: where the report is written as JSON, if anywhere.

    Raises:
        pytest.UsageError: a package, the policy or the file is not accepted.
    """

    def __init__(self, packages: str, policy: str, file: str | None) -> None:
        names = [name.strip() for name in packages.split(",") if name.strip()]
        try:
            if file is not None:
                check_writable(file)
            self.hook = import_hook(*names, policy=policy)
        except InvalidArgument as error:
            raise pytest.UsageError(str(error)) from None
        self._file = file
        self._rows: list[Row] = []

    @property
    def report(self) -> Report:
        """What became of the functions, in this process and in its workers."""
        own = self.hook.report()
        return dataclasses.replace(own, rows=put_together([*own.rows, *self._rows]))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A worker hands over what it has."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[OUTPUT] = [dataclasses.asdict(row) for row in self.hook.report().rows]
            self._file = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of xdist has ended: take over what it has."""
        rows = getattr(node, "workeroutput", {}).get(OUTPUT, [])
        self._rows += [Row(**{**row, **_tuples(row)}) for row in rows]

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What became of the packages' functions."""
        report = self.report
        terminalreporter.section("astrace packages")
        for line in report.summary() if terminalreporter.verbosity < 1 else str(report).splitlines():
            terminalreporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        """Put the functions back."""
        self.hook.uninstall()
        if self._file is not None:
            write_whole(self._file, self.report.json() + "\n")


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    """The fields of a row that are tuples, whatever became of them on the way."""
    return {name: tuple(row[name]) for name in ("codes", "reasons")}
