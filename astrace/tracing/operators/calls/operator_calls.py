"""Calls of operators (`astrace.script`): parts of the graph where they can be, else one node each.

An operator becomes a part of the graph if all that it does is to compute with typed data: no strings, no opaque calls,
nothing written to what was there before, nothing decided by the lengths, keys and values of what it is given, and nothing
that it shares with an operator that is a node.  Any other one is called when the program runs, each time and in its place.
It is expected to change itself, what it leads to, what it is given, and the world outside the program, nothing else: so
the program's globals stay known after it, as they do not after an opaque call.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.guards.access_paths import Argument, Path, steps
from astrace.guards.kinds import Fits, Guard, HasType, paths_of
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.constants import is_function
from astrace.ir.specs import ListSpec, LiteralSpec, Spec, TupleSpec, UnionSpec, is_typed
from astrace.ir.walk import blocks
from astrace.ops import OPS
from astrace.ops.callables.operators import declared_as, held_by, shared
from astrace.ops.callables.purity import row_of, subject
from astrace.ops.effects import written
from astrace.ops.promised import DECLARED_RESULTS
from astrace.tracing.context import Trace
from astrace.tracing.operators.calls.opaque_calls import check_shapes, known_shapes, must_exist
from astrace.tracing.plan import Plan
from astrace.tracing.record import record
from astrace.tracing.signals import Restart, Uncapturable
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import Lazy
from astrace.tracing.values.special_methods import is_own_code
from astrace.util.trees import leaves

__all__ = ["call_operator", "is_operator"]

Call: TypeAlias = Callable[[Trace, Any, tuple[Any, ...], Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class CalledOperator:
    """An operator that this trace has called.

    Args:
        operator: the instance or function.
        held: the objects that can change and that it leads to, by ``id``.
    """

    operator: Any
    held: Mapping[int, Any]


def is_operator(trace: Trace, function: Any) -> bool:
    """Return whether a callable is an operator that was there before the call, or a method of one."""
    if isinstance(function, Tracer | Lazy) or declared_as(function, trace.operator_calls.declared) is None:
        return False
    return isinstance(function, types.FunctionType) or trace.state.is_outside(_instance(function))


def _instance(function: Any) -> Any:
    return function.__self__ if isinstance(function, types.MethodType) else function


def call_operator(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], call: Call
) -> Any:
    """A call of an operator.

    Args:
        trace: the trace that is going on.
        function: the operator, or a method of it.
        args: trace-level objects.
        kwargs: likewise.
        call: makes the call of what is no operator.
    """
    for text in leaves((args, dict(kwargs))):
        if type(text) is str:
            trace.state.used_as_data(text)
    one = _instance(function)
    _called(trace, one)
    if id(one) not in trace.plan.operators:
        if _may_fit(trace, one, (args, dict(kwargs))):
            return _tried(trace, one, function, args, kwargs, call)
        _leave(trace, one)
    trace.note("AT007", f"`{_name(function)}` is called each time: it is an operator")
    return _node(trace, function, args, kwargs)


def _may_fit(trace: Trace, one: Any, given: Any) -> bool:
    """Return whether an operator is to be traced through: it is given data, and shares nothing with one that is a node."""
    is_data = all(_is_given_data(trace, value) for value in leaves(given))
    return is_data and not _is_pmap(one) and not _shares_with_node(trace, one)


def _tried(
    trace: Trace, one: Any, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], call: Call
) -> Any:
    """Trace through an operator; where it does not fit, start again with it as a node."""
    if id(one) not in trace.plan.trials:
        trace.plan.trials[id(one)] = trace.plan.copied()
    opaque = trace.plan.opaque
    try:
        result, fits = _inlined(trace, function, args, kwargs, call)
    except Restart:
        # An operator that calls opaque code in a loop: the loop would hold opaque calls from now on.
        if trace.plan.opaque and not opaque:
            _leave(trace, one)
        raise
    if not fits:
        _leave(trace, one)
    return result


def _called(trace: Trace, one: Any) -> None:
    if id(one) not in trace.operator_calls.called:
        trace.operator_calls.called[id(one)] = CalledOperator(one, held_by(one))


def _is_pmap(one: Any) -> bool:
    return isinstance(one, types.FunctionType) and is_own_code(one)


def _is_given_data(trace: Trace, value: Any) -> bool:
    if isinstance(value, Tracer):
        return is_data_spec(value.value.spec)
    return not isinstance(value, Lazy) and not trace.state.is_outside(value)


def _name(function: Any) -> str:
    named = function if isinstance(function, types.FunctionType | types.MethodType) else type(function)
    return str(named.__qualname__)


def _shares_with_node(trace: Trace, one: Any) -> bool:
    own = trace.operator_calls.called[id(one)].held
    others = (other for key, other in trace.operator_calls.called.items() if key in trace.plan.operators)
    return any(shared(own, other.held) for other in others)


def _leave(trace: Trace, one: Any) -> None:
    """Have the calls of an operator as nodes, and those of operators that share something with it.

    Where some of them were traced through already, the capture starts again, and what was learned since is forgotten;
    so it does at the first one, which tells that this is a pipeline.
    """
    held, known = trace.operator_calls.called[id(one)].held, trace.plan.operators
    calls = trace.operator_calls.called.items()
    left = {key: other.operator for key, other in calls if key not in known and shared(held, other.held)}
    left[id(one)] = one
    tried = [trace.plan.trials[key] for key in left if key in trace.plan.trials]
    if known and not tried:
        trace.plan.operators.update(left)
        return
    trace.plan.go_back(min(tried, key=_trials, default=trace.plan.copied()), left)
    raise Restart


def _trials(plan: Plan) -> int:
    return len(plan.trials)


# -- as part of the graph ------------------------------------------------------------------------------


def _inlined(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], call: Call
) -> tuple[Any, bool]:
    """Trace through an operator; if it does not fit into the graph, undo that."""
    first, guards, left = len(trace.recorder.nodes), len(trace.state.guards), len(trace.plain_calls)
    fits = True
    with trace.undone_unless_kept() as keep:
        try:
            result = call(trace, function, args, kwargs)
            fits = left == len(trace.plain_calls) and not _decides(trace, guards)
            fits = fits and _is_plain(trace, Block((), tuple(trace.recorder.nodes[first:])))
        except Uncapturable:
            result, fits = None, False
        finally:
            if fits:  # or it has ended by another signal, with its effects
                keep()
    del trace.plain_calls[left if not fits else len(trace.plain_calls) :]
    return result, fits


def _decides(trace: Trace, known: int) -> bool:
    """Return whether something was decided by the values, lengths or keys of arguments, since there were some guards."""
    new = itertools.islice(trace.state.guards, known, None)
    return any(_fixes(guard) for guard in new)


def _fixes(guard: Guard) -> bool:
    paths: Sequence[Path] = paths_of(guard)
    of_argument = any(isinstance(steps(path)[-1], Argument) for path in paths)
    return of_argument and not isinstance(guard, HasType | Fits)


def _is_plain(trace: Trace, block: Block) -> bool:
    """Return whether nodes compute with typed data, change nothing from outside, and call only what is known."""
    parts = list(blocks(block))
    made = {value for part in parts for node in part.nodes for value in node.outputs}
    entered = {value for part in parts for value in part.inputs}
    for node in (node for part in parts for node in part.nodes):
        known = all(_is_known(operand, made, entered) for operand in node.inputs)
        if not known or not _is_tame(node):
            return False
    return not _changes_outside(trace, block, made)


def _is_known(operand: Operand, made: set[Value], entered: set[Value]) -> bool:
    """Return whether an operand is made here, typed data, or a constant that a graph can hold."""
    if isinstance(operand, Constant):
        return is_data(operand.value)
    return operand in made or operand in entered or is_data_spec(operand.spec)


def _is_tame(node: Node) -> bool:
    """Return whether a node does nothing but to compute and to write what it is given."""
    if node.regions:
        return node.op not in ("with_", "function")
    if node.op in CALLING:
        return isinstance(node.inputs[0], Constant) and node.op != "call_method"
    return node.op not in REFUSED and (not OPS[node.op].ordered or node.op in ALLOWED)


def _changes_outside(trace: Trace, block: Block, made: set[Value]) -> bool:
    """Return whether nodes write to what was there before the call and belongs to no argument."""
    leafs = (node for part in blocks(block) for node in part.nodes if not node.regions)
    changed = {_outermost(trace, value) for node in leafs for value in written(node)} - made
    given = {
        _outermost(trace, operand)
        for node in block.nodes
        for operand in node.inputs
        if isinstance(operand, Value)
    }
    outside = {value for value in given if _is_kept(trace, value)}
    carried = changed - given  # of a loop: they may begin as anything that the loop is given
    return bool(outside & changed) or bool(outside and carried)


def _outermost(trace: Trace, value: Value) -> Value:
    """Return the value that a capture of a region stands for."""
    while value in trace.recorder.aliases:
        value = trace.recorder.aliases[value]
    return value


def _is_kept(trace: Trace, value: Value) -> bool:
    """Return whether a value is read from outside the arguments."""
    found = trace.state.input_of(value)
    return found is not None and not isinstance(steps(found.path)[-1], Argument)


CALLING: Final = ("call", "call_pure", "call_spread", "call_mapping", "call_method")
REFUSED: Final = ("read_global", "read_cell", "device_call", "device_method", "device_apply", "make_object")
"""Ops that depend on more than typed data."""
ALLOWED: Final = ("raise_", "reraise", "check_array", "check_still", "check_unchanged")
"""Ops that keep their order, and do nothing outside."""
MODULES: Final = ("builtins", "math", "cmath", "operator", "numpy")


def is_data_spec(spec: Spec) -> bool:
    """Return whether values are numbers, arrays, flags, or tuples and lists of them.

    Example:
        >>> from astrace.ir.specs import ANY, FLOAT
        >>> is_data_spec(FLOAT), is_data_spec(ANY)
        (True, False)
    """
    match spec:
        case LiteralSpec():
            return is_data(spec.value)
        case TupleSpec():
            return all(map(is_data_spec, spec.items))
        case UnionSpec():
            return all(map(is_data_spec, spec.options))
        case ListSpec():
            return spec.element is None or is_data_spec(spec.element)
        case _:
            return is_typed(spec)


def is_data(value: Any) -> bool:
    """Return whether a constant is plain data, or a function or class of Python's or NumPy's that asks nothing outside.

    Example:
        >>> is_data((1, "a")), is_data(np.sum), is_data(print)
        (True, True, False)
    """
    if isinstance(value, tuple | frozenset):
        return all(map(is_data, value))
    if isinstance(value, types.ModuleType):
        return value.__name__ in MODULES
    if isinstance(value, type) or is_function(value):
        module = str(getattr(subject(value), "__module__", None) or "builtins").split(".")[0]
        return module in MODULES and row_of(value) is None
    return isinstance(value, PLAIN) or value in (..., NotImplemented)


PLAIN: Final = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    range,
    slice,
    type(None),
    np.generic,
    np.dtype,
    np.ndarray,
)


# -- as a node -----------------------------------------------------------------------------------------


def _node(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Record a call of an operator, after which what it may have changed is read again."""
    for value in leaves((args, dict(kwargs))):
        if is_operator(trace, value):  # it is called there, and so a node as well
            _called(trace, value)
            if id(value) not in trace.plan.operators:
                _leave(trace, value)
    for value in (*args, *kwargs.values()):
        must_exist(trace, value)
    shapes = known_shapes(trace, (args, dict(kwargs)))
    if isinstance(function, types.MethodType):
        result = record(trace, "call_method", (function.__self__, function.__name__, *args), kwargs)
    else:
        result = _typed(trace, function, record(trace, "call", (function, *args), kwargs))
    for owner in (_instance(function), *_outsiders(trace, (*args, *kwargs.values()))):
        _forget(trace, owner)
    check_shapes(trace, shapes)
    if trace.hands_out_functions:
        trace.state.forget_all()
    return result


def _typed(trace: Trace, function: Any, result: Any) -> Any:
    """A result of the type that is declared for an operator, which is made sure of when the graph runs."""
    spec = DECLARED_RESULTS.of(subject(declared_as(function)))
    if spec is None or not isinstance(result, Tracer):
        return result
    output = Value(spec)
    given = (result.value, Constant(spec), Constant(_name(function)))
    trace.append(Node("promised", given, (output,), location=trace.location()))
    return Tracer(trace, output)


def _outsiders(trace: Trace, value: Any) -> Iterator[Any]:
    """The objects from outside in a value; a container from outside is one, whatever it holds."""
    if trace.state.is_outside(value):
        yield value
    elif isinstance(value, dict):
        yield from _outsiders(trace, (*value, *value.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _outsiders(trace, one)


def _forget(trace: Trace, owner: Any) -> None:
    """Forget what an object leads to: it may have been changed."""
    known = trace.operator_calls.called.get(id(owner))
    held = held_by(owner) if known is None else known.held
    for one in trace.state.outsiders():
        if id(one) in held:
            trace.state.forget(one, given=False)  # what it holds may be other data, not other methods
