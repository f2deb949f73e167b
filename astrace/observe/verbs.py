"""`trace_verb_data`: a ``trace=<number of items>`` keyword for the entry points of a pipeline.

Without it the entry point runs as ever.  With it, it runs in a trace whose sources give so many items, and the trace is returned.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import AsyncIterable, Callable, Iterable
from typing import Any

from astrace.errors import InvalidArgument
from astrace.locations import no_caller
from astrace.observe.active_trace import Tracing, few_items, number_of_items
from astrace.observe.item_views import limit_items
from astrace.observe.limits import Limits
from astrace.observe.recording.entrances import verb_entrance
from astrace.observe.snapshots.capture import snapshot
from astrace.observe.trace_result import TraceResult
from astrace.util import validation


def trace_verb_data(
    verb: Any = None,
    /,
    *,
    items: str | Iterable[str] = (),
    config: str | None = None,
    limits: Limits | None = None,
) -> Any:
    """Add a ``trace`` keyword to an entry point of a pipeline.

    ``verb(…, trace=n)`` lets only n items flow, and returns a `TraceResult` in place of the verb's value, of which the result
    keeps a record as ``returned``.  ``trace=True`` is one item; without ``trace``, or with ``None`` or 0, the verb runs as ever.

    Args:
        verb: the function; coroutine functions and generators, too (which are run to their end).
        items: parameters that hold sources of items; the verb is given views of their first items (`limit_items`).  Sources
            whose ``__len__``, ``__getitem__`` or ``__iter__`` are decorated need not be named.
        config: the parameter that holds the configuration; the verb is given a copy for few items (`TraceContext`).
        limits: how much of each value is kept.

    Raises:
        InvalidArgument: the verb has a parameter ``trace`` of its own, or lacks one that is named.

    Example:
        >>> from astrace.observe import trace_func
        >>> @trace_func(stage_name="square")
        ... def square(x):
        ...     return x * x
        >>> @trace_verb_data(items="numbers")
        ... def total(numbers):
        ...     return sum(square(x) for x in numbers)
        >>> total(range(100)), len(total(range(100), trace=3).square)
        (328350, 3)
    """
    names = validation.names("trace_verb_data", "items", items)
    if verb is None:
        return functools.partial(trace_verb_data, items=names, config=config, limits=limits)
    if isinstance(verb, staticmethod | classmethod):
        inner = trace_verb_data(verb.__func__, items=names, config=config, limits=limits)  # pyright: ignore[reportUnknownMemberType]
        return type(verb)(inner)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(verb, types.MethodType):
        inner = trace_verb_data(verb.__func__, items=names, config=config, limits=limits)
        return types.MethodType(inner, verb.__self__)
    if isinstance(verb, type):
        raise InvalidArgument(f"trace_verb_data: {verb.__qualname__} is a class; decorate its methods")
    if not callable(verb):
        raise InvalidArgument(f"trace_verb_data: {type(verb).__name__} is nothing that is called")
    plan = _Verb(verb, names, config, limits or Limits())
    is_coroutine = inspect.iscoroutinefunction(verb)
    kind = inspect.CO_COROUTINE if is_coroutine else 0
    made: Any = verb_entrance(verb, _run_coroutine if is_coroutine else _run, plan, kind)
    made.__signature__ = plan.signature_with_trace()
    return made


class _Verb:
    """An entry point, and which of its arguments are exchanged in a trace."""

    def __init__(
        self, function: Callable[..., Any], items: tuple[str, ...], config: str | None, limits: Limits
    ) -> None:
        self.function, self.items, self.config, self.limits = function, items, config, limits
        self.signature = inspect.signature(function)
        parameters = self.signature.parameters
        if "trace" in parameters:
            raise InvalidArgument(
                f"trace_verb_data: {function.__name__} has a parameter `trace` of its own; rename it"
            )
        for name in (*items, *([config] if config else [])):
            if name not in parameters:
                raise InvalidArgument(
                    f"trace_verb_data: {function.__name__} has no parameter {name!r}; it has {', '.join(parameters) or 'none'}"
                )

    def signature_with_trace(self) -> inspect.Signature:
        """The verb's signature with the keyword."""
        trace = inspect.Parameter("trace", inspect.Parameter.KEYWORD_ONLY, default=None)
        given = list(self.signature.parameters.values())
        last = [one for one in given if one.kind is one.VAR_KEYWORD]
        return self.signature.replace(parameters=[*(one for one in given if one not in last), trace, *last])

    def begin(self, count: int) -> Tracing:
        """The trace of one run."""
        title = getattr(self.function, "__qualname__", "verb").rpartition("<locals>.")[2]
        return Tracing(TraceResult(f"{title}(trace={count})", count), self.limits)

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any], count: int) -> inspect.BoundArguments:
        """The arguments of a run for so many items."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name in self.items:
            bound.arguments[name] = limit_items(bound.arguments[name])
        if self.config:
            bound.arguments[self.config] = few_items(bound.arguments[self.config], count)
        return bound

    def end(self, result: TraceResult, value: Any) -> TraceResult:
        """The trace with a record of what the verb returned."""
        result.returned = snapshot(value, self.limits)
        return result


@no_caller
def _run(verb: _Verb, args: tuple[Any, ...], kwargs: dict[str, Any], trace: int | bool) -> Any:
    """Run a verb in a trace of so many items; none is no trace."""
    count = number_of_items(trace)
    if not count:
        return verb.function(*args, **kwargs)
    if inspect.isasyncgenfunction(verb.function):
        return _consumed_later(verb, args, kwargs, count)
    with verb.begin(count) as result:
        bound = verb.arguments(args, kwargs, count)
        value = verb.function(*bound.args, **bound.kwargs)
        if inspect.isgenerator(value):
            value = list(value)
    return verb.end(result, value)


async def _consumed_later(
    verb: _Verb, args: tuple[Any, ...], kwargs: dict[str, Any], count: int
) -> TraceResult:
    """The trace of an asynchronous generator that is run to its end."""
    with verb.begin(count) as result:
        bound = verb.arguments(args, kwargs, count)
        values: AsyncIterable[Any] = verb.function(*bound.args, **bound.kwargs)
        value = [one async for one in values]
    return verb.end(result, value)


@no_caller
async def _run_coroutine(
    verb: _Verb, args: tuple[Any, ...], kwargs: dict[str, Any], trace: int | bool
) -> Any:
    """The same for a coroutine function."""
    count = number_of_items(trace)
    if not count:
        return await verb.function(*args, **kwargs)
    with verb.begin(count) as result:
        bound = verb.arguments(args, kwargs, count)
        value = await verb.function(*bound.args, **bound.kwargs)
    return verb.end(result, value)
