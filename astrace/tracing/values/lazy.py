"""Trace-level objects that are neither tracers nor the user's: lazy iterables, methods of tracers.

They exist only while tracing.  One that is needed as a value becomes the node that makes it.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from astrace.guards.access_paths import Path
from astrace.ir.specs import AnySpec
from astrace.tracing.changes.journal import MISSING, WALKED, Site
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.iterator_creation import IteratorCreation, beginning, only_computes, walkable
from astrace.tracing.generators.suspended_frames import waiting
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import may_run_user_code
from astrace.tracing.values.operands import Lazy, takes_now


@dataclass(frozen=True, slots=True, eq=False)
class GivenFunction(Lazy):
    """A Python function from outside of which only the code is fixed: the next call may bring another one.

    Args:
        function: the function that was found, whose defaults and variables are read through its path.
        path: where it was found.
    """

    CLASS: ClassVar = types.FunctionType
    function: Any
    path: Path

    def materialize(self, trace: Trace) -> Tracer:
        """The function that the call is given."""
        return Tracer(trace, trace.state.input_at(self.path, AnySpec(types.FunctionType), self.function))

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Trace through a call; a partial or a method of it is as callable as one of the function."""
        return current().operators.call(self, *args, **kwargs)


@dataclass(frozen=True, slots=True, eq=False)
class TracedPartial(Lazy):
    """``functools.partial(func, *args, **keywords)`` of a trace-level callable, or with traced arguments."""

    CLASS: ClassVar = functools.partial
    func: Any
    args: tuple[Any, ...]
    keywords: Mapping[str, Any]

    def materialize(self, trace: Trace) -> Tracer:
        """The partial as a value."""
        return trace.operators.opaque(functools.partial, (self.func, *self.args), self.keywords)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Trace through a call."""
        return current().operators.call(self, *args, **kwargs)


@dataclass(frozen=True, slots=True, eq=False)
class TracedRange(Lazy):
    """``range(start, stop, step)`` with a bound that is traced, or any range that a loop iterates over."""

    CLASS: ClassVar = range
    start: Any
    stop: Any
    step: Any

    def materialize(self, trace: Trace) -> Tracer:
        """The range as a value."""
        return record(trace, "range", (self.start, self.stop, self.step))


@dataclass(frozen=True, slots=True, eq=False)
class DictView(Lazy):
    """``owner.keys()``, ``owner.values()`` or ``owner.items()`` of a dict from outside.

    Args:
        owner: the dict.
        name: the name of the method.
        view: the view itself, if it came from outside, too.
    """

    owner: Any
    name: str
    view: Any = None

    def cls(self) -> type | None:
        """The class of the view; of a view of a subclass only where it came from outside."""
        if self.view is not None:
            return type(self.view)
        return type(getattr(dict, self.name)(self.owner)) if type(self.owner) is dict else None

    def materialize(self, trace: Trace) -> Tracer:
        """The view as a value."""
        if self.view is not None:
            return trace.operators.wrap_constant(self.view)
        return record(trace, "call_method", (self.owner, self.name))

    def keys(self, trace: Trace) -> tuple[Any, ...] | None:
        """The keys of the dict, guarded; ``None`` where only the running program knows them."""
        if trace.state.may_have_other_keys(self.owner):
            return None
        return tuple(trace.operators.known_keys(self.owner))

    def pick(self, trace: Trace, key: Any) -> Any:
        """Return the item of the view for a key."""
        if self.name == "keys":
            return key
        value = trace.operators.item(self.owner, key)
        return value if self.name == "values" else (key, value)

    def items(self, trace: Trace) -> list[Any] | None:
        """Return all present items of the view; ``None`` where only the running program knows them."""
        keys = self.keys(trace)
        return None if keys is None else [self.pick(trace, key) for key in keys]


BEGUN: Final = "begun"
SPENT: Final = "spent"
AGAIN: Final = "an iterator is used again after items were taken from it, or after its iterable has changed"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OneShot(Lazy):
    """An iterator: what was taken from it is gone.

    How far it has come is a slot of the journal, so branches and loops undo, merge and carry it.

    Args:
        site: where it was made; empty for one that nothing but an operator holds.
    """

    IS_KEPT: ClassVar = False
    site: Site = ()
    begun: IteratorCreation = field(init=False, repr=False)

    def __post_init__(self) -> None:
        trace = current()
        trace.journal.iterators[self] = trace.journal.depth
        walked = tuple(_owner(value) for value in self.walked())
        object.__setattr__(self, "begun", beginning(trace, walked, isinstance(self, TracedReversed)))

    def walked(self) -> tuple[Any, ...]:
        """Return the iterables that it walks."""
        return ()

    def is_spent(self, trace: Trace) -> bool:
        """Return whether it is certain that nothing is left."""
        return trace.journal.slots.get((self, WALKED)) is SPENT

    def claim(self, trace: Trace) -> bool:
        """Begin to walk it; return false where nothing is left.

        An iterator of which something is left has to be a real one from the start, and so has one whose contents may have
        changed since it was made.
        """
        slot = (self, WALKED)
        held = trace.journal.slots.get(slot, MISSING)
        if held is MISSING:
            if self.begun.has_moved(trace):
                self.must_exist(trace)
            trace.journal.set_slot(slot, BEGUN)
        elif held is not SPENT:
            self.must_exist(trace)
        return held is MISSING

    def spend(self, trace: Trace) -> None:
        """Mark it as walked to its end."""
        trace.journal.set_slot((self, WALKED), SPENT)

    def must_exist(self, trace: Trace, message: str = AGAIN) -> None:
        """Start again with a real iterator in its place, if there can be one."""
        if self.site and self.can_exist():
            trace.need_sites((self.site,))
        trace.stop("AT204", message, "make a list of the items first")

    def can_exist(self) -> bool:
        """Return whether a real iterator may be made at once, before anything is taken from it."""
        return True

    def check_kept(self, trace: Trace) -> None:
        """A generator is walked when its turn comes, not where branches meet."""
        if self.takes_now():
            self.must_exist(trace, "a generator that is used later leaves a branch or an iteration of a loop")

    def materialize(self, trace: Trace) -> Tracer:
        """Return the iterator as a value, for code that takes items from it."""
        if not self.claim(trace):
            self.must_exist(trace)
        return self.real(trace)

    def real(self, trace: Trace) -> Tracer:
        """A new real iterator."""
        raise NotImplementedError


def _owner(value: Any) -> Any:
    """Return the container of an iterable whose size counts: the dict of a view from outside."""
    return value.owner if isinstance(value, DictView) else value


def _can_exist(iterable: Any) -> bool:
    return not isinstance(iterable, OneShot) or iterable.can_exist()


def one_shot(trace: Trace, iterator: OneShot) -> OneShot | Tracer:
    """A new iterator; a real one where the plan says so."""
    return iterator.real(trace) if iterator.site in trace.plan.objects else iterator


@dataclass(frozen=True, slots=True, eq=False)
class TracedEnumerate(OneShot):
    """``enumerate(inner, start)``."""

    CLASS: ClassVar = enumerate
    inner: Any
    start: Any

    def walked(self) -> tuple[Any, ...]:
        """Return the iterable that it counts."""
        return (self.inner,)

    def can_exist(self) -> bool:
        """Return whether the iterable that it counts can exist."""
        return _can_exist(self.inner)

    def takes_now(self) -> bool:
        """Return whether the iterable that it counts takes items now."""
        return takes_now(self.inner)

    def real(self, trace: Trace) -> Tracer:
        """A new real iterator."""
        return record(trace, "enumerate", (walkable(trace, self.inner), self.start))


@dataclass(frozen=True, slots=True, eq=False)
class TracedZip(OneShot):
    """``zip(*parts, strict=strict)``."""

    CLASS: ClassVar = zip
    parts: tuple[Any, ...]
    strict: bool

    def walked(self) -> tuple[Any, ...]:
        """Return all its parts."""
        return self.parts

    def can_exist(self) -> bool:
        """Return whether all its parts can exist."""
        return all(map(_can_exist, self.parts))

    def takes_now(self) -> bool:
        """Return whether one of its parts takes items now."""
        return any(map(takes_now, self.parts))

    def real(self, trace: Trace) -> Tracer:
        """A new real iterator."""
        parts = tuple(walkable(trace, part) for part in self.parts)
        return record(trace, "zip", parts, {"strict": True} if self.strict else {})


@dataclass(frozen=True, slots=True, eq=False)
class TracedReversed(OneShot):
    """``reversed(inner)``."""

    inner: Any

    def walked(self) -> tuple[Any, ...]:
        """Return the iterable that it walks from the end."""
        return (self.inner,)

    def takes_now(self) -> bool:
        """Return whether the iterable that it walks takes items now."""
        return takes_now(self.inner)

    def real(self, trace: Trace) -> Tracer:
        """A new real iterator."""
        return record(trace, "reversed", (walkable(trace, self.inner),))


@dataclass(frozen=True, slots=True, eq=False)
class Stream(OneShot):
    """A generator, a generator expression, ``map``, ``filter``: items handed out one after the other.

    Args:
        items: hands each item to the function it is given; that function tells whether it has had enough.
        value: makes the real iterator, for opaque code; ``None`` where the items must be listed.
        sources: what it asked for their iterators when it was made.
        kind: the class that it has when the program runs; ``None`` for one that only operators see.
        made: makes a real one in its place, before anything is taken from it.
    """

    items: Callable[[Callable[[Any], Any]], Any]
    value: Callable[[Trace], Tracer] | None = None
    sources: tuple[Any, ...] = ()
    kind: type | None = None
    made: Callable[[Trace], Tracer] | None = None

    def cls(self) -> type | None:
        """Return the class that was given for it."""
        return self.kind

    def walked(self) -> tuple[Any, ...]:
        """Return the iterables that it takes items from."""
        return self.sources

    def run(self, emit: Callable[[Any], Any], body: Callable[..., Any] | None = None) -> Any:
        """Hand each item to ``emit``, which tells whether it has had enough; the code around waits between them.

        Args:
            emit: takes an item.
            body: that part of it which is the user's.
        """
        with waiting(current(), emit, body) as going:
            return self.items(going)

    def can_exist(self) -> bool:
        """Return whether a real generator can be made, whose code runs item by item, between the consumer's."""
        return self.made is not None

    def takes_now(self) -> bool:
        """Return whether its items are listed."""
        return self.value is None

    def real(self, trace: Trace) -> Tracer:
        """A real generator, which may do anything at each item; else an iterator over the items, taken now."""
        if self.made is not None and self.site in trace.plan.objects:
            return self.made(trace)
        if self.value is None:
            return record(trace, "iter", (_items_at_once(trace, self),))
        made = self.value(trace)
        trace.state.forget_all()
        return made


def _items_at_once(trace: Trace, stream: Stream) -> Any:
    """Return the items of a stream that only computes, so that the time of its run can't be observed."""
    with trace.undone_unless_kept() as keep:
        first = len(trace.recorder.nodes)
        items = trace.operators.collect(replace(stream))
        if not only_computes(trace, first):
            stream.must_exist(trace, "a generator that does more than compute is passed to opaque code")
        keep()
    return items


@dataclass(frozen=True, slots=True, eq=False)
class BoundMethod(Lazy):
    """A method of a traced value: one that is called is never made."""

    owner: Tracer
    name: str

    def materialize(self, trace: Trace) -> Tracer:
        """The method as a value."""
        return record(trace, "get_attr", (self.owner, self.name))


@dataclass(frozen=True, slots=True, eq=False)
class ArrayMethod(BoundMethod):
    """A method of an array or NumPy scalar that is an op."""


@dataclass(frozen=True, slots=True, eq=False)
class TracedMethod(BoundMethod):
    """A method of any other traced value."""


@dataclass(frozen=True, slots=True, eq=False)
class TracedSuper:
    """``super()`` in a method of class ``owner`` whose instance is traced."""

    owner: type
    instance: Tracer


CALLED_WHILE_TRACING: Final = (
    types.FunctionType | types.MethodType | functools.partial | BoundMethod | GivenFunction | TracedPartial  # pyright: ignore[reportMissingTypeArgument]
)
"""Callables that are no objects of the running program, or are traced through."""


def is_called_while_tracing(value: Any) -> bool:
    """Return whether a trace-level object is a callable whose code is the user's, so that a call of it is traced."""
    return isinstance(value, CALLED_WHILE_TRACING) or (
        not isinstance(value, Tracer | Lazy | type) and callable(value) and may_run_user_code(value)
    )
