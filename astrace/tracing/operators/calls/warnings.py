"""``warnings.warn`` in a helper that became part of the graph: it tells the line that it would tell in Python.

Python finds that line by counting frames.  The helper has none when the graph runs, so the lines of the helper
and of its callers are looked up while tracing, where the calls are real.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any

from astrace.ir.constants import is_static
from astrace.ops.python.objects import warn_at
from astrace.tracing.context import Trace
from astrace.tracing.operators.calls.functions import call_function
from astrace.tracing.operators.calls.iterable_builtins import Args, Kwargs
from astrace.tracing.scopes import FunctionScope, scope_in

__all__ = ["warn"]


def warn(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``warnings.warn(message, category, stacklevel)``."""
    given = dict(zip(("message", "category", "stacklevel", "source"), args, strict=False)) | dict(kwargs)
    level, category = given.get("stacklevel", 1), given.get("category")
    callers = list(_callers())
    known = (
        type(level) is int and is_static(category) and given.keys() <= {"message", "category", "stacklevel"}
    )
    if not known or None in callers or len(callers) == 1:
        return trace.operators.opaque(function, args, kwargs)
    if level > len(callers):
        return trace.operators.opaque(function, (), {**given, "stacklevel": level - len(callers) + 1})
    frame, scope = callers[max(level, 1) - 1]  # type: ignore[misc]
    namespace = trace.operators.wrap_constant(scope.namespace)
    place = (frame.f_code.co_filename, frame.f_lineno, namespace)
    return trace.operators.opaque(warn_at, (given.get("message"), category, *place), {})


def _callers() -> Iterator[tuple[types.FrameType, FunctionScope] | None]:
    """The frame of the function that is being traced, that of its caller, and so on.

    ``None`` where a generator hands out items: its consumer's code runs inside it, not the other way round.
    """
    frame: types.FrameType | None = inspect.currentframe()
    function: Any = None
    while frame is not None:
        scope = scope_in(frame.f_globals)
        if frame.f_code is call_function.__code__:
            function = None
        elif scope is not None and scope.function is not function:
            yield (frame, scope) if function is None or inspect.isgeneratorfunction(function) else None
            function = scope.function
        frame = frame.f_back
