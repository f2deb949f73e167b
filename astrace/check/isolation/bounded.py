"""A check within its bounds: in a process of its own, where there can be one, in its time and memory.

Takes a check as a function of what bounds its calls, gives its report, with a note for each call that ended the process
and one if not all was tried.  `astrace.check.isolation.child_process` has the process, `astrace.check.isolation.time_limits` the bounds of a call.
"""

from __future__ import annotations

import contextvars
from dataclasses import replace
from typing import Final

from astrace.check.isolation.child_process import Ended, Memory, Publish, Run, apart, can_be_apart
from astrace.check.isolation.time_limits import BOUNDS, Bounds, Clock
from astrace.check.report.dedupe import against_text
from astrace.check.report.findings import Finding, finding
from astrace.check.report.report import Report
from astrace.check.report.results import Coverage, in_order
from astrace.check.settings import Settings
from astrace.check.subject import Subject

MORE: Final = "give it more time: `deadline=60`, in a terminal `--deadline 60`"


def bounded(run: Run, subject: Subject, settings: Settings, clock: Clock) -> Report:
    """The report of a check, which comes back in its time.

    Args:
        run: the check.
        subject: what it checks.
        settings: its memory, and whether it may have a process of its own.
        clock: its time.

    Raises:
        Exception: what the check itself raises.
    """
    if not settings.process or subject.has_threads or not can_be_apart():
        return _with_bounds(run, Bounds(clock), _told_nobody)
    memory = Memory(settings.memory, reserved=subject.other is not None)
    ended = apart(lambda bounds, publish: _with_bounds(run, bounds, publish), clock, memory)
    return _with_ends(subject, settings, clock, ended)


def _with_bounds(run: Run, bounds: Bounds, publish: Publish) -> Report:
    """The report of a check, whose calls are bounded."""

    def in_context() -> Report:
        BOUNDS.set(bounds)
        return run(bounds, publish)

    return contextvars.copy_context().run(in_context)


def _told_nobody(report: Report) -> None:
    """Do nothing with the findings so far."""


def _with_ends(subject: Subject, settings: Settings, clock: Clock, ended: Ended) -> Report:
    """Return a process's report, with a note for each call that ended it."""
    notes = [
        finding("AC306", f"a call was left out: {one}", function=subject.name, location=subject.start)
        for one in dict.fromkeys(ended.ends)
    ]
    report = ended.report or Report(subject.name, (), seed=settings.seed or 0, against=against_text(subject))
    if not ended.whole and clock.is_over:
        notes.append(out_of_time(subject, settings, report.coverage))
    elif not ended.whole:
        message = f"it was given up after {report.coverage}: too many calls ended its process"
        notes.append(finding("AC306", message, function=subject.name, location=subject.start))
    return replace(report, findings=in_order([*report.findings, *notes]), seconds=clock.spent)


def out_of_time(subject: Subject, settings: Settings, coverage: Coverage) -> Finding:
    """The note that not all was tried."""
    message = f"the time of the check, {settings.deadline:g} s, ran out after {coverage}"
    return finding("AC306", message, function=subject.name, location=subject.start, fix=MORE)
