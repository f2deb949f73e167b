"""Helpers of ``match``: what a pattern asks of its subject (PEP 634).

Whether a class is one of sequences or of mappings is a flag of the class, which Python itself sets; nothing is looked at twice.
"""

from __future__ import annotations

import collections.abc
from typing import Any, Final, final

from astrace.ir.specs import class_of
from astrace.tracing.context import Trace, current
from astrace.tracing.operators.data.instance_checks import guard_derivation
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import is_user_class, made

__all__ = [
    "has_length",
    "is_found",
    "is_instance",
    "is_mapping",
    "is_sequence",
    "item_at",
    "mapping_rest",
    "part_of",
    "value_at",
]

SEQUENCE: Final = 1 << 5
MAPPING: Final = 1 << 6
MATCH_SELF: Final = 1 << 22
"""Flags of classes: ``Py_TPFLAGS_SEQUENCE``, ``Py_TPFLAGS_MAPPING``, ``_Py_TPFLAGS_MATCH_SELF``."""


@final
class NoPart:
    """Instead of what a subject does not have."""


def _has_flag(subject: Any, flag: int) -> bool:
    trace = current()
    cls = class_of(subject.value.spec) if isinstance(subject, Tracer) else type(subject)
    if cls is None:
        trace.stop("AT201", "the type of a matched value is not known while tracing")
    if is_user_class(cls):  # it may be registered with an abstract class later on
        guard_derivation(trace, cls, (collections.abc.Sequence, collections.abc.Mapping))
    return bool(cls.__flags__ & flag)


def is_sequence(subject: Any) -> bool:
    """Return whether a subject is matched by sequence patterns; strings and arrays are not."""
    return _has_flag(subject, SEQUENCE)


def is_mapping(subject: Any) -> bool:
    """Return whether a subject is matched by mapping patterns."""
    return _has_flag(subject, MAPPING)


def has_length(subject: Any, least: int, more: bool) -> Any:
    """Return whether a subject has exactly so many items, or, with ``more``, at least so many."""
    trace = current()
    return trace.operators.compare("ge" if more else "eq", trace.operators.call(len, subject), least)


def item_at(subject: Any, position: int) -> Any:
    """An item of a sequence; one that is counted from the end is looked up by its place from the start."""
    trace = current()
    if position < 0:
        length = trace.operators.call(len, subject)
        return trace.operators.item(subject, trace.operators.binary("sub", length, -position))
    return trace.operators.item(subject, position)


def is_found(value: Any) -> Any:
    """Return whether a part of a subject is there."""
    return current().operators.compare("is_not", value, NoPart)


def value_at(subject: Any, key: Any, before: tuple[Any, ...]) -> Any:
    """Return a mapping's item for a key, or `NoPart` where it has none; ``before`` are the keys in front of it."""
    trace = current()
    if key in before:
        trace.native(_repeated, key)
    cls = class_of(subject.value.spec) if isinstance(subject, Tracer) else type(subject)
    if cls is not dict:
        return trace.operators.call(trace.operators.attr(subject, "get"), key, NoPart)
    return trace.operators.if_exp(
        trace.operators.compare("in_", key, subject),
        lambda: trace.operators.item(subject, key),
        lambda: NoPart,
    )


def _repeated(key: Any) -> None:
    raise ValueError(f"mapping pattern checks duplicate key ({key!r})")


def mapping_rest(subject: Any, keys: tuple[Any, ...]) -> Any:
    """The dict that ``**rest`` binds."""
    trace = current()
    if type(subject) is dict and not trace.state.may_have_other_keys(subject):
        held = trace.operators.expand(subject) if trace.state.is_outside(subject) else subject
        return made(trace, {key: item for key, item in held.items() if key not in keys}, "rest pattern")
    rest = trace.operators.call(dict, subject)
    for key in keys:
        trace.operators.delete_item(rest, key)
    return rest


def is_instance(subject: Any, cls: Any) -> Any:
    """Return whether a subject is of the class that a class pattern names."""
    trace = current()
    if not isinstance(cls, type) and not isinstance(cls, Tracer):
        trace.native(_matched_by, cls)
    return trace.operators.call(isinstance, subject, cls)


def _matched_by(cls: Any) -> None:
    """Python's own complaint about a class pattern that names no class."""
    match 0:
        case cls():
            pass
        case _:
            pass


def part_of(subject: Any, cls: Any, name: str | int, count: int, named: tuple[str, ...]) -> Any:
    """Return the part of a subject that a part of a class pattern is matched against; `NoPart` where it is missing.

    Args:
        subject: what is matched.
        cls: the class.
        name: the attribute, or which of the positional patterns it is.
        count: how many positional patterns there are.
        named: the attributes of the others.
    """
    trace = current()
    if isinstance(cls, Tracer):
        trace.stop("AT201", "the class of a class pattern is not known while tracing")
    places = _places(trace, cls) if count else ()
    if places is None:
        if count > 1 and name == 0:
            trace.native(_too_many, cls, 1, count)
        return subject if name == 0 else _attribute(trace, subject, name)
    if name == 0:
        trace.native(_checked, cls, places, count)
    known = named.index(name) if isinstance(name, str) else 0
    attribute = name if isinstance(name, str) else places[name]
    asked = [*places[:count], *named[:known]] if isinstance(name, str) else list(places[:name])
    if not isinstance(attribute, str):
        trace.native(_no_string, attribute)
    if attribute in asked:
        trace.native(_asked_twice, cls, attribute)
    return _attribute(trace, subject, attribute)


def _attribute(trace: Trace, subject: Any, name: Any) -> Any:
    return trace.operators.call(getattr, subject, name, NoPart)


def _places(trace: Trace, cls: type) -> Any:
    """``__match_args__`` of a class; ``None`` for one whose only positional pattern is matched by the subject itself."""
    found = trace.operators.call(getattr, cls, "__match_args__", NoPart)
    if found is NoPart:
        return None if cls.__flags__ & MATCH_SELF else ()
    if isinstance(found, Tracer):
        trace.stop("AT201", f"`{cls.__name__}.__match_args__` is not known while tracing")
    if type(found) is not tuple:
        trace.native(_no_tuple, cls, found)
    return found


def _checked(cls: type, places: tuple[Any, ...], count: int) -> None:
    if len(places) < count:
        _too_many(cls, len(places), count)


def _too_many(cls: type, known: int, count: int) -> None:
    plural = "" if known == 1 else "s"
    raise TypeError(f"{cls.__name__}() accepts {known} positional sub-pattern{plural} ({count} given)")


def _no_tuple(cls: type, found: Any) -> None:
    raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(found).__name__})")


def _no_string(found: Any) -> None:
    raise TypeError(f"__match_args__ elements must be strings (got {type(found).__name__})")


def _asked_twice(cls: type, name: str) -> None:
    raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
