"""The interpreter with someone watching: which regions are run, and what every node makes.

Means the same as ``interpret``; only slower.  It tells a watcher of each region that is entered and of each node
that is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.interpret import CONTROL, step


class Watcher(Protocol):
    """An observer of a run."""

    def before(self, node: Node, given: Sequence[Any]) -> None:
        """A node is about to be done."""

    def entered(self, node: Node, region: int) -> None:
        """A region of a control flow node is about to be run."""

    def after(self, node: Node, results: Sequence[Any]) -> None:
        """A node was done."""


def interpret_observed(
    block: Block,
    arguments: Sequence[Any],
    implementation: Callable[[str], Callable[..., Any]],
    watcher: Watcher,
) -> tuple[Any, ...]:
    """Run a block and report each step to an observer.

    Args:
        block: the block.
        arguments: one object for each of its inputs.
        implementation: gives the function of an op.
        watcher: is told.

    Returns:
        One object for each output.
    """
    env: dict[Value, Any] = dict(zip(block.inputs, arguments, strict=True))

    def read(operand: Operand) -> Any:
        return env[operand] if isinstance(operand, Value) else operand.value

    for node in block.nodes:
        given = [read(operand) for operand in node.inputs]
        watcher.before(node, given)
        control = CONTROL.get(node.op)
        if control is None:
            results = step(node, given, implementation(node.op))
        else:
            results = control(node, given, _runner(node, implementation, watcher))
        watcher.after(node, results)
        env.update(zip(node.outputs, results, strict=True))
    return tuple(read(operand) for operand in block.outputs)


def _runner(
    node: Node, implementation: Callable[[str], Callable[..., Any]], watcher: Watcher
) -> Callable[[Block, Sequence[Any]], tuple[Any, ...]]:
    """Run the regions of a node and report each."""
    numbers = {id(region): index for index, region in enumerate(node.regions)}

    def run(region: Block, given: Sequence[Any]) -> tuple[Any, ...]:
        watcher.entered(node, numbers[id(region)])
        return interpret_observed(region, given, implementation, watcher)

    return run
