"""The elements of a loop that runs while tracing, each looked up when its turn comes.

A body may change what it iterates over, so nothing is copied in front: a list that grows has more iterations, a
dict that grows raises, an item that is written ahead is seen.  A container from outside that opaque
code in the body changes is iterated over when the program runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, NoReturn

from astrace.ir.specs import ArraySpec
from astrace.tracing.changes.array_checks import look_at
from astrace.tracing.context import Trace
from astrace.tracing.operators.data.unpacking import VIEW_TYPES
from astrace.tracing.record import record
from astrace.tracing.signals import Restart
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import DictView, TracedEnumerate, TracedReversed, TracedZip
from astrace.tracing.values.long_sequences import item_by_item
from astrace.tracing.values.operands import Lazy

KEYS, VALUES, _ITEMS = VIEW_TYPES
CONTAINERS: Final = (list, dict, set)


class Changed(Exception):
    """A container from outside was changed by the loop over it."""


def iterations(trace: Trace, iterable: Any) -> Iterator[Any] | None:
    """The elements of an iterable, one by one; ``None`` where their number is not known while tracing."""
    iterable = item_by_item(trace, iterable)
    match iterable:
        case TracedEnumerate():
            inner = iterations(trace, iterable.inner)
            return None if inner is None else _enumerated(trace, inner, iterable.start)
        case TracedZip():
            parts = [iterations(trace, part) for part in iterable.parts]
            known = [part for part in parts if part is not None]
            return _zipped(trace, known, iterable.strict) if len(known) == len(parts) else None
        case TracedReversed() if type(iterable.inner) is list:
            items = iterable.inner
            return _backwards(trace, items) if trace.state.is_outside(items) else reversed(items)
        case DictView():
            return _outside_keys(trace, iterable)
        case Lazy():
            items = trace.operators.items_of(trace, iterable)
            return None if items is None else iter(items)
        case _:
            return _of_container(trace, iterable)


def known_iterations(iterable: Any) -> int:
    """Return the number of iterations over an iterable, as far as it is known before the first; else 0."""
    match iterable:
        case TracedEnumerate() | TracedReversed():
            return known_iterations(iterable.inner)
        case TracedZip():
            return min(map(known_iterations, iterable.parts), default=0)
        case DictView():
            return known_iterations(iterable.owner)
        case list() | dict() | set():
            return len(iterable)
        case _:
            return 0


def _of_container(trace: Trace, value: Any) -> Iterator[Any] | None:
    kind: type[Any] = type(value)
    owner: Any = value
    outside = trace.state.is_outside(value)
    if isinstance(value, Tracer) and isinstance(value.value.spec, ArraySpec):
        look_at(trace, value)
        return _array(trace, value)
    if isinstance(value, list):
        return _outside_list(trace, value) if outside else iter(value)
    if kind is dict and outside:
        return _outside_keys(trace, DictView(value, "keys"))
    if kind is set and outside:
        return _outside_members(trace, owner)
    if kind in (dict, set):
        return _keys(trace, value, lambda key: key)
    if kind in VIEW_TYPES and not outside:
        return _keys(trace, value.mapping, _look_up(value.mapping, kind))
    items = trace.operators.items_of(trace, value)
    return None if items is None else iter(items)


def _enumerated(trace: Trace, inner: Iterator[Any], start: Any) -> Iterator[Any]:
    for index, item in enumerate(inner):
        yield trace.operators.binary("add", start, index), item


def _zipped(trace: Trace, parts: list[Iterator[Any]], strict: bool) -> Iterator[Any]:
    walked = zip(*parts, strict=strict)
    while True:
        items = trace.native(next, walked, None)
        if items is None:
            return
        yield items


def _array(trace: Trace, array: Tracer) -> Iterator[Any] | None:
    """Yield the rows of an array, each read in its iteration."""
    size = trace.operators.size_of(array)
    return None if size is None else (record(trace, "get_item", (array, index)) for index in range(size))


# -- dicts and sets ----------------------------------------------------------------------------------------


def _look_up(mapping: Any, kind: type) -> Callable[[Any], Any]:
    if kind is KEYS:
        return lambda key: key
    return mapping.__getitem__ if kind is VALUES else lambda key: (key, mapping[key])


def _keys(trace: Trace, held: Any, pick: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield an item for each key of a dict or a set made here, as Python walks the container itself."""
    before, walked = list(held), iter(held)
    for key in before:
        _check_keys(trace, held, before, walked, key)
        yield pick(key)
    _check_keys(trace, held, before, walked, END)


END: Final = object()


def _check_keys(trace: Trace, held: Any, before: list[Any], walked: Iterator[Any], expected: Any) -> None:
    """Check that the next key is the expected one: a container that the loop changes may give a different one.

    A key that was taken out and put back has another place in the table, which only Python's own iterator sees.
    """
    if len(held) != len(before):
        trace.native(_changed_size, "Set" if isinstance(held, set) else "dictionary")
    try:
        found = next(walked, END)
    except RuntimeError:
        found = None
    if found is not expected or any(key not in held for key in before):
        trace.stop("AT208", "the keys of a container are replaced while a loop iterates over it")


def _changed_size(what: str) -> NoReturn:
    raise RuntimeError(f"{what} changed size during iteration")


# -- containers from outside -------------------------------------------------------------------------------


def _outside_list(trace: Trace, items: list[Any]) -> Iterator[Any]:
    index = 0
    while index < _length(trace, items):
        yield trace.operators.item(items, index)
        index += 1


def _backwards(trace: Trace, items: list[Any]) -> Iterator[Any]:
    """A list from outside from its end: it ends early where the list has become too short."""
    index = _length(trace, items) - 1
    while 0 <= index < _length(trace, items):
        yield trace.operators.item(items, index)
        index -= 1


def _length(trace: Trace, items: list[Any]) -> int:
    if trace.state.may_have_other_keys(items):
        raise Changed
    return trace.operators.known_length(items)


def _outside_keys(trace: Trace, view: DictView) -> Iterator[Any]:
    for key in view.keys(trace) or ():
        if trace.state.may_have_other_keys(view.owner):
            raise Changed
        yield view.pick(trace, key)
    if trace.state.may_have_other_keys(view.owner):
        raise Changed


def _outside_members(trace: Trace, owner: set[Any]) -> Iterator[Any]:
    for member in list(trace.operators.expand_listed(owner)):
        if trace.state.may_have_other_keys(owner):
            raise Changed
        yield member
    if trace.state.may_have_other_keys(owner):
        raise Changed


def at_run_time(trace: Trace, iterable: Any) -> Any:
    """The same iterable with the containers from outside as values, so that a node iterates over them."""
    match iterable:
        case TracedEnumerate() | TracedReversed():
            return replace(iterable, inner=at_run_time(trace, iterable.inner))
        case TracedZip():
            return replace(iterable, parts=tuple(at_run_time(trace, part) for part in iterable.parts))
        case DictView():
            return iterable.materialize(trace)
        case _:
            pass
    if type(iterable) in CONTAINERS and trace.state.is_outside(iterable):
        return trace.operators.wrap_constant(iterable)
    return iterable


def changed(trace: Trace, iterable: Any) -> bool:
    """Return whether a loop is over a container from outside that opaque code has changed."""
    match iterable:
        case TracedEnumerate() | TracedReversed():
            return changed(trace, iterable.inner)
        case TracedZip():
            return any(changed(trace, part) for part in iterable.parts)
        case _:
            owner = iterable.owner if isinstance(iterable, DictView) else iterable
            return trace.state.may_have_other_keys(owner)


def restart(trace: Trace, site: Any) -> NoReturn:
    """Trace again, with a node that iterates over the containers from outside."""
    trace.plan.changing.add(site)
    raise Restart
