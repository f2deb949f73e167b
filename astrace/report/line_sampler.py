"""Where the time of functions goes, line by line: a thread looks, again and again, at which line each thread is.

Generated code has the user's line numbers, so a sample of it tells the user's line.  Nothing is added to what is measured;
lines that take less than a sample's distance in all may be missed.
"""

from __future__ import annotations

import sys
import threading
import time
from types import FrameType
from typing import Final

from astrace.report.recorder import ClockRecorder, FunctionClock

DISTANCE: Final = 0.002
"""Seconds between two samples."""
DEEPEST: Final = 500
"""The number of frames that are looked at in each thread."""


class LineSampler:
    """Samples lines from `start` to `stop`.

    Args:
        recorder: knows the code objects of the functions.
    """

    def __init__(self, recorder: ClockRecorder) -> None:
        self._recorder = recorder
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="astrace-lines", daemon=True)

    def start(self) -> None:
        """Begin to take samples."""
        self._thread.start()

    def stop(self) -> None:
        """End; return when the last sample is taken."""
        self._ends.set()
        self._thread.join()

    def _sample(self) -> None:
        before = time.perf_counter_ns()
        while not self._ends.wait(DISTANCE):
            now = time.perf_counter_ns()
            own = threading.get_ident()
            for thread, frame in sys._current_frames().items():  # pyright: ignore[reportPrivateUsage]
                if thread != own:
                    self._look(frame, now - before)
            before = now

    def _look(self, frame: FrameType | None, nanoseconds: int) -> None:
        """Count the time since the last sample for the line of each recorded function that is running."""
        codes, seen, depth = self._recorder.codes, set[FunctionClock](), 0
        while frame is not None and depth < DEEPEST:
            clock = codes.get(frame.f_code)
            if clock is not None and clock not in seen:
                seen.add(clock)
                clock.lines[frame.f_lineno] += nanoseconds
            frame, depth = frame.f_back, depth + 1
