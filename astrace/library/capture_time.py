"""The time that the captures of a hook take, beside what the program takes: a library is not slowed by what it may gain.

Knows no function and no policy; a hook has one, which is told of each capture.
"""

from __future__ import annotations

import sys
from time import process_time_ns
from typing import Final

COMPILER: Final = "astrace.library.watched_compiled"
LOADING: Final = 450_000_000
"""Nanoseconds of the processor that loading the compiler takes."""
USUAL: Final = 50_000_000
"""Nanoseconds that a capture takes, as far as can be told before it is made; one that takes more may be put off."""


class CaptureTime:
    """The time of the processor that captures have taken since a hook began.

    Example:
        >>> taken = CaptureTime()
        >>> taken.add(10**12)
        >>> taken.is_within(0.1), taken.is_within(None)
        (False, True)
    """

    def __init__(self) -> None:
        self._begun = process_time_ns()
        self._taken = 0

    def add(self, nanoseconds: int) -> None:
        """Count a capture."""
        self._taken += nanoseconds

    def is_within(self, share: float | None, needed: int = USUAL) -> bool:
        """Return whether another capture may begin: with it, all will have taken no more than a part of the time.

        Args:
            share: the part; ``None`` for any.
            needed: nanoseconds that it is to have.
        """
        return share is None or needed <= self.left(share)

    def left(self, share: float) -> float:
        """Return the nanoseconds that are left for captures, the loading of the compiler taken off.

        Args:
            share: the part of the time that they may take.
        """
        loading = 0 if COMPILER in sys.modules else LOADING
        return share * (process_time_ns() - self._begun) - self._taken - loading
