"""Python's ``sum``, ``min`` and ``max`` of a list or an array of numbers, and ``sum`` of arrays: the loops that they are.

Takes a block; gives one in which a loop over the items, or additions of those that are written down, stand in the place of such a call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.block import NO_ATTRS, Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.interpret import call_arguments
from astrace.ir.iteration import Range
from astrace.ir.specs import BOOL, FLOAT, INT, ArraySpec, GenericSpec, ListSpec, ScalarSpec, Spec
from astrace.ops import OPS
from astrace.ops.infer import infer

Combined: TypeAlias = Callable[[list[Node], Operand, Operand], Operand]
COMPARISONS: Final = {"max": "gt", "min": "lt"}
"""When an item takes the place of the one that was found before it."""
ADDS_IN_TURN: Final = sys.version_info < (3, 12)
"""``sum`` of floats rounds after each item; later versions of Python carry on what is lost by that."""


def with_reductions(block: Block) -> Block:
    """Return a block whose sums and extremes of numbers are loops.

    Args:
        block: the whole block.
    """
    return rebuild(block, _step)


def _step(node: Node, builder: Builder) -> None:
    node = builder.updated(node)
    written = _written_arrays(node)
    element = _element(node)
    if written is not None:
        builder.nodes.extend(_additions(node, *written))
    elif element is None:
        builder.nodes.append(node)
    elif node.op == "sum":
        builder.nodes.extend(_Items(node, element).sum())
    else:
        builder.nodes.extend(_Items(node, element).extreme())


def _written_arrays(node: Node) -> tuple[Sequence[Operand], Operand] | None:
    """Return the items of a list or tuple that a node adds, and what it adds them to; ``None`` if they do not begin with an array.

    Behind an array all are added by the operator: numbers alone Python's ``sum`` adds by itself.
    """
    if node.op != "sum" or not node.attrs:
        return None
    args, kwargs = call_arguments(node, node.inputs)
    items = args[0]
    if kwargs or not isinstance(items, list | tuple) or not items:
        return None
    operands = [_operand(one) for one in (*items, args[1] if len(args) > 1 else 0)]
    return (operands[:-1], operands[-1]) if isinstance(operands[0].spec, ArraySpec) else None


def _operand(given: Any) -> Operand:
    return given if isinstance(given, Value | Constant) else Constant(given)


def _additions(node: Node, items: Sequence[Operand], start: Operand) -> list[Node]:
    """Return the additions of some items, one after the other."""
    found, nodes = start, list[Node]()
    for place, item in enumerate(items):
        is_last = place == len(items) - 1
        output = node.output if is_last else Value(_added(found, item))
        nodes.append(Node("add", (found, item), (output,), NO_ATTRS, location=node.location))
        found = output
    return nodes


def _added(one: Operand, other: Operand) -> Spec:
    """Return the type of a sum of two."""
    (spec,) = infer(OPS["add"], (one, other), {}, 1)
    return spec


def _element(node: Node) -> Spec | None:
    """Return the type of the numbers that a node reduces, one after the other, if it does that."""
    if node.op not in ("sum", *COMPARISONS) or node.attrs or not isinstance(node.inputs[0], Value):
        return None
    element = _item(node.inputs[0].spec)
    if element is None:
        return None
    reduced = _is_added if node.op == "sum" else _is_compared
    return element if reduced(element, node.inputs[1:]) else None


def _item(spec: Spec) -> Spec | None:
    """Return the type of the items of a list of arrays, or of a list or an array without rows, of numbers of one type."""
    match spec:
        case ListSpec(element=ScalarSpec() | GenericSpec() | ArraySpec() as element):
            return element
        case ArraySpec() if len(spec.shape) == 1:
            return GenericSpec(spec.dtype)
        case _:
            return None


def _is_added(element: Spec, start: tuple[Operand, ...]) -> bool:
    """Return whether the sums are of one type, and computed as additions are."""
    if start not in ((), (Constant(0),)):
        return False
    if isinstance(element, GenericSpec):
        return element.dtype.kind in "iufc"
    if isinstance(element, ArraySpec):
        total = _added(Constant(0), Value(element))
        return isinstance(total, ArraySpec) and _added(Value(total), Value(element)) == total
    return element in (INT, BOOL) or (element == FLOAT and ADDS_IN_TURN)


def _is_compared(element: Spec, others: tuple[Operand, ...]) -> bool:
    """Return whether the items alone are compared, and have an order."""
    is_ordered = (
        element.dtype.kind in "biuf" if isinstance(element, GenericSpec) else element in (INT, BOOL, FLOAT)
    )
    return is_ordered and not others


class _Items:
    """The items that a node reduces.

    Args:
        node: it.
        element: the type of an item.
    """

    def __init__(self, node: Node, element: Spec) -> None:
        self._node = node
        assert isinstance(node.inputs[0], Value)
        self._items = node.inputs[0]
        self._element = element

    def sum(self) -> list[Node]:
        """Return nodes that add the items, to the integer 0: it is what comes out where there are none.

        Of arrays there are some: reading the first one raises else, and a program that would raise is given up.
        """
        if isinstance(self._element, ArraySpec):
            return self._sum_of_arrays(_added(Constant(0), Value(self._element)))
        total = INT if self._element == BOOL else self._element

        def add(nodes: list[Node], found: Operand, item: Operand) -> Operand:
            return self._written(nodes, "add", found, item, spec=total)

        nodes, size = self._counted()
        none = self._written(nodes, "eq", size, Constant(0), spec=BOOL)
        items, count = Value(self._items.spec), Value(INT)
        inside: list[Node] = []
        first = add(inside, Constant(0), self._read(inside, items, Constant(0)))
        inside.append(self._loop(items, count, first, Value(total), add))
        then = Block((Value(self._items.spec), Value(INT)), (), (Constant(0),))
        orelse = Block((items, count), tuple(inside), inside[-1].outputs)
        inputs, regions = (none, self._items, size), (then, orelse)
        return [*nodes, Node("cond", inputs, self._node.outputs, NO_ATTRS, regions, self._node.location)]

    def _sum_of_arrays(self, total: Spec) -> list[Node]:
        def add(nodes: list[Node], found: Operand, item: Operand) -> Operand:
            return self._written(nodes, "add", found, item, spec=total)

        nodes, size = self._counted()
        first = add(nodes, Constant(0), self._read(nodes, self._items, Constant(0)))
        nodes.append(self._loop(self._items, size, first, self._node.outputs[0], add))
        return nodes

    def extreme(self) -> list[Node]:
        """Return nodes that compare the items; where there are none, reading the first one raises, as the call does."""
        comparison = COMPARISONS[self._node.op]
        is_python = isinstance(self._element, ScalarSpec)
        truth = BOOL if is_python else GenericSpec(np.dtype(bool))

        def better(nodes: list[Node], found: Operand, item: Operand) -> Operand:
            test = self._written(nodes, comparison, item, found, spec=truth)
            branches = tuple(_handing_on(self._element, place) for place in (1, 0))
            chosen = Value(self._element)
            nodes.append(
                Node("cond", (test, found, item), (chosen,), NO_ATTRS, branches, self._node.location)
            )
            return chosen

        nodes, size = self._counted()
        first = self._read(nodes, self._items, Constant(0))
        nodes.append(self._loop(self._items, size, first, self._node.outputs[0], better))
        return nodes

    def _counted(self) -> tuple[list[Node], Value]:
        """Return a node that counts the items, and their number."""
        nodes: list[Node] = []
        return nodes, self._written(nodes, "len", self._items, spec=INT)

    def _loop(self, items: Value, size: Value, first: Operand, output: Value, combined: Combined) -> Node:
        """Return a loop over all items but the first one.

        Args:
            items: the list or the array.
            size: how many there are.
            first: what is found of the first item.
            output: what is found in the end.
            combined: writes what is found of what was found before, and an item.
        """
        index, before, inside = Value(INT), Value(output.spec), Value(items.spec)
        nodes: list[Node] = []
        found = combined(nodes, before, self._read(nodes, inside, index))
        body = Block((index, before, inside), tuple(nodes), (found,))
        attrs = {"over": Range(0, 1, 2), "breaks": False}
        inputs = (Constant(1), size, Constant(1), first, items)
        return Node("for_loop", inputs, (output,), attrs, (body,), self._node.location)

    def _read(self, nodes: list[Node], items: Value, index: Operand) -> Value:
        return self._written(nodes, "get_item", items, index, spec=self._element)

    def _written(self, nodes: list[Node], op: str, *inputs: Operand, spec: Spec) -> Value:
        output = Value(spec)
        nodes.append(Node(op, inputs, (output,), NO_ATTRS, location=self._node.location))
        return output


def _handing_on(spec: Spec, place: int) -> Block:
    """Return a branch that gives one of two numbers."""
    inputs = (Value(spec), Value(spec))
    return Block(inputs, (), (inputs[place],))
