"""Loops for the types that they have been entered with, where these were not known when the loops were captured.

What a function gives that is not captured may be anything; once it has been seen, the loops behind it can be written
anew as if the type had been known.  Takes a loop and the types of its inputs; gives a block that has the meaning of the
loop for inputs of these types.  It does not know how they were found out, nor who tests that they still hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import ForLoop, WhileLoop, always_raises, loop_of
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import BOOL, INT, Spec, join
from astrace.ir.walk import uses
from astrace.ops.python.builtins import element_of
from astrace.passes import pipeline
from astrace.passes.narrowed_nodes import NarrowedNodes, NotNarrowed, bounds_of, is_integer

ROUNDS: Final = 6
"""How often the types of what a loop carries may grow."""


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
        >>> from astrace.ir.block import Constant
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
    writer = NarrowedBlock(dict(zip(given, inputs, strict=True)), uses(old))
    for node in nodes:
        writer.node(node)
    return pipeline.run(Block(inputs, tuple(writer.nodes), writer.operands(nodes[-1].outputs)))


class NarrowedBlock(NarrowedNodes):
    """The nodes of one block, with control flow."""

    def node(self, node: Node) -> None:
        """Write a node."""
        match node.op:
            case "for_loop" | "while_loop":
                self._loop(node)
            case "cond":
                self._cond(node)
            case _ if node.regions:
                raise NotNarrowed(node.op)
            case _:
                self.write(node)

    def _region(self, region: Block, given: Sequence[Spec]) -> Block:
        """Return a region for inputs of some types."""
        inputs = [Value(spec, value.name) for value, spec in zip(region.inputs, given, strict=True)]
        writer = type(self)(dict(zip(region.inputs, inputs, strict=True)), uses(region))
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

    def __init__(self, writer: NarrowedBlock, loop: ForLoop) -> None:
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
            start, stop, step = bounds_of(made)
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
        if not is_integer(found):
            raise NotNarrowed(f"a range of {found.spec}")
        return found
