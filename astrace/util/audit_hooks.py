"""Watching what running code does to files and processes, by the audit events that Python raises before it is done.

One hook is put in when it is first needed; it can't be taken out again, and does nothing while no code is watched.
Only the code of the context that watches is seen: threads that it starts are not.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Generator, Mapping
from contextvars import ContextVar
from typing import Any, Final

Told = Callable[[str, tuple[Any, ...]], None]
"""Receives an event and its arguments; an exception that it raises prevents the action."""

WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

Places = tuple[tuple[int, int | None], ...]
CHANGES: Final[Mapping[str, Places]] = {
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.mkdir": ((0, 2),),
    "os.rmdir": ((0, 1),),
    "os.truncate": ((0, None),),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
    "os.chmod": ((0, 2),),
    "os.utime": ((0, 3),),
    "sqlite3.connect": ((0, None),),
}
"""The positions, among an event's arguments, of the paths that are to be changed and of their folders."""
PROCESSES: Final = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.kill"}
)

WATCHING: Final[ContextVar[Told | None]] = ContextVar("WATCHING", default=None)
"""The function that is told of events of the running code."""


@contextlib.contextmanager
def watched(told: Told | None) -> Generator[None]:
    """Report the events of a stretch of code, or hide them from watchers around it."""
    _listen()
    token = WATCHING.set(told)
    try:
        yield
    finally:
        WATCHING.reset(token)


def changed_paths(event: str, args: tuple[Any, ...]) -> list[tuple[Any, int]]:
    """The paths that an event is about to change, with the open folders they are relative to, -1 for none."""
    if event == "open":
        return [(args[0], -1)] if isinstance(args[2], int) and args[2] & WRITING else []
    places = CHANGES.get(event, ())
    return [(args[path], -1 if folder is None else args[folder]) for path, folder in places]


def only_reading(event: str, args: tuple[Any, ...]) -> None:
    """Refuse changes.

    Raises:
        PermissionError: something would be.
    """
    if event in PROCESSES or changed_paths(event, args):
        raise PermissionError(f"astrace: {event} changes something outside")


@functools.cache
def _listen() -> None:
    sys.addaudithook(_hook)


def _hook(event: str, args: tuple[Any, ...]) -> None:
    told = WATCHING.get()
    if told is not None:
        told(event, args)
