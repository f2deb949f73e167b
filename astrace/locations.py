"""Locations in the user's source.

Bottom of the package: a plain record that every other layer may attach to what it makes.  It knows
files and lines, nothing of syntax trees, blocks or tracers.
"""

from __future__ import annotations

import inspect
import linecache
import os
import re
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

PACKAGE: Final = os.path.dirname(__file__)  # noqa: PTH120 - `pathlib` takes longer to load than the rest of this
"""The folder of astrace's own files."""
GENERATED: Final = "<astrace"
"""The prefix of the file names of code that astrace has written."""
NO_CALLER: Final = "(importlib._bootstrap)>"
"""The suffix of file names whose frames lie between a caller and its function.

Who asks for a caller's line by ``stacklevel`` (``warnings.warn``, ``logging``) is to find the user's.  Python
passes over frames of its import machinery, which it knows by these two words in the name of their file.
"""
OWN: Final = (PACKAGE + os.sep, GENERATED)

HEAD: Final = re.compile(r"\s*(async\s+)?def\b")
"""The line of a function behind its decorators."""

SCOPE: Final = "<scope>"
"""The global under which rewritten code keeps the original's globals and cells: no name that a user can write."""


Function = TypeVar("Function", bound=Callable[..., Any])


def no_caller(function: Function) -> Function:
    """Decorate a function of astrace's own whose frames lie between a caller and its function."""
    code: types.CodeType = function.__code__  # type: ignore[attr-defined]
    function.__code__ = code.replace(co_filename=f"{GENERATED}: {code.co_qualname} {NO_CALLER}")  # type: ignore[attr-defined]
    return function


@dataclass(frozen=True, slots=True)
class Location:
    """A line of the user's source.

    Args:
        file: the file name, as Python's code objects give it.
        line: the line, counted from 1.
        function: the qualified name of the function the line stands in.
        root_line: the line of the compiled function that led here, when ``line`` belongs to a helper
            that lives in another file; 0 when ``line`` itself is in the compiled function's file.

    Example:
        >>> str(Location("model.py", 12, "step"))
        'model.py:12, in step'
    """

    file: str
    line: int
    function: str
    root_line: int = 0

    @staticmethod
    def of(code: types.CodeType) -> Location:
        """Return the location at which a function starts: its ``def``, behind its decorators."""
        return Location(code.co_filename, _first_line(code), code.co_qualname)

    @staticmethod
    def begun(code: types.CodeType) -> Location:
        """Return the location at which a function begins, with its decorators; the source, which takes builtins, is not read."""
        return Location(code.co_filename, code.co_firstlineno, code.co_qualname)

    @property
    def text(self) -> str:
        """The source text of the line, stripped; empty when the file can't be read."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}, in {self.function}"


def _first_line(code: types.CodeType) -> int:
    """The line of a function's ``def``; the one that its code tells where that is no decorator, or has no source."""
    first = code.co_firstlineno
    if not linecache.getline(code.co_filename, first).lstrip().startswith("@"):
        return first
    lines = linecache.getlines(code.co_filename)
    return next((at for at in range(first, len(lines) + 1) if HEAD.match(lines[at - 1])), first)


def caller() -> Location | None:
    """The user's line that called astrace: of the innermost frame that is none of astrace's own."""
    frame = inspect.currentframe()
    while frame is not None and _is_own(frame):
        frame = frame.f_back
    return (
        None
        if frame is None
        else Location(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname)
    )


def _is_own(frame: types.FrameType) -> bool:
    """Return whether a frame is of astrace's own code; code that a dataclass writes is known by its globals."""
    module = dict.get(frame.f_globals, "__name__")
    return frame.f_code.co_filename.startswith(OWN) or (
        isinstance(module, str) and module.startswith("astrace.")
    )
