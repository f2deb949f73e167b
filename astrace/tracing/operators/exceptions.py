"""``raise``, ``assert`` and ``try``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from astrace.ir.block import Node
from astrace.ir.specs import ANY
from astrace.ir.statics import UNSET
from astrace.ops.effects import may_raise
from astrace.tracing.callables import is_exception_class
from astrace.tracing.context import Region, Trace, current
from astrace.tracing.ending import check_end
from astrace.tracing.journal import UNKNOWN, Changes, Variable
from astrace.tracing.lifting import is_traced
from astrace.tracing.merge import Merger
from astrace.tracing.operators.held import Key, Names, Places, cells_of, held_in_handler
from astrace.tracing.operators.logic import cond
from astrace.tracing.operators.streams import Box
from astrace.tracing.record import record
from astrace.tracing.scopes import error_location
from astrace.tracing.stops import Leaves
from astrace.tracing.tracer import Tracer

__all__ = ["assert_", "raise_", "raise_while_tracing", "try_"]


# -- raise and assert ------------------------------------------------------------------------------------


def raise_(error: Any = UNSET, cause: Any = UNSET) -> BaseException:
    """``raise error from cause``: gives the exception to raise, where Python itself can carry it on.

    Where a branch or a loop around is being recorded, raising is a node and the path ends here.
    """
    trace = current()
    if error is UNSET:
        return _reraise(trace)
    check_end(trace, error)
    if isinstance(error, type) and issubclass(error, BaseException):
        error = trace.operators.call(error)
    if (
        isinstance(error, BaseException)
        and not trace.state.is_outside(error)
        and not trace.recording_raises()
        and cause is UNSET
    ):
        trace.mark(error, certain=True)
        return error
    given = (_as_value(trace, error),)
    if cause is not UNSET:
        given = (*given, _as_value(trace, cause))
    record(trace, "raise_", given)
    raise Leaves


def raise_while_tracing(error: Exception, what: str) -> None:
    """An exception raised while a region is traced: the region ends with raising it, at each call anew."""
    trace = current()
    check_end(trace, error)
    trace.catch(error, what)
    plain = is_exception_class(type(error)) and error.__cause__ is None and not error.__dict__
    if not plain or any(map(is_traced, error.args)):
        trace.stop("AT202", f"{what} raises {type(error).__name__}: {error}")
    where = error_location(error)
    trace.raised_at = where if where and where.file == trace.function.__code__.co_filename else None
    record(trace, "raise_", (record(trace, "call", (type(error), *error.args)),))
    trace.raised_at = None


def _as_value(trace: Trace, error: Any) -> Any:
    """An exception as a value of the graph: a new one at each call."""
    if not isinstance(error, BaseException) or trace.state.is_outside(error):
        return error
    return record(trace, "call", (type(error), *error.args))


def _reraise(trace: Trace) -> BaseException:
    error = trace.handled[-1] if trace.handled else None
    if isinstance(error, BaseException):
        return error
    record(trace, "reraise", () if error is None else (error,))
    raise Leaves


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message``."""

    def fail() -> Any:
        trace = current()
        error = AssertionError if message is None else trace.operators.call(AssertionError, message())
        raise raise_(error)

    cond(test, lambda: None, fail)


# -- try ---------------------------------------------------------------------------------------------------


Handler: TypeAlias = tuple[Callable[[], Any], Callable[..., Any], tuple[str, ...]]
"""The exception classes (as a thunk), a function, and the names it takes behind the exception."""

Final: TypeAlias = tuple[Callable[..., Any], tuple[str, ...]]
"""A function, and the names it takes."""


@dataclass(frozen=True, slots=True)
class Attempt:
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
    final: Final | None
    given: Names
    now: Callable[[], Names]


def try_(
    body: Callable[..., Any],
    handlers: Sequence[Handler],
    final: Final | None,
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
    attempt = Attempt(body, handlers, final, given, now)
    chain = tuple((frame.f_code, frame.f_lasti) for frame, _ in trace.frames())
    if chain not in trace.plan.attempts:
        with trace.undone_unless_kept() as keep:
            results = _in_place(trace, attempt, keep)
            if results is not None:
                return results
        trace.plan.attempts.add(chain)
    return _recorded(trace, attempt)


def _in_place(trace: Trace, attempt: Attempt, keep: Callable[[], None]) -> tuple[Any, ...] | None:
    """Trace a ``try`` statement in place; ``None`` if it has to be a node.

    Once it is clear how the body ends, its nodes are kept, however the handlers end.
    """
    first = len(trace.recorder.nodes)
    try:
        with trace.catching():
            results = attempt.body(*attempt.given.values())
    except Leaves:
        return None
    except Exception as error:
        trace.catch(error, "the body of a `try`")
        if _can_raise(trace, first):
            return None
        keep()
        return _handle(trace, attempt, error)
    if _can_raise(trace, first):
        return None
    keep()
    return results if attempt.final is None else attempt.final[0](*results)


def _can_raise(trace: Trace, first: int) -> bool:
    return any(map(may_raise, trace.recorder.nodes[first:]))


def _handle(trace: Trace, attempt: Attempt, error: Exception) -> tuple[Any, ...]:
    """An exception raised while tracing: find its handler, as Python would."""
    now = attempt.now()
    for kinds, handler, names in attempt.handlers:
        if isinstance(error, trace.operators.classes(kinds())):
            trace.handled.append(error)
            try:
                return handler(error, *(now[name] for name in names))
            finally:
                trace.handled.pop()
    if attempt.final is not None:
        final, names = attempt.final
        final(*(now[name] for name in names))
    raise error


def _recorded(trace: Trace, attempt: Attempt) -> tuple[Any, ...]:
    """A ``try`` statement as a ``try_`` node."""
    location = trace.location()
    given: Names = {**attempt.given, **trace.journal.present()}
    cells = cells_of(trace, given)
    body, raised = _body_region(trace, attempt, given, cells)
    handlers = [(trace.operators.classes(kinds()), run, names) for kinds, run, names in attempt.handlers]
    if attempt.final is not None:
        final, names = attempt.final
        handlers.append(((BaseException,), _and_go_on(trace, final), names))
    regions = [body]
    variables = [one for one in changed_objects(body.changes).values() if isinstance(one, Variable)]
    for _, handler, names in handlers:
        held = {
            name: held_in_handler(trace, name, given[name], raised, cells) for name in (*names, *variables)
        }
        regions.append(_handler_region(trace, handler, held, body.changes))
    if _hands_over(body) and not all(region.leaves for region in regions[1:]):
        message = "an exception that comes out of a `yield` is handled, and names would keep old values"
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


def _and_go_on(trace: Trace, final: Callable[..., Any]) -> Callable[..., Any]:
    """``finally`` on the way of an exception: it runs, then the exception goes on."""

    def handler(error: Any, *held: Any) -> Any:
        final(*held)
        record(trace, "reraise", (error,))
        raise Leaves

    return handler


def _body_region(
    trace: Trace, attempt: Attempt, given: Names, cells: Names
) -> tuple[Region, Sequence[Names]]:
    """The body as a region, and what the names held wherever it may raise."""
    places = Places(trace, attempt.now, given, cells)
    with trace.region() as region, trace.catching(places):
        try:
            region.result = attempt.body(*attempt.given.values())
        except Leaves:
            region.leaves = True
        except Exception as error:
            trace.operators.raise_while_tracing(error, "the body of a `try`")
            region.leaves = True
    for key, made in changed_objects(region.changes).items():
        if not isinstance(made, Variable | Box):
            trace.need_object(trace.journal.births[key].site)
    return region, places.all()


def _hands_over(region: Region) -> bool:
    """Whether a consumer of a generator's items ran inside a region, and keeps something of it."""
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
    """A handler; what the body may have written outside is read when the program runs."""
    with trace.region() as region:
        names = {name: value() for name, value in held.items()}
        for name, value in names.items():
            if isinstance(name, Variable):
                trace.journal.write(name, {name.name: value})
        for slot in (*changes.slots, *changes.lost.slots):
            trace.journal.set_slot(slot, True if slot[1] == "dirty" else UNKNOWN)  # type: ignore[index]
        error = Tracer(trace, region.recorder.input(ANY, "error"))
        trace.handled.append(error)
        try:
            region.result = handler(error, *(names[name] for name in names if isinstance(name, str)))
        except Leaves:
            region.leaves = True
        except Exception as raised_here:
            trace.operators.raise_while_tracing(raised_here, "a handler")
            region.leaves = True
        finally:
            trace.handled.pop()
    return region
