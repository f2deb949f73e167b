"""The loops of a block that become kernels: those that have a lowered form, outer ones first.

A loop becomes a call of its kernel, and a branch that runs the loop as it is where the kernel has given up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from astrace.backends.native.judge import Judge
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.source import write
from astrace.errors import Reason
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ANY, BOOL
from astrace.ir.walk import uses
from astrace.passes.lowering.block import Unlowered
from astrace.passes.lowering.closing import closed
from astrace.passes.lowering.lower import LoweredBlock, lower

LOOPS = ("for_loop", "while_loop")


@dataclass(slots=True)
class Partition:
    """A block in which loops are calls of kernels.

    Args:
        name: the user's function, for the names of kernels.
        file: the user's file.
        compiled: kernels are compiled; else Python runs their text.
        judged: kernels run only where they are faster than NumPy's program.
        module: what Python's warnings look for in the globals of the code that warns.
        kernels: those that were made.
        refused: why a loop has no kernel.
    """

    name: str
    file: str
    compiled: bool = True
    judged: bool = False
    module: Mapping[str, Any] = field(default_factory=dict[str, Any])
    kernels: list[Kernel] = field(default_factory=list[Kernel])
    refused: list[Reason] = field(default_factory=list[Reason])

    def block(self, block: Block) -> Block:
        """The block with kernels in it; the same one where no loop has a lowered form."""
        counts = uses(block)
        found: list[Node] = []
        for node in block.nodes:
            if node.op in LOOPS:
                found += self._loop(node, [output for output in node.outputs if output in counts])
            elif node.regions:
                found.append(replace(node, regions=tuple(map(self.block, node.regions))))
            else:
                found.append(node)
        return Block(block.inputs, tuple(found), block.outputs)

    def _loop(self, node: Node, outputs: Sequence[Value]) -> list[Node]:
        """A loop, as a kernel or with kernels in it."""
        inputs = tuple(dict.fromkeys(one for one in node.inputs if isinstance(one, Value)))
        try:
            loop = Block(inputs, (node,), tuple(outputs))
            lowered = lower(loop)
        except Unlowered as refusal:
            self.refused.append(Reason("AT307", refusal.message, refusal.location or node.location))
            return [replace(node, regions=tuple(map(self.block, node.regions)))]
        kernel = self._kernel(lowered, loop)
        return _called(node, inputs, outputs, lowered, kernel)

    def _kernel(self, lowered: LoweredBlock, loop: Block) -> Kernel:
        number = f"_{len(self.kernels) + 1}" if self.kernels else ""
        source = write(lowered, f"{self.name}_kernel{number}")
        judge = Judge(loop, source.name, self.file, self.module) if self.judged else None
        self.kernels.append(Kernel(lowered, source, self.file, self.compiled, judge, loop.nodes[0].location))
        return self.kernels[-1]


def _called(
    node: Node, inputs: Sequence[Value], outputs: Sequence[Value], lowered: LoweredBlock, kernel: Kernel
) -> list[Node]:
    """The call of a kernel, and the loop for where it gives up."""
    numbers = [result for result in lowered.results if result.number is not None]
    done = Value(BOOL, "done")
    made = [Value(result.spec, output.name) for result, output in zip(lowered.results, outputs, strict=True)]
    given: list[Operand] = [
        inputs[result.argument] if result.argument is not None else value
        for result, value in zip(lowered.results, made, strict=True)
    ]
    call: list[Node] = []
    if numbers:
        whole = Value(ANY)
        own = [
            value for value, result in zip(made, lowered.results, strict=True) if result.number is not None
        ]
        call.append(Node("call", (Constant(kernel), *inputs), (whole,), location=node.location))
        call.append(Node("unpack", (whole,), (done, *own), location=node.location))
    else:
        call.append(Node("call", (Constant(kernel), *inputs), (done,), location=node.location))
    inner = {output: Value(output.spec, output.name) for output in node.outputs}
    loop = replace(node, outputs=tuple(inner.values()))
    regions = (
        Block((), (), tuple(given)),
        Block((), (loop,), tuple(inner[output] for output in outputs)),
    )
    choice = Node("cond", (done,), tuple(outputs), {}, regions, node.location)
    return [*call, closed(Block((), (choice,), ())).nodes[0]]
