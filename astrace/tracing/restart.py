"""The end of an attempt whose plan has just changed: at once, or after it has learned more.

Another attempt follows in any case.  One that has done much already goes on up to what it can't go on from: what it
learns on the way would take one more attempt each, which would do all that again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from astrace.tracing.signals import Restart

if TYPE_CHECKING:
    from astrace.ir.specs import Spec
    from astrace.tracing.changes.journal import Site
    from astrace.tracing.context import Trace

MOST_WORK_LOST: Final = 10_000
"""The most work of an attempt that is ended at once: a longer one goes on."""


def begin_again(trace: Trace) -> None:
    """Restart with a changed plan if the attempt has hardly begun; otherwise go on, since it can bear the change.

    Raises:
        Restart: it has hardly begun.
    """
    if trace.budget.spent - trace.began < MOST_WORK_LOST:
        raise Restart
    trace.learnt = True


def guess(trace: Trace, sites: Sequence[Site], element: Spec | None = None) -> None:
    """Add sites to the plan and go on with a guess about objects that may differ from the program's.

    What is met from here on may not be what the program meets: only of objects more is learned.
    """
    if trace.before_guess is None:
        trace.before_guess = trace.plan.copied()
    trace.learn(sites, element)
