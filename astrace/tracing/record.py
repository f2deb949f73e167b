"""Writing down what an op does: from a call on trace-level objects to a node and a tracer for its result."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from astrace.ir.block import Node, Value
from astrace.ir.specs import NONE, ListSpec, Spec, TupleSpec, UnionSpec, class_of, options_of
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.ops.jax.arrays import OPS as DEVICE_OPS
from astrace.ops.retained_arguments import OBJECTS, held_from
from astrace.tracing.changes.aliases import forget_aliases, may_run_hidden_code, may_run_users_code
from astrace.tracing.changes.reshaping import loosened
from astrace.tracing.context import Trace
from astrace.tracing.external.value_identity import copied
from astrace.tracing.operators.calls.argument_packing import pack
from astrace.tracing.tracer import Tracer, is_numeric
from astrace.tracing.values.callables import CONSUMING, consumes_at_once, may_run_user_code, runs_when_walked
from astrace.tracing.values.list_specs import SEQUENCES, keep_known, with_planned_specs
from astrace.tracing.values.operands import (
    existing,
    is_local_function,
    itself,
    rewritten_in,
    rewritten_in_spec,
    takes_now,
)
from astrace.tracing.values.special_methods import class_attribute, hook, is_library_module, speaks
from astrace.util.trees import telling_leaves, tuple_like

NO_KWARGS: Final[Mapping[str, Any]] = MappingProxyType({})
NO_RESULT: Final = frozenset(
    {
        "set_item",
        "delete_item",
        "set_attr",
        "set_field",
        "delete_attr",
        "append",
        "raise_",
        "reraise",
        "check_array",
        "check_still",
        "check_unchanged",
        "tell_lookup",
    }
)

TELLING_WHICH: Final = frozenset(
    {"is_", "is_not", "eq", "ne", "check_defined", "callable", "isinstance", "get_item"}
)
"""Ops that may be given a local function: they only tell which one it is."""

KEEPS_ORDER: Final = frozenset({"call", "call_pure", "call_method", "call_spread", "dict"})
"""Ops whose callee may see in which order its keywords are given."""


def record(trace: Trace, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any] = NO_KWARGS) -> Any:
    """Write a node down and give a tracer for its result.

    Args:
        trace: the trace that is going on.
        name: the op.
        args: trace-level objects.
        kwargs: likewise.

    Returns:
        A tracer; ``None`` for an op without result or whose result is ``None``.
    """
    trace.state.refuse_frozen(name, args)
    count = 0 if name in NO_RESULT else 1
    (result,) = record_all(trace, name, args, kwargs, count) or (None,)
    forget_aliases(trace, name, args)
    trace.state.stale.recorded(name, args, kwargs)
    if isinstance(result, Tracer) and result.value.spec == NONE:
        return None
    return result


def record_all(
    trace: Trace, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], count: int
) -> tuple[Tracer, ...]:
    """Write a node with ``count`` outputs down; gives a tracer for each."""
    op, told = OPS[name], list[Any]()
    given, levels = args, (op.reads, held_from(op))
    numeric = not kwargs and all(map(is_numeric, args))
    if not numeric:  # else there is nothing to find out about the arguments
        args, kwargs, told = _existing_arguments(trace, name, args, kwargs)
        _refuse_kept_streams(trace, name, args, told)
        given = _as_given(trace, name, args)
    inputs, attrs = pack(trace, given, kwargs, levels, name in KEEPS_ORDER, OBJECTS.get(name, ()))
    outputs = tuple([Value(spec) for spec in infer(op, inputs, attrs, count)])
    if name == "get_item" and rewritten_in_spec(outputs[0].spec) is None:
        _refuse_any_rewritten(trace, told)
    outputs = loosened(trace, name, outputs)
    outputs = with_planned_specs(trace, name, args, outputs)
    node = Node(name, inputs, outputs, attrs, (), trace.location())
    if not numeric:
        keep_known(trace, node)
    trace.append(node)
    if not numeric:
        _forget(trace, name, args, told)
    return tuple([Tracer(trace, output) for output in outputs])


def _existing_arguments(
    trace: Trace, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], Mapping[str, Any], list[Any]]:
    """Return arguments with their local functions as those of the running program, and their telling leaves."""
    told = telling_leaves((args, dict(kwargs)))
    if name not in TELLING_WHICH:
        _refuse_any_rewritten(trace, told)
        if any(map(is_local_function, told)):
            args = tuple(_existing_in(trace, value) for value in args)
            kwargs = {key: _existing_in(trace, value) for key, value in kwargs.items()}
            told = telling_leaves((args, dict(kwargs)))
    return args, kwargs, told


def _forget(trace: Trace, name: str, args: tuple[Any, ...], told: Sequence[Any]) -> None:
    """Forget what an op may have changed by running code of the user's; it is read again."""
    if name in CALLING and id(args[0]) in trace.plan.operators:
        return  # an operator changes what it is expected to change, whatever other methods it has
    given = [] if name in MOVING else args if name in ASKING else told
    if name in ASKING:
        asked = any(_has_hook(value, ASKING[name]) for value in given)
    else:
        asked = any(_answers(leaf, name in TEXTUAL) for leaf in given)
    walked = name in WALKING and is_walked(trace, args[0])
    hidden = any(may_run_hidden_code(trace, value, name in CONTENTS) for value in _unknown(name, args, given))
    if asked or walked or hidden or (name in ACCESSING and _is_hooked(args[0], args[1], *ACCESSING[name])):
        trace.state.stale.asked(
            cls
            for leaf in given or args[:1]
            for cls in (_classes(leaf.value.spec) if isinstance(leaf, Tracer) else (type(leaf),))
            if may_run_user_code(cls)
        )
        trace.state.forget_all()


def _unknown(name: str, args: tuple[Any, ...], given: Iterable[Any]) -> Iterable[Any]:
    """Return the operands of an op that it asks, and that may have special methods which nobody knows."""
    return (*args[:1], *given) if name in ACCESSING or name in WALKING else given


def _as_given(trace: Trace, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments as objects where they are joined, and as just texts where they are names."""
    if name in SEQUENCES:
        return tuple(itself(trace, value) if isinstance(value, tuple) else value for value in args)
    places = NAMES.get(name, ())
    return tuple(_just_text(value) if place in places else value for place, value in enumerate(args))


def _just_text(value: Any) -> Any:
    return tuple(map(copied, value)) if type(value) is tuple else copied(value)


NAMES: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(
        ("call_method", "set_attr", "set_field", "tell_lookup", "delete_attr", "make_object"), (1,)
    ),
    "check_defined": (1,),
    "check_unchanged": (1, 2),
}
"""The arguments of ops that are names of attributes and variables, or facts found while tracing."""


def _refuse_kept_streams(trace: Trace, name: str, args: tuple[Any, ...], told: Sequence[Any]) -> None:
    """Require a real generator, or none, where Python keeps one that would be passed as its items."""
    streams = [leaf for leaf in told if takes_now(leaf)]
    if not streams:
        return
    match name:
        case "call" | "call_pure" | "call_spread" | "call_mapping":
            consumed = not isinstance(args[0], Tracer) and consumes_at_once(args[0])
        case "call_method":
            cls = class_of(args[0].value.spec) if isinstance(args[0], Tracer) else type(args[0])
            consumed = args[1] in CONSUMING and cls is not None and is_library_module(cls.__module__)
        case _:
            consumed = name in CONSUMING_OPS
    if not consumed:
        message = "a generator is kept, or passed to opaque code, which may iterate over it later"
        streams[0].must_exist(trace, message)


CONSUMING_OPS: Final = CONSUMING | {"in_", "math.fsum", "math.prod", "np.fromiter", "not_in", "spread"}
"""Ops that iterate over their input to its end, and keep nothing of it."""

CALLING: Final = ("call", "call_method")
"""Ops that call an operator, their first argument."""
MOVING: Final = (
    DEVICE_OPS
    | TELLING_WHICH - {"eq", "ne", "get_item"}
    | {
        "append",
        "call_pure",
        "check_still",
        "check_unchanged",
        "delete_attr",
        "get_attr",
        "hasattr",
        "id",
        "list",
        "spread",
        "make_list",
        "make_namedtuple",
        "make_object",
        "make_tuple",
        "raise_",
        "reraise",
        "set_attr",
        "set_field",
        "tell_lookup",
        "tuple",
        "type",
    }
)
"""Ops that call no special method of the objects they move; those of owners are traced before."""

ASKING: Final[Mapping[str, tuple[str, ...]]] = {
    "bool": ("__bool__", "__len__"),
    "len": ("__len__",),
    **dict.fromkeys(("enumerate", "iter", "zip"), ("__iter__", "__getitem__")),
    "reversed": ("__reversed__", "__len__", "__getitem__"),
}
"""Ops that call some special methods of their operands, and none of a container's items."""

TEXTUAL: Final = frozenset(
    [
        *("mod", "imod", "str", "repr", "ascii", "format", "format_value"),
        *("call", "call_method", "call_spread", "call_mapping"),
    ]
)
"""Ops that may ask their operands for text."""


CONTENTS: Final = TEXTUAL - {"call", "call_method", "call_spread", "call_mapping"} | {
    *("eq", "ne", "lt", "le", "gt", "ge", "in_", "not_in", "hash"),
    *("sorted", "max", "min", "sum", "any", "all", "list", "tuple", "set", "frozenset"),
}
"""Ops that look at what the containers hold that they are given."""

WALKING: Final = frozenset(
    {
        "list",
        "tuple",
        "spread",
        "next",
        "unpack",
        "set",
        "frozenset",
        "dict",
        "sum",
        "any",
        "all",
        "max",
        "min",
        "sorted",
    }
)
"""Ops that first take the items of their input."""


def is_walked(trace: Trace, value: Any) -> bool:
    """Return whether taking the items of an operand may run the user's code."""
    if not isinstance(value, Tracer):
        return runs_when_walked(type(value))
    classes = [class_of(spec) for spec in options_of(value.value.spec)]
    return any(cls is not None and runs_when_walked(cls) for cls in classes) or (
        None in classes and _is_made_elsewhere(trace, value)
    )


def _is_made_elsewhere(trace: Trace, value: Tracer) -> bool:
    """Return whether a value of an unknown class may be a generator; values read from the user's data are not."""
    node = trace.producers.get(trace.recorder.origin(value.value))
    return node is not None and node.op not in READING and may_run_users_code(trace, value)


READING: Final = frozenset({"read_global", "get_attr", "get_item"})


ACCESSING: Final[Mapping[str, tuple[str, str]]] = {
    "get_attr": ("__get__", "__getattribute__"),
    "set_attr": ("__set__", "__setattr__"),
    "delete_attr": ("__delete__", "__delattr__"),
    "hasattr": ("__get__", "__getattribute__"),
}
"""Ops on attributes: the methods of a descriptor and of the owner that take part in them."""


def _is_hooked(owner: Any, name: str, of_descriptor: str, of_owner: str) -> bool:
    """Return whether reading or changing an attribute runs code of the user's, as far as the class is known."""
    cls: Any = class_of(owner.value.spec) if isinstance(owner, Tracer) else type(owner)
    if cls is None or not may_run_user_code(cls):
        return False
    found = class_attribute(cls, name)
    if found is None and of_descriptor == "__get__" and hook(cls, "__getattr__") is not None:
        return True
    described = found is not None and (
        is_property(found[1]) or hook(type(found[1]), of_descriptor) is not None
    )
    return described or hook(cls, of_owner) is not None


def is_property(stored: Any) -> bool:
    """Return whether a class attribute is a property or a cached property."""
    return isinstance(stored, property | functools.cached_property)


def _has_hook(value: Any, names: tuple[str, ...]) -> bool:
    """Return whether a known class of an operand has one of some special methods, defined by the user."""
    classes = _classes(value.value.spec) if isinstance(value, Tracer) else (type(value),)
    return any(hook(cls, name) is not None for cls in classes if may_run_user_code(cls) for name in names)


def _answers(value: Any, text: bool) -> bool:
    """Return whether code that looks at an operand may run special methods of the user's, which may do anything."""
    if type(value) in (set, frozenset):
        return any(_answers(item, text) for item in value)
    if not isinstance(value, Tracer):
        return may_run_user_code(type(value)) and speaks(type(value), text)
    return any(may_run_user_code(cls) and speaks(cls, text) for cls in _classes(value.value.spec))


def _classes(spec: Spec | None) -> Iterator[type]:
    """Return the known classes of the values of a spec, and of their items."""
    match spec:
        case None:
            return
        case UnionSpec():
            parts: tuple[Spec | None, ...] = spec.options
        case TupleSpec():
            parts = spec.items
        case ListSpec():
            parts = (spec.element,)
        case _:
            parts = ()
            cls = class_of(spec)
            if cls is not None:
                yield cls
    for part in parts:
        yield from _classes(part)


def refuse_rewritten(trace: Trace, values: Any) -> None:
    """Refuse to hand a function that rewritten code made to the running program, unless it exists there, too."""
    _refuse_any_rewritten(trace, telling_leaves(values))


def _refuse_any_rewritten(trace: Trace, told: Iterable[Any]) -> None:
    for value in told:
        function = rewritten_in(existing(trace, value))
        if function is not None:
            trace.stop(
                "AT204",
                f"the local function `{function.__name__}` is needed as a value",
                "define it at the top of the module",
            )


def _existing_in(trace: Trace, value: Any) -> Any:
    """Return a trace-level object with its local functions as those of the running program."""
    if isinstance(value, tuple) and any(map(rewritten_in, telling_leaves(value))):
        return tuple_like(value, [_existing_in(trace, item) for item in value])
    return existing(trace, value)


def record_tuple(trace: Trace, items: tuple[Any, ...]) -> Tracer:
    """A tuple of trace-level objects as one value; a named tuple keeps its class."""
    if type(items) is tuple:
        return record(trace, "make_tuple", items)
    return record(trace, "make_namedtuple", (type(items), *items))
