"""Looking for a call that fails: directed inputs first, then Hypothesis, which also makes what was found smaller.

Everything is bounded by counts and by a clock.  With a seed the same inputs come at every run; with a database
what failed before comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final, cast

import hypothesis
from hypothesis import HealthCheck, Phase, target
from hypothesis.control import currently_in_test_context
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import HypothesisException, NoSuchExample

from astrace.check.compare.observe import Call
from astrace.check.inputs.code_constants import Mined
from astrace.check.inputs.coverage import Reached
from astrace.check.inputs.strategies import calls_like, near
from astrace.check.isolation.time_limits import Clock
from astrace.check.settings import Settings

CHECKS: Final = tuple(cast("Iterable[HealthCheck]", HealthCheck))


def search(
    fails: Callable[[Call], bool],
    examples: Sequence[Call],
    mined: Mined,
    settings: Settings,
    key: str,
    reached: Reached | None,
    clock: Clock,
) -> Call | None:
    """The smallest failing call that Hypothesis finds; nothing where it finds none.

    Args:
        fails: whether a call fails.
        examples: calls that make sense.
        mined: constants of the function's code.
        settings: how long to look.
        key: under which name failing calls are kept in the database.
        reached: the goals that inputs reached, or how near they came; steers the search.
        clock: what time is left.
    """

    def failing(call: Call) -> bool:
        if clock.is_over:
            return False
        found = fails(call)
        if reached is not None and currently_in_test_context():
            _steer(reached)
        return found

    if not settings.max_examples:
        return None
    steered = reached is not None and not reached.is_complete
    phases = [Phase.reuse, Phase.generate, *([Phase.target] if steered else []), Phase.shrink]
    return _find(calls_like(examples, mined), failing, settings, settings.max_examples, phases, key)


def _steer(reached: Reached) -> None:
    """Tell Hypothesis how near an input came to a goal that none has reached yet."""
    for label, score in reached.distances.items():
        target(score, label=label)


def smaller(failing: Call, fails: Callable[[Call], bool], settings: Settings, clock: Clock) -> Call:
    """A failing call that Hypothesis can't make any smaller, or can't in the time that is left.

    Args:
        failing: a call that fails.
        fails: whether a call fails in the same way.
        settings: how much to try.
        clock: what time is left.
    """
    best, left = failing, settings.shrink

    def still(call: Call) -> bool:
        nonlocal best, left
        if clock.is_over or not left:
            raise _Enough
        left -= 1
        found = fails(call)
        best = call if found else best
        return found

    if not settings.shrink:
        return failing
    phases = [Phase.generate, Phase.shrink]
    try:
        return _find(near(failing), still, settings, settings.shrink, phases, None) or failing
    except _Enough:
        return best


class _Enough(BaseException):
    """Nothing more is to be tried; Hypothesis, which would go on making inputs, lets it pass."""


def _find(
    strategy: Any,
    fails: Callable[[Call], bool],
    settings: Settings,
    most: int,
    phases: list[Phase],
    key: str | None,
) -> Call | None:
    database = DirectoryBasedExampleDatabase(settings.database) if settings.database and key else None
    chosen = hypothesis.settings(
        max_examples=most,
        phases=phases,
        database=database,
        deadline=None,
        derandomize=False,
        suppress_health_check=CHECKS,
    )
    name = None if key is None else f"astrace:{key}".encode()
    # A seeded Hypothesis makes no use of a database.
    free = settings.seed is None or database is not None
    random = None if free else Random(settings.seed)  # noqa: S311 (inputs, not secrets)
    try:
        return hypothesis.find(strategy, fails, settings=chosen, random=random, database_key=name)
    except NoSuchExample:
        return None
    except HypothesisException:  # a function that varies is reported elsewhere
        return None
