"""The budget of one capture, over all its attempts and stages; a capture that costs more is given up.

The work is counted, so that the same program is given up at the same place each time: operators traced, nodes written
down, items copied, instructions rewritten.  The amounts are what each takes on an ordinary machine, in microseconds.
Where that misjudges a program, the time of the processor is a second bound.
"""

from __future__ import annotations

import time
import types
from dataclasses import dataclass, field, replace
from typing import Any, Final

from astrace.errors import Reason
from astrace.locations import Location
from astrace.util.own_work import loading_time

MOST_WORK: Final = 900_000
"""The most work that one capture may take."""
MOST_SECONDS: Final = 1.3
"""The most processor time of one capture, whatever was counted."""
MOST_EXTENSIONS: Final = 2
"""The number of restarts of a capture that is out of budget, each without the function that took most of it."""
EXTENSION: Final = 200_000
"""The most work that such a start may take."""
MORE_SECONDS: Final = 0.25
"""The most processor time of such a start."""
MOST_REPEATED: Final = 4
"""The part of the budget, as a divisor, that a capture which is done once more may have taken."""
MOST_RESUMED: Final = 2
"""The number of calls after the first one at which a capture that is out of budget goes on."""
WORTH_RESUMING: Final = 60_000
"""The work from which on the next capture of the same function begins with what was learned in one."""
MOST_CAPTURES: Final = 3
"""The number of captures of this size that those of one function that fail may cost together."""
ON_REQUEST: Final = 30
"""The factor for a graph that is requested by itself."""
LOOK_EVERY: Final = 5_000
"""The work between two looks at the clock."""

OPERATOR: Final = 25
"""An operator of rewritten code."""
NODE: Final = 10
"""A node written down while tracing; it may be dropped again."""
INPUT: Final = 10
"""The work for each input of a node."""
COMPILED_NODE: Final = 110
"""A node of the recording, on its way through the passes and the backend."""
INSTRUCTION: Final = 30
"""An instruction of a function that is rewritten."""
LINE: Final = 250
"""A line of a function that is rewritten."""
ITEMS: Final = 20
"""The number of items of a container that are copied, or looked at one by one, for a unit of work."""


class Exhausted(BaseException):
    """The budget is used up: the whole function is left to plain Python, whatever handlers the program has.

    Args:
        reason: where it ran out.
        unfinished: what was learned on the way makes the next capture shorter.
    """

    guards: Final = ()
    """The path here may be long: calls with arguments of the same types are left as well."""

    def __init__(self, reason: Reason, unfinished: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.unfinished = unfinished


def _worked() -> float:
    """Return the seconds of the processor that this thread has taken, the loading of modules left out: it is done once."""
    return time.thread_time() - loading_time() / 1e9


@dataclass(slots=True)
class Budget:
    """The budget of one capture.

    Args:
        limit: how much work it may take.
        seconds: how long the processor may be at it.
        spent: how much it has taken so far.
        rewriting: how much of it was for rewriting, which is done once for all captures.
        extensions: how often it may be extended.
        resumable: the next call may go on where the capture runs out of it.
        is_short: it has less time than a capture may need; one that runs out of it is put off.
    """

    limit: float = MOST_WORK
    seconds: float = MOST_SECONDS
    spent: float = 0
    rewriting: float = 0
    extensions: int = 0
    resumable: bool = False
    is_short: bool = False
    _started: float = field(default_factory=_worked)
    _look: float = LOOK_EVERY

    @classmethod
    def on_request(cls) -> Budget:
        """Return the budget of a graph that is requested by itself: no call waits for it."""
        return cls(ON_REQUEST * MOST_WORK, ON_REQUEST * MOST_SECONDS)

    def shortened(self, seconds: float) -> Budget:
        """Return the budget with no more than some time of the processor, and without restarts if that is less.

        Args:
            seconds: the time.

        Example:
            >>> Budget().shortened(0.1).is_short, Budget().shortened(10).is_short
            (True, False)
        """
        if seconds >= self.seconds:
            return self
        return replace(self, seconds=seconds, extensions=0, is_short=True)

    @property
    def traced(self) -> float:
        """The work spent on tracing."""
        return self.spent - self.rewriting

    @property
    def is_hardly_used(self) -> bool:
        """Whether a capture that has come to its end may be done once more."""
        seconds = _worked() - self._started
        return MOST_REPEATED * self.spent < self.limit and MOST_REPEATED * seconds < self.seconds

    def extend(self) -> bool:
        """Allow one more start of a capture that is out of budget; tells whether there is one left."""
        if not self.extensions:
            return False
        self.extensions -= 1
        self.limit = max(self.limit, self.spent) + EXTENSION
        self.seconds = max(self.seconds, _worked() - self._started) + MORE_SECONDS
        return True

    def spend(self, work: float) -> bool:
        """Count some work; tells whether the budget is used up."""
        self.spent += work
        if self.spent < self._look:
            return False
        self._look = min(self.limit, self.spent + LOOK_EVERY)
        return self.spent >= self.limit or _worked() - self._started > self.seconds


def items_of(value: Any) -> int:
    """Return the number of items of a built-in container; 0 for anything else, whose ``len`` might be the program's."""
    if type(value) is range:
        return max(0, (value.stop - value.start) // value.step)
    return len(value) if type(value) in COUNTED else 0


COUNTED: Final = (list, tuple, dict, set, frozenset, str, bytes)


@dataclass(slots=True)
class Allowance:
    """The budget of all captures of one function that fail, together.

    A capture that succeeds is charged nothing: its work is of use to the calls that it holds for, and how many there may
    be is limited by themselves.

    Args:
        left: how much work is left.
        resumed: the number of captures that may still be left for the next call to go on with.
    """

    left: float = MOST_CAPTURES * MOST_WORK
    resumed: int = MOST_RESUMED

    def budget(self) -> Budget:
        """The budget of the next capture; what is left pays for restarts, too."""
        limit = min(self.left, MOST_WORK)
        extensions = min(MOST_EXTENSIONS, int(limit // EXTENSION))
        return Budget(limit, extensions=extensions, resumable=self.resumed > 0)

    def charge(self, budget: Budget, unfinished: bool = False) -> None:
        """Charge the work of a capture that has failed, or that the next call goes on with."""
        self.resumed -= unfinished and not budget.is_short
        self.left = max(0, self.left - budget.spent)


def to_rewrite(code: types.CodeType) -> float:
    """Return the expected work of rewriting a function, with the functions inside it."""
    inner = sum(to_rewrite(one) for one in code.co_consts if isinstance(one, types.CodeType))
    lines = {line for _, _, line in code.co_lines()}
    return INSTRUCTION * len(code.co_code) / 2 + LINE * len(lines) + inner


def used_up(name: str, where: Location | None) -> Exhausted:
    """The signal for a capture that is given up."""
    message = f"capturing `{name}` takes too long: it was stopped here"
    return Exhausted(Reason("AT207", message, where, HINT))


HINT: Final = "work on single items of lists, or on constants alone, is traced step by step: use arrays there"
