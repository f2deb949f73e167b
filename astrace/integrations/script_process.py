"""A script in a process of its own, beside one that waits for it: what the script's process told last outlives it.

Takes no script: `split` forks, and both processes go on from there, each told which one it is.  The script's process tells
`Teller` what is known so far, as bytes; the other one has the last of it, and how the process ended, whatever ended it.  A
signal that somebody sends to the process that waits is sent on; the keys of a terminal reach both by themselves.
"""

from __future__ import annotations

import os
import select
import signal
import struct
import sys
from dataclasses import dataclass
from typing import Final

HEAD: Final = struct.Struct("!Q")
"""Stands before each message: its length."""
FORWARDED: Final = (
    frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT})
    if hasattr(signal, "SIGHUP")
    else frozenset()
)
STEP: Final = 0.05
"""Seconds between two looks at the script's process."""
PART: Final = 1 << 20


class Teller:
    """The end of the script's process: takes what is known so far.

    Args:
        pipe: what is written to.
    """

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._process = os.getpid()
        self._identity = _identity(pipe)

    @property
    def is_here(self) -> bool:
        """Return whether this is the script's process, and not one that the script has forked."""
        return os.getpid() == self._process

    def tell(self, message: bytes) -> None:
        """Send a message, which takes the place of those before.

        Raises:
            OSError: the other process is gone.
        """
        if _identity(self._pipe) != self._identity:  # the script has closed what it did not open
            raise OSError("the pipe was closed")
        rest = memoryview(HEAD.pack(len(message)) + message)
        while rest:
            rest = rest[os.write(self._pipe, rest) :]


def _identity(pipe: int) -> tuple[int, int]:
    """What a file descriptor stands for."""
    found = os.fstat(pipe)
    return found.st_dev, found.st_ino


@dataclass(frozen=True, slots=True)
class Told:
    """What the process that waited knows in the end.

    Args:
        message: the last whole message; empty if there was none.
        status: how the script's process ended, as the system says it.
    """

    message: bytes
    status: int

    @property
    def is_by_signal(self) -> bool:
        """Return whether a signal ended it."""
        return os.WIFSIGNALED(self.status)

    def __str__(self) -> str:
        """How the process ended, in words."""
        if self.is_by_signal:
            return f"the process was ended by {signal.Signals(os.WTERMSIG(self.status)).name}"
        return f"the process ended itself with {os.WEXITSTATUS(self.status)}"


def can_split() -> bool:
    """Return whether a script can have a process of its own here that is like this one."""
    return hasattr(os, "fork") and hasattr(signal, "sigtimedwait") and sys.platform != "darwin"


def split() -> Teller | Told:
    """Fork; return twice: at once in the new process, which is to run the script, and in this one when that has ended."""
    receiving, sending = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # what is in a buffer would be written twice
    before = signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    pid = os.fork()
    if not pid:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(receiving)
        return Teller(sending)
    os.close(sending)
    try:
        return _waited(pid, receiving)
    finally:
        os.close(receiving)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_likewise(told: Told) -> int:
    """End this process by the signal that ended the script's; return the exit code where none did."""
    if told.is_by_signal:
        number = os.WTERMSIG(told.status)
        _leave_no_core()  # the script's process has left one, if that is wanted
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return os.WEXITSTATUS(told.status)


def _waited(pid: int, receiving: int) -> Told:
    """Take messages until the script's process has ended."""
    messages = _Messages(receiving)
    while True:
        messages.wait(STEP)
        _send_on(pid)
        done, status = os.waitpid(pid, os.WNOHANG)
        messages.take()
        if done:
            return Told(messages.last, status)


def _send_on(pid: int) -> None:
    """Send on a signal that a process has sent to this one."""
    found = signal.sigtimedwait(FORWARDED, 0)
    if found is not None and found.si_code <= 0:  # what the kernel sends for a terminal has another code
        os.kill(pid, found.si_signo)


class _Messages:
    """What comes through a pipe: the last message that is whole, and the beginning of the next one."""

    def __init__(self, pipe: int) -> None:
        self.last = b""
        self._pipe, self._rest, self._is_open = pipe, bytearray(), True

    def wait(self, seconds: float) -> None:
        """Wait until something comes, but not longer than some time."""
        select.select([self._pipe] if self._is_open else [], [], [], seconds)

    def take(self) -> None:
        """Take what has come."""
        while self._is_open and select.select([self._pipe], [], [], 0)[0]:
            part = os.read(self._pipe, PART)
            self._is_open = bool(part)
            self._rest += part
        rest = self._rest
        while len(rest) >= HEAD.size and len(rest) - HEAD.size >= HEAD.unpack_from(rest)[0]:
            end = HEAD.size + HEAD.unpack_from(rest)[0]
            self.last = bytes(rest[HEAD.size : end])
            del rest[:end]


def _leave_no_core() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
