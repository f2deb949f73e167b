"""Helpers of ``match``: what a pattern asks of its subject (PEP 634)."""

from __future__ import annotations

import collections.abc
from typing import Any

import numpy as np

from astrace.ir.specs import ListSpec, TupleSpec, class_of
from astrace.tracing.context import current
from astrace.tracing.hooks import class_attribute
from astrace.tracing.objects import made
from astrace.tracing.tracer import Tracer

__all__ = ["is_instance", "is_mapping", "is_sequence", "items_list", "mapping_rest", "match_attribute"]


def is_sequence(subject: Any, least: int, more: bool) -> Any:
    """Whether a subject is a sequence of ``least`` items, or ``more``; strings and arrays are none."""
    trace = current()
    cls = class_of(subject.value.spec) if isinstance(subject, Tracer) else type(subject)
    if cls is None:
        trace.stop("AT201", "the type of a matched value is not known while tracing")
    if not issubclass(cls, collections.abc.Sequence) or issubclass(cls, str | bytes | bytearray):
        return False
    length = trace.operators.call(len, subject)
    return trace.operators.compare("ge" if more else "eq", length, least)


def is_mapping(subject: Any) -> bool:
    """Whether a subject is a mapping."""
    cls = class_of(subject.value.spec) if isinstance(subject, Tracer) else type(subject)
    return cls is not None and issubclass(cls, collections.abc.Mapping)


def is_instance(subject: Any, cls: type, *names: Any) -> Any:
    """Whether a subject is of a class and has the attributes that a class pattern names."""
    trace = current()
    found = trace.operators.call(isinstance, subject, cls)
    for name in names:
        attribute = _attribute_name(cls, name)
        if found is not True or attribute is None:
            continue
        found = trace.operators.call(hasattr, subject, attribute)
    return found


SELF_MATCHING = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple, np.generic)


def _attribute_name(cls: type, name: Any) -> str | None:
    """The attribute that a positional or keyword pattern stands for; ``None`` for the subject itself."""
    if isinstance(name, str):
        return name
    if cls in SELF_MATCHING:
        return None
    found = class_attribute(cls, "__match_args__")
    names: Any = () if found is None else found[1]
    return names[name]


def match_attribute(subject: Any, cls: type, name: Any) -> Any:
    """What a sub-pattern of a class pattern is matched against."""
    attribute = _attribute_name(cls, name)
    return subject if attribute is None else current().operators.attr(subject, attribute)


def items_list(items: Any) -> Any:
    """The list that a starred pattern binds."""
    trace = current()
    if isinstance(items, Tracer) and not isinstance(items.value.spec, ListSpec | TupleSpec):
        return trace.operators.call(list, items)
    return items if isinstance(items, Tracer) else made(trace, list(items), "star pattern")


def mapping_rest(subject: Any, keys: tuple[Any, ...]) -> Any:
    """The dict that ``**rest`` binds."""
    trace = current()
    if isinstance(subject, Tracer):
        trace.stop("AT201", "`**rest` of a traced mapping")
    held = trace.operators.expand(subject) if trace.state.is_outside(subject) else subject
    return made(trace, {key: item for key, item in held.items() if key not in keys}, "rest pattern")
