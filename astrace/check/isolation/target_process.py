"""A target of a command in a process of its own: it may end the process when it is loaded, and the others go on.

Takes what loads and checks a target, gives its reports as they come, and how the process ended if it did not come to its
end.  Where a fork would lack threads, all of it runs here.
"""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing.connection
import os
import sys
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any, Final, TypeAlias

from astrace.check.compilers.table import COMPILERS
from astrace.check.isolation.child_process import can_be_apart, fork, told
from astrace.check.isolation.report_transfer import packed, unpacked
from astrace.check.report.report import Report

Step: TypeAlias = "tuple[str, Report | None]"
"""The name of a function that is about to be checked, or its name with its report."""
Work: TypeAlias = Callable[[], Iterator[Step]]


WAIT: Final = 0.2
"""Seconds between two looks at whether there is a step."""


def steps_apart(work: Work, tick: Callable[[], None]) -> Iterator[tuple[str, Report | None, str]]:
    """Yield what a target's checks give, each step with how the process ended at it; empty while it goes on.

    Args:
        work: loads the target and checks its functions.
        tick: called now and then while a step is waited for.

    Raises:
        Exception: what loading or checking it raises.
    """
    if not can_be_apart() or any(one.has_threads() for one in COMPILERS.values()):
        yield from ((name, report, "") for name, report in work())
        return
    receiving, sending = multiprocessing.connection.Pipe(duplex=False)
    pid = fork()
    if not pid:
        receiving.close()
        _child(work, sending)
    sending.close()
    name, when, ended = "", "while it was loaded", ""
    try:
        for kind, content in _messages(receiving, tick):
            if kind == "raised":
                raise content
            if kind == "whole":
                return
            name, report = content
            when = f"{'while' if report is None else 'after'} {name} was checked"
            yield name, report, ""
        ended = "it ended the process"
    finally:
        receiving.close()
        ended = ended and _ended(pid)
        if not ended:
            _wait(pid)
    yield name, None, f"{ended} {when}"


def _child(work: Work, sending: Connection) -> None:
    """Do the work in the new process, and end it."""
    try:
        faulthandler.disable()  # the parent process tells how it ended
        for step in work():
            sending.send_bytes(packed("step", step))
        sending.send_bytes(packed("whole", None))
    except BaseException as error:
        with contextlib.suppress(OSError):
            sending.send_bytes(packed("raised", error))
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(0)


def _messages(receiving: Connection, tick: Callable[[], None]) -> Iterator[tuple[str, Any]]:
    """Yield messages until the other end is closed."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            while not receiving.poll(WAIT):
                tick()
            yield unpacked(receiving.recv_bytes())


def _wait(pid: int) -> int:
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:  # other code has waited for it
        return 0


def _ended(pid: int) -> str:
    return told(_wait(pid))
