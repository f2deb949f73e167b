"""Values of a block that may be changed in place, or are the same object as another.

Arrays are references: two nodes that compute the same array make two arrays, and that shows as soon as one
is written or handed out.  This analysis gives, for a whole block, the values that are *settled*: immutable,
or objects that nothing in the block can write and nothing outside it gets hold of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from astrace.ir.block import Block, Node, Operand, Value, region_inputs
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import ArraySpec, is_immutable
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.effects import is_fresh, is_ordered, written


class Sharing:
    """The groups of values of one block that may share memory.

    Args:
        block: the whole block, regions included.
        views_apart: a view is in another group than the array whose memory it has: values are asked for that may be one object.
            Who gets hold of a view knows the array that has the memory, as its ``base``; not the views between the two, and
            not the other way round.
    """

    def __init__(self, block: Block, views_apart: bool = False) -> None:
        self._views_apart = views_apart
        self._bases: list[tuple[Value, Value]] = []
        self._group: dict[Value, Value] = {}
        self._unsettled: set[Value] = set()
        self._handed_out: set[Value] = set()
        self._join(value for value in block.inputs if not is_immutable(value.spec))
        for node in nodes(block):
            if self._node(node):  # opaque code may know any array from outside
                self._unsettled.update(block.inputs)
        self._unsettled = {self._find(value) for value in self._unsettled}
        known = {self._find(value) for value in (*self._handed_out, *block.inputs)}
        self._known = self._with_bases(known, block) if self._bases else known
        handed = [*self._handed_out, *_values(block.outputs), *block.inputs]
        self._handed_out = {self._find(value) for value in handed if not is_immutable(value.spec)}

    def is_settled(self, value: Value) -> bool:
        """Return whether nothing can change what a value refers to while the block runs."""
        return is_immutable(value.spec) or self._find(value) not in self._unsettled

    def is_private(self, value: Value) -> bool:
        """Return whether a value is settled, and nothing outside the block ever gets hold of it."""
        return is_immutable(value.spec) or (
            self.is_settled(value) and self._find(value) not in self._handed_out
        )

    def is_known_outside(self, value: Value) -> bool:
        """Return whether something outside the block may get hold of an object while the block runs."""
        return self._find(value) in self._known

    def group(self, value: Value) -> Value:
        """The same for values that may be one object, whichever region they are in."""
        return self._find(value)

    def _node(self, node: Node) -> bool:
        """Note what a node shares; tell whether it is a leaf that runs opaque code."""
        if node.regions:
            self._regions(node)
            return False
        ordered = is_ordered(node)
        is_apart = self._views_apart and _is_item_of_array(node)
        if is_apart:
            self._bases += [(node.output, owner) for owner in _values(node.inputs[:1])]
        given = node.inputs[1:] if is_apart else node.inputs
        mutable = [value for value in _values(given) if not is_immutable(value.spec)]
        outputs = [value for value in node.outputs if not is_immutable(value.spec)]
        if not mutable and not outputs:
            return ordered
        changed = written(node)
        self._unsettled.update(changed)
        if OPS[node.op].identity:
            self._handed_out.update(mutable)
        if ordered:
            self._unsettled.update(mutable)
            self._handed_out.update([*mutable, *outputs])
            self._join([*mutable, *outputs])
        elif changed or outputs:
            self._join([*changed, *outputs] if is_fresh(node) else [*mutable, *outputs])
        return ordered

    def _regions(self, node: Node) -> None:
        for group in _regions_share(node):
            self._join(group)
        if node.op == "for_loop":
            self._rows(ForLoop(node))
        if node.op == "with_" and isinstance(node.inputs[0], Value):
            self._unsettled.add(node.inputs[0])

    def _rows(self, loop: ForLoop) -> None:
        """Note that a loop walks over the rows of arrays, or over the items of something else."""
        walked = [value for value in _values(loop.iterated) if not is_immutable(value.spec)]
        if self._views_apart and all(map(_holds_no_objects, walked)):
            self._bases += [(row, array) for row in loop.elements for array in walked]
        else:
            self._join([*loop.elements, *_values(loop.iterated)])

    def _with_bases(self, known: set[Value], block: Block) -> set[Value]:
        """Return groups, and those of the arrays whose memory arrays among them have."""
        pairs = [(self._find(view), self._find(array)) for view, array in self._bases]
        reached = set(known)
        while more := {array for view, array in pairs if view in reached} - reached:
            reached |= more
        views = {view for view, _ in self._bases}
        made = {output for node in nodes(block) if not node.regions for output in node.outputs}
        others = {self._find(value) for value in made - views}
        between = {self._find(view) for view in views} - others
        return known | (reached - between)

    def _join(self, values: Iterator[Value] | Sequence[Value]) -> None:
        first: Value | None = None
        for value in values:
            root = self._find(value)
            if first is None:
                first = root
            elif root is not first:
                self._group[root] = first

    def _find(self, value: Value) -> Value:
        root = value
        while root in self._group:
            root = self._group[root]
        while value is not root:
            self._group[value], value = root, self._group[value]
        return root


def _is_item_of_array(node: Node) -> bool:
    """Return whether an item is taken of an array: a number or a new array, whoever has the memory."""
    return node.op == "get_item" and _holds_no_objects(node.inputs[0])


def _holds_no_objects(value: Operand) -> bool:
    """Return whether a value is an array of numbers: its rows are no objects that were there before."""
    return isinstance(value.spec, ArraySpec) and not value.spec.dtype.hasobject


def _values(operands: Sequence[Operand]) -> list[Value]:
    return [operand for operand in operands if isinstance(operand, Value)]


def _regions_share(node: Node) -> Iterator[list[Value]]:
    """The groups of values that a control flow node makes the same object."""
    for _, inner, outer in region_inputs(node):
        yield from (
            [value, operand]
            for value, operand in zip(inner, outer, strict=True)
            if isinstance(operand, Value)
        )
    bodies: Sequence[Block] = node.regions
    match node.op:
        case "function":  # it keeps its captures
            yield [*node.outputs, *(value for value in _values(node.inputs) if not is_immutable(value.spec))]
            return
        case "while_loop":
            loop = WhileLoop(node)
            yield from _carried(loop.carried, loop.test.inputs)
            yield from _carried(loop.carried, loop.body.inputs)
            bodies = (loop.body,)
        case "for_loop":
            each = ForLoop(node)
            yield from _carried(each.carried, each.body.inputs[len(each.elements) :])
        case _:
            pass
    for body in bodies:
        pairs = zip(node.outputs, body.outputs, strict=True)
        yield from ([output, inner] for output, inner in pairs if isinstance(inner, Value))
    if node.op in ("while_loop", "for_loop"):
        count = len(node.outputs) - bool(node.attrs["breaks"])
        first = 0 if node.op == "while_loop" else len(ForLoop(node).elements)
        yield from zip_lists(
            node.outputs[len(node.outputs) - count :], bodies[0].inputs[first : first + count]
        )


def zip_lists(left: Sequence[Value], right: Sequence[Value]) -> Iterator[list[Value]]:
    """Pairs as lists."""
    yield from ([a, b] for a, b in zip(left, right, strict=True))


def _carried(initial: Sequence[Operand], inner: Sequence[Value]) -> Iterator[list[Value]]:
    yield from (
        [value, operand] for operand, value in zip(initial, inner, strict=False) if isinstance(operand, Value)
    )
