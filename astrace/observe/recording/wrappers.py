"""Functions that record their calls: one of the same kind around each kind of function, and of descriptor.

Without an active trace such a function looks into one ContextVar and calls the original.  What is made is a new object; the
original, its class and its instances stay as they are.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import Any, Final

from astrace.errors import InvalidArgument
from astrace.locations import no_caller
from astrace.observe.recording.definition import CallNames, TraceDef
from astrace.observe.recording.entrances import entrance
from astrace.observe.recording.recorder import ACTIVE, RunningCall, current, leave
from astrace.observe.recording.sources import check_position, first_of, is_source


class CallPlan:
    """How the calls of one function are recorded.

    Args:
        function: the function.
        definition: what is recorded of it.
        method: its first argument is an instance or a class; by default its name and parameters say so.
    """

    def __init__(
        self, function: Callable[..., Any], definition: TraceDef, method: bool | None = None
    ) -> None:
        self.function = function
        self.names = CallNames(function, definition, method)
        self.source = is_source(self.names.function, definition.source)

    def begin(self, around: RunningCall, args: tuple[Any, ...], kwargs: dict[str, Any]) -> RunningCall:
        """Begin to record a call."""
        return around.recorder.begin(self.names, args, kwargs, around)

    def limit(self, around: RunningCall) -> int | None:
        """The number of items that the function may give."""
        return around.recorder.limit if self.source else None

    def end(self, running: RunningCall, value: Any) -> None:
        """Record the value of a call."""
        running.returned(value, self.names.definition.result_name)


def recording_function(plan: CallPlan) -> Callable[..., Any]:
    """A function of the same kind as the plan's, which records its calls."""
    function = plan.function
    for is_kind, flags, record in _KINDS:
        if is_kind(function):
            return entrance(function, _kept_kind(record), plan, flags)
    return entrance(function, _record, plan, 0)


def _is_generator_coroutine(function: Any) -> bool:
    """Return whether a function is a generator that can be awaited (`types.coroutine`)."""
    code = getattr(function, "__code__", None)
    return code is not None and bool(code.co_flags & inspect.CO_ITERABLE_COROUTINE)


def _kept_kind(record: Callable[..., Any]) -> Callable[..., Any]:
    """What records the calls of coroutine functions and generators: those of no trace are left as they are."""

    @no_caller
    def begun(plan: CallPlan, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if current() is None:
            return plan.function(*args, **kwargs)
        made = record(plan, args, kwargs)
        made.__name__ = getattr(plan.function, "__name__", made.__name__)
        made.__qualname__ = getattr(plan.function, "__qualname__", made.__qualname__)
        return made

    return begun


@no_caller
def _record(plan: CallPlan, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    around = current()
    if around is None:
        return plan.function(*args, **kwargs)
    running, limit = plan.begin(around, args, kwargs), plan.limit(around)
    token = ACTIVE.set(running)
    try:
        if limit is not None:
            check_position(plan.names.function, plan.names.method, args, kwargs, limit)
        value = plan.function(*args, **kwargs)
    except BaseException as error:
        leave(token)
        running.raised(error)
        raise
    leave(token)
    if limit is not None:
        value = first_of(value, plan.names.function, limit)
    plan.end(running, value)
    return value


@no_caller
async def _record_coroutine(plan: CallPlan, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    around = current()
    if around is None:
        return await plan.function(*args, **kwargs)
    running = plan.begin(around, args, kwargs)
    token = ACTIVE.set(running)
    try:
        value = await plan.function(*args, **kwargs)
    except BaseException as error:
        leave(token)
        running.raised(error)
        raise
    leave(token)
    plan.end(running, value)
    return value


# -- generators ------------------------------------------------------------------------------------------------


@no_caller
def _record_generator(
    plan: CallPlan, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Generator[Any, Any, Any]:
    """The items of a generator, each step of it recorded as a part of its call."""
    around = current()
    if around is None:
        return (yield from plan.function(*args, **kwargs))
    running, limit = plan.begin(around, args, kwargs), plan.limit(around)
    running.pause()
    iterator = _step(running, functools.partial(plan.function, *args, **kwargs))
    resume: Callable[[], Any] = functools.partial(next, iterator)
    while limit is None or running.yielded < limit:
        try:
            item = _step(running, resume)
        except StopIteration as stop:
            plan.end(running, stop.value)
            return stop.value
        running.gave(item, plan.source)
        try:
            sent = yield item
        except GeneratorExit:
            _close(running, iterator)
            raise
        except BaseException as error:
            resume = functools.partial(iterator.throw, error)
        else:
            resume = functools.partial(iterator.send, sent)
    _step(running, iterator.close)
    plan.end(running, None)
    return None


@no_caller
def _step(running: RunningCall, resume: Callable[[], Any]) -> Any:
    """One step of a generator."""
    if not running.recorder.is_open:
        return resume()
    try:
        return _timed(running, resume)
    except StopIteration:
        raise
    except BaseException as error:
        running.raised(error)
        raise


@no_caller
def _timed(running: RunningCall, resume: Callable[[], Any]) -> Any:
    token = ACTIVE.set(running)
    running.resume()
    try:
        return resume()
    finally:
        running.pause()
        leave(token)


def _close(running: RunningCall, iterator: Any) -> None:
    """Close a generator that is left half-way."""
    _step(running, iterator.close)
    running.finish("abandoned", 0)


@no_caller
async def _record_async_generator(
    plan: CallPlan, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> AsyncGenerator[Any, Any]:
    """The items of an asynchronous generator, likewise."""
    steps = _AsyncSteps(plan, current(), args, kwargs)
    resume: Awaitable[Any] = steps.iterator.__anext__()
    while True:
        try:
            item = await steps.step(resume)
        except StopAsyncIteration:
            return
        try:
            sent = yield item
        except GeneratorExit:
            await steps.close("abandoned")
            raise
        except BaseException as error:
            resume = steps.iterator.athrow(error)
        else:
            resume = steps.iterator.asend(sent) if steps.has_more() else steps.ended()


class _AsyncSteps:
    """The steps of an asynchronous generator, recorded as parts of its call if it is recorded at all."""

    def __init__(
        self, plan: CallPlan, around: RunningCall | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.plan = plan
        self.running = None if around is None else plan.begin(around, args, kwargs)
        self.limit = None if around is None else plan.limit(around)
        if self.running is not None:
            self.running.pause()
        self.iterator = plan.function(*args, **kwargs)

    async def step(self, resume: Awaitable[Any]) -> Any:
        """One step."""
        running = self.running
        if running is None or not running.recorder.is_open:
            return await resume
        try:
            item = await self._timed(running, resume)
        except StopAsyncIteration:
            self.plan.end(running, None)
            raise
        except BaseException as error:
            running.raised(error)
            raise
        running.gave(item, self.plan.source)
        return item

    async def _timed(self, running: RunningCall, resume: Awaitable[Any]) -> Any:
        token = ACTIVE.set(running)
        running.resume()
        try:
            return await resume
        finally:
            running.pause()
            leave(token)

    def has_more(self) -> bool:
        """Return whether the limit lets another item flow."""
        return self.limit is None or self.running is None or self.running.yielded < self.limit

    async def ended(self) -> Any:
        """End the generator after its first items."""
        await self.iterator.aclose()
        raise StopAsyncIteration

    async def close(self, outcome: str) -> None:
        """Close the generator half-way."""
        await self.iterator.aclose()
        if self.running is not None:
            self.running.finish(outcome, 0)


_KINDS: Final = (
    (inspect.isasyncgenfunction, inspect.CO_ASYNC_GENERATOR, _record_async_generator),
    (inspect.iscoroutinefunction, inspect.CO_COROUTINE, _record_coroutine),
    (
        _is_generator_coroutine,
        inspect.CO_GENERATOR | inspect.CO_ITERABLE_COROUTINE,
        types.coroutine(_record_generator),
    ),
    (inspect.isgeneratorfunction, inspect.CO_GENERATOR, _record_generator),
)
"""The kinds of functions that are more than a call: how they are told, shown, and recorded."""


# -- descriptors -----------------------------------------------------------------------------------------------


def recording(target: Any, definition: TraceDef, method: bool | None = None) -> Any:
    """What stands for a function, or a descriptor in a class, and records its calls.

    Args:
        target: a callable, a property, a static or class method.
        definition: what is recorded.
        method: its first argument is an instance or a class; by default its name and parameters say so.

    Raises:
        InvalidArgument: it is a class, or nothing that is called.
    """

    def made(function: Any, method: bool | None = method) -> Any:
        return None if function is None else recording_function(CallPlan(function, definition, method))

    match target:
        case staticmethod():
            return staticmethod(made(target.__func__, False))
        case classmethod():
            return classmethod(made(target.__func__, True))
        case types.MethodType():
            return types.MethodType(made(target.__func__, True), target.__self__)
        case property():
            get, put, drop = (made(one, True) for one in (target.fget, target.fset, target.fdel))
            return property(get, put, drop, target.__doc__)
        case functools.cached_property():
            cached = functools.cached_property(made(target.func, True))
            cached.attrname = target.attrname
            return cached
        case functools.partialmethod():
            return functools.partialmethod(made(target.func, True), *target.args, **target.keywords)
        case type():
            raise InvalidArgument(
                f"trace: {target.__qualname__} is a class, which would be changed by it; decorate its methods, and `__init__` "
                f"to see it made, or use `result.instrument({target.__name__}, '__init__')` within a trace"
            )
        case _ if callable(target):
            return made(target)
        case _:
            raise InvalidArgument(
                f"trace: {type(target).__name__} is nothing that is called; decorate functions and methods"
            )
