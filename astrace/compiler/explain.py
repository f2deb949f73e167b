"""The source of a function with a gutter: what became of each line."""

from __future__ import annotations

import linecache
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from astrace.compiler.graph import Graph
from astrace.compiler.stages import Stages
from astrace.errors import Reason
from astrace.guards.access_paths import is_bound
from astrace.guards.failures import Failure
from astrace.guards.kinds import CHEAP, AreApart, Equals, Fits, Guard, HasKeys, HasMembers, LacksAttribute
from astrace.ir.constants import show
from astrace.locations import Location
from astrace.tracing.trace import Recording
from astrace.util.html_tables import text_part
from astrace.util.terminal import carets, counted

REASONS: Final = "AT1"
"""Codes from here on say what was not captured, and why."""


class Explanation(str):
    """A text that shows itself as it is, in a notebook and at Python's prompt."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return text_part("", [("", self)])


def explain(
    function: Callable[..., Any],
    stages: Stages,
    loops: Sequence[Reason] = (),
) -> Explanation:
    """The annotated source.

    Args:
        function: the original function; one that is not written in Python has no source, only a summary.
        stages: those of its capture.
        loops: why loops of it can't be machine code.
    """
    recording, refused = stages.recording, stages.refused
    backend = "numpy" if stages.executable is None or refused else stages.executable.backend
    summary = "\n".join(
        [_summary(recording, stages.graph, stages.fallback, backend), *map(_again, stages.failed)]
    )
    if not isinstance(function, types.FunctionType):
        return Explanation(f"{show(function)}\n{summary}")
    code = function.__code__
    first, last = code.co_firstlineno, max(line for _, _, line in code.co_lines() if line)
    notes = _notes(recording, stages.fallback or refused, code.co_filename, range(first, last + 1))
    lines = [f"{function.__qualname__} ({code.co_filename}:{first})", summary]
    for number in range(first, last + 1):
        text = linecache.getline(code.co_filename, number).rstrip()
        marks = notes.pop(number, [])
        codes = " ".join(dict.fromkeys(mark for mark, _ in marks))
        lines.append(f"{codes:>12} | {number:>4} | {text}")
        lines += _told(text, marks)
    lines += [f"{mark:>12} | {message}" for marks in notes.values() for mark, message in marks]
    run_by = [*map(str, stages.kernels), *dict.fromkeys(map(_of_numpy, () if refused else loops))]
    lines += [f"{'' if index else 'backend':>12} |      {part}" for index, part in enumerate(run_by)]
    if recording is not None:
        lines += _guards(recording, code.co_filename)
    return Explanation("\n".join(lines))


def _of_numpy(reason: Reason) -> str:
    """Tell why a loop stays NumPy's."""
    line = "" if reason.location is None else f"line {reason.location.line}: "
    return f"{line}{reason.message} stands in the way of machine code ({reason.code})"


def _told(text: str, marks: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what is told of a line, and before each reason carets below what it names there."""
    for mark, message in marks:
        if mark >= REASONS:
            yield f"{'':>12} |      | {carets(text, message)}"
        yield f"{'':>12} |      |     {mark}: {message}"


def _summary(recording: Recording | None, graph: Graph | None, fallback: Reason | None, backend: str) -> str:
    if fallback is not None:
        return f"runs as plain Python: {fallback.message} ({fallback.code})"
    assert recording is not None and graph is not None
    calls = len(recording.plain_calls)
    whole = "captured whole" if not calls else f"captured, with {counted(calls, 'call')} left to plain Python"
    if recording.graph_calls:
        whole += f", {counted(len(recording.graph_calls), 'call')} through graphs of their own"
    return f"{whole}; {counted(len(graph.guards), 'guard')}; backend {backend}"


def _notes(
    recording: Recording | None, reason: Reason | None, file: str, lines: range
) -> dict[int, list[tuple[str, str]]]:
    """Codes and messages by line; those of helpers are for the call that leads there, or stand behind the source."""
    found: dict[int, list[tuple[str, str]]] = {}
    reasons = [reason] if reason is not None else []
    notes = recording.notes if recording is not None else ()
    plain = recording.plain_calls if recording is not None else ()
    apart = recording.graph_calls if recording is not None else ()
    for note in (*notes, *plain, *apart, *reasons):
        where = note.location
        hint = f" (hint: {note.hint})" if isinstance(note, Reason) and note.hint else ""
        if where is None or (where.file == file and where.line in lines):
            line, place = 0 if where is None else where.line, ""
        else:
            line, place = where.root_line, f"{where.function}, {_line_of(where, file)}: "
        found.setdefault(line, []).append((note.code, place + note.message + hint))
    return found


def _line_of(where: Location, file: str) -> str:
    """Return a line, with its file if that is not the function's."""
    return f"line {where.line}" if where.file == file else f"{where.file}:{where.line}"


def _again(failed: Failure) -> str:
    return f"captured again, because {failed}"


def _guards(recording: Recording, file: str) -> Iterator[str]:
    """Yield the guards, each with the line that asked for it, and why it is expensive if it is."""
    yield f"{'guards':>12} |"
    for guard in recording.guards:
        where = recording.locations.get(guard)
        place = "" if where is None else f"  ({_line_of(where, file)})"
        told = price(guard) if guard.cost > CHEAP else ""
        cost = f"  not cheap: {told}" if told else ""
        yield f"{'':>12} |      {guard}{place}{cost}"


def price(guard: Guard) -> str:
    """Say what makes a guard expensive; nothing where that is only in its kind."""
    match guard:
        case HasKeys(expected=()) | HasMembers(expected=()):
            return ""
        case HasKeys() | HasMembers():
            return f"{len(guard.expected)} items are compared, one by one"
        case AreApart():
            return f"{len(guard.paths)} objects are compared by identity"
        case Equals(expected=str() | bytes()):
            return "a long text is compared, unless it is the same object"
        case Equals():
            return "it is compared part by part, unless it is the same object"
        case LacksAttribute():
            return "the attributes of the instance are searched"
        case Fits():
            return "NumPy makes a new dtype at each read"
        case _ if is_bound(guard.path):
            return "each read binds the method"
        case _:
            return "a function is called"
