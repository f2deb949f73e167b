"""The start of the process that compiles, and the socket to it.

A shell starts it and ends at once, so that the program has no child of which it does not know: one that its own ``os.wait``
would find, or that would become a zombie.  The process ends when the socket is closed, as it is where the program ends, however
that happens.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import importlib.util
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

SWITCH: Final = "ASTRACE_CHILD"
"""The variable of the environment; ``0`` means that kernels are compiled in the program's own process."""
SHELL: Final = "/bin/sh"
GIVEN: Final = 3
"""The number of the socket in the other process."""
ABOVE: Final = 10
"""Numbers of files below this may be overwritten when the process is started."""
PRIORITY: Final = 5
START: Final = f"""\
import os, sys, json
os.nice({PRIORITY})
sys.path += json.loads(sys.argv[1])
from astrace.backends.native.background.worker import run
run({GIVEN}, int(sys.argv[2]))
"""
NEEDED: Final = ("astrace", "numpy", "numba", "llvmlite")
RECEIVED: Final = 1 << 20


class Unstartable(Exception):
    """No process for compiling can be started."""


def is_possible() -> bool:
    """Return whether a process can be started here, as far as can be told without trying."""
    return (
        os.environ.get(SWITCH, "").strip() != "0"
        and sys.platform == "linux"  # object code of others can't be loaded elsewhere
        and Path(sys.executable or "").name.startswith("python")  # else it is a program that holds Python
        and not callable(signal.getsignal(signal.SIGCHLD))  # the user's handler would be called for the shell
        and not sys.is_finalizing()
    )


class Link:
    """A process that compiles.

    Raises:
        Unstartable: it can't be started.
    """

    def __init__(self) -> None:
        if not is_possible():
            raise Unstartable("it is switched off, or not possible here")
        try:
            self._socket, others = socket.socketpair()
        except OSError as error:
            raise Unstartable(str(error)) from None
        self._socket.setblocking(False)
        atexit.register(self.close)
        try:
            with others:
                _start(others)
        except (OSError, ValueError) as error:
            self.close()
            raise Unstartable(str(error)) from None

    def send(self, data: bytes) -> bytes:
        """Send what can be sent without waiting; return the rest.

        Args:
            data: bytes.

        Raises:
            OSError: the process is gone.
        """
        try:
            sent = self._socket.send(data, socket.MSG_NOSIGNAL)
        except BlockingIOError:
            return data
        return data[sent:]

    def received(self) -> Iterator[bytes]:
        """Yield what has come, without waiting.

        Raises:
            EOFError: the process is gone.
        """
        while True:
            try:
                found = self._socket.recv(RECEIVED)
            except BlockingIOError:
                return
            except OSError:
                found = b""
            if not found:
                raise EOFError
            yield found

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        atexit.unregister(self.close)


def _start(given: socket.socket) -> None:
    """Start the process with one end of the socket; a shell does that, and ends at once.

    Raises:
        OSError: that fails.
    """
    number = fcntl.fcntl(given.fileno(), fcntl.F_DUPFD_CLOEXEC, ABOVE)
    arguments = [sys.executable, "-I", "-S", "-c", START, json.dumps(_folders()), str(os.getpid())]
    nothing = [(os.POSIX_SPAWN_OPEN, one, os.devnull, os.O_RDWR, 0) for one in range(GIVEN)]
    try:
        shell = os.posix_spawn(
            SHELL,
            ["sh", "-c", '"$@" &', "sh", *arguments],
            _environment(),
            file_actions=[*nothing, (os.POSIX_SPAWN_DUP2, number, GIVEN)],
            setsigmask=(),
        )
    finally:
        os.close(number)
    with contextlib.suppress(ChildProcessError):  # another thread has waited for it, or nobody has to
        os.waitpid(shell, 0)


def _folders() -> list[str]:
    """Return the folders of the packages that compile; no others are looked through, and nothing of the user's is imported.

    Raises:
        OSError: one is not there.
    """
    found: dict[str, None] = {}
    for name in NEEDED:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None or not spec.submodule_search_locations:
            raise OSError(f"{name} is not found")
        found[str(Path(spec.origin).parent.parent)] = None
    return list(found)


def _environment() -> Mapping[str, str]:
    """Return the variables for the process: no threads of its own, and no one is told what it does."""
    own = {"OPENBLAS_NUM_THREADS": "1", SWITCH: "0", "ASTRACE_LOGS": "", "ASTRACE_DEBUG": ""}
    return {**os.environ, **own}
