"""The compiled functions that a graph calls, as found in what a capture has recorded: see `astrace.util.entrances`."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from astrace.errors import AS_PLAIN, Reason
from astrace.guards.access_paths import LOOKUP_ERRORS
from astrace.guards.kinds import HasType, Is
from astrace.tracing.trace import Recording
from astrace.util.code_stubs import code_of, stub_of
from astrace.util.entrances import CompiledForm, Entrance, Entrances, function_of


def entrances_of(function: types.FunctionType, recording: Recording, given: Mapping[str, Any]) -> Entrances:
    """Return the compiled functions that a capture has guards on, and the names under which others are read.

    Args:
        function: what was captured.
        recording: its capture.
        given: the arguments of the call that was captured, by name.
    """
    found = list(_met(recording, given))
    inside = ((function_of(one), one) for one in found)
    functions = {id(plain): one for plain, one in inside if isinstance(plain, types.FunctionType)}
    functions |= {id(one): one for one in found}
    entrances = {key: one.__astrace_entrance__ for key, one in functions.items()} | dict(
        _behind_stubs(recording)
    )
    return Entrances(entrances, frozenset((function.__name__, *_names(function))))


def told_apart(recording: Recording, entrances: Entrances) -> Recording:
    """A capture in which calls of compiled functions that were not traced through are not taken for plain calls.

    Args:
        recording: the capture.
        entrances: those of the functions that it calls.
    """
    calls = [reason for reason in recording.plain_calls if _has_graph(reason, entrances)]
    if not calls:
        return recording
    plain = tuple(reason for reason in recording.plain_calls if not _has_graph(reason, entrances))
    return replace(recording, plain_calls=plain, graph_calls=tuple(map(_through_graph, calls)))


APART: Final = ("AT203", "AT207")
"""Reasons that keep a function out of another one's graph, and do not keep it from having its own."""
THROUGH_GRAPH: Final = "is called through a graph of its own: "


def _has_graph(reason: Reason, entrances: Entrances) -> bool:
    callee = None if reason.callee is None else reason.callee()
    return reason.code in APART and id(callee) in entrances.functions


def _through_graph(reason: Reason) -> Reason:
    """Return the reason for a call that runs through a graph of its own; it needs no action."""
    return replace(reason, message=reason.message.replace(AS_PLAIN, THROUGH_GRAPH, 1), hint="")


def _behind_stubs(recording: Recording) -> Iterator[tuple[int, Entrance]]:
    """The functions that were not traced through and have a compiled form behind a stub."""
    for reason in recording.plain_calls:
        callee = None if reason.callee is None else reason.callee()
        stub = stub_of(callee) if isinstance(callee, types.FunctionType) else None
        if stub is not None and stub.entrance is not None:
            yield id(callee), stub.entrance


def _met(recording: Recording, given: Mapping[str, Any]) -> Iterator[Any]:
    """The compiled functions of which guards say that they are there."""
    for guard in recording.guards:
        value: Any = None
        if isinstance(guard, Is):
            value = guard.expected
        elif isinstance(guard, HasType) and issubclass(guard.expected, CompiledForm):
            try:
                value = guard.path.follow(given)
            except LOOKUP_ERRORS:
                continue  # it is not there any more: opaque code has changed it meanwhile
        if issubclass(type(value), CompiledForm):
            yield value


def _names(function: types.FunctionType) -> Iterator[str]:
    """The globals and the variables of outer functions that are compiled functions."""
    code, namespace = code_of(function), function.__globals__
    for name in code.co_names:
        if issubclass(type(dict.get(namespace, name)), CompiledForm):
            yield name
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=False):
        if _holds_compiled(cell):
            yield name


def _holds_compiled(cell: types.CellType) -> bool:
    try:
        return issubclass(type(cell.cell_contents), CompiledForm)
    except ValueError:  # it is empty
        return False
