"""What runs in the process that compiles: it reads requests, and answers them, until the program that has started it is gone."""

from __future__ import annotations

import gc
import json
import os
import queue
import select
import signal
import socket
import threading
import time
from dataclasses import replace
from typing import Any, Final

from astrace.backends.base import Mode
from astrace.backends.native.background.compiler import HELLO
from astrace.backends.native.background.messages import answer_bytes, arguments_from, checks_from, restored
from astrace.backends.native.background.turn import settings
from astrace.backends.native.machine_code import KernelPiece, Uncompiled
from astrace.backends.native.signature import KeptPart
from astrace.backends.native.source import KernelSource
from astrace.backends.python_source.lines import Line

IDLE: Final = 60.0
"""Seconds without a request after which the process ends."""
MOST_SECONDS: Final = 60.0
"""Seconds of the processor's time that one kernel may take."""
BETWEEN_LOOKS: Final = 1.0
"""Seconds between two looks whether the program is there, and whether a kernel takes too long."""


class CompilerWorker:
    """Compiles what is asked for.

    Args:
        connection: to the program.
        program: the number of its process.
    """

    def __init__(self, connection: socket.socket, program: int) -> None:
        self._connection = connection
        self._program = program
        self._requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._busy_since: float | None = None
        self._idle_since = time.monotonic()

    def serve(self) -> None:
        """Answer requests; a thread ends the process when the program is gone."""
        threading.Thread(target=self._watch, daemon=True).start()
        self._connection.sendall(answer_bytes(HELLO, str(os.getpid()).encode()))
        gc.disable()  # to search for garbage takes a sixth of the time in which a kernel is compiled
        while True:
            if self._requests.empty():
                gc.collect()
                gc.freeze()  # what is left has been imported, or is kept for the next kernel
            request = self._requests.get()
            self._busy_since = time.process_time()
            answer = answered(request)
            self._busy_since = None
            self._connection.sendall(answer)
            self._idle_since = time.monotonic()

    def _watch(self) -> None:
        """Read requests; end the process where it has nothing to do any more, or does it for too long."""
        try:
            self._read()
        finally:  # a program that is gone before it has read an answer resets the connection
            os._exit(0)  # the other thread may be in the middle of compiling

    def _read(self) -> None:
        received = b""
        while self._is_needed():
            if not select.select([self._connection], [], [], BETWEEN_LOOKS)[0]:
                continue
            found = self._connection.recv(1 << 16)
            if not found:
                break
            *lines, received = (received + found).split(b"\n")
            for line in lines:
                self._requests.put(line)

    def _is_needed(self) -> bool:
        busy = self._busy_since
        if busy is not None:
            return _is_there(self._program) and time.process_time() - busy < MOST_SECONDS
        return _is_there(self._program) and time.monotonic() - self._idle_since < IDLE


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def answered(line: bytes) -> bytes:
    """Return the answer to a request, as it is sent.

    Args:
        line: the request.
    """
    request: dict[str, Any] = json.loads(line)
    if request["settings"] != settings():
        return answer_bytes("", b"", "settings of the environment have changed")
    try:
        name, code = piece_of(request).from_cache_or_compiled()
    except Uncompiled as refusal:
        return answer_bytes("", b"", str(refusal))
    except Exception as error:  # a fault: the program goes on with NumPy, and says why
        return answer_bytes("", b"", f"{type(error).__name__}: {error}")
    return answer_bytes(name, code)


def piece_of(request: dict[str, Any]) -> KernelPiece:
    """Return what is to be compiled.

    Args:
        request: as `machine_code` makes it.
    """
    parts = tuple(_source(part) for part in request["parts"])
    return KernelPiece(
        replace(_source(request), parts=parts),
        request["file"],
        tuple(request["written"]),
        arguments_from(request["arguments"]),
        checks_from(request["checks"]),
        Mode(**request["mode"]),
        tuple(KeptPart(**part) for part in request["copied"]),
    )


def _source(told: dict[str, Any]) -> KernelSource:
    """Return a text, with what it refers to."""
    text: str = told["text"]
    namespace = {name: restored(parts) for name, parts in told["namespace"].items()}
    lines = [Line(0, row) for row in text.splitlines()]
    return KernelSource(told["name"], text, lines, namespace)


def run(number: int, program: int) -> None:
    """Serve a program.

    Args:
        number: of the socket.
        program: the number of its process.
    """
    os.closerange(number + 1, os.sysconf("SC_OPEN_MAX"))
    for one in (signal.SIGINT, signal.SIGQUIT):  # of a terminal: they are the program's
        signal.signal(one, signal.SIG_IGN)
    CompilerWorker(socket.socket(fileno=number), program).serve()
