"""Notes on a trace, and words for the objects in them: reasons name no classes of astrace's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from astrace.locations import Location


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth telling about a line: captured as what, unrolled, read live, guarded, left plain.

    Args:
        code: a stable code, ``AT`` and three digits.
        message: what happened.
        location: the user's line.
    """

    code: str
    message: str
    location: Location | None


OWN: Final = {
    "ArrayMethod": "bound method",
    "TracedMethod": "bound method",
    "TracedSuper": "`super()`",
    "Manager": "context manager",
    "cell": "variable of a function",
}
"""Names of trace-level objects, for people."""

LAZY: Final = {
    "TracedZip": "zip",
    "TracedEnumerate": "enumerate",
    "TracedReversed": "reversed",
    "TracedRange": "range",
    "Stream": "generator",
}
"""Lazy iterables while tracing, by the names of their classes when the program runs."""
