"""Builtins that take or give iterables: ``len``, ``range``, ``zip``, ``sorted``, ``sum``, ``next`` and their kin.

Each is a handler for the table in ``builtins``; a traced iterable is walked by a loop of the graph.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeAlias

from astrace.ir.constants import UNDEFINED
from astrace.ir.specs import (
    INT,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    UnionSpec,
    class_of,
    options_of,
)
from astrace.ops.constant_folding import must_wait
from astrace.ops.numpy.size_limits import MOST_LISTED
from astrace.ops.python.objects import check_next
from astrace.tracing.changes.array_checks import look_at
from astrace.tracing.context import Trace
from astrace.tracing.generators import gathering
from astrace.tracing.generators.gathering import fold, gather, gathered, runs_code
from astrace.tracing.generators.generators import all_of, any_of
from astrace.tracing.generators.iter_protocol import iterator_of
from astrace.tracing.generators.iterator_creation import (
    begun,
    check_reversible,
    is_anything,
    lacks_for_now,
    walkable,
)
from astrace.tracing.generators.iterators import opened
from astrace.tracing.generators.stop_iteration import check_end, making_an_item
from astrace.tracing.operators.calls.sort_builtins import by_key
from astrace.tracing.operators.data.type_errors import refuse
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import (
    DictView,
    OneShot,
    Stream,
    TracedEnumerate,
    TracedRange,
    TracedReversed,
    TracedZip,
    is_called_while_tracing,
    one_shot,
)
from astrace.tracing.values.long_sequences import is_long
from astrace.tracing.values.objects import PLAIN_CONTAINERS, adopt, is_key, is_live, made, special_method
from astrace.tracing.values.operands import Lazy, spec_at
from astrace.tracing.values.special_lookup import ask, index_of

Args: TypeAlias = tuple[Any, ...]
Kwargs: TypeAlias = Mapping[str, Any]
Handler: TypeAlias = Callable[[Trace, Any, Args, Kwargs], Any]
"""Calls a builtin, given the trace, the builtin itself, its arguments."""


def len_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``len``: the first dimension of an array is a value of its own."""
    (value,) = args
    method = special_method(trace, value, "__len__")
    if method is not None:
        return ask(trace, method, "__len__", value)
    refuse(trace, len, value)
    if isinstance(value, Tracer):
        spec = value.value.spec
        if isinstance(spec, ArraySpec) and spec.shape:
            look_at(trace, value)
            size = spec.shape[0]
            return size if isinstance(size, int) else record(trace, "dim", (value, 0))
        if isinstance(spec, DeviceSpec) and spec.ndim:
            return record(trace, "dim", (value, 0))
        return record(trace, "len", args)
    if isinstance(value, DictView):
        return trace.operators.outside_length(value.owner)
    if isinstance(value, Lazy):
        return record(trace, "len", args)
    if type(value) in (list, dict, set) and trace.state.is_outside(value):
        return trace.operators.outside_length(value)
    return record(trace, "len", args) if trace.state.is_outside(value) else trace.native(len, value)


def range_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``range``, with bounds that may be traced; one that may raise is made where the program makes it."""
    args = tuple(index_of(trace, arg) for arg in args)
    if not is_live(trace, args) or not 1 <= len(args) <= 3:
        return trace.native(range, *args)
    if all(_is_whole_number(spec) or _may_be_integer(spec) for spec in (spec_at(trace, arg) for arg in args)):
        args = tuple(
            record(trace, "check_bound", (arg,)) if _may_be_integer(spec_at(trace, arg)) else arg
            for arg in args
        )
    start, stop, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
    if not all(_is_whole_number(spec_at(trace, bound)) for bound in (start, stop, step)):
        return record(trace, "range", args)
    if isinstance(step, Tracer):
        step = record(trace, "check_step", (step,))
    return TracedRange(start, stop, step)


def _is_whole_number(spec: Spec) -> bool:
    """Return whether a value is for certain one that ``range`` takes."""
    match spec:
        case ScalarSpec():
            return spec.kind in ("int", "bool")
        case LiteralSpec():
            return isinstance(spec.value, int)
        case GenericSpec():
            return spec.dtype.kind in "iu"
        case ArraySpec():
            return spec.shape == () and spec.dtype.kind in "iu"
        case DeviceSpec():
            return not spec.ndim
        case _:
            return False


def _may_be_integer(spec: Spec) -> bool:
    """Return whether a value is an integer of Python's, or a number for which ``range`` raises: a power of integers."""
    options = spec.options if isinstance(spec, UnionSpec) else ()
    others = [option for option in options if option != INT]
    return len(others) < len(options) and all(
        isinstance(one, ScalarSpec | GenericSpec) and not _is_whole_number(one) for one in others
    )


def enumerate_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``enumerate``, not yet walked."""
    iterable, *rest = args
    start = index_of(trace, rest[0] if rest else kwargs.get("start", 0))
    if not _is_whole_number(spec_at(trace, start)):
        return record(trace, "enumerate", (walkable(trace, iterable), start))
    return one_shot(trace, TracedEnumerate(begun(trace, iterable), start, site=trace.site("iterator")))


def zip_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``zip``, not yet walked."""
    strict = bool(kwargs.get("strict", False))
    if any(map(lacks_for_now, args[1:])):
        return trace.operators.opaque(function, args, kwargs)  # `iter` of earlier arguments runs first
    parts = tuple(begun(trace, arg) for arg in args)
    return one_shot(trace, TracedZip(parts, strict, site=trace.site("iterator")))


def reversed_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``reversed``, not yet walked."""
    if isinstance(args[0], OneShot):
        trace.stop("AT204", "`reversed` of an iterator", "make a list of the items first")
    check_reversible(trace, args[0])
    if lacks_for_now(args[0], "__reversed__") or is_anything(trace, args[0]):
        return trace.operators.opaque(function, args, kwargs)
    return one_shot(trace, TracedReversed(args[0], site=trace.site("iterator")))


def map_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``map``: a stream of the results."""
    mapped, *iterables = args
    if any(map(lacks_for_now, iterables[1:])):
        return trace.operators.opaque(function, args, kwargs)
    iterables = [begun(trace, one) for one in iterables]
    source = iterables[0] if len(iterables) == 1 else TracedZip(tuple(iterables), False)

    def run(emit: Callable[[Any], Any]) -> Any:
        def iteration(item: Any) -> Any:
            given = (item,) if len(iterables) == 1 else item
            with making_an_item(trace):
                made_item = trace.operators.call(mapped, *given)
            return emit(made_item)

        return trace.operators.each(source, iteration)

    return _applied(trace, map, (mapped, *iterables), run)


def _applied(trace: Trace, kind: Any, args: Args, run: Callable[..., Any]) -> Any:
    """``map`` or ``filter``, not yet walked; a real one where the plan says so."""

    def real(inner: Trace) -> Any:
        function, *iterables = args
        return inner.operators.opaque(kind, (function, *(walkable(inner, one) for one in iterables)), {})

    site = trace.site("iterator")
    return one_shot(trace, Stream(run, sources=args[1:], kind=kind, made=real, site=site))


def filter_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``filter``: a stream of what passes."""
    test, iterable = args
    if isinstance(test, Tracer) and class_of(test.value.spec) in (None, types.NoneType):
        return trace.operators.opaque(function, (test, walkable(trace, iterable)), kwargs)  # it may be None
    iterable = begun(trace, iterable)

    def run(emit: Callable[[Any], Any]) -> Any:
        def iteration(item: Any) -> Any:
            with making_an_item(trace):
                passed = item if test is None else trace.operators.call(test, item)
            return trace.operators.when(passed, lambda: emit(item))

        return trace.operators.each(iterable, iteration)

    return _applied(trace, filter, (test, iterable), run)


def _listed(trace: Trace, value: Any) -> Any:
    """An iterable as a list, a tuple or a tracer: something with all its items."""
    if isinstance(value, Stream):
        return trace.operators.collect(value)
    if isinstance(value, DictView) and (items := value.items(trace)) is not None:
        return items
    if (
        type(value) in (list, dict, set)
        and trace.state.is_outside(value)
        and not trace.state.may_have_other_keys(value)
        and not is_long(trace, value)
    ):
        return trace.operators.expand_listed(value)
    if isinstance(value, Lazy):
        return trace.operators.listed(value)
    known = type(value) in trace.operators.VIEW_TYPES and not trace.state.is_outside(value)
    return list(value) if known else value


def _given(trace: Trace, value: Any, silent: Callable[[AbstractSet[Spec]], bool]) -> Any:
    """Return the same for a builtin that works on each item before it takes the next one; see `gathered`."""
    return gathered(trace, value, silent) if runs_code(value) else _listed(trace, value)


def collected_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``list``, ``tuple``, ``set``, ``frozenset`` of an iterable."""
    if function in UNCHANGING and (not args or type(args[0]) is function):
        return trace.native(function, *args)  # an argument of that class is returned itself
    if not args:
        empty = function()
        return made(trace, empty, function.__name__) if type(empty) in PLAIN_CONTAINERS else empty
    hashed = function in (set, frozenset)
    value = _given(trace, args[0], gathering.hashes_silently) if hashed else _listed(trace, args[0])
    if isinstance(value, range) and len(value) > MOST_LISTED:
        return record(trace, function.__name__, (value,))
    items = None if isinstance(value, Tracer) else trace.operators.items_of(trace, value)
    if items is None or (hashed and not all(map(is_key, items))):
        return record(trace, function.__name__, (value,))
    return adopt(trace, trace.native(function, items), function.__name__)


UNCHANGING: Final = (tuple, frozenset)


def dict_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``dict`` of a mapping, of pairs or of keywords."""
    pairs: dict[Any, Any] = {}
    if args:
        known = type(args[0]) is dict and not trace.state.may_have_other_keys(args[0])
        expanded = known and trace.state.is_outside(args[0])
        value = (
            trace.operators.expand(args[0]) if expanded else _given(trace, args[0], gathering.pairs_silently)
        )
        if trace.state.is_outside(value):
            return record(trace, "dict", (value,), kwargs)
        if isinstance(value, dict):
            pairs.update(value)
        else:
            items = trace.operators.items_of(trace, value)
            if items is None or not all(map(_is_pair, items)):
                return record(trace, "dict", (value,), kwargs)
            pairs.update(trace.native(dict, items))
    return made(trace, {**pairs, **kwargs}, "dict")


def _is_pair(item: Any) -> bool:
    """Return whether an item is a key, which is known while tracing, and a value."""
    return type(item) in (tuple, list, str) and len(item) == 2 and is_key(item[0])


def reduced_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``sum``, ``any``, ``all``, ``max``, ``min``, ``sorted``."""
    if function in (any, all) and isinstance(args[0], Stream):
        return any_of(args[0]) if function is any else all_of(args[0])
    key = kwargs.get("key")
    single = len(args) == 1 or function is sum
    if function is sum and runs_code(args[0]):
        return _sum_of_iterator(trace, args, kwargs)
    silent = gathering.compares_silently if key is None else gathering.never
    listed = functools.partial(_given, silent=silent) if function in (max, min) else _listed
    given = (listed(trace, args[0]), *args[1:]) if single else args
    if is_called_while_tracing(key):
        return by_key(trace, function, given, kwargs, own=isinstance(args[0], Lazy))
    if isinstance(key, Tracer):
        return trace.operators.opaque(function, given, kwargs)
    if is_live(trace, (given, dict(kwargs))) or must_wait(function, given):
        return record(trace, function.__name__, given, kwargs)
    return adopt(trace, trace.native(function, *given, **kwargs), function.__name__)


def _sum_of_iterator(trace: Trace, args: Args, kwargs: Kwargs) -> Any:
    """``sum`` of an iterator that runs code of the program; arrays are added one by one, as they are made."""
    iterator, *rest = args
    start = rest[0] if rest else kwargs.get("start", 0)
    first = () if type(start) in (bool, int, float) else options_of(spec_at(trace, start))
    found = gather(trace, iterator, lambda kinds: gathering.adds_silently({*kinds, *first}))
    if found.items is not None:
        return reduced_(trace, sum, (found.items, *rest), kwargs)
    if not found.kinds or not all(
        isinstance(kind, ArraySpec | DeviceSpec) for kind in {*found.kinds, *first}
    ):
        iterator.must_exist(trace, gathering.IN_TURNS)
    return gathering.added_in_turns(trace, iterator, start)


def iter_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``iter``: an iterator is its own."""
    if isinstance(args[0], OneShot) and len(args) == 1:
        return args[0]
    method = special_method(trace, args[0], "__iter__")
    if len(args) == 1 and method is None:
        refuse(trace, iter, args[0])
    return (
        iterator_of(trace, method, args[0])
        if method is not None and len(args) == 1
        else record(trace, "iter", (walkable(trace, args[0]), *args[1:]))
    )


def next_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``next``."""
    source, *default = args
    if not default:
        check_end(trace)
    method = special_method(trace, source, "__next__")
    if method is not None and not default:
        return trace.operators.call(method, source)
    if isinstance(source, OneShot):
        source = opened(trace, source)
        if source == ():
            return default[0] if default else trace.native(check_next, UNDEFINED)
    if not isinstance(source, Stream):
        return record(trace, "next", (source, *default))
    first = trace.operators.box({"item": default[0] if default else UNDEFINED})

    def emit(item: Any) -> bool:
        first.set("item", item)
        return True

    source.run(emit)
    found = first.get("item")
    if isinstance(found, Tracer):
        return found if default else record(trace, "check_next", (found,))
    return trace.native(check_next, found)


def reduce_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``functools.reduce``."""
    step, iterable, *initial = args
    if lacks_for_now(iterable):
        return trace.operators.opaque(function, args, kwargs)
    source, counted = _to_fold(trace, iterable, bool(initial))
    items = None if isinstance(source, Tracer | OneShot) else trace.operators.items_of(trace, source)
    if items is None and not counted and not initial:
        return trace.operators.opaque(function, (step, source), kwargs)
    held = trace.operators.box({"total": initial[0] if initial else UNDEFINED})
    if items is None:
        trace.operators.each(source, lambda item: fold(trace, held, step, item))
    for item in items or ():
        fold(trace, held, step, item)
    total = held.get("total")
    return trace.native(functools.reduce, step, ()) if total is UNDEFINED else total


def _to_fold(trace: Trace, iterable: Any, begins: bool) -> tuple[Any, bool]:
    """Return what ``reduce`` walks, and whether it is an iterator that hands out a number of items known while tracing.

    Args:
        trace: the trace.
        iterable: what it is given.
        begins: whether it has an initial total.
    """
    if not runs_code(iterable):
        return _listed(trace, iterable), False
    found = gather(trace, iterable, gathering.never)
    if found.items is not None:
        return found.items, False
    if not found.counted and not begins:
        iterable.must_exist(trace, gathering.IN_TURNS)
    return iterable, found.counted
