"""Writes to a traced object that may be one of those from outside.

``c = a if x > 0 else b`` and ``d[i]`` give objects that only the running program knows.  What such an object
is made to hold, an object from outside may hold, so from there on that one is read when the program runs.
"""

from __future__ import annotations

import collections
import itertools
import random
import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from astrace.guards.access_paths import Root
from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, Spec, class_of, is_immutable, is_typed, options_of
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.python.operators import INPLACE
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import PYTHON_CALLABLES, may_run_user_code, touches_only_arguments
from astrace.tracing.values.objects import is_user_class
from astrace.tracing.values.special_methods import is_library_module
from astrace.util.trees import held_by

if TYPE_CHECKING:
    from astrace.tracing.context import Trace

METHODS_BELONG: Final = (list, dict, set, bytearray, collections.deque, random.Random)
"""Classes whose bound methods stand for the object that they are bound to: they change or read it."""
CALLED_BY_NAME: Final = (random.Random,)
"""Those of them whose methods in C are called by name, as methods of theirs are that Python looks up."""

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


def may_run_hidden_code(trace: Trace, value: Any, deep: bool = False) -> bool:
    """Return whether an operand is of unknown class, or holds such objects, and may run code of the user's when it is asked.

    Args:
        trace: the trace that is going on.
        value: the operand.
        deep: the op looks at what containers hold.
    """
    if not isinstance(value, Tracer):
        return False
    spec = value.value.spec
    looked_into = deep or isinstance(spec, ArraySpec)
    unknown = any(_is_unknown(one, looked_into) for one in options_of(spec))
    return unknown and may_run_users_code(trace, value, called=False)


def _is_unknown(spec: Spec, deep: bool) -> bool:
    """Return whether nothing is known of the class of a value, or of what it holds."""
    cls = class_of(spec)
    return cls is None or (deep and issubclass(cls, (*HOLDERS, np.ndarray)))


def may_run_users_code(trace: Trace, function: Tracer, called: bool = True) -> bool:
    """Return whether a traced object may run the user's code: one that is not reached from data and a library's own objects.

    Args:
        trace: the trace that is going on.
        function: the object.
        called: it is called, so that anything that is held outside may be a function; else outside objects that hold data
            alone are taken to hold data ever after.
    """
    if _holds_no_code(function.value.spec) or has_data_only(trace):
        return False
    first = trace.recorder.origin(function.value)
    known = trace.runs_code.get((first, called))
    if known is None:
        known = trace.runs_code[first, called] = _leads_to_code(trace, first, called)
    return known


def _leads_to_code(trace: Trace, first: Value, called: bool) -> bool:
    pending, seen = [first], set[Value]()
    while pending:
        value = pending.pop()
        if value in seen or _holds_no_code(value.spec):
            continue
        seen.add(value)
        sources = _sources(trace, value, called)
        if sources is None or any(
            _holds_users_code(source) for source in sources if isinstance(source, Constant)
        ):
            return True
        origins = [trace.recorder.origin(source) for source in sources if isinstance(source, Value)]
        told = [trace.runs_code.get((origin, called)) for origin in origins]
        if any(told):
            return True
        pending += [origin for origin, known in zip(origins, told, strict=True) if known is None]
    return False


HOLDERS: Final = (list, tuple, dict, set, frozenset)
HOLDING_MODULES: Final = frozenset(
    {"builtins", "collections", "contextlib", "functools", "itertools", "types", "weakref"}
)
"""Modules whose classes hold objects of whatever kind, or call them."""


def _holds_no_code(spec: Spec) -> bool:
    """Return whether values of a spec are data, or objects of a library's."""
    if isinstance(spec, ArraySpec):
        return not spec.dtype.hasobject
    if is_typed(spec) or is_immutable(spec):
        return True
    cls = class_of(spec)
    if cls is None or is_user_class(cls) or issubclass(cls, (*HOLDERS, *PYTHON_CALLABLES, np.ndarray)):
        return False
    return cls.__module__ not in HOLDING_MODULES


def _sources(trace: Trace, value: Value, called: bool) -> Sequence[Operand] | None:
    """Return what a value, or a part of it, may come from; ``None`` where it may be anything of the user's."""
    node = trace.producers.get(value)
    if node is None:
        given = trace.state.input_of(value)
        if given is not None and (isinstance(given.path, Root) or not called):
            return (Constant(given.example),)
        return None if called else trace.starts.get(value)
    callee = _callee(node)
    if callee is not None and trace.left_out(callee.value):
        return ()
    inside = [inner for region in node.regions for inner in nodes(region)]
    if any(map(_calls_users_code, (node, *inside))):
        return None
    used = [operand for one in inside for operand in one.inputs if isinstance(operand, Constant)]
    ends = [operand for region in node.regions for operand in region.outputs if isinstance(operand, Constant)]
    return (*node.inputs, *used, *ends)


def _calls_users_code(node: Node) -> bool:
    """Return whether a node calls a function of the user's, or reads a variable of theirs."""
    if node.op in ("read_global", "read_cell"):
        return True
    callee = _callee(node)
    return callee is not None and not touches_only_arguments(callee.value)


def _callee(node: Node) -> Constant | None:
    """Return the function that a node calls, if it is known."""
    callee = node.inputs[0] if node.op in CALLS else None
    return callee if isinstance(callee, Constant) else None


MOST_ITEMS: Final = 64
CALLS: Final = ("call", "call_pure", "call_spread", "call_mapping")


def _holds_users_code(source: Constant) -> bool:
    """Return whether a constant, or what it holds, may run code of the user's; of many items the first are looked at."""
    pending = [source.value]
    while pending:
        value: Any = pending.pop()
        if issubclass(type(value), types.ModuleType):
            if not is_library_module(value.__name__):
                return True
        elif may_run_user_code(value):
            return True
        elif issubclass(type(value), np.ndarray):
            pending += value.flat[:MOST_ITEMS].tolist() if value.dtype.hasobject else []
        else:
            pending += itertools.islice(held_by(value), MOST_ITEMS)
    return False
