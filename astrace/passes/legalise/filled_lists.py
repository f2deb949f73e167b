"""Arrays of lists as they are if the lists have items, for a backend that gives the program up where one has none.

Takes a block; gives one in which the array of a list has a single type, and so has what is computed from it.  That
holds for a program that has not been given up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import ListSpec, Spec
from astrace.ir.walk import nodes as all_nodes
from astrace.ir.walk import uses
from astrace.ops.numpy.list_arrays import OF_LISTS, type_if_filled
from astrace.passes.narrowed_nodes import NotNarrowed
from astrace.passes.narrowing import NarrowedBlock

MAKING = frozenset(f"np.{name}" for name in OF_LISTS)


def with_filled_lists(block: Block) -> tuple[Block, Sequence[int]]:
    """Return a block whose lists have items where arrays are made of them, and the places where its nodes stood.

    It is the same one if no type depends on that, or it can't be written anew.

    Args:
        block: the whole block.
    """
    as_it_is = block, range(len(block.nodes))
    if not any(map(_depends, all_nodes(block))):
        return as_it_is
    writer = _FilledBlock({one: one for one in block.inputs}, uses(block))
    places: list[int] = []
    try:
        for place, node in enumerate(block.nodes):
            writer.node(node)
            places += [place] * (len(writer.nodes) - len(places))
        outputs = writer.operands(block.outputs)
    except NotNarrowed:
        return as_it_is
    places += [len(block.nodes) - 1] * (len(writer.nodes) - len(places))
    return Block(block.inputs, tuple(writer.nodes), _values(outputs)), places


def _depends(node: Node) -> bool:
    """Return whether a node makes an array whose type depends on whether a list has items."""
    return node.op in MAKING and type_if_filled(node.output.spec) != node.output.spec


def _values(operands: Iterable[Operand]) -> tuple[Any, ...]:
    return tuple(operands)


class _FilledBlock(NarrowedBlock):
    """The nodes of a block for lists that have items."""

    def add(self, node: Node, specs: Sequence[Spec], **changes: Any) -> tuple[Value, ...]:
        """Add a node; the array of a list is that of some items, and so are those that a list holds."""
        filled = tuple(type_if_filled(one) if node.op in MAKING else _filled(one) for one in specs)
        return super().add(node, filled, **changes)


def _filled(spec: Spec) -> Spec:
    """Return the type of a list whose items are arrays of lists that have items; any other type as it is."""
    if not isinstance(spec, ListSpec) or spec.element is None:
        return spec
    return replace(spec, element=_filled(type_if_filled(spec.element)))
