"""``AttributeError`` out of a user's code that finds an attribute: a property, a ``__getattr__``, a descriptor.

Python writes the name and the object into one that does not tell them, when it leaves the code that was asked.  In a
graph that code is part of the program around; so one that a ``__getattr__`` makes and raises itself is completed where
it is raised.  Of a property it is not known whether Python completes it (it does not for ``a.p()``), so a function in
which one may raise it is left to Python, and so is one that raises another exception of that kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astrace.errors import Reason
from astrace.ir.specs import class_of
from astrace.locations import Location
from astrace.tracing.context import Trace
from astrace.tracing.signals import EndsLookup, Uncapturable
from astrace.tracing.tracer import Tracer


@dataclass(frozen=True, slots=True)
class Lookup:
    """An attribute that a user's code is asked for.

    Args:
        owner: the object that Python tells of; ``None`` if it is not known whether it does.
        name: the attribute.
        tries: how many bodies of ``try`` are open around it.
        protected: how many bodies and handlers of ``try`` and ``with`` are open around it.
    """

    owner: Any
    name: str
    tries: int
    protected: int


def found_by(trace: Trace, method: Any, *args: Any, owner: Any = None, name: str = "") -> Any:
    """Call code of the user's that is asked for an attribute, and return its result.

    Args:
        trace: the trace.
        method: the code.
        args: what it is given.
        owner: as in `Lookup`.
        name: likewise.
    """
    trace.lookups.append(Lookup(owner, name, len(trace.tries), trace.protected))
    try:
        return trace.operators.call(method, *args)
    finally:
        trace.lookups.pop()


def check_lookup(trace: Trace, error: Any) -> None:
    """An exception is raised here: complete it as Python does, or stop where that is not known.

    Inside a ``try`` of the code that was asked it is taken for one that is caught there.
    """
    if not trace.lookups or len(trace.tries) > trace.lookups[-1].tries:
        return
    kind = class_of(error.value.spec) if isinstance(error, Tracer) else error
    kind = kind if isinstance(kind, type) else type(kind)
    if not issubclass(kind, AttributeError):
        return
    asked = trace.lookups[-1]
    settled = asked.owner is not None and trace.protected == asked.protected
    if settled and type(error) is AttributeError and not trace.state.is_outside(error):
        _complete(error, asked)
        return
    message = (
        "`AttributeError` is raised by code that looks up an attribute, and Python adds the object to it"
    )
    where = trace.location() or Location.of(trace.function.__code__)
    raise EndsLookup(Reason("AT202", message, where), len(trace.lookups))


class _Asked:
    """Raises an exception when it is asked for an attribute."""

    def __init__(self, error: AttributeError) -> None:
        self.error = error

    def __getattr__(self, name: str) -> Any:
        raise self.error


def _complete(error: AttributeError, asked: Lookup) -> None:
    """Have Python complete an exception, if it would: whether it was made with a name can't be seen."""
    before, asker = error.__context__, _Asked(error)
    try:
        getattr(asker, asked.name)
    except AttributeError:
        error.__traceback__, error.__context__ = None, before
    if error.obj is asker:
        error.obj = asked.owner


def is_asked(trace: Trace, stop: Uncapturable) -> bool:
    """Return whether the code that was asked for the attribute goes on around a call that was not captured."""
    return isinstance(stop, EndsLookup) and stop.depth <= len(trace.lookups)
