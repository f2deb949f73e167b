"""``with``: by the manager's own methods where they are traced through, else as a node."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from astrace.ir.block import Node
from astrace.ir.specs import ANY, class_of
from astrace.ops.callables.concurrency import runs_other_code
from astrace.ops.effects import may_raise
from astrace.tracing.changes.aliases import may_run_users_code
from astrace.tracing.changes.journal import Variable
from astrace.tracing.changes.merge import Merger, in_doubt
from astrace.tracing.context import Region, Trace, current
from astrace.tracing.generators.stop_iteration import handing_over, making_an_item
from astrace.tracing.generators.suspended_frames import Manager, waiting
from astrace.tracing.operators.control.errstate import inside_manager
from astrace.tracing.operators.control.exceptions import changed_objects, try_
from astrace.tracing.operators.control.raise_ import raise_
from astrace.tracing.operators.control.with_exits import never_suppresses
from astrace.tracing.signals import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import may_run_user_code
from astrace.tracing.values.objects import is_function, is_user_class
from astrace.tracing.values.operands import operand
from astrace.tracing.values.special_methods import class_attribute

__all__ = ["with_"]


def with_(manager: Any, body: Callable[..., Any], given: Sequence[Any] = ()) -> Any:
    """``with manager as entered: body``."""
    trace = current()
    trace.hold_before()
    if isinstance(manager, Manager):
        return _with_generator(trace, manager, body, given)
    cls = _class_of(manager)
    own = may_run_user_code(cls) or not isinstance(manager, Tracer)
    if own and is_user_class(cls) and all(map(functools.partial(_is_traced, cls), METHODS)):
        return _with_methods(trace, manager, body, given)
    return _with_node(trace, manager, body, given)


def _class_of(manager: Any) -> type:
    """The class of a manager; ``object`` where it is not known."""
    return class_of(manager.value.spec) or object if isinstance(manager, Tracer) else type(manager)


def _may_run_user_code(trace: Trace, manager: Any) -> bool:
    """Return whether entering or leaving a manager may run the user's code: their class, their generator."""
    cls = _class_of(manager)
    if cls is object and isinstance(manager, Tracer):
        return may_run_users_code(trace, manager)
    return may_run_user_code(cls) or runs_other_code(cls) or issubclass(cls, contextlib.ContextDecorator)


TRY: Final = (
    "say it with `try` and `except`, or move the whole `with` to a function of its own:"
    " then only its call is left to plain Python"
)
METHODS: Final = ("__enter__", "__exit__")


def _is_traced(cls: type, name: str) -> bool:
    """Return whether a method of a manager is a Python function."""
    found = class_attribute(cls, name)
    return found is not None and is_function(found[1])


def _with_generator(trace: Trace, manager: Manager, body: Callable[..., Any], given: Sequence[Any]) -> Any:
    """``contextlib.contextmanager``: the function runs around the body, which takes the place of its ``yield``."""
    names = [f"carried_{index}" for index in range(len(given))]
    held = trace.operators.box(dict(zip(names, given, strict=True)))
    handled = len(trace.handled)

    def take(entered: Any) -> bool:
        if len(trace.handled) > handled:
            trace.stop("AT209", "the body of a `with` runs while its manager handles an exception")
        held.set("results", body(entered, *(held.get(name) for name in names)))
        return False

    taking = handing_over(trace, take)
    with waiting(trace, taking, body) as going, making_an_item(trace):
        trace.sinks.append(going)
        try:
            trace.operators.call_body(manager.function, manager.args, manager.kwargs)
        finally:
            trace.sinks.pop()
    if not hasattr(held, "results"):
        trace.stop(
            "AT209",
            "the body of a `with` is not reached, or always raises an exception that its manager handles",
        )
    return held.get("results")


def _with_methods(trace: Trace, manager: Any, body: Callable[..., Any], given: Sequence[Any]) -> Any:
    """A manager written in Python: ``__exit__`` sees an exception of the body's, and may let it go on."""

    def caught(error: Any) -> tuple[Any, ...]:
        details = (trace.operators.call(type, error), error, trace.operators.attr(error, "__traceback__"))
        left = trace.operators.call(leave, *details)
        if not never_suppresses(trace, manager) and trace.operators.truth(left) is not False:
            trace.stop("AT209", f"`{_class_of(manager).__name__}.__exit__` may suppress an exception", TRY)
        raise raise_()

    with waiting(trace, body, body) as going:
        leave = trace.operators.attr(manager, "__exit__")
        entered = trace.operators.call(trace.operators.attr(manager, "__enter__"))
        inside = functools.partial(going, entered, *given)
        results = try_(inside, ((lambda: BaseException, caught, ()),), None, {}, dict)
        trace.operators.call(leave, None, None, None)
    return results


def _with_node(trace: Trace, manager: Any, body: Callable[..., Any], given: Sequence[Any]) -> Any:
    """Any other manager: a ``with_`` node around the body."""
    location = trace.location()
    inputs = [operand(trace, manager)]
    runs = _may_run_user_code(trace, manager)
    with inside_manager(trace, manager), trace.region() as region:
        entered = Tracer(trace, region.recorder.input(ANY, "entered"))
        if runs:
            trace.state.forget_all()
        else:
            trace.starts[entered.value] = tuple(inputs)
        try:
            with trace.protecting():
                region.result = body(entered, *given)
        except Leaves:
            region.leaves = True
        except Exception as error:
            trace.operators.raise_while_tracing(error, "the body of a `with`")
            region.leaves = True
    merger = Merger(trace, [region])
    results = merger.results() if merger.live else None
    if any(map(may_raise, region.recorder.nodes)) and not never_suppresses(trace, manager):
        _in_doubt_after(trace, results, region)
    blocks, captured = merger.blocks()
    inputs += [trace.recorder.operand(value) for value in captured]
    trace.append(Node("with_", tuple(inputs), tuple(merger.outputs), {}, blocks, location))
    if runs:
        trace.state.forget_all()
    trace.note("AT004", "`with` is captured as with_")
    if results is None:
        raise Leaves
    return results


def _in_doubt_after(trace: Trace, results: Any, region: Region) -> None:
    """Forget what the body changes, since a manager may suppress an exception: it may be undone, or half done."""
    changed = changed_objects(region.changes)
    if results or region.leaves or any(isinstance(made, Variable) for made in changed.values()):
        message = "a manager of unknown kind may suppress an exception, and names would keep old values"
        trace.stop("AT209", message, TRY)
    for key in changed:
        trace.need_object(trace.journal.births[key])
    for slot in (*region.changes.slots, *region.changes.lost.slots):
        trace.journal.set_slot(slot, in_doubt(trace, slot))
