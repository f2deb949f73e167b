"""Writing down what an op does: from a call on trace-level objects to a node and a tracer for its result."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from astrace.ir.block import Node, Value
from astrace.ir.specs import ListSpec, LiteralSpec
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.tracing.context import Trace
from astrace.tracing.lifting import holds_local_function, pack
from astrace.tracing.tracer import Tracer

NO_KWARGS: Final[Mapping[str, Any]] = MappingProxyType({})
TELLING: Final = frozenset({"is_", "check_defined", "callable"})
"""Ops that may take a local function, since they only tell which one a name holds."""

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
        "check_unchanged",
    }
)


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
    count = 0 if name in NO_RESULT else 1
    (result,) = record_all(trace, name, args, kwargs, count) or (None,)
    if isinstance(result, Tracer) and result.value.spec == LiteralSpec(None):
        return None
    return result


def record_all(
    trace: Trace, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], count: int
) -> tuple[Tracer, ...]:
    """Write a node with ``count`` outputs down; gives a tracer for each."""
    op = OPS[name]
    inputs, attrs = pack(trace, args, kwargs, op.reads)
    if name not in TELLING and any(holds_local_function(given.spec) for given in inputs):
        trace.stop("AT204", "a function defined here is needed as a value")
    location = trace.location()
    draft = Node(name, inputs, (), attrs, (), location)
    outputs = tuple(Value(spec) for spec in infer(op, draft, count))
    in_another = name == "get_item" and not isinstance(args[1], slice)
    if not in_another and any(isinstance(output.spec, ListSpec) for output in outputs):
        outputs = tuple(_list_output(trace, draft, output) for output in outputs)
    trace.append(Node(name, inputs, outputs, attrs, (), location))
    return tuple(Tracer(trace, output) for output in outputs)


def _list_output(trace: Trace, node: Node, output: Value) -> Value:
    """A list that an op makes: where it is made is remembered, in case it is changed later."""
    if not isinstance(output.spec, ListSpec):
        return output
    site = trace.site(node.op)
    if site in trace.plan.objects:
        output = Value(ListSpec(trace.plan.objects[site]))
    trace.sites[output] = site
    return output


def record_tuple(trace: Trace, items: tuple[Any, ...]) -> Tracer:
    """A tuple of trace-level objects as one value; a named tuple keeps its class."""
    if type(items) is tuple:
        return record(trace, "make_tuple", items)
    return record(trace, "make_namedtuple", (type(items), *items))
