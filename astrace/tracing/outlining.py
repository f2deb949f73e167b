"""Functions whose calls stay calls, since tracing through them takes more than a capture may cost.

A function is traced through wherever it is called.  Where that takes too long, the capture starts once more with one
function left out: the innermost one that took most of the work.  Its calls run it as what it is, which may be a
compiled function with a graph of its own.
"""

from __future__ import annotations

import types
from typing import Final

from astrace.errors import Reason
from astrace.locations import Location
from astrace.tracing.context import Trace
from astrace.util.capture_budget import used_up
from astrace.util.code_stubs import code_of

LEAST_SHARE: Final = 0.4
"""The part of all tracing that a function takes which is left out."""


class Inlined:
    """A call of a function that is traced through; what that takes is counted for the function.

    Args:
        trace: the trace that is going on.
        code: the code of the function.
    """

    __slots__ = ("_before", "_code", "_outermost", "_trace")

    def __init__(self, trace: Trace, code: types.CodeType) -> None:
        self._trace = trace
        self._code = code
        self._before = trace.budget.traced
        self._outermost = code not in trace.calls

    def __enter__(self) -> None:
        self._trace.calls.append(self._code)

    def __exit__(self, *error: object) -> None:
        self._trace.calls.pop()
        if self._outermost:
            self._trace.costs[self._code] += self._trace.budget.traced - self._before


def leave_costly(trace: Trace) -> bool:
    """Plan to leave out the function that took most of the budget, which is used up.

    Tells whether there is one, and the capture has not been started again too often.
    """
    own = code_of(trace.function)
    least = LEAST_SHARE * trace.costs[own]
    costly = {
        code: work
        for code, work in trace.costs.items()
        if work >= least and code is not own and code not in trace.plan.endless
    }
    if not costly or not trace.budget.extend():
        return False
    code = min(costly, key=costly.__getitem__)
    trace.plan.endless[code] = Reason("AT207", f"tracing through `{code.co_name}` takes too long")
    return True


def afford(trace: Trace, work: float) -> None:
    """Check that the budget is enough for what comes after tracing.

    Raises:
        Exhausted: it is not.
    """
    if trace.budget.spent + work >= trace.budget.limit:
        raise used_up(trace.function.__name__, Location.of(trace.function.__code__))
