"""One capture with a clock on each stage, and Python's own compiler on the same file as a peer."""

from __future__ import annotations

import ast
import linecache
import os
import time
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from unittest import mock

from astrace import passes
from astrace.backends.numpy import backend as numpy_backend
from astrace.compiler.target import Target
from astrace.rewrite import excerpt, pipeline, source
from astrace.rewrite.pipeline import Rewritten
from astrace.tracing.trace import trace

STAGES: Final = ("rewrite", "trace", "passes", "backend")
PYTHON: Final = "Python's own `compile`"
UNCACHED: Final = {"ASTRACE_CACHE_DIR": "0"}
"""The setting under which nothing is taken from the cache on disk."""


@dataclass
class Rewriter:
    """The rewriter with a clock; remembers the text of each function that a trace reaches."""

    seconds: float = 0.0
    texts: set[str] = field(default_factory=set)

    def __call__(self, function: types.FunctionType) -> Rewritten:
        taken, rewritten = clocked(pipeline.rewrite, function)
        self.seconds += taken
        self.texts.add(rewritten.original)
        return rewritten

    @property
    def lines(self) -> int:
        """The number of captured lines of source; those of a nested function are among those around it."""
        outermost = [text for text in self.texts if not any(text in other for other in self.texts - {text})]
        return sum(map(line_count, outermost))


@dataclass(frozen=True)
class Capture:
    """The times of one capture.

    Args:
        stages: seconds of rewriting, tracing, passes and backend.
        lines: how many lines of source were captured.
        python: seconds that Python's own compiler takes for a line of the same file.
    """

    stages: tuple[float, float, float, float]
    lines: int
    python: float


def capture(function: Callable[..., Any], *arguments: Any) -> Capture:
    """Capture a function from its source on, and keep the times."""
    with mock.patch.dict(os.environ, UNCACHED):
        return _captured(function, *arguments)


def _captured(function: Callable[..., Any], *arguments: Any) -> Capture:
    forget()
    target, rewriter = Target.of(function), Rewriter()
    given = target.bind(arguments, {})
    traced, recording = clocked(trace, target.function, given, rewriter)
    passed, block = clocked(passes.run, recording.block)
    backed, _ = clocked(numpy_backend.compile_block, block, recording.result, "f", "<text>")
    times = (rewriter.seconds, traced - rewriter.seconds, passed, backed)
    return Capture(times, rewriter.lines, _python_time(target.function.__code__.co_filename))


def _python_time(file: str) -> float:
    text = "".join(linecache.getlines(file))
    taken, _ = clocked(lambda: compile(ast.parse(text), file, "exec", dont_inherit=True))
    return taken / line_count(text)


def line_count(text: str) -> int:
    """Count the lines of a text that are not blank."""
    return sum(bool(line.strip()) for line in text.splitlines())


def clocked(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Seconds of the processor that a single call takes, and its result."""
    start = time.process_time()
    result = function(*arguments)
    return time.process_time() - start, result


def forget() -> None:
    """Empty what the rewriter keeps, so that it starts as in a new process."""
    pipeline.DONE.clear()
    source._parsed.cache_clear()
    excerpt._imported.cache_clear()
