"""Displays, and the methods of lists, dicts and sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from astrace.ir.specs import Spec, join
from astrace.ops.constant_folding import must_wait
from astrace.tracing.changes.aliases import MUTATORS
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.iterators import opened, spend
from astrace.tracing.operators.calls.opaque_calls import forget_for_callbacks
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import as_called
from astrace.tracing.values.lazy import DictView, Stream, is_called_while_tracing
from astrace.tracing.values.list_specs import loosen
from astrace.tracing.values.objects import adopt, is_key, is_live, is_made, made, mutate
from astrace.tracing.values.operands import Lazy, spec_at
from astrace.tracing.values.special_lookup import index_of
from astrace.util.trees import telling_leaves

__all__ = [
    "collect",
    "container_method",
    "keywords",
    "make_dict",
    "make_list",
    "make_set",
    "make_tuple",
    "runtime_object",
]

# -- displays --------------------------------------------------------------------------------------------


def make_list(items: tuple[Any, ...]) -> Any:
    """``[…]``."""
    return made(current(), list(items), "list")


def make_tuple(items: tuple[Any, ...]) -> Any:
    """Make ``(…,)``: it is immutable, but its identity may be observed."""
    trace = current()
    return trace.state.wholes.born(items, trace.recorder)


def make_dict(pairs: tuple[tuple[Any, Any], ...]) -> Any:
    """``{key: value}``; a traced key needs a dict that exists when the program runs."""
    trace = current()
    if all(is_key(key) for key, _ in pairs):
        return made(trace, dict(pairs), "dict")
    return record(trace, "make_dict", tuple(part for pair in pairs for part in pair))


def keywords(given: dict[str, Any]) -> Any:
    """The dict that ``**name`` gives a function: new at each call, so its own."""
    return made(current(), given, "keywords")


def make_set(items: tuple[Any, ...]) -> Any:
    """``{…}``."""
    trace = current()
    if all(map(is_key, items)):
        return made(trace, set(items), "set")
    return record(trace, "make_set", items)


def runtime_object(value: Any, element: Spec | None) -> Tracer:
    """An object made here, as one that exists when the program runs.

    Args:
        value: a list, dict, set, exception or instance, with what it holds now.
        element: what is known of everything a list will ever hold.
    """
    trace = current()
    match value:
        case list():
            known: Spec | None = element
            for item in value:
                spec = spec_at(trace, item)
                known = spec if known is None else join(known, spec)
            return record(trace, "make_list", tuple(value), {} if known is None else {"element": known})
        case dict():
            return record(trace, "make_dict", tuple(part for pair in value.items() for part in pair))
        case set():
            return record(trace, "make_set", tuple(value))
        case BaseException():
            return record(trace, "call", (type(value), *value.args))
        case _:
            held = trace.operators.attributes_of(value)
            return record(trace, "make_object", (type(value), tuple(held), *held.values()))


def collect(stream: Any, most: int | None = None) -> Any:
    """Return the items of a stream as a list, all or a number at most, after which no more are taken."""
    trace = current()
    items = made(trace, [], "collect")
    walked = opened(trace, stream)
    if walked == ():
        return items
    assert isinstance(walked, Stream)

    def emit(item: Any) -> Any:
        append(trace, items, item)
        return most is not None and trace.operators.compare("ge", trace.operators.call(len, items), most)

    walked.run(emit)
    if most is None:
        spend(trace, stream)
    return items


def append(trace: Trace, items: Any, item: Any) -> None:
    """``items.append(item)``."""
    if not isinstance(items, Tracer):
        mutate(trace, items)
        items.append(item)
        return
    loosen(trace, items, spec_at(trace, item))
    record(trace, "append", (items, item))


# -- methods -----------------------------------------------------------------------------------------------


def container_method(owner: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A method of a list, dict, set or string that is not a tracer."""
    trace = current()
    if trace.state.is_outside(owner):
        return _outside_method(trace, owner, name, args, kwargs)
    kind: type[Any] = type(owner)
    changes = name in MUTATORS.get(kind, frozenset())
    if changes and not is_made(trace, owner):
        trace.stop("AT204", f"a {kind.__qualname__} of unknown origin is changed")
    if name == "append" and kind is list and len(args) == 1 and not kwargs:
        return append(trace, owner, *args)
    if name == "sort" and is_called_while_tracing(kwargs.get("key")) and _sorted_now(trace, owner, kwargs):
        return None
    given = _arguments(trace, owner, name, args)
    if _needs_values(trace, owner, name, given, kwargs):
        return _by_value(trace, owner, name, given, kwargs, changes)
    if changes:
        mutate(trace, owner)
    result = trace.native_container(as_called(getattr(owner, name)), *given, **kwargs)
    if kind in (str, bytes):
        trace.state.wholes.computed(result, owner, *telling_leaves(given))
    return adopt(trace, result, name)


def _sorted_now(trace: Trace, items: list[Any], kwargs: Mapping[str, Any]) -> bool:
    """``items.sort(key=function)``, if all keys are known while tracing; meanwhile the list is empty, as in Python."""
    held = made(trace, list(items), "sorted")
    mutate(trace, items)
    items.clear()
    trace.journal.sorting.append(items)
    try:
        found = trace.operators.call(sorted, held, **kwargs)
    finally:
        trace.journal.sorting.pop()
        items[:] = held
    if isinstance(found, Tracer):
        return False
    items[:] = found
    return True


def _arguments(trace: Trace, owner: Any, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments of a method: iterables as lists, positions as numbers."""
    if name in ITERATING:
        return tuple(_listed(trace, owner, arg) for arg in args)
    if isinstance(owner, list) and name in ("pop", "insert"):
        return tuple(index_of(trace, arg) for arg in args[:1]) + args[1:]
    return args


ITERATING: Final = frozenset(
    [
        "difference",
        "difference_update",
        "extend",
        "fromkeys",
        "intersection",
        "intersection_update",
        "isdisjoint",
        "issubset",
        "issuperset",
        "join",
        "symmetric_difference",
        "symmetric_difference_update",
        "union",
        "update",
    ]
)
"""Methods that take iterables and keep nothing of them but the items."""


def _listed(trace: Trace, owner: Any, arg: Any) -> Any:
    """An iterable argument as Python can iterate over it now; between sets, and between dicts, it stays one."""
    if isinstance(arg, Stream):
        return collect(arg)
    if isinstance(arg, DictView):
        known = arg.items(trace)
        return arg if known is None else known
    if trace.state.may_have_other_keys(arg):
        return arg
    if type(arg) in (list, dict, set) and trace.state.is_outside(arg):
        between = isinstance(owner, set | frozenset | dict)
        return trace.operators.expand(arg) if between else trace.operators.expand_listed(arg)
    return arg


COMPARING: Final = frozenset({"index", "count", "remove", "sort"})
BY_POSITION: Final = frozenset(
    {"append", "clear", "copy", "extend", "insert", "pop", "reverse", "__add__", "__delitem__", "__getitem__"}
    | {"__iadd__", "__imul__", "__iter__", "__len__", "__mul__", "__reversed__", "__rmul__", "__setitem__"}
)
"""Methods of lists that do not depend on the items."""
BY_KEY: Final = frozenset(
    {"clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"}
    | {"__contains__", "__delitem__", "__getitem__", "__iter__", "__len__", "__reversed__", "__setitem__"}
)
"""Methods of dicts that do not depend on the values."""
INDIFFERENT: Final[Mapping[type, frozenset[str]]] = {list: BY_POSITION, dict: BY_KEY}


def _needs_values(
    trace: Trace, owner: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> bool:
    """Return whether a method compares, hashes, formats or walks what only the running program knows."""
    if name not in INDIFFERENT.get(type(owner), ()):
        return is_live(trace, (owner, args, dict(kwargs))) or must_wait(getattr(owner, name), args)
    if isinstance(owner, list):
        return name == "extend" and not all(_is_listed(trace, arg) for arg in args)
    if name == "update":
        return not all(_has_known_keys(trace, arg) for arg in args)
    return bool(args) and not is_key(args[0]) and name in ("get", "pop", "setdefault", "__getitem__")


def _is_listed(trace: Trace, value: Any) -> bool:
    """Return whether the items of an iterable are known while tracing."""
    return not isinstance(value, Tracer | Lazy) and not trace.state.is_outside(value)


def _has_known_keys(trace: Trace, value: Any) -> bool:
    """Return whether the keys of a mapping, or of a sequence of pairs, are known while tracing."""
    if isinstance(value, dict) or not _is_listed(trace, value):
        return _is_listed(trace, value)
    return isinstance(value, Iterable) and all(isinstance(pair, tuple) and is_key(pair[:1]) for pair in value)


def _by_value(
    trace: Trace, owner: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], changes: bool
) -> Any:
    if changes:
        trace.need_object(trace.journal.births[id(owner)])
    return record(trace, "call_method", (owner, name, *args), kwargs)


ADDING: Final[Mapping[type, Mapping[str, str]]] = {
    list: {"extend": "append", "__iadd__": "append"},
    set: {"update": "add", "__ior__": "add"},
}
"""Methods that add the items of an iterable one by one, as they come, and the methods that add one."""


def add_all(trace: Trace, owner: Any, method: str, stream: Stream) -> None:
    """Add the items of a stream to a list or a set from outside, each at its turn."""

    def take(item: Any) -> bool:
        _outside_method(trace, owner, method, (item,), {})
        return False

    trace.operators.each(stream, take)


def _outside_method(
    trace: Trace, owner: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """A method of a list, dict or set from outside: a look at its items, or a node that changes it."""
    kind: type[Any] = type(owner)
    if name in ADDING.get(kind, ()) and len(args) == 1 and isinstance(args[0], Stream) and not kwargs:
        add_all(trace, owner, ADDING[kind][name], args[0])
        return None
    if name in MUTATORS.get(kind, frozenset()):
        result = record(trace, "call_method", (owner, name, *args), kwargs)
        trace.state.forget(owner)
        forget_for_callbacks(trace, (), kwargs)
        return None if name in ("append", "extend", "clear", "update", "add", "sort", "reverse") else result
    if kind is dict and name in ("keys", "values", "items") and not args and not kwargs:
        return DictView(owner, name)
    if trace.state.may_have_other_keys(owner) or name in COMPARING or is_live(trace, args):
        return record(trace, "call_method", (owner, name, *args), kwargs)
    if kind is dict and name == "get" and not kwargs and is_key(args[0]):
        if trace.operators.outside_contains("in_", args[0], owner):
            return trace.operators.item(owner, args[0])
        return args[1] if len(args) > 1 else None
    if name in INDIFFERENT.get(kind, ()) or kind is set:
        return container_method(trace.operators.expand(owner), name, args, kwargs)
    return record(trace, "call_method", (owner, name, *args), kwargs)
