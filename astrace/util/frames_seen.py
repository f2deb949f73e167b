"""Which functions look at the frames of their callers, by the names in their code."""

from __future__ import annotations

import inspect
import types
from typing import Final

__all__ = ["looks_at_frames"]

FRAMES: Final = frozenset({"_getframe", "currentframe", "getouterframes", "_getframemodulename"})
"""Names of functions that look at the frames of their callers."""


def looks_at_frames(function: types.FunctionType) -> bool:
    """Return whether a function looks at its callers' frames; ``stack`` is also the name of much else.

    Example:
        >>> import sys
        >>> looks_at_frames(lambda: sys._getframe(1)), looks_at_frames(lambda: sys.path)
        (True, False)
    """
    names = function.__code__.co_names
    if "stack" in names and ("inspect" in names or dict.get(function.__globals__, "stack") is inspect.stack):
        return True
    return not FRAMES.isdisjoint(names)
