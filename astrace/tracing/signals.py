"""Signals that end a trace before it reaches its end.

All of these derive from ``BaseException``, so that no ``except Exception`` of the user's can catch them;
none ever leaves the package.
"""

from __future__ import annotations

from astrace.errors import Reason
from astrace.guards.kinds import Guard


class Stop(BaseException):
    """The base of the signals inside a trace."""


class Uncapturable(Stop):
    """Capture ends here; the plain function runs.

    Args:
        reason: what stood in the way.
        guards: what has to be so for it to stand there.
    """

    def __init__(self, reason: Reason, guards: tuple[Guard, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.guards = guards


class EndsMaking(Uncapturable):
    """The same where a call on the way here can't be left to plain Python alone: it would end what makes an item.

    Args:
        reason: what stood in the way.
        depth: how many parts of the program make items there, one for the other.
    """

    def __init__(self, reason: Reason, depth: int) -> None:
        super().__init__(reason)
        self.depth = depth


class EndsLookup(Uncapturable):
    """The same where a call on the way here can't be left to plain Python alone: it finds an attribute for Python.

    Args:
        reason: what stood in the way.
        depth: how many lookups were going on, one for the other.
    """

    def __init__(self, reason: Reason, depth: int) -> None:
        super().__init__(reason)
        self.depth = depth


class Restart(Stop):
    """Something learned on the way changes the plan: trace again from the start."""


class Unroll(Stop):
    """A loop's body needs the index as a Python number.

    Args:
        loop: the loop, as the operator registered it.
    """

    def __init__(self, loop: object) -> None:
        super().__init__(loop)
        self.loop = loop


class Leaves(Stop):
    """The path ends here: an exception was recorded that nothing inside the function catches."""
