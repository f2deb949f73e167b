"""Reports of what happens: through ``logging``, by topic, when someone wants to know.

``ASTRACE_LOGS=graph,recompiles`` in the environment turns topics on, each a logger ``astrace.<topic>``.  ``logging`` is not
loaded for it: nobody can listen before the program, or a topic that is turned on, has done so.  Whoever
sets `OBSERVER` is told of the calls of compiled functions; a `RunRecorder` stands in front of them and measures.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

from astrace.errors import InvalidArgument
from astrace.util.terminal import shown

if TYPE_CHECKING:
    import logging

TOPICS: Final = (
    "rewrite",
    "trace",
    "graph",
    "passes",
    "source",
    "guards",
    "recompiles",
    "fallback",
    "backends",
    "cache",
)


class Observer(Protocol):
    """Is told of calls before they are made: a compiled function, and the arguments by parameter name."""

    def captured(self, function: Any, arguments: Mapping[str, Any], /) -> None:
        """A call that the function is captured for."""

    def called(self, function: Any, arguments: Mapping[str, Any], /) -> None:
        """Report a call that runs through an earlier capture, for functions captured while there is an observer."""


class RunRecorder(Protocol):
    """Measures the calls of compiled functions, and is told of their captures.  Each function holds its own, for all threads."""

    def timed(self, function: Any, dispatch: Callable[..., Any], /) -> Callable[..., Any]:
        """Return what takes the calls of a function in front of its dispatcher."""
        ...

    def timed_entrance(self, function: Any, find: Callable[..., Any], /) -> Callable[..., Any]:
        """Return the same for callers that run what they are given (`astrace.util.entrances`)."""
        ...

    def specialised(self, function: Any, stages: Any, nanoseconds: int, /) -> None:
        """Take note of a capture and of how long it took."""


OBSERVER: Final[ContextVar[Observer | None]] = ContextVar("OBSERVER", default=None)
"""The observer of calls; it must not change their arguments."""
RECORDER: Final[ContextVar[RunRecorder | None]] = ContextVar("RECORDER", default=None)
"""The recorder of functions that are compiled from now on."""
TRACE: Final[ContextVar[Any]] = ContextVar("TRACE", default=None)
"""The trace that is going on in this thread, if there is one; here for modules that import nothing else of tracing."""


def captured(function: Any, arguments: Mapping[str, Any]) -> None:
    """Tell the observer, if there is one, that a function is captured for a call.

    Args:
        function: the compiled function.
        arguments: the call's arguments by parameter name; the observer must not change them.
    """
    observer = OBSERVER.get()
    if observer is not None:
        observer.captured(function, arguments)


def called(function: Any, arguments: Mapping[str, Any]) -> None:
    """Tell the observer, if there is one, of a call that runs through an earlier capture.

    Args:
        function: the compiled function.
        arguments: the call's arguments by parameter name; the observer must not change them.
    """
    observer = OBSERVER.get()
    if observer is not None:
        observer.called(function, arguments)


def emit(topic: str, message: str, detail: object = None) -> None:
    """Tell that something happened.

    Args:
        topic: one of `TOPICS`.
        message: what happened.
        detail: shown below the message; turned into text only if someone listens.
    """
    logging = sys.modules.get("logging")  # not imported: programs replace `__import__`
    if logging is None:
        return
    logger = logging.getLogger(f"astrace.{topic}")
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("%s%s", message, "" if detail is None else f"\n{detail}")


def configure(wanted: str | None = None) -> None:
    """Turn topics on.

    Args:
        wanted: topics with commas between them, or ``all``; by default what ``ASTRACE_LOGS`` says.

    Raises:
        InvalidArgument: there is no such topic.
    """
    wanted = os.environ.get("ASTRACE_LOGS", "") if wanted is None else wanted
    chosen = [topic.strip() for topic in wanted.split(",") if topic.strip()]
    if not chosen:
        return
    unknown = set(chosen) - {*TOPICS, "all"}
    if unknown:
        raise InvalidArgument(f"ASTRACE_LOGS: no topic {min(unknown)!r}; the topics are {', '.join(TOPICS)}")
    import logging

    root = logging.getLogger("astrace")
    if not root.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(formatter(handler.stream))
        root.addHandler(handler)
    for topic in TOPICS if "all" in chosen else chosen:
        logging.getLogger(f"astrace.{topic}").setLevel(logging.DEBUG)


def formatter(stream: TextIO) -> logging.Formatter:
    """What writes a record with its topic, in colour where a stream shows colours.

    Args:
        stream: what the records are written to.
    """
    import logging

    class TerminalFormatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return shown(super().format(record), stream)

    shown("", stream)  # compiles what colours need, before the program may replace a builtin
    return TerminalFormatter("[%(name)s] %(message)s")
