"""A compiled function as a record: what it counts, what a clock measured, its captures, its source."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any, Final

from astrace.compiler.compiled import Compiled
from astrace.compiler.stages import Options, Stages, Stats
from astrace.report.call_kinds import compared
from astrace.report.captures import capture_record, reason_record
from astrace.report.recorder import FunctionClock
from astrace.report.records import FunctionRecord, Timing
from astrace.report.source_lines import source_of
from astrace.util.code_stubs import code_of

STATES: Final = {
    "whole": "captured whole",
    "partly": "captured, with calls left to plain Python",
    "plain": "runs as plain Python",
    "not called": "not called",
}
"""The outcomes for a function."""
NO_STATS: Final = Stats(0, 0, 0, 0)
MOST_CAPTURES: Final = 64
"""The number of captures of a function that are shown."""


def function_record(function: Compiled[..., Any], clock: FunctionClock | None = None) -> FunctionRecord:
    """Return the record of a function.

    Args:
        function: the compiled function.
        clock: what was measured of it; without one its counts are those since it was compiled.
    """
    target, stats, captures = function.__astrace_target__, function.stats, function.captures
    before = NO_STATS if clock is None else clock.before
    took = {} if clock is None else {_key(stages): ns for stages, ns in clock.captures}
    options, retired = function.__astrace_options__, function.__astrace_retired__
    file, line = _place(target.function)
    return FunctionRecord(
        name=f"{getattr(target.function, '__module__', None) or '?'}.{target.name}",
        file=file,
        line=line,
        state=_state(captures, retired is not None, stats.calls - before.calls),
        options=_options(options),
        calls=stats.calls - before.calls,
        traces=stats.traces - before.traces,
        guard_failures=stats.guard_failures - before.guard_failures,
        fallbacks=stats.fallbacks - before.fallbacks,
        kernels=stats.kernels,
        retired=None if retired is None else reason_record(retired),
        timing=None if clock is None else _timing(clock, stats.fallbacks - before.fallbacks),
        captures=tuple(
            capture_record(number, stages, options, _seconds(took, stages))
            for number, stages in enumerate(captures[:MOST_CAPTURES], 1)
        ),
        source=source_of(target.function, captures),
        line_times={} if clock is None else {line: ns / 1e9 for line, ns in sorted(clock.lines.items())},
    )


def _seconds(took: dict[int, int], stages: Stages) -> float | None:
    found = took.get(_key(stages))
    return None if found is None else found / 1e9


def _key(stages: Stages) -> int:
    """The identity of a capture, which may get another program later."""
    return id(stages if stages.recording is None else stages.recording)


def _place(function: Any) -> tuple[str, int]:
    """The file and the line of a function."""
    if not inspect.isfunction(function):
        return "", 0
    code = code_of(function)
    return code.co_filename, code.co_firstlineno


def _state(captures: tuple[Stages, ...], retired: bool, calls: int) -> str:
    if retired or (captures and all(stages.fallback is not None for stages in captures)):
        return "plain"
    if not captures:
        return "plain" if calls else "not called"  # called while astrace is switched off
    left = any(stages.recording is not None and stages.recording.plain_calls for stages in captures)
    return "partly" if left or any(stages.fallback is not None for stages in captures) else "whole"


def _options(options: Options) -> str:
    """The options that are not the default ones, as they are written."""
    default = Options()
    shown = (one.name for one in fields(Options) if one.repr and one.compare)
    changed = (name for name in shown if getattr(options, name) != getattr(default, name))
    return ", ".join(f"{name}={getattr(options, name)!r}" for name in changed)


def _timing(clock: FunctionClock, fallbacks: int) -> Timing:
    """What a clock measured, in seconds."""
    times, plain = clock.times, clock.plain
    capturing = sum(ns for _, ns in clock.captures)
    compiled = times.total / times.calls / 1e9 if times.calls else None
    found, saved = compared(list(clock.kinds.values())), None
    if found is not None:
        compiled = found.graph / found.calls
        saved = found.plain - found.graph - capturing / 1e9
    elif times.calls and times.calls <= fallbacks:
        saved = -capturing / 1e9  # all of it ran as plain Python: only the captures were added
    return Timing(
        total=(times.total + plain.total) / 1e9,
        own=(times.own + plain.own) / 1e9,
        capturing=capturing / 1e9,
        plain_calls=plain.calls,
        compared=0 if found is None else found.calls,
        plain=None if found is None else found.plain / found.calls,
        compiled=compiled,
        saved=saved,
        raised=clock.raised,
        slowest=max(times.slowest, plain.slowest) / 1e9,
    )
