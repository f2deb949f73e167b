"""The protocol by which the parts of a trace call operators; ``tracing.operators.services`` implements it.

So no part imports the modules of operators, which know all of them.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from astrace.guards.access_paths import Path
from astrace.ir.specs import Spec
from astrace.tracing.scopes import FunctionScope
from astrace.tracing.tracer import Tracer


class Operators(Protocol):
    """The operators, as the rest of tracing calls them."""

    VIEW_TYPES: tuple[type, ...]

    def and_(self, first: Any, *rest: Callable[[], Any]) -> Any:
        """``first and rest…``: the first operand that is false, or the last one."""
        ...

    def attr(self, owner: Any, name: str) -> Any:
        """``owner.name``."""
        ...

    def attributes_of(self, instance: Any) -> dict[str, Any]:
        """The attributes of an instance made while tracing."""
        ...

    def binary(self, name: str, left: Any, right: Any) -> Any:
        """``left + right`` and its like."""
        ...

    def box(self, values: dict[str, Any]) -> Any:
        """A new box that holds ``values``."""
        ...

    def call(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """``function(*args, **kwargs)``."""
        ...

    def call_body(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Run the body of a generator function in place."""
        ...

    def classes(self, kinds: Any) -> tuple[type, ...]:
        """The classes that an ``except`` clause names."""
        ...

    def collect(self, stream: Any, most: int | None = None) -> Any:
        """Return the items of a stream as a list, all or a number at most, after which no more are taken."""
        ...

    def compare(self, name: str, left: Any, right: Any) -> Any:
        """``left < right``, ``left in right``, ``left is right``."""
        ...

    def concrete(self, tracer: Tracer) -> Any:
        """The value of a tracer, made static for this specialisation."""
        ...

    def delete_attr(self, owner: Any, name: str, past_method: bool = False) -> None:
        """``del owner.name``; ``past_method`` if no ``__delattr__`` of the user's is to see it."""
        ...

    def delete_item(self, owner: Any, key: Any) -> None:
        """``del owner[key]``."""
        ...

    def descriptor(self, cls: type, name: str, stored: Any) -> Any:
        """A descriptor of the user's, as an object from outside."""
        ...

    def each(self, iterable: Any, iteration: Callable[[Any], Any]) -> Any:
        """Hand every element to ``iteration`` until it has had enough; tells whether it has."""
        ...

    def expand(self, owner: Any) -> Any:
        """A list, dict or set from outside as one made here: each item read through its path, the keys guarded."""
        ...

    def expand_listed(self, owner: Any) -> Any:
        """Return ``owner`` as `expand` does, but only to iterate over: a set or keys as a list, in their own order."""
        ...

    def guard_class(self, cls: type, name: str) -> None:
        """Check at each call that a class still has an attribute."""
        ...

    def guard_lacks(self, owner: Any, name: str) -> None:
        """Check at each call that an object has no attribute of that name of its own."""
        ...

    def if_exp(self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """``then if test else orelse``."""
        ...

    def inplace(self, name: str, target: Any, value: Any) -> Any:
        """Compute ``target += value`` for a name: return the object that the name is bound to afterwards."""
        ...

    def is_tuple(self, value: Tracer) -> bool:
        """Return whether a tracer stands for a tuple whose items are known."""
        ...

    def item(self, owner: Any, key: Any) -> Any:
        """``owner[key]``."""
        ...

    def items_of(self, trace: Any, value: Any) -> list[Any] | None:
        """The items of an iterable, where their number is known while tracing; else ``None``."""
        ...

    def iteration_method(self, iterable: Any) -> Callable[..., Any] | None:
        """Return a function that iterates over an instance with an ``__iter__`` of the user's."""
        ...

    def kind_of(self, value: Any) -> str:
        """Name the kind of object that a trace-level object is when the program runs."""
        ...

    def known_keys(self, owner: dict[Any, Any]) -> tuple[Any, ...]:
        """The keys of a dict from outside, in their order: fixed by a guard."""
        ...

    def known_length(self, owner: Any) -> int:
        """The length of a container from outside as a number: fixed by a guard."""
        ...

    def listed(self, iterable: Any) -> Any:
        """The items of a lazy iterable as a list, or as a value."""
        ...

    def make_list(self, items: tuple[Any, ...]) -> Any:
        """``[items…]``."""
        ...

    def make_set(self, items: tuple[Any, ...]) -> Any:
        """``{items…}``."""
        ...

    def make_dict(self, pairs: tuple[tuple[Any, Any], ...]) -> Any:
        """``{key: value}``; a traced key needs a dict that exists when the program runs."""
        ...

    def named(self, name: Any, value: Any) -> Any:
        """Give a value the name it is assigned to, for reading; a tuple of names goes with a tuple of values."""
        ...

    def not_(self, value: Any) -> Any:
        """``not value``."""
        ...

    def opaque(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Record a call that happens when the program runs; all that it may have changed is read again afterwards."""
        ...

    def or_(self, first: Any, *rest: Callable[[], Any]) -> Any:
        """``first or rest…``: the first operand that is true, or the last one."""
        ...

    def outside_contains(self, name: str, key: Any, container: Any) -> Any:
        """``key in container`` for a list, dict or set from outside."""
        ...

    def outside_inplace(self, name: str, target: Any, value: Any) -> Any:
        """``target += value`` for a list, dict or set from outside, which is changed in place."""
        ...

    def outside_length(self, owner: Any) -> Any:
        """The length of a list, dict or set from outside: a number under a guard, unless a call may have changed it."""
        ...

    def position(self, owner: list[Any], key: int) -> int:
        """A position of a list from outside, counted from the start where its length is known."""
        ...

    def raise_while_tracing(self, error: Exception, what: str) -> None:
        """Record an exception raised while a region is traced: the region ends with raising it, again at each call."""
        ...

    def read_cell(self, scope: FunctionScope, name: str) -> Any:
        """A variable of a function around the original one."""
        ...

    def read_global(self, scope: FunctionScope, name: str) -> Any:
        """A global, or a builtin."""
        ...

    def record_check(self, found: Any, expected: Any, path: Path) -> None:
        """Record a check, at this place of the program, that outside state is unchanged."""
        ...

    def record_made(self, value: Any) -> Tracer:
        """Record a tuple, a slice, or a number or text equal to another one, as an object of its own."""
        ...

    def record_read(self, op: str, owner: Any, key: Any) -> Any:
        """Record a read of outside state at this place of the program."""
        ...

    def record_tuple(self, items: tuple[Any, ...]) -> Tracer:
        """Record a tuple of trace-level objects as one value."""
        ...

    def runtime_object(self, value: Any, element: Spec | None) -> Tracer:
        """An object made here, as one that exists when the program runs."""
        ...

    def set_field(self, instance: Any, name: str, value: Any) -> None:
        """Store an attribute past any ``__setattr__``, as a generated ``__init__`` does."""
        ...

    def size_of(self, value: Tracer) -> int | None:
        """Return the number of items of a traced tuple or array, fixed for this specialisation; else ``None``."""
        ...

    def spread(self, value: Any) -> Sequence[Any]:
        """Return all items of an iterable whose number is known while tracing."""
        ...

    def spread_mapping(self, value: Any) -> dict[Any, Any]:
        """Return all items of a mapping behind ``**``, in a call or in a display."""
        ...

    def static_items(self, iterable: Any) -> list[Any] | None:
        """The items of a lazy iterable whose parts are known while tracing; else ``None``."""
        ...

    def store_attr(self, value: Any, owner: Any, name: str, past_method: bool = False) -> None:
        """``owner.name = value``; ``past_method`` if no ``__setattr__`` of the user's is to see it."""
        ...

    def store_item(self, value: Any, owner: Any, key: Any) -> None:
        """``owner[key] = value``."""
        ...

    def super_attribute(self, proxy: Any, name: str) -> Any:
        """``super().name``: the attribute of the next class in the instance's order, bound to the instance."""
        ...

    def truth(self, test: Any) -> bool | Tracer:
        """Python's truth of a trace-level object: a ``bool`` where it is known, else a tracer."""
        ...

    def truth_of_object(self, value: Any) -> Any:
        """The truth of an object that is neither a tracer nor one of Python's plain constants."""
        ...

    def truth_of_tracer(self, value: Tracer) -> Any:
        """Return the truth of a tracer's value; for an instance its class decides."""
        ...

    def try_(
        self,
        body: Callable[..., Any],
        handlers: Sequence[Any],
        final: Any,
        given: Mapping[Any, Any],
        now: Callable[[], Mapping[Any, Any]],
    ) -> tuple[Any, ...]:
        """``try: body except: handlers`` or ``try: body finally: final``."""
        ...

    def unary(self, name: str, value: Any) -> Any:
        """``-value`` and its like."""
        ...

    def when(self, test: Any, then: Callable[[], Any]) -> Any:
        """Run one iteration of a comprehension with a condition; return whether the consumer has had enough."""
        ...

    def wrap_constant(self, value: Any) -> Tracer:
        """A constant object as a tracer: an input that is pinned, for a node that changes or reads it."""
        ...

    def wrapped(self, function: types.FunctionType) -> Any:
        """The function that a decorator of the standard library wrapped."""
        ...
