"""Fixtures that all tests share."""

from __future__ import annotations

import logging
import os
import types
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from xdist.scheduler import WorkStealingScheduling

import astrace.util.capture_budget
from astrace.util.events import TOPICS


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--store` writes the stored outputs anew, to be reviewed as a change; `--whole` leaves no case out."""
    parser.addoption("--store", action="store_true", help="write stored outputs instead of comparing")
    parser.addoption(
        "--whole", action="store_true", help="run every combination, where otherwise each case takes a share"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Switch the cache on disk off, also for the processes that tests start: nothing is known from an earlier run.

    Kernels are compiled by the call that needs them, not by another process some time later.
    """
    config.addinivalue_line(
        "markers", "share(parts): of the cases one in so many is run, unless with --whole"
    )
    os.environ |= {"ASTRACE_CACHE_DIR": "0", "ASTRACE_CHILD": "0"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not in a test's share; which cases are in it depends on their names alone."""
    if not config.getoption("--whole"):
        left_out = [item for item in items if not _is_in_share(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _is_in_share(item)]


def _is_in_share(item: pytest.Item) -> bool:
    share = item.get_closest_marker("share")
    return share is None or zlib.crc32(item.name.encode()) % share.args[0] == 0


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A worker that is done takes tests from one that is not: some take a hundred times as long as others."""
    return WorkStealingScheduling(config, log)


@pytest.fixture(autouse=True)
def _as_users_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the surrounding shell reaches a test; every pass is verified."""
    for name in ("ASTRACE_DISABLE", "ASTRACE_LOGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ASTRACE_DEBUG", "1")
    monkeypatch.setenv("ASTRACE_BACKEND", "numpy")  # what runs does not depend on how long a test takes


@pytest.fixture(autouse=True)
def _work_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock of captures, so that what is captured does not depend on the speed of the machine."""
    monkeypatch.setattr(astrace.util.capture_budget, "time", types.SimpleNamespace(thread_time=lambda: 0.0))


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """Restore after each test the topics that `ASTRACE_LOGS` has turned on."""
    loggers = [logging.getLogger(name) for name in ("astrace", *(f"astrace.{topic}" for topic in TOPICS))]
    before = [(logger.level, list(logger.handlers)) for logger in loggers]
    yield
    for logger, (level, handlers) in zip(loggers, before, strict=True):
        logger.setLevel(level)
        logger.handlers[:] = handlers
