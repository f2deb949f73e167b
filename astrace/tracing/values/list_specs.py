"""Specs of lists: one spec for all items that a list will ever have, from its making on.

A list that is about to hold something else is made again with a wider spec, by a restart.  Where it is not known
which list it is (it came out of another list, a branch or a loop), all lists are wider whose items had the
spec that its items have.  A list that may be reached in a way of which nothing is known holds anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import (
    ANY,
    AnySpec,
    ListSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    covers,
    join,
    join_elements,
)
from astrace.ops import OPS
from astrace.ops.python.builtins import element_of
from astrace.ops.registry import DEEP
from astrace.tracing.context import Trace
from astrace.tracing.plan import is_unsure
from astrace.tracing.signals import Restart
from astrace.tracing.tracer import Tracer

SEQUENCES: Final = frozenset({"add", "mul"})
"""Operators that make a new list of lists."""

MOST_NESTED: Final = 4
"""The most lists in each other of which something is known."""


# -- making ------------------------------------------------------------------------------------------------


def with_planned_specs(
    trace: Trace, name: str, args: Sequence[Any], outputs: tuple[Value, ...]
) -> tuple[Value, ...]:
    """Return an op's outputs, with the specs that the plan gives to the lists that it makes."""
    sliced = name == "get_item" and isinstance(args[1], slice)
    if not (OPS[name].creates or name in SEQUENCES or sliced):
        return outputs
    return tuple(
        _with_planned_spec(trace, name, output) if holds_lists(output.spec) else output for output in outputs
    )


def _with_planned_spec(trace: Trace, name: str, output: Value) -> Value:
    spec, site = widened(trace, output.spec), trace.site(name)
    if isinstance(spec, ListSpec) and site in trace.plan.objects:
        spec = ListSpec(join_elements(spec.element, trace.plan.objects[site]))
    made = Value(spec, output.name)
    if isinstance(spec, ListSpec):
        trace.sites[made] = site
    return made


def widened(trace: Trace, spec: Spec) -> Spec:
    """A spec with the items of the lists in it as wide as the plan says."""
    match spec:
        case ListSpec():
            element = spec.element if spec.element is None else widened(trace, spec.element)
            for narrow, wide in trace.plan.wider:
                if element is None or (narrow is not None and covers(narrow, element)):
                    element = join_elements(element, wide)
            return ListSpec(element, spec.length)
        case TupleSpec():
            return TupleSpec(tuple(widened(trace, item) for item in spec.items), spec.cls)
        case UnionSpec():
            return reduce(join, (widened(trace, option) for option in spec.options))
        case _:
            return spec


# -- changing ----------------------------------------------------------------------------------------------


def loosen(trace: Trace, items: Tracer, item: Spec) -> bool:
    """Widen, for the next attempt, a list spec that may not cover a new item; return whether this attempt goes on.

    Tells whether this attempt goes on to learn more.
    """
    spec = items.value.spec
    options = spec.options if isinstance(spec, UnionSpec) else (spec,)
    for option in options:
        if isinstance(option, ListSpec) and join_elements(option.element, item) != option.element:
            site = trace.sites.get(trace.recorder.origin(items.value)) if option is spec else None
            wider = item if option.element is None else join(option.element, item)
            wider = wider if _depth(wider) <= MOST_NESTED else ANY  # lists of one site may contain each other
            if site is None:
                _widen(trace, option, wider)
            else:
                trace.learn((site,), wider)
                return True
    return False


def _depth(spec: Spec) -> int:
    """Return how deeply lists are nested in each other, at most."""
    return 1 + max((_depth(one.element) for one in lists_in(spec) if one.element is not None), default=-1)


def loosen_by(trace: Trace, items: Tracer, given: Spec) -> None:
    """Widen the spec of a list for all items of an iterable that is described by ``given``; see `loosen`."""
    element = given.element if isinstance(given, ListSpec) else element_of(given) or ANY
    if element is not None:
        loosen(trace, items, element)


def _widen(trace: Trace, narrow: ListSpec, element: Spec) -> None:
    """Start again with all lists wider that may be one of a spec."""
    if trace.learnt_items and is_unsure(element):
        raise Restart
    rule = (narrow.element, element)
    if rule in trace.plan.wider:
        trace.stop("AT204", "a list of unknown origin is changed to hold other kinds of items")
    trace.plan.wider.append(rule)
    raise Restart


# -- losing ------------------------------------------------------------------------------------------------


def lists_in(spec: Spec | None) -> Iterator[ListSpec]:
    """The specs of lists in a spec of whose items something is known, itself included."""
    match spec:
        case ListSpec():
            yield from (spec,) if spec.element != ANY else ()
            yield from lists_in(spec.element)
        case TupleSpec():
            for item in spec.items:
                yield from lists_in(item)
        case UnionSpec():
            for option in spec.options:
                yield from lists_in(option)
        case _:
            return


def _lists_inside(spec: Spec) -> Iterator[ListSpec]:
    """Yield the specs of lists inside a value, without those that the value itself may be; see `lists_in`."""
    match spec:
        case ListSpec():
            yield from lists_in(spec.element)
        case UnionSpec():
            for option in spec.options:
                yield from _lists_inside(option)
        case _:
            yield from lists_in(spec)


def holds_lists(spec: Spec | None) -> bool:
    """Return whether a value of a spec is, or holds, a list."""
    match spec:
        case ListSpec():
            return True
        case TupleSpec():
            return any(map(holds_lists, spec.items))
        case UnionSpec():
            return any(map(holds_lists, spec.options))
        case _:
            return False


def keep_known(trace: Trace, node: Node) -> None:
    """Widen the specs of lists that an op would pass on as values of which nothing is known.

    Args:
        trace: the trace that is going on.
        node: what is about to be recorded.
    """
    held = any(isinstance(one, Value) and holds_lists(one.spec) for one in node.inputs)
    if held and OPS[node.op].reads < DEEP:
        for value, spec in _lost(node):
            alone = isinstance(value, Value) and value.spec == spec
            if not (alone and loosen(trace, Tracer(trace, value), ANY)):  # type: ignore[reportArgumentType]
                _widen(trace, spec, ANY)


def _lost(node: Node) -> Iterator[tuple[Operand, ListSpec]]:
    """Return the lists that a node makes reachable elsewhere, with the operands that are or hold them."""
    owner, *others = node.inputs
    untold = any(_tells_nothing(output.spec) for output in node.outputs)
    match "append" if _inserts(node) else node.op:
        case "append" | "set_item":
            target = owner.spec
            others = [] if isinstance(target, ListSpec) and holds_lists(target.element) else others[-1:]
        case "set_attr" | "set_field" | "tell_lookup" | "make_object" | "make_dict" | "make_set":
            pass
        case "get_attr":  # a method is bound to it
            others = [owner]
        case "call":
            others = [] if isinstance(owner, Constant) and owner.value is print else others
        case "call_spread" | "call_mapping":
            items, *named = others
            yield from ((items, spec) for spec in _lists_inside(items.spec))
            yield from ((operand, spec) for operand in named for spec in lists_in(operand.spec))
            return
        case "call_method":
            if untold:
                yield from ((owner, spec) for spec in _lists_inside(owner.spec))
        case _ if untold and OPS[node.op].reads and "pattern" not in node.attrs:
            yield from ((operand, spec) for operand in node.inputs for spec in _lists_inside(operand.spec))
            return
        case _:
            others = [owner, *others] if untold else []
    yield from ((operand, spec) for operand in others for spec in lists_in(operand.spec))


def _inserts(node: Node) -> bool:
    """Return whether a node puts an item into a list by its method `insert`."""
    if node.op != "call_method" or not isinstance(node.inputs[0].spec, ListSpec):
        return False
    name = node.inputs[1]
    return isinstance(name, Constant) and name.value == "insert"


def _tells_nothing(spec: Spec) -> bool:
    """Return whether a value of a spec may be, or hold, lists of which the spec does not tell."""
    match spec:
        case AnySpec():
            return spec.cls in (None, list, tuple, dict, set)
        case ListSpec():
            return spec.element is not None and _tells_nothing(spec.element)
        case TupleSpec():
            return any(map(_tells_nothing, spec.items))
        case UnionSpec():
            return any(map(_tells_nothing, spec.options))
        case _:
            return False


def keep_joined(trace: Trace, specs: Sequence[Spec], found: Spec) -> None:
    """Check that branches and loops keep the specs of the lists that they return."""
    if _tells_nothing(found) and not holds_lists(found):
        for spec in specs:
            for narrow in lists_in(spec):
                _widen(trace, narrow, ANY)
