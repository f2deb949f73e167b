"""Which lists of a block are more than a way to write down several values: those that are changed, walked or handed on.

``a[[0, 2]]`` and ``np.zeros([n, m])`` need no list; what is appended to does.  Lists that may be one list, since a branch or
a loop puts one in the place of the other, hold their items in one way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.control import loop_of
from astrace.ir.specs import INT, ArraySpec, ListSpec, Spec, join_elements
from astrace.ir.walk import blocks, nodes
from astrace.ops.effects import written
from astrace.passes.analysis.aliasing import Sharing


@dataclass(frozen=True, slots=True)
class ListUse:
    """What is known of a list.

    Args:
        element: the type that covers the items of all lists that it may be.
        comes_out: it, or one that is made of it, may be an output of the block.
        group: the same for all lists that it may be.
        stays: nothing is stored into its items, if these are arrays.
        is_read: nothing is done with it but reading items by an index.
    """

    element: Spec | None
    comes_out: bool = False
    group: Value | None = None
    stays: bool = False
    is_read: bool = False


def lists_of(block: Block) -> Mapping[Value, ListUse]:
    """Return the lists of a block, at any depth, that something is done with.

    Args:
        block: any block.
    """
    uses = _ListUses()
    uses.collect(block)
    uses.join_rows(block)
    come_out = any(True for _ in _lists(block.outputs))
    stay, handed = _that_stay(block, uses.found), _that_are_handed_on(block)
    return {
        value: ListUse(uses.element(value), come_out, uses.root(value), value in stay, value not in handed)
        for value in uses.found
    }


def _that_are_handed_on(block: Block) -> AbstractSet[Value]:
    """Return the lists with which something else is done than reading an item, or that have another name, too."""
    found: set[Value] = set()
    for inner in blocks(block):
        found.update(_lists((*inner.inputs, *inner.outputs)))
        for node in inner.nodes:
            found.update(_lists(node.inputs[1:] if _reads_item(node) else node.inputs))
    return found


def _reads_item(node: Node) -> bool:
    return node.op == "get_item" and len(node.inputs) == 2 and node.inputs[1].spec == INT


def _that_stay(block: Block, lists: AbstractSet[Value]) -> AbstractSet[Value]:
    """Return the lists of arrays of which nothing is stored into, by whatever name."""
    found = {value for value in lists if isinstance(_element(value), ArraySpec)}
    if not found:
        return found
    sharing = Sharing(block)
    changed = {
        sharing.group(array)
        for node in nodes(block)
        if not node.regions
        for array in written(node)
        if not isinstance(array.spec, ListSpec)
    }
    return {value for value in found if sharing.group(value) not in changed}


def resized_lists(block: Block) -> Iterator[Value]:
    """Yield the lists that something in a block, at any depth, may make longer or shorter.

    Args:
        block: any block.
    """
    for node in nodes(block):
        if node.op in ("append", "call_method", "iadd", "delete_item"):
            yield from _lists(node.inputs[:1])


class _ListUses:
    """The lists that something is done with, and groups of those that may be one list."""

    def __init__(self) -> None:
        self.found: set[Value] = set()
        self._before: dict[Value, Value] = {}
        self._elements: dict[Value, Spec | None] = {}
        self._row: Value | None = None

    def element(self, value: Value) -> Spec | None:
        """The type that covers the items of all lists that a list may be."""
        found = self._elements.get(self.root(value), _element(value))
        return ListSpec(self.element(self._row)) if self._row and isinstance(found, ListSpec) else found

    def collect(self, block: Block) -> None:
        """Add the lists of a block; whether a region does something with one is known when the region was looked at."""
        self.found.update(_lists(block.outputs))
        for node in block.nodes:
            if node.regions:
                self._regions(node)
                self._join_ends(node)
                continue
            self.found.update(_used(node))
            if node.op in ("get_item", "list"):  # a part, or a copy
                self.found.update(_lists(node.outputs))
            if node.op == "iadd":
                self._join(node.outputs[0], node.inputs[0])

    def _regions(self, node: Node) -> None:
        """Add the lists of regions, and what they capture; what a node is given besides is handed on."""
        captured: set[Operand] = set()
        for region, inner, outer in region_inputs(node):
            self.collect(region)
            captured.update(outer)
            for own, around in zip(inner, outer, strict=True):
                self._join(own, around)
            self.found.update(
                around
                for own, around in zip(inner, outer, strict=True)
                if own in self.found and isinstance(around, Value)
            )
        self.found.update(one for one in _lists(node.inputs) if one not in captured)

    def _join_ends(self, node: Node) -> None:
        """Remember that what regions put out comes together."""
        outputs: Sequence[Operand] = node.outputs
        for region in node.regions if node.op == "cond" else node.regions[-1:]:
            for one, other in zip(outputs, region.outputs, strict=False):
                self._join(one, other)
        loop = loop_of(node)
        if loop is None:
            return
        for region in node.regions:
            first = len(region.inputs) - len(loop.captures) - len(loop.carried)
            for place, operand in enumerate(loop.carried):
                self._join(region.inputs[first + place], operand)
                self._join(outputs[loop.breaks + place], operand)

    def join_rows(self, block: Block) -> None:
        """Take all lists that are items of others for lists that may be one.

        Args:
            block: the whole block.
        """
        for node in nodes(block):
            outer = [one for one in _lists((*node.inputs, *node.outputs)) if _holds_lists(one)]
            if not outer or (node.regions and node.op != "for_loop"):
                continue
            self._row = self._row or Value(ListSpec(None), "row")
            given = node.regions[0].inputs if node.regions else (*node.inputs, *node.outputs)
            for one in _lists(given):
                if not _holds_lists(one) and (not node.regions or _is_item(one, outer)):
                    self.found.add(one)
                    self._join(one, self._row)

    def _join(self, one: Operand, other: Operand) -> None:
        left, right = (self.root(value) if _is_list(value) else None for value in (one, other))
        if left is None or right is None or left is right:
            return
        element = join_elements(self.element(left), self.element(right))
        self._before[left] = right
        self._elements[right] = element

    def root(self, value: Operand) -> Value:
        """Return the list that stands for all that a list may be."""
        assert isinstance(value, Value)
        while value in self._before:
            value = self._before[value]
        return value


def _used(node: Node) -> Iterator[Value]:
    """Yield the lists that a node does something with."""
    if node.op.startswith(("np.", "ndarray.", "make_")):
        return
    for place, one in enumerate(node.inputs):
        if (
            isinstance(one, Value)
            and _is_list(one)
            and (place == 0 or node.op not in ("get_item", "set_item"))
        ):
            yield one


def _holds_lists(value: Value) -> bool:
    return isinstance(_element(value), ListSpec)


def _is_item(value: Value, outer: Sequence[Value]) -> bool:
    """Return whether a list that a loop is given may be an item of one of some lists."""
    return any(
        element.element == _element(value) for one in outer if isinstance(element := _element(one), ListSpec)
    )


def _lists(operands: Sequence[Value | Constant]) -> Iterator[Value]:
    return (one for one in operands if isinstance(one, Value) and _is_list(one))


def _is_list(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.spec, ListSpec)


def _element(value: Value) -> Spec | None:
    assert isinstance(value.spec, ListSpec)
    return value.spec.element
