"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--store` writes the stored outputs anew, to be reviewed as a change."""
    parser.addoption("--store", action="store_true", help="write stored outputs instead of comparing")


@pytest.fixture(autouse=True)
def _as_users_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the surrounding shell reaches a test; every pass is verified."""
    for name in ("ASTRACE_DISABLE", "ASTRACE_LOGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ASTRACE_DEBUG", "1")
