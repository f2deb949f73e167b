"""A trace for other tools: a table of pandas, and the event format of Chrome's and Perfetto's viewers."""

from __future__ import annotations

import json
from typing import Any

from astrace.errors import MissingExtra
from astrace.observe.records.trace_data import TraceData
from astrace.observe.snapshots.text import value_text
from astrace.util.terminal import printable


def trace_dataframe(trace: TraceData) -> Any:
    """A pandas table with one row for each call, in the order in which they began.

    Raises:
        MissingExtra: pandas is not installed.
    """
    try:
        import pandas as pd  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError as error:
        raise MissingExtra.of("to_dataframe needs pandas", "observe") from error
    rows: list[dict[str, Any]] = [
        {
            "number": call.number,
            "stage": call.stage,
            "name": call.name,
            "parameters": dict(call.parameters),
            "results": dict(call.results),
            "outcome": call.outcome,
            "exception": None if call.exception is None else str(call.exception),
            "start_ms": call.start_ns / 1e6,
            "duration_ms": None if call.duration_ns is None else call.duration_ns / 1e6,
            "parent": None if call.parent is None else call.parent.number,
            "items": list(call.items),
            "thread": call.thread,
            "file": None if call.location is None else call.location.file,
            "line": None if call.location is None else call.location.line,
        }
        for call in trace.calls
    ]
    columns = ["number", "stage", "name", "parameters", "results", "outcome", "exception", "start_ms", "duration_ms", "parent", "items", "thread", "file", "line"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def chrome_trace(trace: TraceData) -> str:
    """The trace in the Trace Event Format, as chrome://tracing and ui.perfetto.dev open it.

    Each call is a complete event (``"ph": "X"``) in the row of its thread, with times in microseconds.
    """
    threads = {
        name: number for number, name in enumerate(dict.fromkeys(call.thread for call in trace.calls), 1)
    }
    events: list[dict[str, Any]] = [
        {"name": "thread_name", "ph": "M", "pid": 1, "tid": number, "args": {"name": name}}
        for name, number in threads.items()
    ]
    for call in trace.calls:
        values = {**call.parameters, **{f"-> {name}": value for name, value in call.results.items()}}
        told = {name: value_text(value) for name, value in values.items()}
        if call.exception is not None:
            told["raised"] = str(call.exception)
        events.append(
            {
                "name": printable(call.name),
                "cat": call.stage,
                "ph": "X",
                "ts": call.start_ns / 1e3,
                "dur": (call.duration_ns or 0) / 1e3,
                "pid": 1,
                "tid": threads[call.thread],
                "args": told,
            }
        )
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"})
