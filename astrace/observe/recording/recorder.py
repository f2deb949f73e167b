"""The recorder of a trace: it turns calls into records, and knows which call is being made in which context.

`ACTIVE` holds the running call, and with it the recorder, of a thread or task; nothing in it means that nobody looks.
A recorder takes arguments, results and exceptions as they come, and keeps snapshots.
"""

from __future__ import annotations

import threading
import time
import types
from collections.abc import Mapping, Sequence
from contextvars import ContextVar, Token
from typing import Any, Final

from astrace.locations import Location, caller
from astrace.observe.limits import Limits
from astrace.observe.recording.definition import CallNames
from astrace.observe.recording.followed_items import FollowedItems, item_key
from astrace.observe.records.trace_call import RaisedException, TraceCall
from astrace.observe.records.trace_data import TraceData
from astrace.observe.snapshots.capture import object_text, snapshot, type_name

ITEM_STAGES: Final = ("dataset_getter", "resolve_data")
"""The stages whose calls are for one item, which their first parameter names."""
clock = time.perf_counter_ns


class TraceRecorder:
    """What records one trace, while it is going on.

    Args:
        data: where the calls go.
        limits: how much of each value is kept.
        limit: the number of items that flow; ``None`` for all.
        outer: the running call around the trace.
    """

    def __init__(self, data: TraceData, limits: Limits, limit: int | None, outer: RunningCall | None) -> None:
        self.data, self.limits, self.limit, self.outer = data, limits, limit, outer
        self.items = FollowedItems()
        self.is_open = True
        self.started = clock()
        self._lock = threading.RLock()
        self._order = 0
        self._open: dict[int, RunningCall] = {}

    def begin(
        self, names: CallNames, args: Sequence[Any], kwargs: Mapping[str, Any], parent: RunningCall
    ) -> RunningCall:
        """Record the beginning of a call."""
        begun = clock()
        definition = names.definition
        call = TraceCall(definition.stage_name, names.shown(args), names.function)
        call.location, call.called_from = names.location, caller()
        with Unobserved():
            given = names.named(args, kwargs)
            return self.begin_call(call, given, parent, begun, definition.item)

    def begin_call(
        self,
        call: TraceCall,
        given: Mapping[str, Any],
        parent: RunningCall,
        begun: int,
        item: str | None = None,
    ) -> RunningCall:
        """Record the beginning of a call whose place and arguments are known.

        Args:
            call: has its names and places.
            given: the arguments by name.
            parent: the call that it is made in.
            begun: when recording it began.
            item: the parameter that names the item.
        """
        call.parameters = {name: snapshot(value, self.limits) for name, value in given.items()}
        call.items = self._items(call.stage, given, parent, item)
        call.parent, call.thread = parent.call, threading.current_thread().name
        running = RunningCall(self, call, parent)
        with self._lock:
            call.entered = self._step()
            call.number = len(self.data.calls)
            if call.number < self.limits.calls and self.is_open:
                self.data.add(call)
                self._open[id(running)] = running
            else:
                self.data.dropped += self.is_open
        running.started = clock()
        call.start_ns = running.started - self.started
        running.overhead = 0
        parent.overhead += running.started - begun
        return running

    def _items(
        self, stage: str, given: Mapping[str, Any], parent: RunningCall, item: str | None
    ) -> tuple[Any, ...]:
        """The items that a call works on: the one that is named, those of its arguments, those of the call around it."""
        named = given.get(item) if item is not None else next(iter(given.values()), None)
        if item is not None or stage in ITEM_STAGES:
            key = item_key(named)
            if key is not None:
                return (key,)
        found = (self.items.of(value) for value in given.values())
        items = tuple(dict.fromkeys(one for several in found for one in several))
        return items or (parent.call.items if parent.call is not None else ())

    def _step(self) -> int:
        self._order += 1
        return self._order

    def end(self, running: RunningCall, outcome: str, duration: int) -> None:
        """Record the end of a call, unless the trace has ended before."""
        with self._lock:
            call = running.call
            self._open.pop(id(running), None)
            if call is not None and self.is_open and call.left is None:
                call.outcome, call.duration_ns, call.left = outcome, duration, self._step()

    def close(self) -> None:
        """End the trace: what is still running is written down as suspended, and nothing is recorded any more."""
        with self._lock:
            self.is_open = False
            for running in self._open.values():
                assert running.call is not None
                running.call.outcome = "suspended"
                running.call.duration_ns = running.spent
            self._open.clear()
            self.items = FollowedItems()

    def reset(self) -> None:
        """Forget the calls so far."""
        with self._lock:
            fresh = TraceData(self.data.title)
            self.data.calls, self.data._stages, self.data.dropped = fresh.calls, fresh._stages, 0  # pyright: ignore[reportPrivateUsage]
            self._open.clear()


class RunningCall:
    """A call that is being made; the root of a trace is one without a record.

    Attributes:
        recorder: records it.
        call: its record; ``None`` for the root.
        overhead: the time of recording in it, in nanoseconds.
        spent: the time that it ran so far, where it stops and goes on.
    """

    __slots__ = ("call", "overhead", "parent", "recorder", "spent", "started", "yielded")

    def __init__(self, recorder: TraceRecorder, call: TraceCall | None, parent: RunningCall | None) -> None:
        self.recorder, self.call, self.parent = recorder, call, parent
        self.overhead = self.spent = self.started = self.yielded = 0

    # -- the end of a call -------------------------------------------------------------------------------

    def returned(self, value: Any, result_name: str | tuple[str, ...]) -> None:
        """Record what a call returns."""
        stopped = clock()
        call, recorder = self.call, self.recorder
        if call is not None and recorder.is_open:
            with Unobserved():
                for name, one in _results(value, result_name).items():
                    call.results[name] = snapshot(one, recorder.limits)
                recorder.items.assign(value, call.items)
        self.finish("returned", stopped)

    def raised(self, error: BaseException) -> None:
        """Record what a call raises."""
        stopped = clock()
        if self.call is not None and self.recorder.is_open:
            with Unobserved():
                self.call.exception = raised_exception(error, self.recorder.limits.text)
        self.finish("raised", stopped)

    def finish(self, outcome: str, stopped: int) -> None:
        """Record the end; the time of recording is charged to nobody."""
        duration = self.spent + (stopped - self.started - self.overhead if self.started else 0)
        self.recorder.end(self, outcome, max(duration, 0))
        if self.parent is not None:
            self.parent.overhead += self.overhead + clock() - stopped

    # -- calls that stop and go on -----------------------------------------------------------------------

    def pause(self) -> None:
        """Stop the clock."""
        self.spent += max(clock() - self.started - self.overhead, 0)
        self.started = self.overhead = 0

    def resume(self) -> None:
        """Start the clock."""
        self.started, self.overhead = clock(), 0

    def gave(self, value: Any, numbers: bool) -> None:
        """Record an item that a generator gives; it counts the items of the pipeline, if it is a source."""
        call, recorder = self.call, self.recorder
        if call is None or not recorder.is_open:
            return
        with Unobserved():
            if numbers and self.yielded not in call.items:
                call.items = (*call.items, self.yielded)
            recorder.items.assign(value, (self.yielded,) if numbers else call.items)
            kept = call.results.setdefault("yielded", [])
            if len(kept) < recorder.limits.items:
                kept.append(snapshot(value, recorder.limits))
        self.yielded += 1


ACTIVE: Final[ContextVar[RunningCall | None]] = ContextVar("ACTIVE", default=None)
"""The recorded call that this thread or task is in."""


class Unobserved:
    """A block in which nothing is recorded: the code of users that recording itself runs."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = ACTIVE.set(None)

    def __exit__(self, *_: object) -> None:
        leave(self._token)


def leave(token: Token[RunningCall | None]) -> None:
    """Go back to the call around; in another context than that which was entered there is nothing to go back to."""
    try:
        ACTIVE.reset(token)
    except ValueError:  # a coroutine or generator that another context closes
        return


def current() -> RunningCall | None:
    """The call that this context is in, of the innermost trace that has not ended."""
    running = ACTIVE.get()
    while running is not None and not running.recorder.is_open:
        running = running.recorder.outer
    return running


def _results(value: Any, names: str | tuple[str, ...]) -> dict[str, Any]:
    if isinstance(names, str):
        return {names: value}
    if isinstance(value, tuple) and len(value) == len(names):  # pyright: ignore[reportUnknownArgumentType]
        return dict(zip(names, value, strict=True))  # pyright: ignore[reportUnknownArgumentType]
    return {"return_value": value}


def raised_exception(error: BaseException, most: int) -> RaisedException:
    """What is kept of an exception: not the object, which holds the frames that it came through."""
    try:
        message = str(error)[:most]
    except Exception:  # the user's `__str__`
        message = object_text(error, most)
    trace: types.TracebackType | None = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = None
    if trace is not None:
        code = trace.tb_frame.f_code
        where = Location(code.co_filename, trace.tb_lineno or 0, code.co_qualname)
    return RaisedException(type_name(error), message, where)
