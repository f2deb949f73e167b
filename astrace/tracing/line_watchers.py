"""Hiding a trace from tools that follow lines: rewritten code has the user's lines, but is not run as they say.

A measurement of coverage, or a debugger, sees the program when it runs: the graph's code and the plain function.  What
tracing walks through, both sides of a branch for one, did not happen.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

TOOLS: Final = range(6)
"""The numbers of tools that `sys.monitoring` knows, where Python has it (3.12)."""


class NoTools:
    """A stand-in for `sys.monitoring` where Python has none."""

    @staticmethod
    def get_tool(tool: int) -> None:
        """The name of a tool."""


def unwatched(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that the trace function of its thread is not to see, nor what monitors all code.

    Both are put back by the frame that has taken them away, so that who counts calls and returns is told of as many.
    """

    @functools.wraps(function)
    def hidden(*args: P.args, **kwargs: P.kwargs) -> R:
        told = sys.gettrace()
        monitoring: Any = getattr(sys, "monitoring", NoTools)
        events = _watched(monitoring)
        if told is not None:
            sys.settrace(None)
        for tool in events:
            monitoring.set_events(tool, 0)
        try:
            return function(*args, **kwargs)
        finally:
            for tool, watched in events.items():
                monitoring.set_events(tool, watched)
            if told is not None:
                sys.settrace(told)

    return hidden


def _watched(monitoring: Any) -> dict[int, int]:
    """Return the events of all code that tools subscribe to."""
    used = (tool for tool in TOOLS if monitoring.get_tool(tool) is not None)
    return {tool: events for tool in used if (events := monitoring.get_events(tool))}
