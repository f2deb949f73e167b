"""One capture as a record: the stages with the lines they come from, and why which backend runs it.

Takes the `Stages` that the compiler keeps; gives a `CaptureRecord`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from astrace.backends.base import Executable
from astrace.backends.native.warm_up import HOT
from astrace.compiler.explain import price
from astrace.compiler.graph import NOWHERE, Graph
from astrace.compiler.stages import Options, Stages
from astrace.errors import Reason
from astrace.guards.access_paths import Argument, Pinned
from astrace.guards.failures import Failure
from astrace.guards.kinds import CHEAP
from astrace.report.graph_lines import drawn, line_of
from astrace.report.records import CaptureRecord, GuardRecord, ReasonRecord, StageText
from astrace.report.source_lines import with_origins
from astrace.tracing.notes import Note

FAILED: Final = "guard"
"""Stands in place of a code for a guard that failed."""
NOTHING: Final = StageText()


def capture_record(number: int, stages: Stages, options: Options, seconds: float | None) -> CaptureRecord:
    """Return the record of a capture.

    Args:
        number: counted from one.
        stages: the capture.
        options: of the function.
        seconds: how long it took.
    """
    recording, graph, executable = stages.recording, stages.graph, stages.executable
    text, drawing = (NOTHING, None) if graph is None else drawn(graph)
    notes = () if recording is None else recording.notes
    left = () if recording is None else (*recording.plain_calls, *recording.graph_calls)
    backend, why = backend_of(stages, options)
    return CaptureRecord(
        number=number,
        title="" if graph is None else ", ".join(_arguments(graph)),
        backend=backend,
        why=why,
        seconds=seconds,
        failed=tuple(map(_failure, stages.failed)),
        fallback=None if stages.fallback is None else reason_record(stages.fallback),
        left=tuple(map(reason_record, left)),
        notes=tuple(map(reason_record, notes)),
        rewritten=NOTHING if stages.rewritten is None else with_origins(stages.rewritten.source),
        graph=text,
        generated=NOTHING if executable is None else with_origins(executable.source),
        drawing=drawing,
        guards=() if graph is None else tuple(_guards(stages, graph)),
        reads=() if graph is None else tuple(_reads(graph)),
        kernels=tuple(map(str, stages.kernels)),
    )


def reason_record(reason: Reason | Note) -> ReasonRecord:
    """A reason or a note as data."""
    where = reason.location
    hint = reason.hint if isinstance(reason, Reason) else ""
    return ReasonRecord(
        reason.code, reason.message, line_of(where), "" if where is None else str(where), hint
    )


def _failure(failed: Failure) -> ReasonRecord:
    where = failed.location
    message = f"{failed.subject} changed from {failed.before} to {failed.now}"
    return ReasonRecord(FAILED, message, line_of(where), "" if where is None else str(where))


def _arguments(graph: Graph) -> Iterator[str]:
    """The inputs that are arguments, each with its type."""
    for value, path in zip(graph.block.inputs, graph.inputs, strict=True):
        if isinstance(path, Argument):
            yield f"{path}: {value.spec}"


def _guards(stages: Stages, graph: Graph) -> Iterator[GuardRecord]:
    locations = NOWHERE if stages.recording is None else stages.recording.locations
    for guard in graph.guards:
        told = price(guard) if guard.cost > CHEAP else ""
        yield GuardRecord(str(guard), line_of(locations.get(guard)), told)


def _reads(graph: Graph) -> Iterator[GuardRecord]:
    """What is read from outside at each call."""
    for value, path in zip(graph.block.inputs, graph.inputs, strict=True):
        if not isinstance(path, Argument | Pinned):
            yield GuardRecord(f"{value.name or '?'}: {value.spec} = {path}")


# -- the backend -------------------------------------------------------------------------------------------


def backend_of(stages: Stages, options: Options) -> tuple[str, str]:
    """Return what runs a capture, and why that does."""
    executable, refused = stages.executable, stages.refused
    if stages.fallback is not None or executable is None:
        return "plain Python", "" if stages.fallback is None else stages.fallback.message
    if refused is not None:
        asked = (
            f"backend={options.backend!r} was asked for" if options.backend != "auto" else "XLA would run it"
        )
        return "numpy", f"{asked}, but {refused.message} ({refused.code})"
    if options.backend != "auto":
        return executable.backend, f"backend={options.backend!r} was asked for"
    if executable.backend == "jax":
        return "jax", "the function computes with jax.numpy, which XLA runs"
    if asked := os.environ.get("ASTRACE_BACKEND"):
        return executable.backend, f"ASTRACE_BACKEND={asked} was asked for"
    return executable.backend, _why_native(executable)


def _why_native(executable: Executable) -> str:
    """Say whether hot loops are, will be or can't be machine code."""
    timer = executable.warm_up
    if executable.kernels:
        return "loops or array code that became hot are machine code where that is faster: see the kernels"
    if timer is None:
        return "nothing in it, loop or array code, can become machine code"
    if timer.is_over:
        return "its loops were hot, and machine code of them was not possible or not faster"
    return f"its loops took {timer.seconds:.3f} s so far; machine code of them is made when {HOT:g} s were spent there"
