"""Lists that a block changes, and lists that nothing keeps, by the names that they are made with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value, region_inputs
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import ArraySpec, GenericSpec, ListSpec, ScalarSpec, Spec, TupleSpec
from astrace.ir.walk import captured, nodes

CHANGES: Final = frozenset({"append", "set_item"})
"""Ops that change a list, of those that backends know."""


@dataclass(frozen=True, slots=True)
class ChangedLists:
    """The lists of a block that are changed, under the names that they are made with.

    Args:
        by_node: the list that each node changes.
        inside: the lists that are changed inside each node with regions, in order.
    """

    by_node: Mapping[Node, Value] = field(default_factory=dict[Node, Value])
    inside: Mapping[Node, Mapping[Value, None]] = field(default_factory=dict[Node, Mapping[Value, None]])

    def __contains__(self, value: Value) -> bool:
        return value in self.by_node.values()


def changed_lists(block: Block) -> ChangedLists:
    """Return the lists of a block that are changed; what else is stored to is among them."""
    origins = _origins_of(block)
    by_node: dict[Node, Value] = {}
    inside: dict[Node, dict[Value, None]] = {}
    for node, around in _changes(block, ()):
        if isinstance(node.inputs[0], Value):
            by_node[node] = _origin(origins, node.inputs[0])
            for outer in around:
                inside.setdefault(outer, {})[by_node[node]] = None
    return ChangedLists(by_node, inside)


def _origins_of(block: Block) -> dict[Value, Operand]:
    """Return the operands that the inputs of regions stand for."""
    origins: dict[Value, Operand] = {}
    for node in nodes(block):
        for _, inner, outer in region_inputs(node) if node.regions else ():
            origins.update(zip(inner, outer, strict=True))
    return origins


def _origin(origins: dict[Value, Operand], value: Value) -> Value:
    """Return a value under the name that it is made with."""
    while isinstance(outer := origins.get(value), Value):
        value = outer
    return value


def appended_once(loop: ForLoop) -> dict[Value, Value]:
    """Return the lists that each iteration of a loop appends to once, and does nothing else with, by their names in its body."""
    body = loop.body
    names = zip(body.inputs[len(body.inputs) - len(loop.captures) :], loop.captures, strict=True)
    grown = [node.inputs[0] for node in body.nodes if node.op == "append"]
    uses = Counter(one for node in nodes(body) for one in node.inputs if isinstance(one, Value))
    return {
        inner: outer
        for inner, outer in names
        if isinstance(outer, Value) and grown.count(inner) == 1 and uses[inner] == 1
    }


# -- lists that grow in some loops alone ---------------------------------------------------------------------


def filled_lists(block: Block, unrolled: frozenset[Node]) -> frozenset[Value]:
    """Return the lists that change only in loops that Python runs, which append to them.

    Args:
        block: the block.
        unrolled: the loops.
    """
    if not unrolled:
        return frozenset()
    origins = _origins_of(block)
    filled: set[Value] = set()
    others: set[Value] = set()
    for node, around in _changes(block, ()):
        made = _origin(origins, node.inputs[0]) if isinstance(node.inputs[0], Value) else None
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


# -- lists that nothing keeps --------------------------------------------------------------------------------

READING: Final = frozenset({"device_call", "device_apply", "len", "get_item", "item_inside", "sum"})
"""Ops that do not keep a list that is their operand."""


def growing_lists(block: Block) -> tuple[frozenset[Value], frozenset[Value]]:
    """Return the lists of a block that are kept nowhere: with the names that regions have for them, and without.

    Args:
        block: the whole block.
    """
    outside = captured(block)
    kept: set[Operand] = set()
    for node in nodes(block):
        kept.update(_keeps(node))
        kept.update(one for region in node.regions for one in region.outputs)
    kept = {outside.get(one, one) for one in kept}
    made = {node.output for node in nodes(block) if node.op == "make_list"} - kept
    names = (inner for inner, outer in outside.items() if outer in made)
    return frozenset([*made, *names]), frozenset(made)  # type: ignore[list-item]


def _keeps(node: Node) -> tuple[Operand, ...]:
    """Return the operands that a node keeps, or knows by another name."""
    match node.op:
        case "for_loop":
            return ForLoop(node).carried
        case "while_loop":
            return WhileLoop(node).carried
        case "cond" | "function":
            return ()
        case "append":
            return node.inputs[1:]
        case _:
            return () if node.op in READING else node.inputs
