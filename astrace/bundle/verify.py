"""The recorded calls of a graph, made again: do they give the same, to the bit?"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from astrace.bundle.codec.data_encoder import DataEncoder
from astrace.bundle.codec.json_text import dumps
from astrace.bundle.contents import outcome
from astrace.bundle.examples import ExampleCall
from astrace.errors import SignatureMismatch

if TYPE_CHECKING:
    from astrace.bundle.portable_graph import PortableGraph


def differences(graph: PortableGraph) -> list[str]:
    """Say which recorded calls of a graph give something else now.

    Args:
        graph: a loaded graph.

    Example:
        >>> import astrace
        >>> differences(astrace.trace(lambda x: x + 1.0, 2.0))
        []
    """
    found: list[str] = []
    for number, call in enumerate(graph.examples, 1):
        now = _made(graph, _copy(call))
        if _bits(now) != _bits(call):
            found.append(f"AB301: the recorded call {number} gives {_told(now)} instead of {_told(call)}")
    return found


def _made(graph: PortableGraph, call: ExampleCall) -> ExampleCall:
    try:
        return outcome(call, lambda args, kwargs: graph(*args, **kwargs))
    except SignatureMismatch as error:
        return ExampleCall(call.args, call.kwargs, None, (type(error).__name__, str(error)))


def _copy(call: ExampleCall) -> ExampleCall:
    """A call with arguments of its own, which it may change."""
    return ExampleCall(copy.deepcopy(call.args), copy.deepcopy(dict(call.kwargs)))


def _bits(call: ExampleCall) -> Any:
    """Everything that can be told of an outcome."""
    values = DataEncoder("examples", {})
    data = [values.encode(call.result), values.encode(call.raised), values.shared, values.descriptions]
    return dumps(data), values.files


def _told(call: ExampleCall) -> str:
    text = repr(call.result) if call.raised is None else f"{call.raised[0]}: {call.raised[1]}"
    return text if len(text) <= 200 else f"{text[:200]}…"
