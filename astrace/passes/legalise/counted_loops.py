"""Loops that count: what an iteration is given is computed from its number.

Takes a block; gives one whose loops over arrays, lists, pairs and the like run over ranges, and read the items in the
body.  A loop over a list that changes in it stays as it is, since nobody knows its end before; so does one over
anything that has no items by number.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence

from astrace.ir.block import NO_ATTRS, Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.control import ForLoop
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import BOOL, INT, ArraySpec, DeviceSpec, ListSpec, Spec
from astrace.ir.walk import nodes, uses
from astrace.ops.effects import written
from astrace.passes.analysis.aliasing import Sharing

ITEM = "item_inside"
"""The op that reads an item which is known to be there."""
ZERO, ONE = Constant(0), Constant(1)


def over_ranges(block: Block) -> Block:
    """Return a block whose loops run over ranges.

    Args:
        block: the whole block.
    """
    iterables = _Iterables(block)

    def step(node: Node, builder: Builder) -> None:
        builder.nodes.extend(_counted(builder.updated(node), iterables))

    return rebuild(block, step)


def _counted(node: Node, iterables: _Iterables) -> list[Node]:
    """Return nodes that end with a loop over a range; for any other node, or a loop that does not count, that node alone."""
    if node.op != "for_loop" or isinstance(ForLoop(node).over, Range) or not iterables.count(ForLoop(node)):
        return [node]
    return _CountedLoop(ForLoop(node)).nodes()


class _Iterables:
    """What the loops of a block run over.

    Args:
        block: the whole block.
    """

    def __init__(self, block: Block) -> None:
        self._sharing = Sharing(block)
        self._given_by_jax = {self._sharing.group(one) for one in _lists_of_jax(block)}

    def count(self, loop: ForLoop) -> bool:
        """Return whether a loop is over what has items by number, as many before the loop as behind it."""
        iterables = [loop.node.inputs[one.iterable] for one in _leaves(loop.over)]
        return all(isinstance(one, Value) and self._has_items(one, loop) for one in iterables)

    def _has_items(self, value: Value, loop: ForLoop) -> bool:
        match value.spec:
            case ArraySpec():
                return bool(value.spec.shape)
            case DeviceSpec():
                return bool(value.spec.ndim)
            case ListSpec():
                group = self._sharing.group(value)
                return group not in self._given_by_jax and not self._changes(loop, group)
            case _:
                return False

    def _changes(self, loop: ForLoop, group: Value) -> bool:
        """Return whether a loop may change a list."""
        leaves = (node for node in nodes(loop.body) if not node.regions)
        return any(self._sharing.group(one) is group for node in leaves for one in written(node))


def _lists_of_jax(block: Block) -> Iterator[Value]:
    """The lists that functions give of JAX's arrays: Python takes their items, while JAX traces."""
    for node in nodes(block):
        if not node.regions and node.op != "make_list":
            yield from (one for one in node.outputs if _holds_jax_arrays(one.spec))


def _holds_jax_arrays(spec: Spec) -> bool:
    return isinstance(spec, ListSpec) and isinstance(spec.element, DeviceSpec)


def _leaves(over: Over) -> Iterator[Each]:
    match over:
        case Range():
            return
        case Each():
            yield over
        case Enumerate() | Reversed():
            yield from _leaves(over.inner)
        case Zip():
            for part in over.parts:
                yield from _leaves(part)


class _CountedLoop:
    """A loop on its way to one over a range.

    Args:
        loop: the loop.
    """

    def __init__(self, loop: ForLoop) -> None:
        self._loop = loop
        self._before: list[Node] = []
        self._index = Value(INT)
        self._inside: dict[Value, Value] = {}
        self._used = uses(loop.body)
        self._body = Builder((), lambda node, builder: builder.keep(node))

    def nodes(self) -> list[Node]:
        """Return the nodes in front of the loop, and the loop."""
        loop, over = self._loop, self._loop.over
        start, step = ZERO, ONE
        if isinstance(over, Reversed) and isinstance(over.inner, Range):
            start, stop, step = self._backwards(over.inner)
            self._element(self._index, iter(loop.elements))
        else:
            stop = self._count(over)
            self._bind(over, self._index, iter(loop.elements))
        for node in loop.body.nodes:
            self._body.keep(node)
        outputs = self._body.operands(loop.body.outputs)
        own = loop.body.inputs[len(loop.elements) :]
        region = Block((self._index, *own, *self._inside.values()), tuple(self._body.nodes), outputs)
        inputs = (start, stop, step, *loop.carried, *loop.captures, *self._inside)
        attrs = {**loop.node.attrs, "over": Range(0, 1, 2)}
        node = Node("for_loop", inputs, loop.node.outputs, attrs, (region,), loop.node.location)
        return [*self._before, node]

    def _given(self, place: int) -> Operand:
        return self._loop.node.inputs[place]

    def _written(self, to: list[Node], op: str, *inputs: Operand, spec: Spec = INT) -> Value:
        output = Value(spec)
        to.append(Node(op, inputs, (output,), NO_ATTRS, location=self._loop.node.location))
        return output

    def _of_integers(self, to: list[Node], op: str, left: Operand, right: Operand) -> Operand:
        """Write an operator on integers, unless both are known, or one of them changes nothing."""
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(getattr(operator, op)(left.value, right.value))
        neutral = 1 if op == "mul" else 0
        for one, other in ((right, left), (left, right)):
            if isinstance(one, Constant) and one.value == neutral and (op != "sub" or one is right):
                return other
        return self._written(to, op, left, right)

    # -- in front of the loop ------------------------------------------------------------------------

    def _count(self, over: Over) -> Operand:
        """Write the number of iterations."""
        match over:
            case Each():
                iterable = self._given(over.iterable)
                is_list = isinstance(iterable, Value) and isinstance(iterable.spec, ListSpec)
                given = (iterable,) if is_list else (iterable, ZERO)
                return self._written(self._before, "len" if is_list else "dim", *given)
            case Enumerate() | Reversed():
                return self._count(over.inner)
            case Zip():
                return self._shortest([self._count(part) for part in over.parts], strict=over.strict)
            case Range():
                start, stop, step = map(self._given, (over.start, over.stop, over.step))
                if isinstance(step, Constant) and step.value == 1:
                    return self._of_integers(self._before, "sub", stop, start)
                return self._written(self._before, "extent", start, stop, step)

    def _shortest(self, counts: Sequence[Operand], *, strict: bool) -> Operand:
        found = counts[0]
        for count in counts[1:]:
            if strict:
                differ = self._written(self._before, "ne", found, count, spec=BOOL)
                self._before.append(Node("deopt", (differ,), (), location=self._loop.node.location))
            found = self._written(self._before, "min", found, count)
        return found

    def _backwards(self, over: Range) -> tuple[Operand, Operand, Operand]:
        """Write the start, the stop and the step of a range that runs backwards."""
        start, step = self._given(over.start), self._given(over.step)
        last = self._of_integers(self._before, "sub", self._count(over), ONE)
        moved = self._of_integers(self._before, "mul", last, step)
        first = self._of_integers(self._before, "add", start, moved)
        behind = self._of_integers(self._before, "sub", start, step)
        back = (
            Constant(-step.value) if isinstance(step, Constant) else self._written(self._before, "neg", step)
        )
        return first, behind, back

    # -- in the body ---------------------------------------------------------------------------------

    def _bind(self, over: Over, index: Operand, elements: Iterator[Value]) -> None:
        """Write what the iteration of a number is given."""
        inner = self._body.nodes
        match over:
            case Each():
                self._item(self._given(over.iterable), index, next(elements))
            case Enumerate():
                start = self._captured(self._given(over.start))
                self._element(self._of_integers(inner, "add", index, start), elements)
                self._bind(over.inner, index, elements)
            case Zip():
                for part in over.parts:
                    self._bind(part, index, elements)
            case Reversed():
                last = self._of_integers(self._before, "sub", self._count(over.inner), ONE)
                self._bind(over.inner, self._written(inner, "sub", self._captured(last), index), elements)
            case Range():
                start, step = (self._captured(self._given(one)) for one in (over.start, over.step))
                moved = self._of_integers(inner, "mul", index, step)
                self._element(self._of_integers(inner, "add", start, moved), elements)

    def _element(self, operand: Operand, elements: Iterator[Value]) -> None:
        """Let a number be an element of the loop."""
        value = next(elements)
        if isinstance(operand, Value):
            operand.rename(value.name)
        self._body.replace([value], [operand])

    def _item(self, iterable: Operand, index: Operand, value: Value) -> None:
        if self._used[value]:
            inputs = (self._captured(iterable), index)
            self._body.nodes.append(Node(ITEM, inputs, (value,), location=self._loop.node.location))

    def _captured(self, operand: Operand) -> Operand:
        """Return the name that a value from around has in the body."""
        if not isinstance(operand, Value):
            return operand
        return self._inside.setdefault(operand, Value(operand.spec, operand.name))
