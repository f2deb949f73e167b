"""Frozen graphs called on what they were not made for: they give what the function gives, or say so.

pytest tests/test_frozen_calls.py            # some changed arguments of the common programs
pytest tests/test_frozen_calls.py --whole    # more, of all programs
"""

from __future__ import annotations

import itertools
import signal
import weakref
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import harness
import pytest
from changed import changed

import astrace

REFUSED = "SignatureMismatch"
PLAIN_SECONDS, GRAPH_SECONDS = 0.3, 3.0
SOON = 0.01
SOME, MORE = 6, 25


class Late(BaseException):
    """A call does not end."""


def seen(function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> harness.Outcome | None:
    """Return all that can be observed of a call; ``None`` if it takes too long."""

    def stop(_: int, frame: FrameType | None) -> None:
        if (
            frame is not None and frame.f_code.co_filename == weakref.__file__
        ):  # what a callback raises is ignored
            signal.setitimer(signal.ITIMER_REAL, SOON)
            return
        raise Late

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return harness.observe(function, arguments)
    except Late:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def disagreement(name: str, arguments: Callable[[Any], tuple[Any, ...]]) -> list[str]:
    """Return how the graph of a program's first call differs from the function on other arguments that it takes."""
    plain, traced = harness.load_program(name), harness.load_program(name)
    harness.prepare(plain, 0)
    harness.prepare(traced, 0)
    try:
        graph = astrace.trace(traced.f, *harness.fresh_arguments(traced.CALLS[0]))
    except astrace.NotCaptured:
        return []
    found = seen(graph, harness.fresh_arguments(arguments(traced)), GRAPH_SECONDS)
    if found is None or (found.error is not None and found.error[0] == REFUSED):
        return []
    expected = seen(plain.f, harness.fresh_arguments(arguments(plain)), PLAIN_SECONDS)
    return [] if expected is None else harness.differences(expected, found)


def _later(index: int, module: Any) -> tuple[Any, ...]:
    return module.CALLS[index]


def _changed(index: int, module: Any) -> tuple[Any, ...]:
    return next(itertools.islice(changed(module.CALLS[0]), index, None))


def disagreements(name: str, most: int) -> dict[int, list[str]]:
    """The same on a program's other calls, and on so many changed arguments of its first one."""
    module = harness.load_program(name)
    if getattr(module, "PLAIN", None) or getattr(module, "VARIES", False):
        return {}
    ways: list[Callable[[Any], tuple[Any, ...]]] = []
    if not getattr(module, "BEFORE", None):  # later calls in the world of the first
        ways += [partial(_later, index) for index in range(1, len(module.CALLS))]
    count = len(list(changed(module.CALLS[0]))) if most else 0
    ways += [partial(_changed, index) for index in range(0, count, max(1, count // (most or 1)))]
    return {index: apart for index, way in enumerate(ways) if (apart := disagreement(name, way))}


@pytest.mark.parametrize("name", harness.program_names())
def test_what_the_function_gives_or_the_error(name: str, request: pytest.FixtureRequest) -> None:
    whole = request.config.getoption("--whole")
    assert disagreements(name, MORE if whole else SOME if name in harness.COMMON else 0) == {}
