"""`recording`: what becomes of all compiled functions from here to there, as data and as a page.

It finds the functions that are there when it begins, and those that are compiled meanwhile tell it themselves.  When it ends,
all of them are as before; nothing stays behind in the process.
"""

from __future__ import annotations

import datetime as dt
import functools
import gc
import os
import platform
import runpy
import sys
import time
import traceback
import types
from collections.abc import Callable, Iterator, Mapping
from contextvars import Token
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Self

from astrace.compiler.compiled import Compiled
from astrace.errors import InvalidArgument
from astrace.locations import NO_CALLER, PACKAGE
from astrace.report.functions import function_record
from astrace.report.line_sampler import LineSampler
from astrace.report.page import page, part
from astrace.report.recorder import ClockRecorder
from astrace.report.records import FunctionRecord, RunRecord
from astrace.report.snapshots import Snapshots
from astrace.util.atomic_files import check_writable, write_whole
from astrace.util.events import RECORDER, RunRecorder
from astrace.util.terminal import counted
from astrace.version import __version__

GOES_ON, ENDED = "goes on", "ended"
PACKAGES: Final = ("numpy", "numba", "jax")
PLUMBING: Final = (PACKAGE + os.sep, runpy.__file__, "<frozen runpy>")
"""Files whose frames lie between a command and the program."""
SWITCHES: Final[Mapping[str, str]] = {
    "ASTRACE_DISABLE": "everything runs as plain Python",
    "ASTRACE_BACKEND": "the backend of functions that ask for none",
}
"""The settings of the environment that change what astrace does."""


class RunRecording:
    """A recording; made by `recording`.

    Args:
        title: what is recorded.
        compare: some calls run as the plain function, to tell what was saved.
        lines: the time is told line by line.
    """

    def __init__(self, title: str, compare: bool, lines: bool) -> None:
        self.title = title
        self._recorder = ClockRecorder(compare, lines)
        self._sampler = LineSampler(self._recorder) if lines else None
        self._started = dt.datetime.now(dt.UTC).astimezone().isoformat(timespec="seconds")
        self._begun: float | None = None
        self._seconds: float | None = None
        self._outcome, self._traceback = GOES_ON, ""
        self._token: Token[RunRecorder | None] | None = None
        self._report: RunRecord | None = None

    # -- from beginning to end -------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self._token is not None:
            raise InvalidArgument("recording: it was begun before; make a new one")
        if RECORDER.get() is not None:
            raise InvalidArgument("recording: another one is going on; end it first")
        self._token = RECORDER.set(self._recorder)
        for function in _compiled():
            function.__astrace_record__(self._recorder)
        if self._sampler is not None:
            self._sampler.start()
        self._begun = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        assert self._begun is not None and self._token is not None
        self._seconds = time.perf_counter() - self._begun
        if self._sampler is not None:
            self._sampler.stop()
        RECORDER.reset(self._token)
        if self._outcome == GOES_ON:
            self._outcome = ENDED
        if error is not None and not _is_success(error):
            self.failed(error)
        for function in _compiled():
            if function.__astrace_record__(None) is self._recorder:
                self._recorder.clock_of(function)
        self._report = self._record()

    def watch(self, tell: Callable[[RunRecord], None], listener: Callable[[str], None] | None = None) -> None:
        """Tell what is recorded while it goes on; to be called before it begins.

        Args:
            tell: takes what was recorded so far, now and then, between the calls of compiled functions.
            listener: takes the name of each function that is captured.
        """
        self._recorder.between = Snapshots(self._record, tell).between_calls
        self._recorder.listener = listener

    def failed(self, error: BaseException) -> None:
        """Keep how the run ended: with an exception."""
        self._outcome = "".join(traceback.format_exception_only(error)).strip()
        shown = traceback.TracebackException(type(error), error, _of_program(error.__traceback__))
        _leave_out_clocks(shown)
        self._traceback = "".join(shown.format())

    # -- what was recorded -----------------------------------------------------------------------------

    def report(self) -> RunRecord:
        """Return what was recorded, as data: when the run has ended, of all of it; before, of what was so far."""
        return self._record() if self._report is None else self._report

    def save(self, path: str | Path) -> None:
        """Write what was recorded as one HTML page, which needs nothing else.

        Args:
            path: the file.

        Raises:
            InvalidArgument: it can't be written.
        """
        check_writable(path)
        write_whole(path, self.to_html())

    def to_html(self) -> str:
        """Return the page."""
        return page(self.report())

    def __repr__(self) -> str:
        found = self.report()
        functions = counted(len(found.functions), "compiled function")
        return f"<recording of {self.title}: {functions}, {found.outcome}; .report() is data, .save(path) a page>"

    def _repr_html_(self) -> str:
        return part(self.report())

    def _record(self) -> RunRecord:
        clocks = list(self._recorder.clocks.values())
        found = [function_record(clock.function, clock) for clock in clocks]
        return RunRecord(
            title=self.title,
            started=self._started,
            seconds=self._seconds
            if self._begun is None or self._seconds
            else time.perf_counter() - self._begun,
            outcome=self._outcome,
            traceback=self._traceback,
            versions=versions(),
            switched_off=switched_off(),
            functions=tuple(sorted(filter(_is_told, found), key=_most_time_first)),
            dropped=self._recorder.dropped,
        )


def recording(title: str = "", *, compare: bool = True, lines: bool = False) -> RunRecording:
    """Record what becomes of all compiled functions.

    Args:
        title: what is recorded; by default the name of the program.
        compare: a call after 2, 4, 8, … calls of a function runs as the plain function, which does the same, to tell how
            much time was saved.
        lines: tell where the time goes, line by line; a thread looks every two milliseconds.

    Returns:
        A recording, for ``with``; its ``report()`` is data, its ``save(path)`` writes a page.

    Raises:
        InvalidArgument: another one is going on.

    Example:
        >>> import astrace
        >>> f = astrace.compile(lambda x: x * 2)
        >>> with astrace.recording("two calls") as run:
        ...     f(1), f(2)
        (2, 4)
        >>> [(one.calls, one.traces, one.state) for one in run.report().functions]
        [(2, 1, 'whole')]
    """
    return RunRecording(title or Path(sys.argv[0] or "python").name, compare, lines)


def _compiled() -> Iterator[Compiled[..., Any]]:
    """The compiled functions of the process; the garbage collector knows all objects, so that nobody else has to."""
    for found in gc.get_objects():
        if issubclass(type(found), Compiled) and hasattr(found, "__astrace_entrance__"):
            yield found


def _of_program(trace: types.TracebackType | None) -> types.TracebackType | None:
    """Return a traceback from the first line of the program on."""
    first = trace
    while first is not None and first.tb_frame.f_code.co_filename.startswith(PLUMBING):
        first = first.tb_next
    return first or trace


def _leave_out_clocks(shown: traceback.TracebackException | None) -> None:
    """Take the frames between callers and functions out of a traceback, and out of those that led to it."""
    while shown is not None:
        shown.stack[:] = [frame for frame in shown.stack if not frame.filename.endswith(NO_CALLER)]
        shown = shown.__cause__ or shown.__context__


def _is_success(error: BaseException) -> bool:
    """Return whether an exception is the end of a program that went well."""
    return isinstance(error, SystemExit) and error.code in (None, 0)


def _is_told(record: FunctionRecord) -> bool:
    return record.calls > 0 or record.traces > 0


def _most_time_first(record: FunctionRecord) -> tuple[float, str]:
    timing = record.timing
    return (-(timing.own + timing.capturing) if timing is not None else 0.0, record.name)


@functools.cache
def versions() -> dict[str, str]:
    """The versions of what takes part in a run."""
    found = {"astrace": __version__, "Python": platform.python_version(), "platform": platform.platform()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def switched_off() -> tuple[str, ...]:
    """The settings of the environment that change what astrace does."""
    chosen = {name: os.environ.get(name, "") for name in SWITCHES}
    return tuple(
        f"{name}={value}: {SWITCHES[name]}" for name, value in chosen.items() if value not in ("", "0")
    )
