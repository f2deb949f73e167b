"""``try``: in place where it is known while tracing what is raised and who handles it, else as a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from astrace.ir.block import Node
from astrace.ir.interpret import catches
from astrace.ir.specs import ANY
from astrace.ops.effects import is_ordered, may_raise
from astrace.tracing.changes.journal import Changes, Site, Variable
from astrace.tracing.changes.merge import Merger, in_doubt
from astrace.tracing.context import Region, Trace, current
from astrace.tracing.generators.generators import Box
from astrace.tracing.operators.control.handler_names import (
    HandlerPlaces,
    Key,
    Names,
    cells_of,
    held_in_handler,
)
from astrace.tracing.record import record
from astrace.tracing.signals import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import is_made

__all__ = ["try_"]


Handler: TypeAlias = tuple[Callable[[], Any], Callable[..., Any], tuple[str, ...]]
"""The exception classes (as a thunk), a function, and the names it takes behind the exception."""

Finally: TypeAlias = tuple[Callable[..., Any], tuple[str, ...]]
"""A function, and the names it takes."""


@dataclass(frozen=True, slots=True)
class TryStatement:
    """A ``try`` statement, with handlers or with ``finally``.

    Args:
        body: takes the shared names and returns those needed afterwards.
        handlers: tried in order; each returns the same names.
        final: takes what the body returned; runs at the end, whatever happened.
        given: the shared names before.
        now: reads them at any moment.
    """

    body: Callable[..., Any]
    handlers: Sequence[Handler]
    final: Finally | None
    given: Names
    now: Callable[[], Names]


def try_(
    body: Callable[..., Any],
    handlers: Sequence[Handler],
    final: Finally | None,
    given: Names,
    now: Callable[[], Names],
) -> tuple[Any, ...]:
    """``try: body except: handlers`` or ``try: body finally: final``.

    A body whose nodes can't raise runs in place, and so does one that raises while tracing; any other
    becomes a ``try_`` node.  Which of them it is takes a trace of the body, so the plan remembers it: else
    the innermost of nested ``try`` statements would be traced twice for each one around it.
    """
    trace = current()
    trace.hold_before()
    attempt = TryStatement(body, handlers, final, given, now)
    chain = trace.chain()
    if not trace.plan.is_tried(chain) and _caught(trace) not in trace.plan.objects:
        with trace.undone_unless_kept() as keep:
            results = _in_place(trace, attempt, keep)
            if results is not None:
                return results
        trace.plan.attempts.add(chain)
    return _recorded(trace, attempt)


def _in_place(trace: Trace, attempt: TryStatement, keep: Callable[[], None]) -> tuple[Any, ...] | None:
    """Trace a ``try`` statement in place; ``None`` if it has to be a node."""
    first = len(trace.recorder.nodes)
    try:
        with trace.catching():
            results = attempt.body(*attempt.given.values())
    except Leaves:
        return None
    except Exception as raised:
        trace.catch(raised, "the body of a `try`")
        error = raised
    else:
        if _can_raise(trace, first):
            return None
        keep()
        return results if attempt.final is None else attempt.final[0](*results)
    return None if _can_raise(trace, first) else _handled(trace, attempt, error, keep)


def _can_raise(trace: Trace, first: int) -> bool:
    return any(map(may_raise, trace.recorder.nodes[first:]))


def _handled(
    trace: Trace, attempt: TryStatement, error: Exception, keep: Callable[[], None]
) -> tuple[Any, ...] | None:
    """Trace the handling of an exception raised while tracing; ``None`` where the program has to raise it.

    That is so where a handler or ``finally`` can tell that there is an exception: by what they call, or by
    raising another one, of which this one is the context.
    """
    if not is_made(trace, error):
        trace.journal.born(error, _caught(trace))
    first = len(trace.recorder.nodes)
    try:
        with trace.protecting(handler=True):
            results = _handle(trace, attempt, error)
    except Leaves:
        return None
    except Exception as another:
        trace.catch(another, "a handler")
        return None
    if any(may_raise(node) or is_ordered(node) for node in trace.recorder.nodes[first:]):
        return None
    keep()
    if results is None:
        raise error
    return results


def _caught(trace: Trace) -> Site:
    """Return the site of an exception that Python raises in the body of a ``try`` while tracing."""
    return trace.site("caught")


def _handle(trace: Trace, attempt: TryStatement, error: Exception) -> tuple[Any, ...] | None:
    """Find the handler of an exception, as Python would; ``None`` if there is none, after running ``finally``."""
    now = attempt.now()
    for kinds, handler, names in attempt.handlers:
        if catches(trace.operators.classes(kinds()), error):
            trace.handled.append(error)
            try:
                return handler(error, *(now[name] for name in names))
            finally:
                trace.handled.pop()
    if attempt.final is not None:
        final, names = attempt.final
        final(*(now[name] for name in names))
    return None


def _recorded(trace: Trace, attempt: TryStatement) -> tuple[Any, ...]:
    """A ``try`` statement as a ``try_`` node."""
    location = trace.location()
    given: Names = {**attempt.given, **trace.journal.present()}
    cells = cells_of(trace, given)
    found = _body(trace, attempt, given, cells)
    body = found.region
    handlers = _reached(_handlers(trace, attempt), found)
    regions = [body]
    variables = [one for one in changed_objects(body.changes).values() if isinstance(one, Variable)]
    for _, handler, names in handlers:
        held = {
            name: held_in_handler(trace, name, given[name], found.raised, cells)
            for name in (*names, *variables)
        }
        regions.append(_handler_region(trace, handler, held, body.changes))
    if _hands_over(body) and not all(region.leaves for region in regions[1:]):
        message = "an exception from a `yield` is handled here, where names would keep old values"
        trace.stop("AT209", message)
    merger = Merger(trace, regions)
    results = merger.results() if merger.live else None
    blocks, captured = merger.blocks()
    inputs = tuple(trace.recorder.operand(value) for value in captured)
    attrs = {"catches": tuple(handler[0] for handler in handlers)}
    trace.append(Node("try_", inputs, tuple(merger.outputs), attrs, blocks, location))
    trace.note("AT004", "`try` is captured as try_")
    if results is None:
        raise Leaves
    return results if attempt.final is None else attempt.final[0](*results)


RunHandler: TypeAlias = tuple[tuple[type, ...], Callable[..., Any], tuple[str, ...]]
"""The exception classes, a function, and the names it takes behind the exception."""


def _handlers(trace: Trace, attempt: TryStatement) -> list[RunHandler]:
    """Return the handlers of a ``try_`` node with the classes that they name; ``finally`` is one that re-raises.

    What an ``except`` names is looked up when there is an exception.  Where the body may have changed it, that it
    is still what it was is checked on the way of each exception; nobody replaces the names of builtin exceptions.
    """
    with trace.region() as asked:
        try:
            classes = [trace.operators.classes(kinds()) for kinds, _, _ in attempt.handlers]
        except (Exception, Leaves) as error:
            if isinstance(error, Exception):
                trace.catch(error, "the expression of an `except`")
            trace.stop("AT209", "the expression of an `except` raises")
    if any(node.op not in READS for node in asked.recorder.nodes):
        trace.stop("AT209", "the expression of an `except` does something, or may raise")
    handlers = [(named, run, names) for named, (_, run, names) in zip(classes, attempt.handlers, strict=True)]
    if not all(map(trace.state.stale.looks_at_builtins, asked.recorder.nodes)):
        handlers = _checking(trace, attempt, handlers)
    if attempt.final is not None:
        final, names = attempt.final
        handlers.append(((BaseException,), _and_go_on(trace, final), names))
    return handlers


READS: Final = frozenset({"read_global", "read_cell", "get_attr", "check_still", "check_unchanged"})


def _checking(trace: Trace, attempt: TryStatement, handlers: Sequence[RunHandler]) -> list[RunHandler]:
    """Return handlers that look up their classes again, and one for all other exceptions."""

    def checked(count: int, run: Callable[..., Any]) -> Callable[..., Any]:
        def handler(error: Any, *held: Any) -> Any:
            for kinds, _, _ in attempt.handlers[:count]:
                trace.operators.classes(kinds())
            return run(error, *held)

        return handler

    found = [(kinds, checked(place, run), names) for place, (kinds, run, names) in enumerate(handlers, 1)]
    return [*found, ((BaseException,), checked(len(handlers), _and_go_on(trace, lambda: None)), ())]


def _reached(handlers: Sequence[RunHandler], body: TryBody) -> Sequence[RunHandler]:
    """Return the handlers that a body can reach: one, where it is known how the body ends."""
    if body.error is None:
        return handlers
    return [one for one in handlers if catches(one[0], body.error)][:1] or handlers


def _and_go_on(trace: Trace, final: Callable[..., Any]) -> Callable[..., Any]:
    """Run ``finally`` on the way of an exception, which then propagates."""

    def handler(error: Any, *held: Any) -> Any:
        final(*held)
        record(trace, "reraise", (error,))
        raise Leaves

    return handler


@dataclass(frozen=True, slots=True)
class TryBody:
    """The body of a ``try_`` node.

    Args:
        region: the body.
        raised: what the names held wherever it may raise.
        error: what it raises, where that is known to be the only thing that it does raise.
    """

    region: Region
    raised: Sequence[Names]
    error: Exception | None = None


def _body(trace: Trace, attempt: TryStatement, given: Names, cells: Names) -> TryBody:
    """Trace the body as a region, with the values of the names wherever it may raise."""
    places = HandlerPlaces(trace, attempt.now, given, cells)
    known: Exception | None = None
    with trace.region() as region, trace.catching(places):
        try:
            region.result = attempt.body(*attempt.given.values())
        except Leaves:
            region.leaves = True
        except Exception as error:
            known = None if any(map(may_raise, region.recorder.nodes)) else error
            trace.operators.raise_while_tracing(error, "the body of a `try`")
            region.leaves = True
    for key, made in changed_objects(region.changes).items():
        if not isinstance(made, Variable | Box):
            trace.need_object(trace.journal.births[key])
    return TryBody(region, places.all(), known)


def _hands_over(region: Region) -> bool:
    """Return whether a consumer of a generator's items ran inside a region, and keeps something of it."""
    return any(isinstance(change.made, Box) for change in region.changes.objects.values())


def changed_objects(changes: Changes) -> dict[int, Any]:
    """The objects that a body changes, or parts of it do before they raise."""
    return {key: change.made for key, change in changes.objects.items()} | changes.lost.objects


def _handler_region(
    trace: Trace,
    handler: Callable[..., Any],
    held: Mapping[Key, Callable[[], Any]],
    changes: Changes,
) -> Region:
    """Trace a handler; outside state that the body may have written is read when the program runs."""
    with trace.region() as region:
        names = {name: value() for name, value in held.items()}
        for name, value in names.items():
            if isinstance(name, Variable):
                trace.journal.write(name, {name.name: value})
        for slot in (*changes.slots, *changes.lost.slots):
            trace.journal.set_slot(slot, in_doubt(trace, slot))
        error = Tracer(trace, region.recorder.input(ANY, "error"))
        trace.starts[error.value] = ()
        trace.handled.append(error)
        try:
            with trace.protecting(handler=True):
                region.result = handler(error, *(names[name] for name in names if isinstance(name, str)))
        except Leaves:
            region.leaves = True
        except Exception as raised_here:
            trace.operators.raise_while_tracing(raised_here, "a handler")
            region.leaves = True
        finally:
            trace.handled.pop()
    return region
