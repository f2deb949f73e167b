"""What a process tells later ones of the functions of a hook, in the end.

Takes watched functions; gives a past decision for each of which something was found out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from astrace.library.function_watcher import BUDGET, LEFT, Watched
from astrace.library.past_decisions import (
    AGAIN,
    GRAPH,
    PENDING,
    PLAIN,
    TRIES,
    PastDecision,
    name_of,
    stamp_of,
)
from astrace.library.policy import Policy
from astrace.library.report import traced_through

ENOUGH: Final = 3
"""The number of calls each way by which functions are compared whose trial was not over in the end: of the last ones."""


def outcomes(watched: Iterable[Watched], policy: Policy) -> dict[str, PastDecision]:
    """Return what was found out, by the names that decisions are kept under.

    Args:
        watched: the functions of a hook.
        policy: by which they were compared.
    """
    found: dict[str, PastDecision] = {}
    for one in watched:
        outcome = _outcome(one, policy)
        if (
            outcome is not None and stamp_of(one.code.co_filename) is not None
        ):  # else nothing tells of changes
            runs_as, why, before, after = outcome
            tries = (0 if one.recalled is None else one.recalled.tries) + 1
            found[name_of(one.function, one.code, one.kinds)] = PastDecision(
                runs_as=runs_as,
                why=why,
                calls=one.calls,
                before=before,
                after=after,
                capturing=one.counted.capturing / 1e9,
                tries=tries if runs_as == PENDING else 0,
                files={file: told for file in _files(one) if (told := stamp_of(file)) is not None},
            )
    return found


def _outcome(one: Watched, policy: Policy) -> tuple[str, str, float, float] | None:
    """Return what a function is to run as, why, and the seconds of a call as plain Python and through its graph."""
    counts, recalled = one.counted, one.recalled
    if recalled is not None and recalled.runs_as == PLAIN:
        return None  # nothing new
    before = counts.plain.median or counts.usual or (0.0 if recalled is None else recalled.before)
    after = counts.captured.median or 0.0
    tries = 0 if recalled is None else recalled.tries
    if one.was_impatient and tries < TRIES:
        return PENDING, "", before, after
    if one.decision.startswith(LEFT):
        why = one.decision.removeprefix(f"{LEFT}: ")
        # a capture that was given up would be again; one that only took long has its rewritten text on disk
        is_captured = any(stages.fallback is None for stages in one.captures)
        may_fit = (
            is_captured and policy.budget is not None and AGAIN * counts.capturing <= policy.budget * 1e9
        )
        return None if why == BUDGET and may_fit else (PLAIN, why, before, after)
    if not any(stages.fallback is None for stages in one.captures):
        return None
    if one.decision:
        return GRAPH, one.decision, before, after
    if one.warms_up and before and tries < TRIES:
        return PENDING, "", before, after
    if min(counts.captured.calls, counts.plain.calls or ENOUGH * bool(before)) < ENOUGH:
        rarely = one.calls * before * 1e9 < AGAIN * counts.capturing
        return (PLAIN, "is called too rarely to gain", before, after) if rarely else None
    latest = sorted(list(counts.captured.latest)[-ENOUGH:])  # with what was compiled meanwhile
    after = latest[len(latest) // 2] / 1e9
    if after <= policy.margin * before:
        return GRAPH, "", before, after
    return PLAIN, f"gains nothing: takes {after / before:.2f} times the plain time", before, after


def _files(one: Watched) -> frozenset[str]:
    """Return the files in which a function and the parts of its graphs were written."""
    parts = (code for stages in one.captures for code in traced_through(stages))
    return frozenset(code.co_filename for code in (one.code, *parts))
