"""The report of a single function: what it counts and what it was captured as, without a recording."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from astrace.report.functions import function_record
from astrace.report.page import page
from astrace.report.recording import ENDED, switched_off, versions
from astrace.report.records import RunRecord
from astrace.util.atomic_files import check_writable, write_whole


def record_of(compiled: Any) -> RunRecord:
    """Return the record of a run that is one function."""
    found = function_record(compiled)
    now = dt.datetime.now(dt.UTC).astimezone().isoformat(timespec="seconds")
    return RunRecord(found.name, now, None, ENDED, "", versions(), switched_off(), (found,))


def save(compiled: Any, path: str | Path) -> None:
    """Write the report of a function.

    Raises:
        InvalidArgument: it can't be written.
    """
    check_writable(path)
    write_whole(path, page(record_of(compiled)))
