"""A check in a process of its own, so that it comes back whatever the function does.

The process is a fork: it has the functions, the arguments and the world as they are, and what it does to them is gone
with it.  Its memory is bounded, and it is ended from outside when a call does not come back, or the time is over.  When
that happened, or a call ended the process, the check starts again without that call.  What was found so far is sent
back as it is found.
"""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing.connection
import os
import random
import signal
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from astrace.check.isolation.report_transfer import packed, unpacked
from astrace.check.isolation.time_limits import Bounds, CallWatch, Clock
from astrace.check.report.report import Report
from astrace.check.sandbox.files import FileEntry, Files

GRACE: Final = 0.5
"""So many seconds after a call should have been ended from inside, it is ended from outside."""
LAST: Final = 0.6
"""And so many after the time of the whole check."""
OVER: Final = "the time was over"
STEP: Final = 0.05
PATIENCE: Final = 20
MOST_ENDS: Final = 4
"""A check is started again as often as this."""

Publish = Callable[[Report], None]
"""Takes the findings so far."""
Run = Callable[[Bounds, Publish], Report]
"""A check, given the bounds of its calls."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The bound of the memory of a check.

    Args:
        most: so many bytes more may be in use than when it starts.
        reserved: addresses may be reserved beyond that, as compilers do for code; only what can be written counts.
    """

    most: int
    reserved: bool = False


@dataclass(slots=True)
class Ended:
    """The outcome of a check in a process of its own.

    Args:
        report: what it found, as far as it came.
        whole: whether it came to its end.
        ends: how calls ended the process, one text for each.
        kept: what lay at the paths that the process was about to change.
    """

    report: Report | None = None
    whole: bool = False
    ends: list[str] = field(default_factory=list[str])
    kept: dict[str, FileEntry] = field(default_factory=dict[str, FileEntry])


def can_be_apart() -> bool:
    """Return whether a check can have a process of its own here: a fork has no other threads to wait for."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return False
    futures = sys.modules.get("concurrent.futures.thread")
    return futures is None or not len(getattr(futures, "_threads_queues", ()))


def apart(run: Run, clock: Clock, memory: Memory) -> Ended:
    """Run a check in a process of its own.

    Args:
        run: the check.
        clock: the time that it has.
        memory: the bound of its memory.

    Raises:
        Exception: what the check itself raises.
    """
    watch, ended, left_out = CallWatch(), Ended(), frozenset[int]()
    while True:
        watch.restart(left_out)
        number, how = _once(run, clock, memory, watch, ended)
        if ended.whole:
            return ended
        ended.ends += [] if how == OVER else [how]
        Files(ended.kept).restore()
        left_out |= {number}
        if not number or clock.is_over or len(left_out) >= MOST_ENDS:
            return ended


def _once(run: Run, clock: Clock, memory: Memory, watch: CallWatch, ended: Ended) -> tuple[int, str]:
    """Run one process; return the number of the call that ended it, if one did, and how."""
    receiving, sending = multiprocessing.connection.Pipe(duplex=False)
    state = random.getstate()  # which a fork seeds anew
    pid = fork()
    if not pid:
        try:
            os.setpgid(0, 0)
            receiving.close()
            random.setstate(state)
            faulthandler.disable()  # the parent process reports a call that ends this one
            _bound_memory(memory)
            _child(run, clock, watch, sending)
        finally:
            os._exit(0)
    sending.close()
    killed = "it was interrupted"
    try:
        killed = _listen(receiving, pid, clock, watch, ended)
    finally:
        if killed:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        status = _end(pid)
        receiving.close()
    return watch.running[0], killed or told(status)


def fork() -> int:
    """Fork this process; what waits to be written is written first."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()  # what is in a buffer would be written twice
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about other threads: a child that waits for one is ended
        return os.fork()


def _bound_memory(memory: Memory) -> None:
    """Bound the memory that the process may take in addition to its present size."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        limit = resource.RLIMIT_DATA if memory.reserved else resource.RLIMIT_AS
        pages = int(Path("/proc/self/statm").read_text().split()[5 if memory.reserved else 0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + memory.most
        hard = resource.getrlimit(limit)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _child(run: Run, clock: Clock, watch: CallWatch, sending: Connection) -> None:
    """Run the check in the new process."""

    def keep(path: str, found: FileEntry) -> None:
        sending.send_bytes(packed("kept", (path, found)))

    try:
        report = run(Bounds(clock, watch, keep), lambda so_far: sending.send_bytes(packed("so far", so_far)))
    except MemoryError:  # in the check's own code: the function left too little
        sending.send_bytes(packed("full", None))
    except Exception as error:
        sending.send_bytes(packed("raised", error))
    else:
        sending.send_bytes(packed("whole", report))


def _listen(receiving: Connection, pid: int, clock: Clock, watch: CallWatch, ended: Ended) -> str:
    """Take findings until the process ends or has to be ended; return the reason, if it has to be.

    Raises:
        Exception: what the check itself raised.
    """
    while not ended.whole:
        kind, content = _message(receiving)
        match kind:
            case "raised":
                raise content
            case "full":
                return "it used up its memory"
            case "kept":
                ended.kept.setdefault(*content)
            case "so far" | "whole":
                ended.report, ended.whole = content, kind == "whole"
            case "nothing":
                exceeded = _exceeded(pid, clock, watch)
                if exceeded:
                    return exceeded
            case _:
                break
    return ""


def _message(receiving: Connection) -> tuple[str, Any]:
    """The kind and content of the next message: ``nothing`` if none comes in a moment, ``closed`` if none will come."""
    try:
        data = receiving.recv_bytes() if receiving.poll(STEP) else None
    except (EOFError, OSError):
        return "closed", None
    return ("nothing", None) if data is None else unpacked(data)


def _exceeded(pid: int, clock: Clock, watch: CallWatch) -> str:
    """Name the bound that a process has exceeded; none gives the empty text."""
    number, computed, until = watch.running
    if number and (time.monotonic() > until + GRACE or _computed(pid) > computed + GRACE):
        return "it did not come back in time"
    return OVER if clock.spent > clock.seconds + LAST else ""


def _computed(pid: int) -> float:
    """Return the seconds of processor time that another process has had, where the system tells."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # as clock_getcpuclockid makes it
    except (AttributeError, OSError, OverflowError):
        return 0.0


def _end(pid: int) -> int:
    """End a process and all that it started; return how it ended, as the system says it."""
    status = 0
    with contextlib.suppress(ChildProcessError):  # other code has waited for it
        for _ in range(PATIENCE):  # a finished process is gone in a moment
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                break
            time.sleep(STEP / 10)
        else:
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)  # what it started
    return status


def told(status: int) -> str:
    """Describe how a process ended."""
    if os.WIFSIGNALED(status):
        return f"it ended the process by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"it ended the process with {os.WEXITSTATUS(status)}"
