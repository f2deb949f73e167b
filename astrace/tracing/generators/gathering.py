"""Gathering the items of an iterator for a builtin that works on each before it takes the next.

``sum``, ``max`` and ``set`` are such builtins.  All items may be made before one begins where nobody can tell: where
making them only computes, or where the builtin's work on them is silent, which is to run none of the user's code and to
raise nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, cast

from astrace.ir.constants import UNDEFINED
from astrace.ir.specs import (
    ANY,
    ArraySpec,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    class_of,
    options_of,
)
from astrace.ops.effects import may_raise
from astrace.ops.python.builtins import element_of
from astrace.tracing.context import Trace
from astrace.tracing.generators.iterator_creation import only_computes
from astrace.tracing.signals import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import runs_when_walked
from astrace.tracing.values.lazy import OneShot, Stream
from astrace.tracing.values.operands import spec_at

IN_TURNS: Final = "a generator's code runs between the steps of a builtin that takes its items"


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came of gathering the items of an iterator.

    Args:
        items: a list of them; ``None``, with nothing done, where the iterator and the builtin have to take turns.
        kinds: the specs of the items; empty where making them raises.
        counted: whether their number is known while tracing.
    """

    items: Any
    kinds: AbstractSet[Spec] = frozenset()
    counted: bool = False


def gather(trace: Trace, iterator: OneShot, silent: Callable[[AbstractSet[Spec]], bool]) -> Gathered:
    """Gather the items of an iterator that runs code of the program.

    Args:
        trace: the trace.
        iterator: the iterator, which is used up if its items are found.
        silent: whether the builtin's work on items of some kinds is silent.
    """
    with trace.undone_unless_kept() as keep:
        first = len(trace.recorder.nodes)
        try:
            items = trace.operators.listed(iterator)
        except (Exception, Leaves):
            return Gathered(None)
        kinds, counted = _kinds_of(trace, items), isinstance(items, list)
        if not _makes_items_unseen(trace, first) and not silent(kinds):
            return Gathered(None, kinds, counted)
        keep()
    return Gathered(items, kinds, counted)


def gathered(trace: Trace, iterator: OneShot, silent: Callable[[AbstractSet[Spec]], bool]) -> Any:
    """Return the items of an iterator as a list; where they can't be gathered, start again with a real iterator."""
    found = gather(trace, iterator, silent)
    if found.items is None:
        iterator.must_exist(trace, IN_TURNS)
    return found.items


def added_in_turns(trace: Trace, iterator: OneShot, start: Any) -> Any:
    """Return the sum of the items of an iterator, each of which is added when it comes."""
    held = trace.operators.box({"total": start})
    trace.operators.each(iterator, lambda item: fold(trace, held, operator.add, item))
    return held.get("total")


def fold(trace: Trace, held: Any, step: Any, item: Any) -> bool:
    """Work one more item into a total that a box holds; a first item that meets none is the total itself."""
    total = held.get("total")
    held.set("total", item if total is UNDEFINED else trace.operators.call(step, total, item))
    return False


def runs_code(value: Any) -> bool:
    """Return whether an iterator that exists only while tracing may run code of the program for an item."""
    return isinstance(value, OneShot) and (isinstance(value, Stream) or any(map(_may_run, value.walked())))


def _may_run(part: Any) -> bool:
    """Return whether what an iterator walks may run code of the program."""
    if not isinstance(part, Tracer):
        return runs_code(part)
    cls = class_of(part.value.spec)
    return cls is None or runs_when_walked(cls)


def _makes_items_unseen(trace: Trace, first: int) -> bool:
    """Return whether nothing shows when the items are made, nor that all of them are."""
    return only_computes(trace, first) and not any(map(may_raise, trace.recorder.nodes[first:]))


def _kinds_of(trace: Trace, items: Any) -> set[Spec]:
    """Return the specs of the items of a list."""
    if isinstance(items, list):
        return {option for item in cast("list[Any]", items) for option in options_of(spec_at(trace, item))}
    return set(options_of(element_of(spec_at(trace, items)) or ANY))


# -- what is silent ----------------------------------------------------------------------------------------


def adds_silently(kinds: AbstractSet[Spec]) -> bool:
    """Return whether adding up such items raises nothing: Python's integers, or floats, or NumPy's numbers."""
    if all(isinstance(kind, GenericSpec) and kind.dtype.kind in "biufc" for kind in kinds):
        return True
    classes = {class_of(kind) for kind in kinds}
    return classes <= {int, bool} or classes <= {float, complex, bool}


def compares_silently(kinds: AbstractSet[Spec]) -> bool:
    """Return whether comparing such items raises nothing: real numbers, tuples of them, or texts."""
    return all(map(has_order, kinds)) or {class_of(kind) for kind in kinds} <= {str}


def has_order(kind: Spec) -> bool:
    """Return whether a value is a real number, or a tuple of such."""
    match kind:
        case TupleSpec():
            return all(map(has_order, kind.items))
        case ScalarSpec():
            return kind.kind != "complex"
        case GenericSpec() | ArraySpec(shape=()):
            return kind.dtype.kind in "biuf"
        case LiteralSpec():
            return isinstance(kind.value, int | float)
        case _:
            return False


def hashes_silently(kinds: AbstractSet[Spec]) -> bool:
    """Return whether hashing such items and looking which are equal raises nothing: numbers, texts, tuples of them."""
    return all(map(_has_plain_hash, kinds))


def _has_plain_hash(kind: Spec) -> bool:
    match kind:
        case TupleSpec():
            return kind.cls is tuple and all(map(_has_plain_hash, kind.items))
        case ScalarSpec() | GenericSpec():
            return True
        case _:
            return class_of(kind) in PLAIN_KEYS


PLAIN_KEYS: Final = frozenset({bool, int, float, complex, str, bytes, type(None)})


def pairs_silently(kinds: AbstractSet[Spec]) -> bool:
    """Return whether a dict of such items is made without an exception: they are keys that are hashed silently, and values."""
    return all(
        isinstance(one, TupleSpec) and len(one.items) == 2 and _has_plain_hash(one.items[0]) for one in kinds
    )


def never(_: AbstractSet[Spec]) -> bool:
    """Return whether a function of the user's is silent."""
    return False
