"""Leaf nodes: each op has a rule; operands whose type only the program knows are lowered option by option."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.backends.jax.lower import containers, jnp_nodes
from astrace.backends.jax.lower.functions import creation, methods, several_arrays, table, ufuncs
from astrace.backends.jax.lower.rule import Rule
from astrace.backends.jax.lower.scalars import builtins, operators
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.interpret import call_arguments
from astrace.ops import OPS
from astrace.ops.effects import is_ordered, may_raise
from astrace.ops.numpy.method_aliases import with_methods
from astrace.passes.functional.control.branches import bind, cond
from astrace.passes.functional.control.loop_sources import item_inside
from astrace.passes.functional.control.loops import for_loop, while_loop
from astrace.passes.functional.control.unrolled import unrolled
from astrace.passes.functional.floats.warnings import (
    before_loop,
    check_loop,
    check_result,
    check_together,
    leaves_of,
)
from astrace.passes.functional.forms import Array, Device, Either, Form, Items, Number, Static
from astrace.passes.functional.layout.list_capacity import prepare, settle
from astrace.passes.functional.layout.lists import appended
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.unions import as_one_number, by_option, merged, takes_either
from astrace.passes.legalise.counted_loops import ITEM

RULES: Final[Mapping[str, Rule]] = with_methods(
    {
        **table.RULES,
        **ufuncs.RULES,
        **several_arrays.RULES,
        **creation.RULES,
        **methods.RULES,
        **builtins.RULES,
        **operators.RULES,
        **containers.RULES,
    }
)


def leaf(state: Lowering, node: Node) -> None:
    """Write a leaf node."""
    if node.raises:
        raise state.refusal("AT304", "floating point errors raise here")
    if node.op == ITEM:
        _put(state, node, [item_inside(state, node)])
        return
    rule = RULES.get(node.op)
    if node.op == "append" and appended(state, node):
        return
    if state.device and _device(state, node):
        return
    if rule is None:
        _no_rule(state, node)
        return
    first = len(state.scope.nodes)
    made_of = leaves_of(state, node)
    _ruled(state, node, rule)
    check_result(state, node, made_of)
    if may_raise(node):
        state.scope.note_refusals(first)


def _ruled(state: Lowering, node: Node, rule: Rule) -> None:
    """Write a node by its rule."""
    forms = [state.form(operand) for operand in node.inputs]
    if node.op == "set_item" and isinstance(forms[0], Array):
        forms[2] = as_one_number(state, forms[2], forms[0].spec.dtype)
    if takes_either(node, forms):
        forms = [merged(state, form) for form in forms]
    unions = [index for index, form in enumerate(forms) if isinstance(form, Either)]
    if unions and not rule.unions:
        results = [by_option(state, node, forms, unions, functools.partial(_apply, rule))]
    else:
        made = _apply(rule, state, node, forms)
        results = list(made) if len(node.outputs) > 1 else [made]
    _put(state, node, results)


def _device(state: Lowering, node: Node) -> bool:
    """Write a node that JAX computes, in a program of JAX's own functions; return whether it is one."""
    if node.op in jnp_nodes.OWN or (node.op == "call" and _makes_exception(node)):
        return False
    forms = [state.form(operand) for operand in node.inputs]
    if node.op in ("get_item", "unpack") and isinstance(forms[0], Items):
        return False
    if not jnp_nodes.is_device_node(state, node, forms):
        return False
    unions = [index for index, form in enumerate(forms) if jnp_nodes.is_open(form)]
    if unions:
        _put(state, node, [by_option(state, node, forms, unions, _device_form)])
    else:
        _put(state, node, jnp_nodes.device_leaf(state, node, forms))
    return True


def _device_form(state: Lowering, node: Node, forms: Sequence[Form]) -> Form:
    return jnp_nodes.device_leaf(state, node, forms)[0]


def _put(state: Lowering, node: Node, results: Sequence[Form]) -> None:
    """Bind the outputs of a node to its results."""
    for output, form in zip(node.outputs, results, strict=False):
        if isinstance(form, Number | Device) and isinstance(form.atom, Value) and output.name:
            form.atom.rename(output.name)
        bind(state, output, form)


def _no_rule(state: Lowering, node: Node) -> None:
    if node.op == "call" and _makes_exception(node):
        return  # used only by `raise`, and a part that raises is not written
    if is_ordered(node) or (node.op in OPS and OPS[node.op].ordered):
        raise state.refusal("AT305", f"`{jnp_nodes.shown(node)}` may read or change outside state")
    raise state.refusal("AT304", f"`{jnp_nodes.shown(node)}` has no counterpart in JAX")


def _makes_exception(node: Node) -> bool:
    first = node.inputs[0] if node.inputs else None
    cls = first.value if isinstance(first, Constant) else None
    return isinstance(cls, type) and issubclass(cls, BaseException)


def _apply(rule: Rule, state: Lowering, node: Node, forms: Sequence[Form]) -> Any:
    """Write the rule of a node, which is given constants that are no numbers as themselves."""
    args, kwargs = call_arguments(node, [one.value if isinstance(one, Static) else one for one in forms])
    return rule.apply(state, node, args, kwargs)


def lower_nodes(state: Lowering, block: Block) -> list[Form]:
    """Write the nodes of a block; return the forms of its outputs."""
    for node in block.nodes:
        outer = state.location
        state.location = node.location or outer
        lower_node(state, node)
        state.location = outer
    return [state.form(output) for output in block.outputs]


def _loop(state: Lowering, node: Node) -> None:
    """Write a loop: of ``lax``, or one that Python runs."""
    if node in state.unrolled:
        unrolled(state, node, lower_nodes)
    elif node.op == "while_loop":
        while_loop(state, node, lower_nodes)
    else:
        for_loop(state, node, lower_nodes)


def lower_node(state: Lowering, node: Node) -> None:
    """Write a node."""
    if node.regions:
        check_together(state)
    behind = prepare(state, node) if node.regions and state.growth else {}
    match node.op:
        case "cond":
            cond(state, node, lower_nodes)
        case "while_loop" | "for_loop":
            before = before_loop(state, node)
            state.loops.append(node)
            _loop(state, node)
            state.loops.pop()
            check_loop(state, node, before)
        case "function":
            jnp_nodes.function(state, node, lower_nodes)
        case "try_" | "with_":
            raise state.refusal("AT305", "an exception is caught, or a context is entered")
        case _:
            leaf(state, node)
    settle(state, behind)
