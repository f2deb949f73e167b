"""``AttributeError`` out of a user's code that finds an attribute: a property, a ``__getattr__``, a descriptor.

Python writes the name and the object into one that does not tell them, when it leaves the code that was asked.  In a
graph that code is part of the program around; so one that such code raises itself is completed where it is raised.
Out of a property it is not completed where the attribute is called (``a.p()``), and since Python 3.12 it depends on how
often that line has run.  Where Python's ways are not known, and where code in between might see the exception before,
the function is left to Python.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from astrace.errors import Reason
from astrace.ir.specs import class_of
from astrace.locations import Location
from astrace.ops.lookup_errors import tell_lookup
from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.signals import EndsLookup, Restart, Uncapturable
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import special_method
from astrace.tracing.values.special_methods import class_attribute, hook

ALWAYS_COMPLETES: Final = sys.version_info < (3, 12)
"""Whether Python looks up a property in one way only; later versions run its function in place after some times."""
TOLD: Final = ("name", "obj")


@dataclass(frozen=True, slots=True)
class Lookup:
    """An attribute that a user's code is asked for.

    Args:
        owner: the object that is asked.
        name: the attribute.
        completes: whether Python completes an exception that leaves the code; ``None`` if that is not known.
        refusing: the code, where Python asks ``__getattr__`` if it raises `AttributeError`.
        tries: how many bodies of ``try`` are open around it.
        watched: how many bodies of ``try`` and ``with`` are open around it; a handler sees nothing of what it raises.
    """

    owner: Any
    name: str
    completes: bool | None
    refusing: types.CodeType | None
    tries: int
    watched: int


def found_by(
    trace: Trace,
    method: Any,
    *args: Any,
    owner: Any = None,
    name: str = "",
    completes: bool | None = None,
    refusing: types.CodeType | None = None,
) -> Any:
    """Call code of the user's that is asked for an attribute, and return its result.

    Args:
        trace: the trace.
        method: the code.
        args: what it is given.
        owner: as in `Lookup`.
        name: likewise.
        completes: likewise.
        refusing: likewise.
    """
    trace.lookups.append(Lookup(owner, name, completes, refusing, len(trace.tries), _watched(trace)))
    try:
        return trace.operators.call(method, *args)
    finally:
        trace.lookups.pop()


def found_by_property(trace: Trace, function: Any, owner: Any, cls: type, name: str) -> Any:
    """Call the function of a property, and return its result.

    Args:
        trace: the trace.
        function: the function.
        owner: the instance that is asked.
        cls: its class.
        name: the attribute.
    """
    if class_attribute(cls, "__getattribute__") != (object, object.__getattribute__):
        return found_by(trace, function, owner)
    if hook(cls, "__getattr__") is not None:
        return _or_asked(trace, function, owner, name)
    called = trace.called == (len(trace.lookups), name)
    completes = False if called else True if ALWAYS_COMPLETES else None
    return found_by(trace, function, owner, owner=owner, name=name, completes=completes)


def _or_asked(trace: Trace, function: Any, owner: Any, name: str) -> Any:
    """Return the result of a property; its class has a ``__getattr__``, which is asked if it raises `AttributeError`."""
    method = special_method(trace, owner, "__getattr__")
    if not isinstance(function, types.FunctionType) or method is None:
        return found_by(trace, function, owner)
    if function.__code__ not in trace.plan.refusing:
        return found_by(trace, function, owner, refusing=function.__code__)

    def ask() -> tuple[bool, Any]:
        return True, found_by(trace, function, owner, completes=False)

    def missing(_error: Any) -> tuple[bool, Any]:
        return False, None

    def instead() -> Any:
        return found_by(trace, method, owner, name, owner=owner, name=name, completes=True)

    found, value = trace.operators.try_(ask, ((lambda: AttributeError, missing, ()),), None, {}, dict)
    return trace.operators.if_exp(found, lambda: value, instead)


def check_lookup(trace: Trace, error: Any) -> None:
    """An exception is raised here: complete it as Python does, or stop where that is not known.

    Inside a ``try`` of the code that was asked it is taken for one that is caught there.
    """
    kind = class_of(error.value.spec) if isinstance(error, Tracer) else error
    kind = kind if isinstance(kind, type) else type(kind)
    if not issubclass(kind, AttributeError):
        return
    told = False
    for depth, asked in _left(trace):
        if asked.refusing is not None:
            trace.plan.refusing.add(asked.refusing)
            raise Restart
        if told:
            continue
        if _watched(trace) != asked.watched or asked.completes is None or not _is_plain(kind):
            _refuse(trace, depth)
        if asked.completes:
            _complete(trace, error, asked)
            told = True


def _complete(trace: Trace, error: Any, asked: Lookup) -> None:
    if type(error) is AttributeError and not trace.state.is_outside(error):
        tell_lookup(error, asked.name, asked.owner)
    else:
        record(trace, "tell_lookup", (error, asked.name, asked.owner))


def _left(trace: Trace) -> Iterator[tuple[int, Lookup]]:
    """The lookups that an exception raised here leaves, the innermost first, with how many there are up to each."""
    for index in range(len(trace.lookups) - 1, -1, -1):
        if len(trace.tries) > trace.lookups[index].tries:
            return
        yield index + 1, trace.lookups[index]


def _watched(trace: Trace) -> int:
    return trace.protected - trace.handlers


def _is_plain(kind: type) -> bool:
    """Return whether exceptions of a class are completed without running code of the user's."""
    ours = all(class_attribute(kind, one) == (AttributeError, vars(AttributeError)[one]) for one in TOLD)
    return ours and hook(kind, "__setattr__") is None and hook(kind, "__getattribute__") is None


def _refuse(trace: Trace, depth: int) -> None:
    message = (
        "`AttributeError` is raised by code that looks up an attribute, and Python adds the object to it"
    )
    where = trace.location() or Location.of(trace.function.__code__)
    raise EndsLookup(Reason("AT202", message, where), depth)


def is_asked(trace: Trace, stop: Uncapturable) -> bool:
    """Return whether the code that was asked for the attribute goes on around a call that was not captured."""
    return isinstance(stop, EndsLookup) and stop.depth <= len(trace.lookups)
