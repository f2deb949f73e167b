"""What a program does where its only kernel comes to its end, if it does nothing else.

Takes the block that a program is made of, with its kernel in it; gives the arguments of the kernel and the way to the result.  Knows neither
guards nor machine code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from astrace.backends.native.kernel import Kernel
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.passes.dead_nodes import drop_dead_nodes
from astrace.passes.lowering.results import LoweredResult
from astrace.util.trees import Hole, Tree


@dataclass(frozen=True, slots=True)
class InputLeaf:
    """A part of a result that is an input of the block, by its place."""

    index: int


@dataclass(frozen=True, slots=True)
class ObjectLeaf:
    """A part of a result that is always the same object."""

    value: Any


@dataclass(frozen=True, slots=True)
class KernelLeaf:
    """A part of a result that is one of the kernel's."""

    result: LoweredResult


Leaf: TypeAlias = InputLeaf | ObjectLeaf | KernelLeaf
Result: TypeAlias = "Leaf | tuple[Result, ...]"


@dataclass(frozen=True, slots=True)
class DirectProgram:
    """A program that is one kernel.

    Args:
        kernel: the kernel.
        arguments: what it is given.
        result: what the function returns where the kernel comes to its end: leaves, in tuples.
    """

    kernel: Kernel
    arguments: tuple[InputLeaf | ObjectLeaf, ...]
    result: Result


def direct_program(block: Block, tree: Tree, kernels: Sequence[Kernel]) -> DirectProgram | None:
    """Return what a program does where its kernel comes to its end; ``None`` if it does something else, too.

    Args:
        block: the program, with calls of its kernels.
        tree: how the block's outputs make up what the function returns.
        kernels: those that it may call.
    """
    called = {id(kernel.entry): kernel for kernel in kernels}
    block = drop_dead_nodes(_where_done(block, called))
    kernel = _kernel(block.nodes[0], called) if block.nodes else None
    call, *unpacked = block.nodes or (None,)
    if call is None or kernel is None or not all(_is_of(call, node) for node in unpacked):
        return None
    try:
        names = _names(block, kernel, unpacked)
        arguments = tuple(_leaf(operand, names) for operand in call.inputs[1:])
        result = _result(tree, [_leaf(output, names) for output in block.outputs])
    except _NotDirect:
        return None
    inputs = tuple(one for one in arguments if not isinstance(one, KernelLeaf))
    return DirectProgram(kernel, inputs, result)


class _NotDirect(Exception):
    """A result is made in another way."""


def _kernel(node: Node, called: Mapping[int, Kernel]) -> Kernel | None:
    """Return the kernel that a node calls."""
    first = node.inputs[0] if node.op == "call" else None
    return called.get(id(first.value)) if isinstance(first, Constant) else None


def _is_of(call: Node, node: Node) -> bool:
    """Return whether a node does no more than take the results of a call apart."""
    return node.op == "unpack" and node.inputs == call.outputs


def _where_done(block: Block, called: Mapping[int, Kernel]) -> Block:
    """Return a block whose kernels all come to their end: what is run else is left out."""
    told: set[Operand] = set()
    given: dict[Operand, Operand] = {}
    found: list[Node] = []
    for old in block.nodes:
        node = replace(old, inputs=tuple(given.get(one, one) for one in old.inputs))
        if _kernel(node, called) is not None:
            told.update(node.outputs)
        if node.op == "unpack" and node.inputs[0] in told:
            told.add(node.outputs[0])
        if node.op == "cond" and node.inputs[0] in told:
            found += _then(node, given)
        else:
            found.append(node)
    return Block(block.inputs, tuple(found), tuple(given.get(one, one) for one in block.outputs))


def _then(node: Node, given: dict[Operand, Operand]) -> Iterator[Node]:
    """Yield the nodes of the first branch; add what the outputs of a node are to ``given``."""
    branch = node.regions[0]
    names: dict[Operand, Operand] = dict(zip(branch.inputs, node.inputs[1:], strict=True))
    for one in branch.nodes:
        yield replace(one, inputs=tuple(names.get(operand, operand) for operand in one.inputs))
    given.update(zip(node.outputs, (names.get(one, one) for one in branch.outputs), strict=True))


def _names(block: Block, kernel: Kernel, unpacked: Sequence[Node]) -> dict[Value, Leaf]:
    """Return what the values of a block are, by value."""
    names: dict[Value, Leaf] = {value: InputLeaf(index) for index, value in enumerate(block.inputs)}
    own = [result for result in kernel.results if result.argument is None]
    for node in unpacked:
        names.update(zip(node.outputs[1:], map(KernelLeaf, own), strict=True))
    return names


def _leaf(operand: Operand, names: Mapping[Value, Leaf]) -> Leaf:
    """Return what an operand is.

    Raises:
        _NotDirect: it is not known.
    """
    if isinstance(operand, Constant):
        return ObjectLeaf(operand.value)
    if operand not in names:
        raise _NotDirect
    return names[operand]


def _result(tree: Tree, outputs: Sequence[Leaf]) -> Result:
    """Return a function's result.

    Raises:
        _NotDirect: it holds other containers than tuples.
    """
    match tree:
        case Hole():
            return outputs[tree.index]
        case tuple() if type(tree) is tuple:  # type: ignore[reportUnknownArgumentType]
            return tuple(_result(item, outputs) for item in tree)  # type: ignore[reportUnknownVariableType]
        case None | bool() | int() | float() | complex() | str() | bytes():
            return ObjectLeaf(tree)
        case _:
            raise _NotDirect
