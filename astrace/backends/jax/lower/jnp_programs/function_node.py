"""``function``: a function that is given to JAX, in a program of JAX's own functions."""

from __future__ import annotations

from dataclasses import replace

from astrace.backends.jax.lower.control.branches import Lower, captured
from astrace.backends.jax.lower.state import TRUE, Lowering
from astrace.backends.jax.lower.value_forms import Device, Form, Number, Static
from astrace.backends.jax.program_ir import DEVICE, Atom, Lit, variable
from astrace.backends.jax.refusal import Refused
from astrace.ir.block import Block, Node
from astrace.ir.specs import DeviceSpec


def function(state: Lowering, node: Node, lower: Lower) -> None:
    """Write a function.

    Args:
        state: the lowering.
        node: the node.
        lower: writes the nodes of its body.
    """
    captured(state, node)
    body = node.regions[0]
    own = body.inputs[: len(body.inputs) - len(node.inputs)]
    with state.inside(state.branch()) as branch:
        for value in own:
            rank = value.spec.ndim if isinstance(value.spec, DeviceSpec) else 0
            var = variable(DEVICE, rank, value.name)
            state.env[value] = Device(var, value.spec)
            branch.scope.inputs.append(var)
        state.ok = TRUE
        atoms = (*(_leaf(state, form) for form in lower(state, body)), state.ok)
    out = variable(None, 0, node.output.name)
    part = branch.scope.block(atoms)
    state.add(Node("function", (Lit(node.attrs["form"]),), (out,), regions=(part,), location=node.location))
    state.env[node.output] = Device(out, node.output.spec)


def without_checks(part: Block) -> Block:
    """Return a program whose functions do not return ``ok``, which JAX would ignore.

    Raises:
        Refused: something may go wrong in one of them.
    """
    steps: list[Node] = []
    for step in part.nodes:
        parts = tuple(map(without_checks, step.regions))
        if step.op == "function":
            if parts[0].outputs[-1] != TRUE:
                raise Refused(
                    "AT305", "something may raise in a function that is given to JAX", step.location
                )
            parts = (replace(parts[0], outputs=parts[0].outputs[:-1]),)
        steps.append(replace(step, regions=parts))
    return replace(part, nodes=tuple(steps))


def _leaf(state: Lowering, form: Form) -> Atom:
    """Return the atom of a leaf of a function's result."""
    match form:
        case Device() | Number():
            return form.atom
        case Static():
            return Lit(form.value)
        case _:
            raise state.refusal("AT301", "a function that is given to JAX returns values other than arrays")
