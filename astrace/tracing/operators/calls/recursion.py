"""Functions that call themselves while they are traced.

Recursion over constants ends while tracing.  Any other would not, so the functions that take part are remembered in
the plan, and from the next attempt on a call of one is left to plain Python: one call, and not all that is around.
"""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from astrace.errors import AS_PLAIN, Reason
from astrace.locations import Location
from astrace.tracing.context import Trace
from astrace.tracing.signals import Restart
from astrace.util.code_stubs import code_of

MOST_NESTED: Final = 60
MOST_REPEATED: Final = 1_000
MOST_GENERATORS: Final = 16
"""The same for generators, each of which hands on what the inner ones yield."""
MOST_LOOPS: Final = 5
"""The number of loops of the graph that may be open where a function calls itself: each is traced several times."""
MOST_BRANCHES: Final = 16
"""The depth of recursion if each call is in a branch or a loop that the last one has opened."""
LEAST_NESTED: Final = 5
"""The number of times that a function is among the calls that fill the stack, if it is taken for recursive."""


def stop_recursion(trace: Trace, name: str, code: types.CodeType, most: int = MOST_NESTED) -> None:
    """Leave a function that calls itself too deeply or too often: its calls are plain from the next attempt on."""
    times = trace.calls.count(code)
    looping = times > 1 and len(trace.loops) > MOST_LOOPS
    branching = times > MOST_BRANCHES and trace.journal.depth > times
    if times > most or len(trace.calls) > 4 * MOST_NESTED or looping or branching:
        last = [*reversed(trace.calls), code].index(code)
        (left,) = _left(trace, [code], trace.calls[len(trace.calls) - last :])
        trace.plan.endless[left] = _endless(name if left is code else left.co_name)
        raise Restart
    trace.recursions[code] += times > 0
    if trace.recursions[code] > MOST_REPEATED:
        message = f"`{name}` would call itself more than {MOST_REPEATED:,} times while it is traced"
        trace.plan.endless[code] = Reason("AT207", message)
        raise Restart


def _left(
    trace: Trace, found: Sequence[types.CodeType], cycle: Sequence[types.CodeType]
) -> Sequence[types.CodeType]:
    """Return the functions to leave of those that call each other: the compiled one, whose graph runs it then."""
    own = code_of(trace.function)
    return [own] if own in cycle else found


def leave_recursion(trace: Trace, error: RecursionError) -> None:
    """Leave the functions that fill the stack, if there are some that are not left yet."""
    if trace.is_marked(error):
        return  # it is the program's own
    times = Counter(trace.calls)
    filling = [code for code, number in times.items() if number >= LEAST_NESTED]
    if filling and not any(code in trace.plan.endless for code in filling):
        left = _left(trace, filling, filling)
        trace.plan.endless |= {code: _endless(code.co_name) for code in left}
        raise Restart from None


def left_plain(trace: Trace, reason: Reason, name: str) -> Reason:
    """The reason with which a call of a function is left to plain Python here."""
    where = trace.location() or Location.of(trace.function.__code__)
    return replace(reason, message=f"`{name}` {AS_PLAIN}{reason.message}", location=where)


def _endless(name: str) -> Reason:
    hint = (
        "write it as a loop, with a list as the stack; or name the number that it counts in `static_argnames`"
    )
    return Reason("AT203", f"`{name}` calls itself to a depth that depends on a traced value", hint=hint)
