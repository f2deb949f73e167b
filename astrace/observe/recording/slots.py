"""Methods that are instrumented from outside: put into the class for the time of a trace, and taken out again.

A slot is one attribute of one class, module or object.  Traces that instrument it share what stands there: whichever ends last puts
the original back.  Calls of other traces, of none, and of other instances pass through.
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
from typing import Any, Final, NamedTuple

from astrace.errors import InvalidArgument
from astrace.locations import no_caller
from astrace.observe.recording.definition import TraceDef
from astrace.observe.recording.recorder import TraceRecorder, current
from astrace.observe.recording.wrappers import recording
from astrace.util.validation import shown

LOCK: Final = threading.RLock()
"""Held while a slot is changed."""
MARK: Final = "__astrace_slot__"
NOTHING: Final = object()
OTHER_KINDS: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Flags of functions whose kind can be told from outside, and is kept."""


class Use(NamedTuple):
    """One trace that records a slot.

    Args:
        recorder: the trace.
        only: the instance whose calls are recorded; ``None`` for all.
        recorded: what stands for the original, and records.
    """

    recorder: TraceRecorder
    only: Any
    recorded: Any


class Instrumented:
    """One attribute that records its calls for some traces.

    Args:
        holder: the class, module or object that has it.
        name: its name.
        found: what the name leads to, here or in a base.
    """

    def __init__(self, holder: Any, name: str, found: Any) -> None:
        self.holder, self.name, self.found = holder, name, found
        self.before = vars(holder).get(name, NOTHING)
        self.uses: tuple[Use, ...] = ()
        self.stands: Any = None

    def put(self, value: Any) -> None:
        """Put a value in; nothing takes the attribute out."""
        if isinstance(self.holder, type):
            if value is NOTHING:
                type.__delattr__(self.holder, self.name)
            else:
                type.__setattr__(self.holder, self.name, value)
        elif value is NOTHING:
            vars(self.holder).pop(self.name, None)
        else:
            vars(self.holder)[self.name] = value

    def end(self, recorder: TraceRecorder) -> None:
        """Forget a trace; with the last one, put back what was there, unless somebody has replaced it since."""
        with LOCK:
            self.uses = tuple(one for one in self.uses if one.recorder is not recorder)
            if not self.uses and vars(self.holder).get(self.name, NOTHING) is self.stands:
                self.put(self.before)

    def chosen(self, instance: Any) -> Any:
        """What a use of the attribute leads to: the original, or what records it for the active trace."""
        running = current()
        if running is not None:
            for use in self.uses:
                if use.recorder is running.recorder and (use.only is None or use.only is instance):
                    return use.recorded
        return self.found


class RecordingAttribute:
    """What stands in a class: gives the original to those who do not look, and what records its calls to those who do."""

    def __init__(self, slot: Instrumented) -> None:
        self.slot = slot
        self.__doc__ = getattr(slot.found, "__doc__", None)
        self.__isabstractmethod__ = getattr(slot.found, "__isabstractmethod__", False)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return bound(self.slot.chosen(instance), instance, owner)


class RecordingProperty(RecordingAttribute):
    """The same for a property, which is set and deleted, too."""

    def __set__(self, instance: Any, value: Any) -> None:
        self.slot.chosen(instance).__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self.slot.chosen(instance).__delete__(instance)


def bound(value: Any, instance: Any, owner: type | None) -> Any:
    """What an attribute of a class gives for an instance, as Python finds it."""
    get = getattr(type(value), "__get__", None)
    return value if get is None else get(value, instance, owner)


def instrument(recorder: TraceRecorder, obj: Any, name: str, definition: TraceDef) -> Instrumented:
    """Record the calls of a method for a trace.

    Args:
        recorder: records them.
        obj: an object, whose class is instrumented for this object alone; a class, for all its instances; a module.
        name: the method, property or function.
        definition: what is recorded of it.

    Raises:
        InvalidArgument: there is no such attribute, it is nothing that is called, or its class can't be changed.
    """
    with LOCK:
        holder, only = _holder(obj, name)
        found = _recordable(_found(holder, name), holder, name)
        slot = _slot(vars(holder).get(name))
        original = _original(found)
        in_class = isinstance(holder, type)
        method = (True if isinstance(original, types.FunctionType) else None) if in_class else False
        recorded = recording(original, definition, method)
        if slot is None:
            slot = _install(Instrumented(holder, name, found), in_class)
        slot.uses = (*slot.uses, Use(recorder, only, recorded))
        return slot


def _recordable(original: Any, holder: Any, name: str) -> Any:
    """What can stand in a class for what it has of `object`, which asks whether its class has its own one.

    Raises:
        InvalidArgument: it is ``__new__``: Python does not forget that a class had its own one.
    """
    if original is object.__new__:
        raise InvalidArgument(
            f"instrument: {shown(holder)} has no {name!r} of its own; instrument '__init__'"
        )
    return _made_by_new if original is object.__init__ else original


@functools.wraps(object.__init__)
def _made_by_new(self: Any, /, *args: Any, **kwargs: Any) -> None:
    """``object.__init__``, for a class without a trace: the arguments are those of ``__new__``, if there is one."""
    if type(self).__new__ is object.__new__:
        object.__init__(self, *args, **kwargs)


def _install(slot: Instrumented, in_class: bool) -> Instrumented:
    original = _original(slot.found)
    kind = type(original)
    if not in_class:
        slot.stands = _dispatching(slot, first=False)
    elif kind is types.FunctionType and not original.__code__.co_flags & OTHER_KINDS:
        slot.stands = _dispatching(slot, first=True)
    elif hasattr(kind, "__set__") or hasattr(kind, "__delete__"):
        slot.stands = RecordingProperty(slot)
    else:
        slot.stands = RecordingAttribute(slot)
    setattr(slot.stands, MARK, slot)
    try:
        slot.put(slot.stands)
    except TypeError as error:
        raise InvalidArgument(f"instrument: {shown(slot.holder)} can't be changed: {error}") from error
    return slot


def _dispatching(slot: Instrumented, *, first: bool) -> Any:
    """A function that decides at each call; in a class, by its first argument."""

    @functools.wraps(slot.found)
    def traced(*args: Any, **kwargs: Any) -> Any:
        return slot.chosen(args[0] if first and args else None)(*args, **kwargs)

    return no_caller(traced)


def _slot(standing: Any) -> Instrumented | None:
    """The slot that something stands in for recording."""
    slot = (
        getattr(standing, MARK, None)
        if isinstance(standing, RecordingAttribute | types.FunctionType)
        else None
    )
    return slot if isinstance(slot, Instrumented) and slot.stands is standing else None


def _original(found: Any) -> Any:
    """What a name leads to without the recording of any trace."""
    slot = _slot(found)
    return found if slot is None else _original(slot.found)


def _holder(obj: Any, name: str) -> tuple[Any, Any]:
    """Where an attribute is instrumented, and the only instance whose calls count."""
    if isinstance(obj, type | types.ModuleType):
        return obj, None
    if name in getattr(obj, "__dict__", ()):
        return obj, None
    return type(obj), obj


def _found(holder: Any, name: str) -> Any:
    """What stands under a name, as the class or module holds it.

    Raises:
        InvalidArgument: nothing does, or what is never called.
    """
    places = type.__dict__["__mro__"].__get__(holder) if isinstance(holder, type) else (holder,)
    found = next((vars(one)[name] for one in places if name in vars(one)), NOTHING)
    kinds = (property, staticmethod, classmethod, functools.cached_property, functools.partialmethod)
    if found is NOTHING:
        raise InvalidArgument(f"instrument: {shown(holder)} has no attribute {name!r}")
    if not callable(found) and not isinstance(found, (*kinds, RecordingAttribute)):
        raise InvalidArgument(f"instrument: {name!r} of {shown(holder)} is nothing that is called")
    return found
