"""Calls of a method that is looked up and called at once, as one node that names the method.

Takes a block; gives one in which ``get_attr`` followed by ``call`` is ``call_method``, where nothing happens in between.  Such
a node says what is called, and so can be written to a file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.walk import uses
from astrace.ops.effects import is_ordered, may_raise, written
from astrace.util.trees import Hole, Pattern


def with_method_calls(block: Block) -> Block:
    """The block with one node for each method that is looked up to be called.

    Example:
        >>> from astrace.ir.specs import ANY
        >>> x, method, result = Value(ANY, "x"), Value(ANY), Value(ANY, "r")
        >>> found = Node("get_attr", (x, Constant("sum")), (method,))
        >>> print(with_method_calls(Block((x,), (found, Node("call", (method,), (result,))), (result,))))
        block(x: any):
          r: any = call_method(x, 'sum')
          -> r
    """
    used = uses(block)
    nodes: list[Node] = []
    for node in block.nodes:
        if node.regions:
            node = replace(node, regions=tuple(map(with_method_calls, node.regions)))  # noqa: PLW2901
        lookup = _lookup(node, nodes)
        if lookup is not None and used[lookup.output] == 1:
            nodes.remove(lookup)
            node = _joined(lookup, node)  # noqa: PLW2901
        nodes.append(node)
    return Block(block.inputs, tuple(nodes), block.outputs)


def _lookup(call: Node, before: list[Node]) -> Node | None:
    """The node that looks up what a call calls, if nothing that matters lies between the two."""
    callee = call.inputs[0] if call.op == "call" else None
    for node in reversed(before) if isinstance(callee, Value) else ():
        if callee in node.outputs:
            return node if node.op == "get_attr" and isinstance(node.inputs[1], Constant) else None
        if node.regions or is_ordered(node) or may_raise(node) or written(node):
            return None
    return None


def _joined(lookup: Node, call: Node) -> Node:
    inputs = (*lookup.inputs, *call.inputs[1:])
    pattern: Pattern | None = call.attrs.get("pattern")
    if pattern is None:
        return replace(call, op="call_method", inputs=inputs)
    moved: list[Any] = [Hole(0), *(Hole(index + 1) for index in range(1, len(call.inputs)))]
    args, kwargs = pattern.fill(moved)
    return replace(
        call,
        op="call_method",
        inputs=inputs,
        attrs={**call.attrs, "pattern": Pattern((Hole(0), Hole(1), *args[1:]), kwargs)},
    )
