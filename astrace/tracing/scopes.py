"""The scopes of original functions, and where in their rewritten forms an exception was raised."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from astrace.locations import SCOPE, Location


@dataclass(frozen=True, slots=True)
class FunctionScope:
    """The globals and cells of an original function, for the operators that read them.

    Args:
        function: the original function.
        namespace: its globals.
        cells: its cells by name.
    """

    function: Callable[..., Any]
    namespace: dict[str, Any]
    cells: dict[str, types.CellType]

    @staticmethod
    def of(function: types.FunctionType) -> FunctionScope:
        """The scope of a function."""
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        return FunctionScope(function, function.__globals__, dict(cells))


def scope_in(namespace: dict[str, Any]) -> FunctionScope | None:
    """The scope that the globals of rewritten code hold; a namespace of the program's own is never asked itself."""
    scope = dict.get(namespace, SCOPE)
    return scope if isinstance(scope, FunctionScope) else None


def rewritten_frames() -> Iterator[tuple[types.FrameType, FunctionScope]]:
    """The frames of rewritten functions that are running, innermost first, with the scopes of their functions."""
    found = rewritten_frame(inspect.currentframe())
    while found is not None:
        yield found
        found = rewritten_frame(found[0].f_back)


def rewritten_frame(frame: types.FrameType | None) -> tuple[types.FrameType, FunctionScope] | None:
    """The innermost frame of a rewritten function, from one on outwards, with the scope of its function."""
    held = dict[str, Any].get  # as in `scope_in`, which is not called for each frame: there are many
    while frame is not None:
        scope = held(frame.f_globals, SCOPE)
        if scope is not None and isinstance(scope, FunctionScope):  # most frames are the tracer's own
            return frame, scope
        frame = frame.f_back
    return None


def error_location(error: BaseException) -> Location | None:
    """The user's line that an exception came from."""
    found: Location | None = None
    for traceback, scope in _steps(error):
        if scope is not None:
            code = traceback.tb_frame.f_code
            found = Location(code.co_filename, traceback.tb_lineno, scope.function.__qualname__)
    return found


def is_own(error: BaseException) -> bool:
    """Return whether an exception was raised by a line of the program itself, not inside something that it called."""
    steps = list(_steps(error))
    return bool(steps) and steps[-1][1] is not None


def _steps(error: BaseException) -> Iterator[tuple[types.TracebackType, FunctionScope | None]]:
    """The steps of a traceback, outermost first, with the scopes of rewritten functions."""
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback, scope_in(traceback.tb_frame.f_globals)
        traceback = traceback.tb_next
