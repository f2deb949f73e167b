"""What was recorded so far, told now and then while a program runs, for whoever is left when the process ends without a word.

Takes a recording as a function that gives its record, and somebody to tell.  It is asked between the calls of compiled
functions, in the thread that made the call; there is no thread, timer or signal of its own, which the program would see.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Final

from astrace.report.records import RunRecord

SHORTEST: Final = 0.25
"""Seconds between two snapshots, at least."""
SHARE: Final = 20
"""A snapshot takes at most one part in so many of the program's time."""


class Snapshots:
    """Tells of a recording from time to time.

    Args:
        record: gives what was recorded so far.
        tell: takes it.
    """

    def __init__(self, record: Callable[[], RunRecord], tell: Callable[[RunRecord], None]) -> None:
        self._record, self._tell = record, tell
        self._due = 0.0
        self._telling = threading.Lock()

    def between_calls(self) -> None:
        """Tell what was recorded, if it is time to; nothing of it reaches the program."""
        if time.monotonic() < self._due or not self._telling.acquire(blocking=False):
            return
        begun = time.monotonic()
        try:
            self._tell(self._record())
        except Exception:  # a snapshot is left out: a stack that is used up, a reader that is gone
            if os.environ.get("ASTRACE_DEBUG"):
                raise
        finally:
            now = time.monotonic()
            self._due = now + max(SHORTEST, SHARE * (now - begun))
            self._telling.release()
