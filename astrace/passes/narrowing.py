"""Loops for the types that they have been entered with, where these were not known when the loops were captured.

What a function gives that is not captured may be anything; once it has been seen, the loops behind it can be written
anew as if the type had been known.  Takes a loop and the types of its inputs; gives a block that has the meaning of the
loop for inputs of these types.  It does not know how they were found out, and who looks that they still are what they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final, TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.control import Cond, ForLoop, WhileLoop, always_raises, loop_of
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import (
    BOOL,
    INT,
    AnySpec,
    ArraySpec,
    GenericSpec,
    Spec,
    TupleSpec,
    class_of,
    covers,
    is_immutable,
    join,
)
from astrace.ir.walk import uses
from astrace.ops.effects import may_retry
from astrace.ops.numpy.array_methods import is_op, op_call
from astrace.ops.numpy.method_aliases import RETRYING
from astrace.ops.python.builtins import element_of
from astrace.ops.python.operators import INPLACE
from astrace.passes import pipeline
from astrace.util.trees import Hole, Pattern

PATTERN: Final = "pattern"
ROUNDS: Final = 6
"""How often the types of what a loop carries may grow."""


class NotNarrowed(Exception):
    """A loop cannot be written anew for the types of its inputs."""


def narrowed(nodes: Sequence[Node], given: Sequence[Value], seen: Mapping[Value, Spec]) -> Block:
    """Return a block with a loop alone, for inputs of some types.

    Args:
        nodes: a ``for_loop`` or ``while_loop`` of a closed block, and in front of it what makes the ranges and iterators that
            it walks through.
        given: the values that these are given.
        seen: the types of some of them.

    Returns:
        A block whose inputs are those values, and whose outputs are the loop's.

    Raises:
        NotNarrowed: it has a node in it that is not known for other types.

    Example:
        >>> from astrace.ir.specs import ANY, spec_of
        >>> import numpy as np
        >>> x, part, item, total = Value(ANY, "x"), Value(ANY, "x"), Value(ANY), Value(ANY)
        >>> start, end, i = Value(ANY), Value(ANY), Value(INT, "i")
        >>> body = Block((i, start, part), (Node("get_item", (part, i), (item,)), Node("add", (start, item), (end,))), (end,))
        >>> attrs = {"over": Range(0, 1, 2), "breaks": False}
        >>> loop = Node("for_loop", (Constant(0), Constant(3), Constant(1), Constant(0), x), (total,), attrs, (body,))
        >>> print(narrowed([loop], [x], {x: spec_of(np.ones(3))}))
        block(x: float64[3]):
          v1: int | float64 = for_loop(range(0, 3, 1), 0):
            body(i: int, v2: int | float64):
              v3: float64 = get_item(x, i)
              v4: float64 = add(v2, v3)
              -> v4
          -> v1
    """
    inputs = tuple(Value(seen.get(one, one.spec), one.name) for one in given)
    old = Block(tuple(given), tuple(nodes), nodes[-1].outputs)
    writer = _NarrowedBlock(dict(zip(given, inputs, strict=True)), uses(old))
    for node in nodes:
        writer.node(node)
    return pipeline.run(Block(inputs, tuple(writer.nodes), writer.operands(nodes[-1].outputs)))


Rewrite: TypeAlias = "Callable[[_NarrowedBlock, Node, tuple[Operand, ...]], bool]"
"""Writes a node in another way where its inputs allow it; tells whether it has."""


class _NarrowedBlock:
    """The nodes of one block, as they are written for other types.

    Args:
        known: what stands for the values of the old block.
        counts: how often each of these is used.
    """

    def __init__(self, known: Mapping[Value, Operand], counts: Mapping[Value, int]) -> None:
        self.nodes: list[Node] = []
        self.counts = counts
        self._known = dict(known)
        self._put_off: dict[Value, Node] = {}
        self.items: dict[Operand, tuple[Operand, ...]] = {}
        """What tuples are made of."""

    def operand(self, operand: Operand) -> Operand:
        """Return what stands for an operand of the old block; a node that was put off is written now."""
        if not isinstance(operand, Value):
            return operand
        if operand not in self._known:
            self._leaf(self._put_off.pop(operand))
        return self._known[operand]

    def maker(self, operand: Operand, op: str) -> Node | None:
        """Return the node that gives an operand of the old block, if it is one of an op that was put off."""
        node = self._put_off.get(operand) if isinstance(operand, Value) else None
        return node if node is not None and node.op == op else None

    def operands(self, operands: Sequence[Operand]) -> tuple[Operand, ...]:
        """Return what stands for operands of the old block."""
        return tuple(map(self.operand, operands))

    def stand(self, value: Value, operand: Operand) -> None:
        """Let an operand stand for a value of the old block."""
        self._known[value] = operand

    def add(self, node: Node, specs: Sequence[Spec], **changes: Any) -> tuple[Value, ...]:
        """Add a node with outputs of some types; what is not given is as in the old one."""
        outputs = tuple(Value(spec, old.name) for old, spec in zip(node.outputs, specs, strict=True))
        self.nodes.append(replace(node, **{"outputs": outputs, **changes}))
        for old, new in zip(node.outputs, outputs, strict=True):
            self.stand(old, new)
        return outputs

    def node(self, node: Node) -> None:
        """Write a node."""
        match node.op:
            case "for_loop" | "while_loop":
                self._loop(node)
            case "cond":
                self._cond(node)
            case _ if node.regions:
                raise NotNarrowed(node.op)
            case op if op in PUT_OFF and PUT_OFF[op](self, node):
                self._put_off[node.output] = node
            case "call" if (called := self._method_call(node)) is not None:
                self._leaf(called)
            case _:
                self._leaf(node)

    def _leaf(self, node: Node) -> None:
        inputs = self.operands(node.inputs)
        rewrite = REWRITES.get(node.op)
        if rewrite is not None and rewrite(self, node, inputs):
            return
        if node.op in INPLACE and is_immutable(inputs[0].spec):
            node = replace(node, op=INPLACE[node.op])
        found = pipeline.inferred(replace(node, inputs=inputs))
        olds = [output.spec for output in node.outputs]
        specs = olds if found is None else [_narrower(old, new) for old, new in zip(olds, found, strict=True)]
        self.add(node, specs, inputs=inputs)

    def _method_call(self, node: Node) -> Node | None:
        """Return the call of an array's method as the op that it stands for, in the old block."""
        lookup = self.maker(node.inputs[0], "get_attr")
        if lookup is None or PATTERN in node.attrs:
            return None
        owner, name = lookup.inputs
        assert isinstance(name, Constant)
        found = op_call(name.value, node.inputs[1:], node.attrs)
        if found is None:
            return None
        op, args = found
        called = replace(node, op=op, inputs=(owner, *node.inputs[1:]))
        if args != node.inputs[1:]:  # several arguments have become one tuple
            holes = tuple(Hole(index) for index in range(1, len(called.inputs)))
            called = replace(called, attrs={**node.attrs, PATTERN: Pattern((Hole(0), holes), {})})
        may_call_again = may_retry(replace(called, inputs=self.operands(called.inputs)))
        return (
            replace(called, op=f"ndarray.{name.value}")
            if name.value in RETRYING and may_call_again
            else called
        )

    def _region(self, region: Block, given: Sequence[Spec]) -> Block:
        """Return a region for inputs of some types."""
        inputs = [Value(spec, value.name) for value, spec in zip(region.inputs, given, strict=True)]
        writer = _NarrowedBlock(dict(zip(region.inputs, inputs, strict=True)), uses(region))
        for node in region.nodes:
            writer.node(node)
        return Block(tuple(inputs), tuple(writer.nodes), writer.operands(region.outputs))

    # -- branches --------------------------------------------------------------------------------------------

    def _cond(self, node: Node) -> None:
        inputs = self.operands(node.inputs)
        captures = [one.spec for one in inputs[1:]]
        branches = tuple(self._region(region, captures) for region in node.regions)
        going_on = [one for one in branches if not always_raises(one)] or branches
        columns = zip(*([output.spec for output in one.outputs] for one in going_on), strict=True)
        specs = [reduce(join, column) for column in columns]
        assert Cond(node).test is node.inputs[0]
        self.add(node, specs, inputs=inputs, regions=branches)

    # -- loops -----------------------------------------------------------------------------------------------

    def _loop(self, node: Node) -> None:
        loop = loop_of(node)
        assert loop is not None
        carried, captures = self.operands(loop.carried), self.operands(loop.captures)
        space = None if isinstance(loop, WhileLoop) else _IterationSpace(self, loop)
        heads = () if space is None else space.elements
        specs = [one.spec for one in carried]
        for _ in range(ROUNDS):
            given = (*specs, *(one.spec for one in captures))
            regions = self._loop_regions(loop, heads, given)
            body = regions[-1]
            grown = [join(old, new.spec) for old, new in zip(specs, body.outputs[loop.breaks :], strict=True)]
            if grown == specs:
                break
            specs = grown
        else:
            raise NotNarrowed("a loop whose values take ever other types")
        attrs = node.attrs if space is None else {**node.attrs, "over": space.over}
        iterated = () if space is None else tuple(space.inputs)
        outputs = [*([BOOL] if loop.breaks else []), *specs]
        self.add(node, outputs, inputs=(*iterated, *carried, *captures), attrs=attrs, regions=regions)

    def _loop_regions(
        self, loop: ForLoop | WhileLoop, heads: Sequence[Spec], given: Sequence[Spec]
    ) -> tuple[Block, ...]:
        body = self._region(loop.body, (*heads, *given))
        return (self._region(loop.test, given), body) if isinstance(loop, WhileLoop) else (body,)


class _IterationSpace:
    """The iteration space of a loop, as it is written for other types.

    ``over`` is the new space, ``inputs`` are those that it numbers, ``elements`` the types of what an iteration is given.

    Args:
        writer: of the block around.
        loop: in the old block.
    """

    def __init__(self, writer: _NarrowedBlock, loop: ForLoop) -> None:
        self._writer, self._inputs = writer, loop.node.inputs
        self.inputs: list[Operand] = []
        self.elements: list[Spec] = []
        self.over = self._written(loop.over)

    def _written(self, over: Over) -> Over:
        match over:
            case Range(start, stop, step):
                return self._range([self._inputs[index] for index in (start, stop, step)])
            case Each(iterable):
                return self._each(self._inputs[iterable])
            case Enumerate(inner, start):
                first = self._integer(self._inputs[start])
                self.elements.append(INT)
                return Enumerate(self._written(inner), self._number(first))
            case Zip(parts, strict):
                return Zip(tuple(map(self._written, parts)), strict)
            case Reversed(inner):
                return Reversed(self._written(inner))

    def _each(self, iterable: Operand) -> Over:
        made = self._writer.maker(iterable, "range")
        if made is not None:
            start, stop, step = _bounds(made)
            return self._range([start, stop, step])
        walked = self._writer.maker(iterable, "iter")
        given = self._writer.operand(iterable if walked is None else walked.inputs[0])
        element = element_of(given.spec)
        if element is None:
            raise NotNarrowed("a loop over what has no known items")
        self.elements.append(element)
        return Each(self._number(given))

    def _range(self, bounds: Sequence[Operand]) -> Range:
        self.elements.append(INT)
        start, stop, step = (self._number(self._integer(one)) for one in bounds)
        return Range(start, stop, step)

    def _number(self, operand: Operand) -> int:
        self.inputs.append(operand)
        return len(self.inputs) - 1

    def _integer(self, operand: Operand) -> Operand:
        found = self._writer.operand(operand)
        if not _is_int(found):
            raise NotNarrowed(f"a range of {found.spec}")
        return found


def _narrower(old: Spec, new: Spec) -> Spec:
    """Return the one of two types of a value that tells more."""
    return new if old == AnySpec() or covers(old, new) else old


# -- nodes that are others once the types are known ----------------------------------------------------------------


def _len(writer: _NarrowedBlock, node: Node, inputs: tuple[Operand, ...]) -> bool:
    """The length of an array is the size of its first axis."""
    (owner,) = inputs
    if not isinstance(owner.spec, ArraySpec) or not owner.spec.shape:
        return False
    writer.add(node, (INT,), op="dim", inputs=(owner, Constant(0)))
    return True


def _get_attr(writer: _NarrowedBlock, node: Node, inputs: tuple[Operand, ...]) -> bool:
    """The shape of an array is the tuple of its sizes, and the number of its axes is known."""
    owner, name = inputs
    if not isinstance(owner.spec, ArraySpec) or not isinstance(name, Constant):
        return False
    axes = range(len(owner.spec.shape))
    match name.value:
        case "ndim":
            writer.stand(node.output, Constant(len(axes)))
        case "shape":
            sizes = [_size(writer, node, owner, axis) for axis in axes]
            spec = TupleSpec((INT,) * len(axes))
            (made,) = writer.add(node, (spec,), op="make_tuple", inputs=tuple(sizes))
            writer.items[made] = tuple(sizes)
        case _:
            return False
    return True


def _size(writer: _NarrowedBlock, node: Node, array: Operand, axis: int) -> Value:
    size = Value(INT)
    writer.nodes.append(Node("dim", (array, Constant(axis)), (size,), location=node.location))
    return size


def _unpack(writer: _NarrowedBlock, node: Node, inputs: tuple[Operand, ...]) -> bool:
    """The names of a tuple's items stand for these."""
    items = writer.items.get(inputs[0], ())
    if len(items) != len(node.outputs) or node.attrs != {"before": len(items)}:
        return False
    for output, item in zip(node.outputs, items, strict=True):
        writer.stand(output, item)
    return True


REWRITES: Final[Mapping[str, Rewrite]] = {"len": _len, "get_attr": _get_attr, "unpack": _unpack}
"""What is written in another way once it is given arrays; any other node is what it was."""


# -- nodes that may become part of another one ---------------------------------------------------------------------


def _is_method(writer: _NarrowedBlock, node: Node) -> bool:
    """Return whether an attribute is looked up that is a method of arrays or NumPy's scalars; most often, it is called."""
    owner, name = writer.operand(node.inputs[0]), node.inputs[1]
    is_numpy = isinstance(owner.spec, ArraySpec | GenericSpec)
    return is_numpy and isinstance(name, Constant) and is_op(class_of(owner.spec), name.value)


def _has_bounds(writer: _NarrowedBlock, node: Node) -> bool:
    """Return whether a range has integers for its bounds, so that a loop over it is one over integers."""
    start, stop, step = _bounds(node)
    bounds = writer.operands((start, stop, step))
    return all(map(_is_int, bounds)) and isinstance(step, Constant) and step.value != 0


def _bounds(node: Node) -> tuple[Operand, Operand, Operand]:
    """Return the start, the stop and the step of a range."""
    match node.inputs:
        case (stop,):
            return Constant(0), stop, Constant(1)
        case (start, stop):
            return start, stop, Constant(1)
        case (start, stop, step):
            return start, stop, step
        case _:
            raise NotNarrowed("a range that raises")


def _is_int(operand: Operand) -> bool:
    """Return whether an operand is an integer of Python's or NumPy's, and no truth value."""
    spec = operand.spec
    if isinstance(operand, Constant):
        return type(operand.value) is int
    return spec == INT or (isinstance(spec, GenericSpec) and spec.dtype.kind in "iu")


def _is_array(writer: _NarrowedBlock, node: Node) -> bool:
    """Return whether an iterator of an array is made that is used once: a loop over it is one over the array."""
    return writer.counts.get(node.output) == 1 and isinstance(writer.operand(node.inputs[0]).spec, ArraySpec)


PUT_OFF: Final[Mapping[str, Callable[[_NarrowedBlock, Node], bool]]] = {
    "get_attr": _is_method,
    "range": _has_bounds,
    "iter": _is_array,
}
"""Nodes that are written only where something needs them that does not take their place."""
