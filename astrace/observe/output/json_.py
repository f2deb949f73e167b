"""A trace as JSON: every call with its parameters, results, times and places, for other programs."""

from __future__ import annotations

import base64
import json
import math
from typing import Any, Final

import numpy as np

from astrace.locations import Location
from astrace.observe.records.trace_call import TraceCall
from astrace.observe.records.trace_data import TraceData
from astrace.observe.snapshots.summaries import ArraySummary, ContainerSummary, ObjectSummary, TextSummary

FORMAT: Final = 1
"""The version of the format."""


def trace_json(trace: TraceData, indent: int | None = None) -> str:
    """The trace as JSON text.

    Numbers that JSON has no word for are the strings ``"NaN"``, ``"Infinity"`` and ``"-Infinity"``; values other than numbers,
    text, lists and mappings with text as keys are objects with ``"type"``.

    Args:
        trace: a trace, or one item's way through it.
        indent: the number of spaces for each level; all in one line by default.
    """
    stages = [
        {"name": stage.name, "calls": [call_data(call) for call in stage.calls]} for stage in trace.stages
    ]
    data = {"format": FORMAT, "title": trace.title, "dropped": trace.dropped, "stages": stages}
    return json.dumps(data, indent=indent, allow_nan=False)


def call_data(call: TraceCall) -> dict[str, Any]:
    """A call as plain data."""
    raised = call.exception
    return {
        "number": call.number,
        "name": call.name,
        "parameters": {name: value_data(value) for name, value in call.parameters.items()},
        "results": {name: value_data(value) for name, value in call.results.items()},
        "outcome": call.outcome,
        "exception": None
        if raised is None
        else {"type": raised.type_name, "message": raised.message, "location": _place(raised.location)},
        "start_ns": call.start_ns,
        "duration_ns": call.duration_ns,
        "parent": None if call.parent is None else call.parent.number,
        "items": [value_data(item) for item in call.items],
        "thread": call.thread,
        "location": _place(call.location),
        "called_from": _place(call.called_from),
    }


def _place(location: Location | None) -> dict[str, Any] | None:
    return (
        None
        if location is None
        else {"file": location.file, "line": location.line, "function": location.function}
    )


def value_data(value: Any) -> Any:
    """A recorded value as plain data."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) < 1 << 53 else {"type": "int", "value": str(value)}
        case float():
            return _number(value)
        case bytes():
            return {"type": "bytes", "base64": base64.b64encode(value).decode()}
        case np.ndarray():
            return _array(value)
        case np.generic():
            return {"type": "numpy", "dtype": str(value.dtype), "value": _element(value)}
        case dict() | list() | tuple() | set() | frozenset():
            return _container(value)
        case _:
            return _summary(value)


def _number(value: float) -> Any:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _element(value: Any) -> Any:
    """An element of an array; times and extended floats as text."""
    if getattr(getattr(value, "dtype", None), "char", " ") in "mMgG":
        return str(value)
    plain = value.item() if isinstance(value, np.generic) else value
    return value_data(plain) if not isinstance(plain, complex) else str(plain)


def _array(value: np.ndarray[Any, Any]) -> dict[str, Any]:
    elements = [_element(one) for one in value.flat]
    return {"type": "array", "dtype": str(value.dtype), "shape": list(value.shape), "elements": elements}


def _container(value: Any) -> Any:
    if isinstance(value, dict):
        pairs = [(key, value_data(one)) for key, one in value.items()]  # pyright: ignore[reportUnknownVariableType]
        if all(isinstance(key, str) for key, _ in pairs) and "type" not in value:
            return dict(pairs)
        return {"type": "dict", "entries": [[value_data(key), one] for key, one in pairs]}
    items = [value_data(one) for one in value]
    return items if isinstance(value, list) else {"type": type(value).__name__, "items": items}


def _summary(value: Any) -> dict[str, Any]:
    match value:
        case ArraySummary():
            names = ("dtype", "nbytes", "nan_count", "digest", "note")
            data = {name: getattr(value, name) for name in names}
            ends = {"minimum": _element(value.minimum), "maximum": _element(value.maximum)}
            return {"type": "array summary", "array": value.type_name, "shape": list(value.shape), **data, **ends,
                    "first": [_element(one) for one in value.first]}  # fmt: skip
        case TextSummary():
            return {"type": "text summary", "of": value.type_name, "length": value.length,
                    "digest": value.digest, "start": value_data(value.start)}  # fmt: skip
        case ContainerSummary():
            entries = [value_data(list(one) if value.is_mapping else one) for one in value.entries]
            return {
                "type": "container summary",
                "of": value.type_name,
                "length": value.length,
                "entries": entries,
            }
        case ObjectSummary():
            return {"type": "object", "of": value.type_name, "text": value.text,
                    "fields": {name: value_data(one) for name, one in value.fields}}  # fmt: skip
        case _:
            return {"type": type(value).__name__, "text": repr(value)}
