"""The process that compiles, as the program sees it: requests that wait, answers, and what happens where it ends.

Nothing here waits, and no thread runs: whoever needs an answer looks for it now and then, and what has come is read then.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections import deque
from typing import Final

from astrace.backends.native.background.connection import Link, Unstartable
from astrace.backends.native.background.messages import Compilation, answer_from
from astrace.util.events import emit

STARTING: Final = 60.0
"""Seconds in which a process has to begin; a machine may be busy with other things."""
MOST_ENDS: Final = 3
"""The number of processes that may end while they compile, before no other one is started."""
HELLO: Final = "hello"
ABSENT: Final = Compilation(is_absent=True)


class CompileRequest:
    """Something to be compiled.

    Args:
        place: the user's file and the kernel, for events.
        data: as it is sent.
    """

    def __init__(self, place: str, data: bytes) -> None:
        self.place = place
        self.data = data
        self.answer: Compilation | None = None


class CompilerProcess:
    """The process that compiles for this one; it is started for the first request, and again where it has ended.

    ``process`` is its number once it has begun.  Where it ``is_absent``, none can be started.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[CompileRequest] = deque()
        self._current: CompileRequest | None = None
        self._connection: Link | None = None
        self._started = 0.0
        self._is_ready = False
        self._received = b""
        self._unsent = b""
        self._ends = 0
        self.is_absent = False
        self.process: int | None = None

    def ask(self, place: str, data: bytes) -> CompileRequest:
        """Ask for something; the answer comes later.

        Args:
            place: the user's file and the kernel, for events.
            data: as it is sent.
        """
        request = CompileRequest(place, data)
        self._waiting.append(request)
        self.look()
        return request

    def look(self) -> None:
        """Read what has come, and send what can be sent; another thread that does so is left to it."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            self._look()
        finally:
            self._lock.release()

    def forget(self) -> None:
        """Close this side of the socket: in a process that was forked, the other one's answers are not for it."""
        if self._connection is not None:
            self._connection.close()

    def _look(self) -> None:
        if self._connection is not None:
            self._receive(self._connection)
        if self._connection is None and self._waiting:
            self._start()
        if self._connection is not None:
            self._send(self._connection)

    def _start(self) -> None:
        if not self.is_absent and self._ends < MOST_ENDS:
            try:
                self._connection = Link()
            except Unstartable as error:
                self._gives_up(f"no process can be started: {error}")
                return
            self._started, self._is_ready = time.monotonic(), False
            self._received = self._unsent = b""
            return
        ended = Compilation(failure=f"processes that compile have ended {self._ends} times")
        while self._waiting:
            self._waiting.popleft().answer = ABSENT if self.is_absent else ended

    def _receive(self, connection: Link) -> None:
        """Read the answers that have come from the process."""
        try:
            for part in connection.received():
                self._received += part
            while (found := answer_from(self._received)) is not None:
                answer, self._received = found
                self._answered(answer)
        except (EOFError, ValueError, KeyError, TypeError):
            self._ended(connection)
            return
        if not self._is_ready and time.monotonic() - self._started > STARTING:
            self._ended(connection)

    def _answered(self, answer: Compilation) -> None:
        if not self._is_ready:
            if answer.name != HELLO:
                raise ValueError(answer.name)
            self._is_ready, self.process = True, int(answer.code)
            took = time.monotonic() - self._started
            emit("backends", f"a process that compiles has begun in {took:.2f} s: {self.process}")
        elif self._current is not None:
            self._current.answer = answer
            emit("backends", f"{self._current.place}: {answer.failure or 'compiled'} by another process")
            self._current = None

    def _ended(self, connection: Link) -> None:
        """The process is gone: for want of requests, or in the middle of one."""
        connection.close()
        self._connection = self.process = None
        if not self._is_ready:
            self._gives_up("the process that compiles does not begin")
        elif self._current is not None:
            self._ends += 1
            place = self._current.place
            self._current.answer = Compilation(failure="the process that compiled it has ended")
            self._current = None
            emit("backends", f"{place}: the process that compiled it has ended")

    def _gives_up(self, why: str) -> None:
        """Answer all requests: each is compiled in this process."""
        self.is_absent = True
        emit("backends", f"kernels are compiled in the program's own process: {why}")
        while self._waiting:
            self._waiting.popleft().answer = ABSENT

    def _send(self, connection: Link) -> None:
        """Send a request, the next one after the answer to the last one."""
        if not self._is_ready:
            return
        if self._current is None and self._waiting:
            self._current = self._waiting.popleft()
            self._unsent = self._current.data
        try:
            self._unsent = connection.send(self._unsent) if self._unsent else b""
        except OSError:
            self._ended(connection)


@functools.cache
def compiler() -> CompilerProcess:
    """Return the process that compiles for this one."""
    _forget_after_fork()
    return CompilerProcess()


@functools.cache
def _forget_after_fork() -> None:
    """Let a process that is forked begin without one: called once."""
    os.register_at_fork(after_in_child=_forget)


def _forget() -> None:
    compiler().forget()
    compiler.cache_clear()
