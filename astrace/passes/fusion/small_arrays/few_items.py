"""Which arrays of a block have few items, of which only those at known places are read and written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.passes.lowering.memory import SharedMemory

MOST_ITEMS: Final = 16
"""The most items of such an array."""
LOOKED_AT: Final = frozenset({"is_contiguous", "lies_in_rows", "same_memory"})
"""What may be asked of an array that has no memory: it would lie in one piece, apart from others."""
SEARCHING: Final = frozenset({"reduce_ufunc", "position_of_max", "position_of_min"})
"""What goes through an array once, and is soon done: a copy takes no longer."""
READING: Final = SEARCHING | frozenset(
    {
        "dot",
        "multiply_matrices",
        "apply_ufunc",
        "apply_gufunc",
        "reduce_gufunc",
        "slide_products",
        "sum_of_products",
    }
)
"""What is given arrays and keeps none: those that it does not write may be copies."""
Shape: TypeAlias = tuple[int, ...]


def few_items(block: Block, memory: SharedMemory) -> dict[Value, Shape]:
    """Return such arrays, and their shapes: what makes them, and all names under which they are handed on.

    An array with several names is written only before it is handed on: no name tells of a change by another one.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory.
    """
    uses = _Uses(memory)
    uses.take(block)
    shapes: dict[Value, Shape] = {}
    for made, shape in uses.made.items():
        names = uses.members(made)
        if made not in shapes and all(uses.allows(one, shape) for one in names):
            shapes.update(dict.fromkeys(names, shape))
    return shapes


def _shape_of(node: Node) -> Shape | None:
    """The shape of a small array that a node makes; ``None`` for any other node."""
    shape = tuple(one.value for one in node.inputs if isinstance(one, Constant))
    return shape if len(shape) == len(node.inputs) and 0 < math.prod(shape) <= MOST_ITEMS else None


class _Uses:
    """What is done with the arrays of a block.

    ``made`` has those that are small.

    Args:
        memory: which arrays may share memory.
    """

    def __init__(self, memory: SharedMemory) -> None:
        self.made: dict[Value, Shape] = {}
        self._memory = memory.copy()
        self._places: dict[Operand, set[Shape]] = {}
        self._others: set[Operand] = set()
        self._handed: set[Operand] = set()
        self._loops = 0

    def members(self, array: Value) -> set[Value]:
        """Return all names under which an array may be known."""
        return self._memory.members(array)

    def allows(self, array: Value, shape: Shape) -> bool:
        """Return whether nothing stands against numbers for the elements of an array.

        Args:
            array: a name of it.
            shape: of all that it may be.
        """
        places = self._places.get(array, ())
        inside = all(
            len(one) == len(shape) and all(0 <= at < size for at, size in zip(one, shape, strict=True))
            for one in places
        )
        return inside and array not in self._others and self.made.get(array, shape) == shape

    def take(self, block: Block) -> None:
        """Look at the whole block."""
        self._others.update(block.inputs)
        for node in nodes(block):
            for one, other in _handed_on(node):
                self._memory.join([one, other])
        self._level(block.nodes)
        come_out: set[Value] = set()
        for one in block.outputs:
            names = self.members(one) if isinstance(one, Value) else set[Value]()
            self._others |= names & come_out  # one array would come out twice
            come_out |= names

    def _level(self, level: Sequence[Node]) -> None:
        for node in level:
            if node.regions:
                self._control(node)
            else:
                self._leaf(node)

    def _control(self, node: Node) -> None:
        """Follow a loop or a branch: what it hands on somewhere it may have handed on before each of its nodes."""
        inside = nodes(Block((), (node,), ()))
        self._handed |= {one for inner in inside for pair in _handed_on(inner) for one in pair}
        if node.op == "while_loop":
            test = (one.inputs[0] for one in node.regions[0].nodes if one.op == "store")
            self._others.update(test)
        self._loops += node.op != "cond"
        for region in node.regions:
            self._level(region.nodes)
        self._loops -= node.op != "cond"

    def _leaf(self, node: Node) -> None:
        match node.op:
            case "allocate":
                self._handed.discard(node.output)
                shape = _shape_of(node)
                if shape is None:
                    self._others.add(node.output)
                else:
                    self.made[node.output] = shape
            case "load":
                self._touch(node.inputs[0], node.inputs[1:])
            case "store":
                base, _, *indices = node.inputs
                self._touch(base, indices)
                if not self._is_known_once(base):
                    self._others.add(base)
            case "same_memory":
                one, other = node.inputs
                if isinstance(one, Value) and isinstance(other, Value) and self._memory.may_share(one, other):
                    self._others.update((one, other))
            case op if op in (SEARCHING if self._loops else READING):
                self._others.update(node.inputs[place] for place in OPS[op].writes if isinstance(place, int))
            case op if op not in LOOKED_AT:
                self._others.update(node.inputs, node.outputs)
            case _:
                pass

    def _touch(self, base: Operand, indices: Sequence[Operand]) -> None:
        """Note an element that is read or written."""
        place = tuple(one.value for one in indices if isinstance(one, Constant))
        self._places.setdefault(base, set()).add(place)  # fewer axes where one is not known

    def _is_known_once(self, base: Operand) -> bool:
        """Return whether an array that is written has one name here."""
        if not isinstance(base, Value) or self.members(base) == {base}:
            return True
        return base in self.made and base not in self._handed


def _handed_on(node: Node) -> Iterator[tuple[Value, Value]]:
    """Yield the arrays that a node of control flow puts in the places of others."""
    places: list[tuple[Operand, ...]] = []
    breaks = bool(node.attrs.get("breaks"))
    match node.op:
        case "for_loop":
            (body,) = node.regions
            ends = body.outputs[breaks:], node.outputs[breaks:]
            places += zip(node.inputs[3:], body.inputs[1:], *ends, strict=True)
        case "while_loop":
            test, body = node.regions
            ends = body.outputs[breaks:], node.outputs[breaks:]
            places += zip(node.inputs, test.inputs, body.inputs, *ends, strict=True)
        case "cond":
            places += zip(node.outputs, *(region.outputs for region in node.regions), strict=True)
        case _:
            pass
    for first, *rest in places:
        for one in rest:
            if _is_array(first) and _is_array(one):
                assert isinstance(first, Value) and isinstance(one, Value)
                yield first, one


def _is_array(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.spec, ArraySpec)
