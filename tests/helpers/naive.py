"""A tracer as naive as they come: the graph is the straight line of what one call did.

Branches that were not taken are not in it, loops have the iterations they had, and whatever became a Python number
or a string on the way is a constant.  This is what tracing by overloading gives; it makes the wrong graphs on
which the check is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import astrace
from astrace.check.compare.observe import Call
from astrace.compiler.graph import Graph
from astrace.ir.block import Block, Constant, Node, Operand, Origin, Value
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.interpret import flat_element, iterate, step
from astrace.ir.iteration import elements
from astrace.ir.specs import spec_of
from astrace.ops import OPS

LEAKS = ("int", "float", "bool", "complex", "ndarray.item", "ndarray.tolist", "len", "dim", "str", "format")
"""Ops after which a value is a Python object: a tracer that overloads operators loses sight of it."""


class _Tape:
    """Runs a block and writes down what was done, in a straight line."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.fresh: dict[Value, Operand] = {}

    def run(self, block: Block, given: Sequence[tuple[Any, Operand]]) -> list[tuple[Any, Operand]]:
        """Run a block; return the results, and the operands that stand for them."""
        env = dict(zip(block.inputs, given, strict=True))

        def read(operand: Operand) -> tuple[Any, Operand]:
            return env[operand] if isinstance(operand, Value) else (operand.value, operand)

        for node in block.nodes:
            pairs = [read(operand) for operand in node.inputs]
            env.update(zip(node.outputs, self.node(node, pairs), strict=True))
        return [read(operand) for operand in block.outputs]

    def node(self, node: Node, pairs: list[tuple[Any, Operand]]) -> list[tuple[Any, Operand]]:
        match node.op:
            case "cond":
                return self.run(node.regions[0 if pairs[0][0] else 1], pairs[1:])
            case "while_loop":
                return self.turns(WhileLoop(node), pairs, self.while_turns)
            case "for_loop":
                return self.for_turns(node, pairs)
            case "try_" | "with_":
                return self.run(node.regions[0], pairs)
            case _:
                return self.leaf(node, pairs)

    def turns(self, loop: WhileLoop, pairs: list[tuple[Any, Operand]], go: Any) -> list[tuple[Any, Operand]]:
        return go(loop, pairs[: loop.count], pairs[loop.count :])

    def while_turns(self, loop: WhileLoop, carried: Any, captures: Any) -> list[tuple[Any, Operand]]:
        while self.run(loop.test, [*carried, *captures])[0][0]:
            results = self.run(loop.body, [*carried, *captures])
            carried = results[loop.breaks :]
            if loop.breaks and results[0][0]:
                return results
        return [*([(False, Constant(False))] if loop.breaks else []), *carried]

    def for_turns(self, node: Node, pairs: list[tuple[Any, Operand]]) -> list[tuple[Any, Operand]]:
        loop = ForLoop(node)
        first = len(loop.iterated)
        carried, captures = pairs[first : first + loop.count], pairs[first + loop.count :]
        arrays = [operand for _, operand in pairs[:first]]
        for index, element in enumerate(iterate(loop.over, [value for value, _ in pairs])):
            flat = list(flat_element(loop.over, element))
            assert len(flat) == elements(loop.over)
            given = [(item, self.element(item, arrays, index, node)) for item in flat]
            results = self.run(loop.body, [*given, *carried, *captures])
            carried = results[loop.breaks :]
            if loop.breaks and results[0][0]:
                return results
        return [*([(False, Constant(False))] if loop.breaks else []), *carried]

    def element(self, item: Any, arrays: list[Operand], index: int, node: Node) -> Operand:
        """An element of a loop: an item of the array that is iterated over; anything else is a constant."""
        if len(arrays) == 1 and isinstance(arrays[0], Value):
            output = Value(spec_of(item))
            self.nodes.append(
                Node("get_item", (arrays[0], Constant(index)), (output,), location=node.location)
            )
            return output
        return Constant(item)

    def leaf(self, node: Node, pairs: list[tuple[Any, Operand]]) -> list[tuple[Any, Operand]]:
        values = [value for value, _ in pairs]
        results = step(node, values, OPS.implementation(node.op))
        if node.op in LEAKS or node.op.startswith("math."):
            origin = Origin("literal", location=node.location)
            return [(result, Constant(result, origin)) for result in results]
        outputs = tuple(Value(spec_of(result)) for result in results)
        self.nodes.append(replace(node, inputs=tuple(operand for _, operand in pairs), outputs=outputs))
        return list(zip(results, outputs, strict=True))


def naive_trace(function: Any, *args: Any) -> Graph:
    """Return the block that a naive tracer makes of a call."""
    graph = astrace.trace(function, *args)
    given = graph.bind(Call(args).copy().args, {})
    inputs = tuple(Value(value.spec, value.name) for value in graph.block.inputs)
    tape = _Tape()
    pairs = [(path.follow(given), value) for path, value in zip(graph.inputs, inputs, strict=True)]
    outputs = tape.run(graph.block, pairs)
    block = Block(inputs, tuple(tape.nodes), tuple(operand for _, operand in outputs))
    parts = {one.name: getattr(graph, one.name) for one in fields(Graph)}
    return Graph(**{**parts, "block": block})  # one that checks nothing
