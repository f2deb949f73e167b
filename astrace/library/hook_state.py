"""What a watched function has of a hook.

Knows no function; a hook makes one, and all functions that it watches share it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from astrace.library.capture_time import CaptureTime
from astrace.library.lazy_modules import LazyModules
from astrace.library.past_decisions import PastDecisions
from astrace.library.policy import Policy

if TYPE_CHECKING:
    from astrace.compiler.stages import Options

LATER: Final = 2
"""The divisor of the part of the time that captures may take, in processes after the first."""


class HookState(NamedTuple):
    """What the functions of one hook share.

    Args:
        policy: when they are captured, and whether they stay so.
        waiting: the modules that wait for the first call.  Calls while modules are imported are left plain, since what they
            do is done once.
        taken: the time that the captures of all functions took.
        options: gives how they are compiled.
        captured: told the name of a function after each capture.
        decisions: what earlier processes have found out; ``None`` where the policy doesn't ask for it.
    """

    policy: Policy
    waiting: LazyModules
    taken: CaptureTime
    options: Callable[[], Options]
    captured: Callable[[str], None]
    decisions: PastDecisions | None = None

    @property
    def share(self) -> float | None:
        """The part of the time that captures may take: less where earlier processes have found what gains."""
        share, decisions = self.policy.share, self.decisions
        return share if share is None or decisions is None or decisions.is_empty else share / LATER
