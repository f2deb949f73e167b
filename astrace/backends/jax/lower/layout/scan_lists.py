"""Lists that a loop appends to, in programs of JAX's own functions: ``lax.scan`` stacks their items.

A list has the items that it had before the loop, and one for each iteration.  It holds the same items wherever it is
used, so it may not be kept in another container, come out of a branch, or be carried.
"""

from __future__ import annotations

from collections.abc import Sequence

from astrace.backends.jax.lower.state import Lowering
from astrace.backends.jax.lower.value_forms import Device, Form, Items, Rows
from astrace.backends.jax.program_ir import DEVICE, Atom, variable
from astrace.ir.block import Node, Value
from astrace.ir.control import ForLoop
from astrace.ir.specs import DeviceSpec
from astrace.ir.walk import nodes


def appended(state: Lowering, node: Node) -> bool:
    """Write ``items.append(item)`` if that is possible; return whether it is."""
    owner, item = node.inputs[0], node.inputs[-1]
    if not isinstance(owner, Value) or owner not in state.lists or "pattern" in node.attrs:
        return False
    if owner in state.grown:
        state.grown[owner].append(_row(state, state.form(item)))
        return True
    held = state.env.get(owner)
    if not isinstance(held, Items) or held.cls is not list or owner not in state.made:
        return False
    state.env[owner] = Items((*held.items, state.form(item)), list)
    return True


def _row(state: Lowering, form: Form) -> Device:
    """Return the row that an iteration appends, which has to be an array."""
    if not isinstance(form, Device) or not isinstance(form.spec, DeviceSpec):
        raise state.refusal("AT301", "a loop appends a value that is not an array")
    return form


def lists_of(state: Lowering, loop: ForLoop) -> dict[Value, Value]:
    """Return the lists that a loop appends to, once in each iteration, by their names in its body."""
    body = loop.body
    first = len(body.inputs) - len(loop.captures)
    names = dict(zip(body.inputs[first:], loop.captures, strict=True))
    grown = [node.inputs[0] for node in body.nodes if node.op == "append"]
    found: dict[Value, Value] = {}
    for inner, outer in names.items():
        uses = [one for node in nodes(body) for one in node.inputs if one is inner]
        single = grown.count(inner) == 1 and len(uses) == 1
        if (
            single
            and isinstance(outer, Value)
            and isinstance(state.env.get(outer), Items)
            and inner in state.lists
        ):
            found[inner] = outer
    return found


def stacked(
    state: Lowering, lists: dict[Value, Value], rows: Sequence[Device], outs: Sequence[Value]
) -> None:
    """Bind the lists, behind the loop, to the rows that it has stacked."""
    for (_, outer), row, out in zip(lists.items(), rows, outs, strict=True):
        before = state.env[outer]
        assert isinstance(before, Items)
        state.env[outer] = Rows(out, row.spec, before.items)


def stack_vars(rows: Sequence[Device]) -> list[Value]:
    """Return variables for the rows that a loop stacks."""
    return [variable(DEVICE, row.spec.ndim + 1) for row in rows if isinstance(row.spec, DeviceSpec)]


def whole_stack(form: Form) -> Atom | None:
    """Return the array whose rows are all the items of a list; ``None`` if there is none."""
    return form.atom if isinstance(form, Rows) and not form.before else None
