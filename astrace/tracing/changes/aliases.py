"""Writes to a traced object that may be one of those from outside.

``c = a if x > 0 else b`` and ``d[i]`` give objects that only the running program knows.  What such an object
is made to hold, an object from outside may hold, so from there on that one is read when the program runs.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import class_of, is_immutable, is_typed
from astrace.ops import OPS
from astrace.ops.python.operators import INPLACE
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import PYTHON_CALLABLES, touches_only_arguments
from astrace.tracing.values.objects import is_user_class

if TYPE_CHECKING:
    from astrace.tracing.context import Trace

METHODS_BELONG: Final = (list, dict, set, bytearray, collections.deque)
"""Classes whose bound methods stand for the object that they are bound to: they change or read it."""

MUTATORS: Final[Mapping[type, frozenset[str]]] = {
    list: frozenset(
        [
            "append",
            "extend",
            "insert",
            "pop",
            "remove",
            "clear",
            "sort",
            "reverse",
            "__setitem__",
            "__delitem__",
            "__iadd__",
            "__imul__",
            "__init__",
        ]
    ),
    dict: frozenset(
        [
            "clear",
            "pop",
            "popitem",
            "setdefault",
            "update",
            "__setitem__",
            "__delitem__",
            "__ior__",
            "__init__",
        ]
    ),
    set: frozenset(
        [
            "add",
            "clear",
            "discard",
            "pop",
            "remove",
            "update",
            "difference_update",
            "intersection_update",
            "symmetric_difference_update",
            "__iand__",
            "__ior__",
            "__isub__",
            "__ixor__",
            "__init__",
        ]
    ),
}

ANY_INSTANCE: Final = object
"""Stands for the class of everything that has attributes."""

METHODS: Final[Mapping[str, str]] = {
    "append": "append",
    "set_item": "__setitem__",
    "delete_item": "__delitem__",
    **{name: f"__{name}__" for name in INPLACE},
}
"""The ops that are methods of containers, by which these are changed."""

ON_ATTRIBUTES: Final = frozenset({"set_attr", "set_field", "tell_lookup", "delete_attr"})


def forget_aliases(trace: Trace, name: str, args: tuple[Any, ...]) -> None:
    """Forget what a recorded op may have changed of outside objects."""
    if not args or not isinstance(args[0], Tracer) or not (0 in OPS[name].writes or name == "call_method"):
        return
    if has_data_only(trace):
        return
    cls = class_of(args[0].value.spec)
    fixed = is_immutable(args[0].value.spec) and name not in ON_ATTRIBUTES
    if cls is np.ndarray or fixed or _is_known(trace, args[0]):
        return
    if name == "call_method" and not _changes(cls, args[1]):
        return
    kinds = {cls} if cls is not None else _kinds(name, args)
    for owner in [*trace.state.outsiders(), *trace.state.constants()]:
        if type(owner) in kinds or (ANY_INSTANCE in kinds and type(owner) not in MUTATORS):
            trace.state.forget(owner, given=False)
    for kind in kinds:  # an object of that class may yet be met
        trace.journal.set_slot((kind, "dirty"), True)


def _kinds(name: str, args: tuple[Any, ...]) -> set[type]:
    """Return the classes that an object of unknown class may have, for an op to change it."""
    if name in ON_ATTRIBUTES:
        return {ANY_INSTANCE}
    method = args[1] if name == "call_method" else METHODS.get(name)
    return {kind for kind, methods in MUTATORS.items() if method is None or method in methods}


def _changes(cls: type | None, method: str) -> bool:
    """Return whether a method of that name changes an object of a class; ``None`` stands for an unknown class."""
    if cls is None:
        return any(method in names for names in MUTATORS.values())
    return method in MUTATORS.get(cls, frozenset())


def _is_known(trace: Trace, target: Tracer) -> bool:
    """Return whether it is known which object a tracer stands for: one made here, or one that a path leads to."""
    origin = trace.recorder.origin(target.value)
    node = trace.producers.get(origin)
    made = node is not None and not node.regions and OPS[node.op].creates
    return made or trace.state.input_of(origin) is not None


def has_data_only(trace: Trace) -> bool:
    """Return whether values of which nothing is known are data: what operators return, and what lists hold."""
    return bool(trace.plan.operators) and not trace.state.opaque


def may_run_users_code(trace: Trace, function: Tracer) -> bool:
    """Return whether a traced callable may be the user's: one that is not reached from a library's own objects."""
    if has_data_only(trace):
        return False
    pending, seen = [trace.recorder.origin(function.value)], set[Value]()
    while pending:
        value = pending.pop()
        if value in seen or is_typed(value.spec) or is_immutable(value.spec):
            continue
        seen.add(value)
        cls = class_of(value.spec)
        if cls is not None and cls not in (*HOLDERS, *PYTHON_CALLABLES) and not is_user_class(cls):
            continue
        node = trace.producers.get(value)
        if node is None or node.regions or _is_users(node):
            return True
        pending += [trace.recorder.origin(operand) for operand in node.inputs if isinstance(operand, Value)]
    return False


HOLDERS: Final = (list, tuple, dict, set, frozenset)


def _is_users(node: Node) -> bool:
    """Return whether a node calls a function of the user's."""
    callee = node.inputs[0] if node.op in ("call", "call_pure") else None
    return isinstance(callee, Constant) and not touches_only_arguments(callee.value)
