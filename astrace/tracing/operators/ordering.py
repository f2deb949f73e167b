"""``sorted``, ``max`` and ``min`` with a key of the user's.

Where all keys are known while tracing, so is the order.  Otherwise the keys are computed first, by a loop of
the graph, and the items are put in order by them when the program runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec, TupleSpec, options_of
from astrace.ops.builtins import element_of
from astrace.tracing.context import Trace
from astrace.tracing.lifting import spec_at
from astrace.tracing.objects import is_key, made
from astrace.tracing.record import record
from astrace.tracing.stops import Leaves
from astrace.tracing.tracer import Tracer

BY_KEYS: Final[Mapping[Any, str]] = {sorted: "sorted_by", max: "max_by", min: "min_by"}
"""The ops that are given the keys."""


def by_key(trace: Trace, function: Any, given: tuple[Any, ...], kwargs: Mapping[str, Any], own: bool) -> Any:
    """A call with a key that is written in Python.

    Args:
        trace: the trace that is going on.
        function: one of the three.
        given: the items one by one, or something that holds them all.
        kwargs: the key, and what else there is.
        own: nobody else knows what holds the items.
    """
    others = dict(kwargs)
    key = others.pop("key")
    with trace.undone_unless_kept() as keep:
        items = _known_items(trace, given)
        keys = None if items is None else _static_keys(trace, key, items, keep)
    if items is None or keys is None:
        return _by_traced_keys(trace, function, given, key, others, own)
    order = range(len(items))
    picked = trace.native(function, order, key=keys.__getitem__, **others)
    if function is sorted:
        return made(trace, [items[index] for index in picked], "sorted")
    return items[picked] if isinstance(picked, int) else picked


def _known_items(trace: Trace, given: tuple[Any, ...]) -> list[Any] | None:
    """The items, where it is known while tracing how many there are; no size is made static for it."""
    first, *others = given
    if others:
        return list(given)
    if isinstance(first, Tracer) and not trace.operators.is_tuple(first):
        return None
    return trace.operators.items_of(trace, first)


def _static_keys(trace: Trace, key: Any, items: list[Any], keep: Callable[[], None]) -> list[Any] | None:
    """The key of each item, if all are known while tracing; the calls count only then, or if one of them raises."""
    keys: list[Any] = []
    try:
        for item in items:
            keys.append(trace.operators.call(key, item))
            if not is_key(keys[-1]):
                return None
    except (Exception, Leaves):
        keep()
        raise
    keep()
    return keys


def _by_traced_keys(
    trace: Trace, function: Any, given: tuple[Any, ...], key: Any, others: dict[str, Any], own: bool
) -> Any:
    """All keys first, as ``sorted`` does; ``max`` and ``min`` compare as they go, which numbers do not tell."""
    with trace.undone_unless_kept() as keep:
        try:
            items = _as_list(trace, given, own)
            keys = trace.operators.collect(trace.operators.call(map, key, items))
        except (Exception, Leaves):
            keep()
            raise
        element = element_of(spec_at(trace, keys))
        if function is sorted or _compares_silently(element):
            keep()
            return record(trace, BY_KEYS[function], (items, keys), others)
    return trace.operators.opaque(function, given, {"key": key, **others})


def _as_list(trace: Trace, given: tuple[Any, ...], own: bool) -> Any:
    """The items as a list that the key can't change."""
    first, *others = given
    if others:
        return list(given)
    return first if own else record(trace, "list", given)


def _compares_silently(element: Spec | None) -> bool:
    """Whether comparing two such keys runs none of the user's code and raises nothing."""
    return element is not None and all(map(_has_order, options_of(element)))


def _has_order(spec: Spec) -> bool:
    """Whether a value is a real number, or a tuple of such."""
    match spec:
        case TupleSpec():
            return all(map(_has_order, spec.items))
        case ScalarSpec():
            return spec.kind != "complex"
        case GenericSpec() | ArraySpec(shape=()):
            return spec.dtype.kind in "biuf"
        case _:
            return False
