"""Lists that Python fills when JAX traces: each item is a variable of its own, and may have any shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from astrace.backends.jax.lower.layout.flatten import flatten, layout
from astrace.backends.jax.lower.layout.lists import CHANGES, hold, origin, origins_of
from astrace.backends.jax.lower.state import Growth, Lowering
from astrace.backends.jax.lower.value_forms import ArrayRoot, Form, Stack
from astrace.backends.jax.program_ir import Lit
from astrace.ir.block import Block, Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ListSpec, ScalarSpec, Spec, TupleSpec


def filled_lists(block: Block, unrolled: frozenset[Node]) -> frozenset[Value]:
    """Return the lists that change only in loops that Python runs, which append to them.

    Args:
        block: the block.
        unrolled: the loops.
    """
    if not unrolled:
        return frozenset()
    origins = origins_of(block)
    filled: set[Value] = set()
    others: set[Value] = set()
    for node, around in _changes(block, ()):
        made = origin(origins, node.inputs[0]) if isinstance(node.inputs[0], Value) else None
        if made is not None:
            known = node.op == "append" and around and all(one in unrolled for one in around)
            (filled if known and _is_plain(made.spec) else others).add(made)
    return frozenset(filled - others)


def _changes(block: Block, around: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Yield the nodes that change a list, with the nodes around them."""
    for node in block.nodes:
        if node.op in CHANGES:
            yield node, around
        for region in node.regions:
            yield from _changes(region, (*around, node))


def _is_plain(spec: Spec) -> bool:
    """Return whether a list, or an item of one, consists of numbers and arrays of known types."""
    match spec:
        case ListSpec():
            return spec.element is not None and _is_plain(spec.element)
        case TupleSpec():
            return bool(spec.items) and all(map(_is_plain, spec.items))
        case _:
            return isinstance(spec, ScalarSpec | GenericSpec | ArraySpec)


def new_list(state: Lowering, spec: Spec, items: Sequence[Form]) -> Stack:
    """Make a list that Python fills when JAX traces."""
    assert isinstance(spec, ListSpec)
    assert spec.element is not None
    stack = Stack(ArrayRoot(), tuple(ArrayRoot() for _ in layout(spec.element)), spec.element)
    state.growth[stack.length] = Growth(state.scope, stack.columns, Lit(0), filled=True)
    for root, first in ((stack.length, 0), *((root, ()) for root in stack.columns)):
        state.known.add(root)
        state.versions[root] = Lit(first)
    for item in items:
        append(state, stack, item)
    return stack


def append(state: Lowering, stack: Stack, item: Form) -> None:
    """Write ``items.append(item)``."""
    hold(state, state.growth[stack.length], item)
    for root, atom in zip(stack.columns, flatten(state, item, stack.element), strict=True):
        args = (state.versions[root], atom)
        state.versions[root] = state.expr("with_item", args, None)
    state.versions[stack.length] = state.expr("add", (state.versions[stack.length], Lit(1)), None)
