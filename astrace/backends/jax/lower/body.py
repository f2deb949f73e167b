"""The nodes of a block, one after the other."""

from __future__ import annotations

from astrace.backends.jax.lower.control.branches import cond
from astrace.backends.jax.lower.control.loops import for_loop, while_loop
from astrace.backends.jax.lower.control.unrolled import unrolled
from astrace.backends.jax.lower.floats.warnings import before_loop, check_loop, check_together
from astrace.backends.jax.lower.jnp_programs.nodes import function
from astrace.backends.jax.lower.layout.list_capacity import prepare, settle
from astrace.backends.jax.lower.leaf_nodes import leaf
from astrace.backends.jax.lower.state import Lowering
from astrace.backends.jax.lower.value_forms import Form
from astrace.ir.block import Block, Node


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
            function(state, node, lower_nodes)
        case "try_" | "with_":
            raise state.refusal("AT305", "an exception is caught, or a context is entered")
        case _:
            leaf(state, node)
    settle(state, behind)
