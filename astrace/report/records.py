"""What is told of a run, as data: frozen records that become JSON as they are.

Bottom of this folder.  Lines are numbers of the compiled function's file, ``0`` where there is none; times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ReasonRecord:
    """Something told about a line: why it is plain Python, or what it was captured as.

    Args:
        code: a stable code.
        message: what there is to tell.
        line: of the compiled function; ``0`` for none.
        place: file, line and function.
        hint: what to do about it.
    """

    code: str
    message: str
    line: int = 0
    place: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class GuardRecord:
    """What a capture takes for granted, or reads at each call.

    Args:
        text: the guard, or the read.
        line: that asked for it.
        price: what makes it expensive, if it is.
    """

    text: str
    line: int = 0
    price: str = ""


@dataclass(frozen=True, slots=True)
class StageText:
    """A text whose lines come from lines of the function.

    Args:
        lines: the text.
        origins: for each line, that of the function; ``0`` for none.
    """

    lines: tuple[str, ...] = ()
    origins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SourcePart:
    """Lines of one function's source.

    Args:
        title: the function, with its file.
        first: the number of the first line.
        lines: the text.
    """

    title: str
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaptureRecord:
    """One capture.

    Args:
        number: counted from one.
        title: the arguments it was made for.
        backend: what runs it.
        why: why that does.
        seconds: how long the capture took; ``None`` where nobody measured.
        failed: the guards of an earlier capture that failed, which is why there is this one.
        fallback: why the plain function runs instead.
        left: the calls that are left to plain Python.
        notes: what each line was captured as.
        rewritten: the rewritten source.
        graph: the graph as text.
        generated: the source that is run.
        drawing: the graph as boxes (`astrace.report.graph_lines`); ``None`` where there is none, or too much of it.
        guards: what is taken for granted.
        reads: what is read at each call.
        kernels: the parts that are, or may become, machine code.
    """

    number: int
    title: str
    backend: str
    why: str
    seconds: float | None
    failed: tuple[ReasonRecord, ...]
    fallback: ReasonRecord | None
    left: tuple[ReasonRecord, ...]
    notes: tuple[ReasonRecord, ...]
    rewritten: StageText
    graph: StageText
    generated: StageText
    drawing: dict[str, Any] | None
    guards: tuple[GuardRecord, ...]
    reads: tuple[GuardRecord, ...]
    kernels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """The measured time of a function.

    Args:
        total: all of its calls, the captures aside, compiled functions that it calls included.
        own: the same without these.
        capturing: all of its captures.
        plain_calls: the calls that were run as plain Python for comparison.
        compared: the calls through a graph of whose kind, the same program for arguments of about the same size, some were run as
            plain Python. Calls in which something was captured or compiled are never among them.
        plain: seconds that such a call takes as plain Python: the median of those of its kind.
        compiled: seconds that such a call takes through a graph; of any call where none was compared.
        saved: what ``compared`` calls saved in all, the captures deducted; negative where time was lost. ``None`` where no plain
            time was measured.
        raised: how many calls raised.
        slowest: the longest call.
    """

    total: float
    own: float
    capturing: float
    plain_calls: int
    compared: int
    plain: float | None
    compiled: float | None
    saved: float | None
    raised: int
    slowest: float


@dataclass(frozen=True, slots=True)
class FunctionRecord:
    """One compiled function.

    Args:
        name: module and qualified name.
        file: where it was written.
        line: in which line.
        state: one of `astrace.report.functions.STATES`.
        options: those that differ from the default.
        calls: how often it was called in the run.
        traces: how often it was captured in the run.
        guard_failures: how often no capture fitted although there were some.
        fallbacks: how many calls ran as plain Python.
        kernels: how many parts of it are machine code.
        retired: why it is plain Python from some call on.
        timing: what was measured; ``None`` if nothing was.
        captures: what it was captured as.
        source: its source, and the lines of helpers that are part of its graphs.
        line_times: seconds by line, where lines were sampled.
    """

    name: str
    file: str
    line: int
    state: str
    options: str
    calls: int
    traces: int
    guard_failures: int
    fallbacks: int
    kernels: int
    retired: ReasonRecord | None
    timing: Timing | None
    captures: tuple[CaptureRecord, ...]
    source: tuple[SourcePart, ...]
    line_times: dict[int, float]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run of a program.

    Args:
        title: what ran.
        started: when, as ISO 8601.
        seconds: how long it took; ``None`` if it was not a run.
        outcome: how it ended: ``ended``, ``goes on``, or the exception.
        traceback: that of the exception.
        versions: of what took part.
        switched_off: settings that keep astrace from doing its work.
        functions: the compiled functions.
        dropped: how many more there were.
    """

    title: str
    started: str
    seconds: float | None
    outcome: str
    traceback: str
    versions: dict[str, str]
    switched_off: tuple[str, ...]
    functions: tuple[FunctionRecord, ...]
    dropped: int = 0
