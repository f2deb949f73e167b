"""Small arrays of known sizes become numbers: one for each element, which loops carry in the array's place.

This is so where all that is done with an array is to read and write elements at known places, once loops over them are
written out (`unrolled`), and to hand it on from turn to turn: then nobody can tell an array from its elements.
What a turn makes is neither asked for as memory, nor counted, nor stored and read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import nodes
from astrace.ops.numpy.few_items import FEW, are_reduced_in_turn
from astrace.passes.fusion.loop_front import zero_of
from astrace.passes.fusion.small_arrays.few_items import LOOKED_AT, Shape, few_items
from astrace.passes.fusion.small_arrays.unrolled import FIRST, FOLDED, Unrolling, folded, touches
from astrace.passes.lowering.forms import dtype_of
from astrace.passes.lowering.memory import SharedMemory

MOST_NODES: Final = 1500
"""The most nodes of a block in which loops are written out."""
MOST_ADDED: Final = 200
"""The most nodes by which a block may become longer for each array: a step of a model of turbulence, with one array of 4 by 4
flags among those of 4 by 4 by 4, became 348 nodes longer, which took twice as long to compile and was slower."""
LOOPS: Final = frozenset({"for_loop", "while_loop"})
REDUCING: Final = {
    "add": "add",
    "maximum": "maximum",
    "minimum": "minimum",
    "logical_or": "or_",
    "logical_and": "and_",
}
"""The ops of two items, by the ufuncs that reduce more."""
ELEMENTS: Final = frozenset({"load", "store"})


def with_numbers_for_arrays(block: Block, memory: SharedMemory, own: set[Value]) -> tuple[Block, int]:
    """Return a block whose small arrays are numbers, and how many arrays that are used in loops have become so.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory; new ones are added.
        own: the arrays that the program makes; the same.
    """
    trial = Unrolling(lambda _: True, memory.copy(), set(own), MOST_NODES)
    unrolled = trial.block(block)
    found = {} if trial.is_too_long else few_items(unrolled, trial.memory)
    if not _in_loops(unrolled, found):
        return block, 0
    arrays = {*found, *(before for before, now in trial.names.items() if now in found)}
    written = Unrolling(lambda loop: touches(loop, arrays), memory, own, MOST_NODES).block(block)
    found = few_items(written, memory)
    count = _in_loops(written, found)
    numbers = _Numbers(found, own).whole(written) if count else block
    return (block, 0) if _size(numbers) - _size(block) > MOST_ADDED * count else (numbers, count)


def _size(block: Block) -> int:
    return sum(1 for _ in nodes(block))


def _in_loops(block: Block, found: dict[Value, Shape]) -> int:
    """Return of how many arrays loops read or write elements."""
    loops = [node for node in nodes(block) if node.op in LOOPS]
    inside = (node for loop in loops for region in loop.regions for node in nodes(region))
    used = {node.inputs[0] for node in inside if node.op in ELEMENTS}
    return len(used & found.keys())


@dataclass(slots=True)
class _Numbers:
    """Writes a block anew, in which arrays are numbers.

    Args:
        shapes: of the arrays.
        own: the arrays that the program makes; those that come out are added.
        now: their elements here.
        names: what other values are now.
        stored: what was stored into them.
    """

    shapes: dict[Value, Shape]
    own: set[Value]
    now: dict[Value, tuple[Operand, ...]] = field(default_factory=dict[Value, tuple[Operand, ...]])
    names: dict[Value, Operand] = field(default_factory=dict[Value, Operand])
    stored: set[Operand] = field(default_factory=set[Operand])

    def whole(self, block: Block) -> Block:
        """Return the block; an array that comes out is made at its end."""
        found = [*self._level(block.nodes)]
        outputs: list[Operand] = []
        for one in block.outputs:
            if isinstance(one, Value) and one in self.shapes:
                made = Value(one.spec, one.name)
                found += self._written(made, self.shapes[one], self.now[one], comes_out=True)
                outputs.append(made)
            else:
                outputs.append(self._operand(one))
                found += self._made(outputs)
        return self._with_all_computed(Block(block.inputs, tuple(found), tuple(outputs)))

    def _made(self, outputs: list[Operand]) -> Iterator[Node]:
        """Yield what makes the last output of a number that is known now: a constant is none."""
        dtype = dtype_of(outputs[-1].spec)
        if isinstance(outputs[-1], Constant) and dtype is not None:
            given, outputs[-1] = outputs[-1], Value(GenericSpec(dtype))
            yield Node("cast", (given,), (outputs[-1],), {"dtype": dtype})

    def _written(
        self, made: Value, shape: Shape, items: Sequence[Operand], comes_out: bool = False
    ) -> Iterator[Node]:
        """Yield what makes an array of numbers."""
        spec: Any = made.spec
        self.own.add(made)
        attrs = {"dtype": spec.dtype, **({"comes_out": True} if comes_out else {})}
        yield Node("allocate", tuple(map(Constant, shape)), (made,), attrs)
        for place, item in zip(np.ndindex(*shape), items, strict=True):
            yield Node("store", (made, item, *map(Constant, place)), ())

    def _with_all_computed(self, block: Block) -> Block:
        """The block with a note behind each operation whose result was stored and nobody needs: NumPy may warn of it."""
        unused = self.stored - _needed(block)

        def level(block: Block) -> Block:
            found: list[Node] = []
            for node in block.nodes:
                regions = tuple(map(level, node.regions))
                found.append(replace(node, regions=regions) if regions else node)
                if node.op != "load" and not node.regions and not unused.isdisjoint(node.outputs):
                    found.append(Node("settled", node.outputs, (), location=node.location))
            return Block(block.inputs, tuple(found), block.outputs)

        return level(block) if unused else block

    # -- nodes -------------------------------------------------------------------------------------

    def _level(self, level: Sequence[Node]) -> Iterator[Node]:
        for node in level:
            if node.regions:
                yield self._control(node)
            elif self._is_gone(node):
                self._note(node)
            else:
                yield from self._left(node)

    def _is_gone(self, node: Node) -> bool:
        if node.op == "allocate":
            return node.output in self.shapes
        touched = node.inputs[:1] if node.op in ELEMENTS else node.inputs if node.op in LOOKED_AT else ()
        return not self.shapes.keys().isdisjoint(touched)

    def _note(self, node: Node) -> None:
        """Follow what is done with an array."""
        match node.op:
            case "allocate":
                items = int(np.prod(self.shapes[node.output]))
                self.now[node.output] = (zero_of(node.output),) * items
            case "load":
                base, *indices = node.inputs
                self.names[node.output] = self._items(base)[self._place(base, indices)]
            case "store":
                base, value, *indices = node.inputs
                items = [*self._items(base)]
                items[self._place(base, indices)] = self._operand(value)
                self.stored.add(self._operand(value))
                assert isinstance(base, Value)
                self.now[base] = tuple(items)
            case _:
                self.names[node.output] = Constant(node.op != "same_memory")

    def _place(self, base: Operand, indices: Sequence[Operand]) -> int:
        assert isinstance(base, Value)
        where = tuple(one.value for one in indices if isinstance(one, Constant))
        return int(np.ravel_multi_index(where, self.shapes[base]))

    def _items(self, base: Operand) -> tuple[Operand, ...]:
        assert isinstance(base, Value)
        return self.now[base]

    def _left(self, node: Node) -> Iterator[Node]:
        """Yield a node that has to do with no such array."""
        if self._is_reduced(node):
            yield from self._reduced(node)
            return
        given: list[Operand] = []
        for one in node.inputs:
            if isinstance(one, Value) and one in self.shapes:
                held = Value(one.spec, one.name)
                yield from self._written(held, self.shapes[one], self.now[one])
                given.append(held)
            else:
                given.append(self._operand(one))
        inputs = tuple(given)
        if node.op in FOLDED and all(isinstance(one, Constant) for one in inputs):
            self.names[node.output] = folded(node.op, inputs)
        elif node.op != "deopt" or not isinstance(inputs[0], Constant) or inputs[0].value:
            yield replace(node, inputs=inputs)

    def _is_reduced(self, node: Node) -> bool:
        """Return whether a node reduces an array as one item after the other is taken."""
        if node.op != "reduce_ufunc" or node.inputs[0] not in self.shapes:
            return False
        spec: Any = node.inputs[0].spec
        few = len(self._items(node.inputs[0])) < FEW
        return few and are_reduced_in_turn(node.attrs["ufunc"], spec.dtype.char)

    def _reduced(self, node: Node) -> Iterator[Node]:
        """Yield a reduction, item by item."""
        found, *rest = self._items(node.inputs[0])
        if node.attrs["ufunc"] == "add":
            found, rest = zero_of(node.output), [found, *rest]
        for item in rest:
            made = Value(node.output.spec, node.output.name)
            yield Node(REDUCING[node.attrs["ufunc"]], (found, item), (made,), location=node.location)
            found = made
        self.names[node.output] = found

    def _operand(self, operand: Operand) -> Operand:
        return self.names.get(operand, operand) if isinstance(operand, Value) else operand

    def _spread(self, operands: Sequence[Operand]) -> list[Operand]:
        """Return operands with the elements of arrays in the places of these."""
        found: list[Operand] = []
        for one in operands:
            is_array = isinstance(one, Value) and one in self.shapes
            found += self._items(one) if is_array else [self._operand(one)]
        return found

    # -- regions -----------------------------------------------------------------------------------

    def _control(self, node: Node) -> Node:
        """Return a loop or a branch with numbers for arrays: those that it stores into come out of it, too."""
        changed = self._changed(node)
        first = {"for_loop": FIRST, "while_loop": 0}.get(node.op)
        inputs = (
            [self._operand(node.inputs[0])]
            if first is None
            else [*map(self._operand, node.inputs[:first]), *self._spread([*node.inputs[first:], *changed])]
        )
        before = dict(self.now)
        regions: list[Block] = []
        for place, region in enumerate(node.regions):
            own = [*region.inputs, *(changed if first is not None else ())]
            fresh = self._fresh(own)
            body = [*self._level(region.nodes)]
            leaves = node.op != "while_loop" or place == 1
            ends = self._spread([*region.outputs, *(changed if leaves else ())])
            regions.append(Block(fresh, tuple(body), tuple(ends)))
            self.now = dict(before)
        outputs = self._fresh([*node.outputs, *changed])
        return replace(node, inputs=tuple(inputs), outputs=outputs, regions=tuple(regions))

    def _changed(self, node: Node) -> list[Value]:
        """Return the arrays from outside that a node stores into."""
        stores = [one.inputs[0] for one in nodes(Block((), (node,), ())) if one.op == "store"]
        return [*dict.fromkeys(one for one in stores if isinstance(one, Value) and one in self.now)]

    def _fresh(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """Return values with new numbers in the places of arrays, which their elements are now."""
        found: list[Value] = []
        for one in values:
            if one not in self.shapes:
                found.append(one)
                continue
            assert isinstance(one.spec, ArraySpec)
            count = int(np.prod(self.shapes[one]))
            items = [Value(GenericSpec(one.spec.dtype), _name(one.name, place)) for place in range(count)]
            self.now[one] = tuple(items)
            found += items
        return tuple(found)


def _needed(block: Block) -> set[Operand]:
    """Return what is computed for certain, since stores and tests need it."""
    plain = [node for node in nodes(block) if not node.regions]
    makers = {output: node for node in plain for output in node.outputs}
    pending = [one for node in plain if not node.outputs for one in node.inputs]
    found: set[Operand] = set()
    while pending:
        one = pending.pop()
        if one in found:
            continue
        found.add(one)
        maker = makers.get(one) if isinstance(one, Value) else None
        pending += maker.inputs if maker is not None else ()
    return found


def _name(name: str, place: int) -> str:
    return f"{name or 'item'}_{place}"
