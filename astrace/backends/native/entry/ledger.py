"""How many calls a kernel may run, or leave to NumPy, before anybody is asked again: words that machine code reads and writes.

Beside them stands the address of settings of NumPy's that were looked at, and are as the kernel needs them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

RUNS: Final = 0
ACCEPTED: Final = 1
FIRST: Final = 2
MAGNITUDES: Final = 22
"""The number of magnitudes: those of sizes below 2^63."""
EVER: Final = 1 << 62
"""More calls than there will be."""


class Ledger:
    """The calls that are granted, for each magnitude of arguments' sizes.

    Machine code counts them: a positive number of calls that run the kernel down to zero, a negative one of those that are left
    to NumPy up to it.  At zero, it asks.
    """

    def __init__(self) -> None:
        self.words = np.zeros(FIRST + MAGNITUDES, np.int64)
        self._accepted: Any = None
        self._granted = [0] * MAGNITUDES

    @property
    def runs(self) -> int:
        """The calls of the kernel that came to their end."""
        return int(self.words[RUNS])

    def accept(self, settings: Any) -> None:
        """Let calls with some settings of NumPy's be machine code's own; the object stays, and so does its address.

        Args:
            settings: the object that holds them, which never changes.
        """
        self._accepted = settings
        self.words[ACCEPTED] = id(settings)

    def has_accepted(self, settings: Any) -> bool:
        """Return whether settings are those that were accepted last."""
        return settings is self._accepted

    def ran(self) -> None:
        """Count a call that is not machine code's."""
        self.words[RUNS] += 1

    def grant(self, magnitude: int, calls: int) -> None:
        """Let calls run the kernel, or leave them to NumPy.

        Args:
            magnitude: of their arguments' sizes.
            calls: their number; below zero for NumPy.
        """
        self._granted[magnitude] = self.words[FIRST + magnitude] = calls

    def grant_all(self, calls: int) -> None:
        """The same for all magnitudes."""
        self.words[FIRST:] = calls
        self._granted = [calls] * MAGNITUDES

    def settle(self, magnitude: int) -> int:
        """End what was granted; return the number of calls that were made.

        Args:
            magnitude: of their arguments' sizes.
        """
        granted, left = self._granted[magnitude], int(self.words[FIRST + magnitude])
        self.grant(magnitude, 0)
        return abs(granted) - abs(left)
