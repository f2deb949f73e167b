"""``sorted``, ``max`` and ``min`` with a key of the user's.

Where all keys are known while tracing, so is the order.  Otherwise the keys are computed first, by a loop of
the graph, and the items are put in order by them when the program runs.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ArraySpec, ListSpec, Spec, is_immutable, options_of
from astrace.ops.python.builtins import element_of
from astrace.tracing.context import Trace
from astrace.tracing.generators.gathering import compares_silently
from astrace.tracing.record import record
from astrace.tracing.scopes import scope_in
from astrace.tracing.signals import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import TracedPartial
from astrace.tracing.values.objects import is_key, made
from astrace.tracing.values.operands import spec_at
from astrace.util.entrances import function_of

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
    """Return the key of each item, if all are known; the calls count only then, or if one of them raises."""
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
    """Compute all keys first, as ``sorted`` does; ``max`` and ``min`` compare in between, which numbers do not show."""
    with trace.undone_unless_kept() as keep:
        try:
            items = _as_list(trace, given, own)
            keys = trace.operators.collect(trace.operators.call(map, key, items))
        except (Exception, Leaves):
            keep()
            raise
        if function is sorted or _compare_silently(spec_at(trace, keys)):
            keep()
            return record(trace, BY_KEYS[function], (items, keys), others)
    return trace.operators.opaque(function, given, {"key": key, **others})


def _compare_silently(keys: Spec) -> bool:
    """Return whether comparing keys raises nothing; what a list will hold may be known only to the next attempt."""
    if isinstance(keys, ListSpec) and keys.element is None:
        return True
    element = element_of(keys)
    return element is not None and compares_silently(set(options_of(element)))


def _as_list(trace: Trace, given: tuple[Any, ...], own: bool) -> Any:
    """The items as a list that the key can't change."""
    first, *others = given
    if others:
        return list(given)
    return first if own else record(trace, "list", given)


def looks_at_items_alone(key: Any) -> bool:
    """Return whether a key can't look at the list that is sorted by it, which is empty meanwhile, or change it.

    It holds numbers, texts, arrays and functions of that kind, and gets at no object by which it might reach the list.
    """
    pending, seen = [key], set[int]()
    while pending:
        one = pending.pop()
        if id(one) in seen or _is_no_container(one):
            continue
        seen.add(id(one))
        match one:
            case types.FunctionType():
                pending += _held(one)
            case functools.partial() | TracedPartial():
                pending += [one.func, *one.args, *one.keywords.values()]
            case tuple():
                pending += one
            case _ if function_of(one) is not None:
                pending.append(function_of(one))
            case _:
                return False
    return True


def _is_no_container(value: Any) -> bool:
    if isinstance(value, Tracer):
        spec = value.value.spec
        return is_immutable(spec) or (isinstance(spec, ArraySpec) and not spec.dtype.hasobject)
    return isinstance(value, HOLD_NOTHING) or value is None


HOLD_NOTHING: Final = (
    *(bool, int, float, complex, str, bytes, np.generic, np.ufunc, type, range),
    *(types.ModuleType, types.BuiltinFunctionType, types.MethodDescriptorType, type(np.sum)),
)


def _held(function: types.FunctionType) -> Iterator[Any]:
    """Yield the objects that a function can reach: variables of functions around, defaults, globals it names."""
    yield from (cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType())
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    scope = scope_in(function.__globals__)
    namespace = function.__globals__ if scope is None else scope.namespace
    named = names_in(function.__code__)
    yield from (namespace[name] for name in named if name in namespace)


def names_in(code: types.CodeType) -> Iterator[str]:
    """The names in a function and in those inside; rewritten code gives those of globals as texts."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, types.CodeType):
            yield from names_in(constant)
