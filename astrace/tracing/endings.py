"""The end of a trace that gives no recording: the reason, from what it was left by.

Takes the attempt and the signal or exception; gives the signal with a located reason.  An exception that is not the
program's own is a fault of astrace, which is logged.
"""

from __future__ import annotations

import logging
import os
from typing import Final

from astrace.errors import Reason
from astrace.locations import Location
from astrace.tracing.context import Trace
from astrace.tracing.plan import MOVE
from astrace.tracing.recorder import Escaped
from astrace.tracing.scopes import error_location
from astrace.tracing.signals import Stop, Uncapturable, Unroll

LOG: Final = logging.getLogger("astrace.trace")


def ended_by(attempt: Trace, error: Stop | Exception) -> Uncapturable:
    """Return the signal that ends all attempts, with the reason for what ended the last one."""
    match error:
        case Uncapturable():
            return _under_guards(attempt, error)
        case Unroll() | Escaped() | RecursionError():
            return _left(attempt, error)
        case Stop():
            raise error
        case _:
            return _under_guards(attempt, _refusal(attempt, error))


def _left(attempt: Trace, error: Unroll | Escaped | RecursionError) -> Uncapturable:
    """End a trace that was left where it cannot go on."""
    where = error_location(error) or Location.of(attempt.function.__code__)
    match error:
        case Unroll():
            message = "a number that only exists when the program runs is needed while tracing"
            return Uncapturable(Reason("AT201", message, where, MOVE))
        case Escaped():
            message = "a value of a branch or a loop that has ended is used"
            return Uncapturable(Reason("AT208", message, where, MOVE))
        case RecursionError():
            message = "calls are nested more deeply than Python allows while tracing"
            return Uncapturable(Reason("AT208", message, where, MOVE))


def _refusal(attempt: Trace, error: Exception) -> Uncapturable:
    """Return the reason for an exception while tracing: the program's own, or a fault of astrace's."""
    where = error_location(error)
    if attempt.is_marked(error):
        return Uncapturable(Reason("AT202", f"raises {type(error).__name__}: {error}", where))
    if os.environ.get("ASTRACE_DEBUG"):
        raise error
    LOG.warning("capture of %s failed inside astrace", attempt.function.__qualname__, exc_info=error)
    message = f"capture failed inside astrace with {type(error).__name__}: {error}"
    return Uncapturable(Reason("AT299", message, where, "please report it"))


def _under_guards(attempt: Trace, stop: Uncapturable) -> Uncapturable:
    """End a trace with guards: an exception of the program's may disappear when what it has read changes."""
    if stop.reason.code != "AT202":
        return stop
    guards = {**attempt.state.input_guards(), **attempt.state.guards}
    return Uncapturable(stop.reason, tuple(guards))
