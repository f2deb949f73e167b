"""Functions that are traced when JAX calls them, and what JAX makes of them before they are called."""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from astrace.ir.jax_arrays import is_code_of_jax, is_function
from astrace.tracing.changes.journal import TREE, attributes
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import is_traced_through
from astrace.tracing.values.jax_trees import is_node
from astrace.tracing.values.objects import is_made
from astrace.tracing.values.operands import Lazy, is_local_function
from astrace.tracing.values.special_methods import is_compiled
from astrace.util.trees import is_namedtuple

__all__: list[str] = []


@dataclass(frozen=True, slots=True, eq=False)
class Transformed(Lazy):
    """A function that JAX makes of another one: ``jax.grad(f)``.

    Args:
        function: JAX's function, or another `Transformed`.
        args: what it was given.
        kwargs: likewise.
    """

    function: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def materialize(self, trace: Trace) -> Tracer:
        """Stop the capture: a function that JAX has made cannot be a value."""
        trace.stop("AT204", "a function that JAX has made is needed as a value")
        raise AssertionError


def is_callback(trace: Trace, value: Any) -> bool:
    """Return whether a value is a function that is traced when JAX calls it."""
    if is_local_function(value) or is_compiled(value):
        return True
    match value:
        case types.FunctionType():
            return not is_function(value) and not is_code_of_jax(value) and is_traced_through(value)
        case types.MethodType():
            return is_callback(trace, value.__func__)
        case functools.partial():
            return is_callback(trace, value.func)
        case _:
            return callable(value) and is_made(trace, value) and not is_node(value)


def is_wrapped(trace: Trace, value: Any) -> bool:
    """Return whether a value that JAX is to transform is traced when it is called; an instance is a function there."""
    return isinstance(value, Transformed) or is_callback(trace, value) or (is_node(value) and callable(value))


def adopted(trace: Trace, value: Any, place: tuple[int, ...] = ()) -> Any:
    """Adopt a tree that JAX's code has just made: its parts can be changed like all objects made here."""
    held: Any = ()
    if type(value) is tuple or is_namedtuple(value):
        held = value
    elif (type(value) in (list, dict) or is_node(value)) and not is_made(trace, value):
        site = (*trace.site(TREE), *place)
        if site in trace.plan.objects:
            trace.stop("AT204", "a tree that JAX has put together is needed as an object of its own")
        trace.journal.born(value, site)
        held = attributes(value) if is_node(value) else value
    for index, item in enumerate(held.values() if isinstance(held, dict) else held):
        adopted(trace, item, (*place, index))
    return value
