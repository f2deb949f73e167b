"""Recorded calls of a graph, stored with it: arguments and what came out, for ``astrace verify``; ``examples.json``.

Takes calls, gives JSON data and arrays, and back.  The arguments are recorded as they were before the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from astrace.bundle.codec.data_decoder import DataDecoder
from astrace.bundle.codec.data_encoder import DataEncoder
from astrace.bundle.codes import broken


@dataclass(frozen=True, slots=True)
class ExampleCall:
    """A call and its outcome.

    Args:
        args: its arguments.
        kwargs: its keyword arguments.
        result: what it returned.
        raised: the class and the text of what it raised.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    result: Any = None
    raised: tuple[str, str] | None = None


def encode_calls(
    calls: tuple[tuple[tuple[Any, ...], Mapping[str, Any]], ...],
) -> tuple[list[Any], DataEncoder]:
    """The data of calls that are still to be made, and what wrote them.

    Raises:
        BundleError: an argument can't be saved.
    """
    values = DataEncoder("examples", {})
    values.owner = "a recorded example"
    return [[values.encode(tuple(args)), values.encode(dict(kwargs))] for args, kwargs in calls], values


def data_of(rows: list[Any], outcomes: list[ExampleCall], values: DataEncoder) -> dict[str, Any]:
    """The data of calls with their outcomes.

    Raises:
        BundleError: a result can't be saved.
    """
    told = [
        [*row, values.encode(one.result), values.encode(one.raised)]
        for row, one in zip(rows, outcomes, strict=True)
    ]
    return {"calls": told, "shared": values.shared, "arrays": values.descriptions}


def decode_calls(data: Any, arrays: list[Any]) -> tuple[ExampleCall, ...]:
    """The calls of data.

    Raises:
        BundleError: they are none.
    """
    match data:
        case {"calls": list() as rows, "shared": list() as shared, "arrays": list(), **rest} if not rest:
            values = DataDecoder(shared, arrays, {})
            return tuple(_call(row, values) for row in rows)
        case _:
            raise broken("AB111", "`examples.json` has not the parts that examples have")


def _call(row: Any, values: DataDecoder) -> ExampleCall:
    if type(row) is not list or len(row) != 4:
        raise broken("AB111", "a recorded example has not four parts")
    args, kwargs, result, raised = map(values.decode, row)
    texts = raised is None or (type(raised) is tuple and list(map(type, raised)) == [str, str])
    if (
        type(args) is not tuple
        or type(kwargs) is not dict
        or not texts
        or not all(type(one) is str for one in kwargs)
    ):
        raise broken("AB111", "a recorded example is no call")
    return ExampleCall(args, kwargs, result, raised)
