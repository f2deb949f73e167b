"""`tracing` begins a trace and ends it; `get_trace` gives the one that is going on, or that explains an exception.

A trace belongs to the context that began it: to one thread, and to the tasks that are made in it.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping
from contextvars import Token
from types import TracebackType
from typing import Any, Final

import numpy as np

from astrace.errors import InvalidArgument
from astrace.observe.limits import Limits
from astrace.observe.recording.definition import TraceDef
from astrace.observe.recording.recorder import (
    ACTIVE,
    RunningCall,
    TraceRecorder,
    clock,
    current,
    leave,
    raised_exception,
)
from astrace.observe.recording.slots import Instrumented, instrument
from astrace.observe.trace_result import TraceResult
from astrace.util import validation
from astrace.util.validation import refused

TRACES: Final = "__astrace_traces__"
"""The attribute of an exception that holds the traces that it ended."""


def tracing(limit: int | None = None, *, limits: Limits | None = None, title: str = "trace") -> Tracing:
    """Record the calls of decorated and instrumented functions within a ``with`` block.

    Args:
        limit: the number of items that flow: sources give their first ones only.  ``None`` for all.
        limits: how much of each value is kept.
        title: what the trace is called.

    Raises:
        InvalidArgument: the limit is no whole number, or negative.

    Example:
        >>> from astrace.observe import trace_func
        >>> @trace_func(stage_name="scale")
        ... def double(x):
        ...     return 2 * x
        >>> with tracing() as result:
        ...     _ = double(21)
        >>> result.scale[0].return_value
        42
    """
    validation.count("tracing", "limit", limit, 0, optional=True)
    return Tracing(TraceResult(title, limit), limits or Limits())


class Tracing:
    """A ``with`` block that is traced, once; made by `tracing`.

    Args:
        result: where the calls go.
        limits: how much of each value is kept.
    """

    def __init__(self, result: TraceResult, limits: Limits) -> None:
        self.result: TraceResult = result
        self._limits = limits
        self._recorder: TraceRecorder | None = None
        self._slots: list[Instrumented] = []
        self._token: Token[RunningCall | None] | None = None

    def __enter__(self) -> TraceResult:
        if self._recorder is not None:
            raise InvalidArgument("tracing: it was entered before; make a new one")
        self.result.began_ns = clock()
        self._recorder = TraceRecorder(self.result, self._limits, self.result.limit, current())
        self.result._instrumenting = self._instrument  # pyright: ignore[reportPrivateUsage]
        self._token = ACTIVE.set(RunningCall(self._recorder, None, None))
        return self.result

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        recorder, token = self._recorder, self._token
        if recorder is None or token is None:
            return
        recorder.close()
        self.result._instrumenting = None  # pyright: ignore[reportPrivateUsage]
        for slot in reversed(self._slots):
            slot.end(recorder)
        running = ACTIVE.get()
        if running is not None and running.recorder is recorder:
            leave(token)
            if ACTIVE.get() is not current():  # the trace around has ended before this one
                ACTIVE.set(current())
        self._token = None
        if error is not None:
            self.result.exception = raised_exception(error, self._limits.text)
            _attach(error, self.result)

    def _instrument(self, obj: Any, name: str, definition: TraceDef) -> None:
        assert self._recorder is not None
        self._slots.append(instrument(self._recorder, obj, name, definition))


def _attach(error: BaseException, result: TraceResult) -> None:
    """Attach a trace to the exception that ended it, past whatever its class does with attributes."""
    held: dict[str, Any] = BaseException.__getattribute__(error, "__dict__")
    traces = held.get(TRACES)
    BaseException.__setattr__(error, TRACES, [*(traces if isinstance(traces, list) else []), result])
    notes = held.get("__notes__")
    BaseException.__setattr__(
        error, "__notes__", [*(notes if isinstance(notes, list) else []), _note(result)]
    )


def _note(result: TraceResult) -> str:
    count = len(result.calls)
    failed = [call for call in result.calls if call.outcome == "raised"]
    told = f"astrace.observe: {result.title} has {count} call{'s' * (count != 1)} up to here"
    if failed:
        last = max(failed, key=lambda call: call.number)
        told += f"; {last.name} in stage {last.stage!r} raised"
    return f"{told}. `astrace.observe.get_trace(error)` gives it."


def get_trace(error: BaseException | None = None) -> TraceResult | None:
    """The trace that is going on; where there is none, the one that an exception ended.

    Args:
        error: an exception; by default the one that is being handled, and in an interactive session the last one that was
            not handled.

    Returns:
        The result; ``None`` where there is neither.
    """
    if error is None:
        running = current()
        if running is not None:
            data = running.recorder.data
            return data if isinstance(data, TraceResult) else None
        error = sys.exception() or getattr(sys, "last_value", None)
    if error is None:
        return None
    traces = BaseException.__getattribute__(error, "__dict__").get(TRACES)
    # Of two nested traces the inner one began last.
    return max(traces, key=lambda one: one.began_ns) if traces else None


def reset_trace() -> None:
    """Forget the calls of the trace that is going on; nothing happens where there is none."""
    running = current()
    if running is not None:
        running.recorder.reset()


class TraceContext:
    """A trace of a verb that has a configuration: within the block, a copy of it is made for few items.

    Args:
        trace: the number of items; nothing is traced for ``None`` and 0.
        config: a mapping of sections.  In the copy, ``train.epochs`` is 1, ``data_loader.batch_size`` the number of items and
            ``data_set.use_cache`` false, as far as they are there.  The configuration itself is not changed.
        limits: how much of each value is kept.

    Raises:
        InvalidArgument: ``trace`` is no number of items.

    Example:
        >>> config = {"train": {"epochs": 20}}
        >>> with TraceContext(4, config) as few:
        ...     print(few, config)
        {'train': {'epochs': 1}} {'train': {'epochs': 20}}
    """

    def __init__(self, trace: Any, config: Any = None, *, limits: Limits | None = None) -> None:
        self.trace: int = number_of_items(trace)
        self.config = config
        self._tracing = tracing(self.trace, limits=limits) if self.trace else None

    def __enter__(self) -> Any:
        if self._tracing is None:
            return self.config
        self._tracing.__enter__()
        return self.config if self.config is None else few_items(self.config, self.trace)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._tracing is not None:
            self._tracing.__exit__(kind, error, traceback)


def number_of_items(trace: Any) -> int:
    """The number of items that ``trace=`` asks for; 0 where nothing is traced.

    Raises:
        InvalidArgument: it is no such number.
    """
    if trace is None or isinstance(trace, bool | np.bool_):
        return int(bool(trace))
    if not validation.is_whole(trace) or trace < 0:
        raise refused(
            "trace", "trace", trace, "accepted are a number of items, True for one, None for no trace"
        )
    return int(trace)


def few_items(config: Any, count: int) -> Any:
    """A copy of a configuration for few items; only what is changed in it is copied."""
    changes = (("train", "epochs", 1), ("data_loader", "batch_size", count), ("data_set", "use_cache", False))
    made = _copied(config)
    for section, name, value in changes:
        if section in made and isinstance(made[section], Mapping) and name in made[section]:
            made[section] = _copied(made[section])
            made[section][name] = value
    return made


def _copied(config: Any) -> Any:
    copied = copy.copy(config)
    return copied if hasattr(type(copied), "__setitem__") else dict(copied)
