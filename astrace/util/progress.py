"""Progress on a terminal, for what takes more than two seconds; nothing is written anywhere else.

Takes the names of the parts of some work as they begin, shows the one that is going on, and leaves no trace of it.  Drawn by
tqdm, which is loaded when there is a terminal to draw on; without it there is no progress.  `CaptureLines` is for a terminal
that belongs to a program: it writes whole lines, now and then.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Final, Self, TextIO, TypeVar

from astrace.util.terminal import counted

DELAY: Final = 2.0
"""Seconds before anything is shown."""
COUNTED: Final = "{desc}  {n_fmt} of {total_fmt}, {elapsed}, {remaining} left"
UNCOUNTED: Final = "{desc}  {n_fmt} done, {elapsed}"
COLUMNS: Final = 80
"""The width of a terminal that does not tell it."""
GROWTH: Final = 1.5
"""Each line of a program's progress is this much later than the one before."""

Item = TypeVar("Item")


class Progress:
    """The parts of some work, as they begin; to be used in a ``with`` statement.

    Args:
        total: how many parts there are, if that is known.
        stream: where it is shown; by default standard error.
        delay: seconds before it is shown.

    Example:
        >>> with Progress(total=2) as progress:
        ...     for name in ("first", "second"):
        ...         progress.begin(name)
    """

    def __init__(self, total: int | None = None, stream: TextIO | None = None, delay: float = DELAY) -> None:
        self._bar = _bar(stream or sys.stderr, total, delay)
        self._due = time.monotonic() + delay
        self._parts, self._name = 0, ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def begin(self, name: str) -> None:
        """Show that a part begins; the one before is done.

        Args:
            name: what is going on from now on.
        """
        self._parts += 1
        if self._bar is None:
            return
        self._bar.set_description_str(name, refresh=False)
        shown = self._bar.update(self._parts - 1 - self._bar.n)
        is_new = name != self._name and not shown
        if is_new and time.monotonic() >= self._due:  # it may take long: tell which one it is
            self._bar.refresh()
            self._bar.last_print_t = time.time()
        self._name = name

    def tick(self) -> None:
        """Show the time that has passed, where a part takes long; to be called now and then."""
        if self._bar is not None:
            self._bar.update(0)


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield items, and show how many of them are done.

    Args:
        items: what is worked on.
        what: what they are.
        total: how many there are; by default their length, if they have one.

    Example:
        >>> list(progress(range(3), "numbers"))
        [0, 1, 2]
    """
    count = len(items) if total is None and hasattr(items, "__len__") else total  # pyright: ignore[reportArgumentType]
    with Progress(count) as shown:
        for item in items:
            shown.begin(what)
            yield item


def say(text: str) -> None:
    """Print a line, with the progress that is shown out of its way.

    Args:
        text: it is written to standard output.
    """
    if _bar_class.cache_info().currsize:
        for bar in _bar_class().shown():
            bar.clear()
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def is_shown(stream: TextIO) -> bool:
    """Return whether progress is shown on a stream: on a terminal that can write over a line."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _bar(stream: TextIO, total: int | None, delay: float) -> Any:
    """A bar of tqdm's; nothing where there is no terminal, or no tqdm."""
    if not is_shown(stream):
        return None
    try:
        kind = _bar_class()
    except ImportError:
        return None
    return kind(
        total=total,
        file=stream,
        delay=delay,
        leave=False,
        miniters=0,  # a part that takes long is shown as well
        ncols=terminal_columns(stream),
        nrows=20,
        bar_format=UNCOUNTED if total is None else COUNTED,
    )


def terminal_columns(stream: TextIO) -> int:
    """Return the width of a terminal; some say that it is nothing.

    Args:
        stream: what is written to; where it is no terminal, the width is that of most.
    """
    try:
        return os.get_terminal_size(stream.fileno()).columns or COLUMNS
    except (AttributeError, OSError, ValueError):  # a program may have put anything there
        return COLUMNS


@functools.cache
def _bar_class() -> Any:
    """The class of bars, of which none starts a thread or makes a semaphore: checks and scripts fork.

    Raises:
        ImportError: tqdm is not installed.
    """
    from tqdm import tqdm

    class Bar(tqdm):  # pyright: ignore[reportMissingTypeArgument]
        monitor_interval = 0

        @classmethod
        def shown(cls) -> list[Any]:
            """The bars that can be seen now."""
            bars: list[Any] = list(cls._instances)  # pyright: ignore[reportAttributeAccessIssue]
            return [bar for bar in bars if bar.last_print_t > bar.start_t]

    Bar.set_lock(threading.RLock())
    return Bar


class CaptureLines:
    """Whole lines about the captures of a program that runs, on a terminal that is the program's: each later than the last.

    Args:
        stream: where they are written; nothing is written unless it is a terminal.

    They are written when something is captured, by the thread that does so: there is no other one, which a program would see.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_shown = is_shown(stream)
        self._started = time.monotonic()
        self._due = DELAY
        self._count = 0

    def captured(self, name: str) -> None:
        """Count a capture, and tell of it if it is time to.

        Args:
            name: of the function.
        """
        self._count += 1
        spent = time.monotonic() - self._started
        if self._is_shown and spent >= self._due:
            self._due = spent * GROWTH
            many = counted(self._count, "capture")
            self._stream.write(f"astrace: {spent:.0f} s, {many}, the latest of {name}\n")
            self._stream.flush()
