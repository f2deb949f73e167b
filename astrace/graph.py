"""What a user holds of a capture: a block with its signature, guards and constants.

A graph is callable on its own (through the interpreter, the oracle of all backends) and prints itself.
Calling it checks nothing: the compiler calls it only where its guards hold.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from astrace.guards import Guard
from astrace.ir.block import Block, Constant
from astrace.ir.interpret import interpret
from astrace.ir.text import block_text
from astrace.ir.walk import constants
from astrace.ops import OPS
from astrace.paths import Path
from astrace.trees import Tree, fill


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A captured function.

    Args:
        name: the function's name.
        signature: the function's signature.
        block: the program.
        result: how the block's outputs make up the result.
        inputs: where each input of the block is found at a call.
        guards: what must hold for a call to be like the captured one.
    """

    name: str
    signature: inspect.Signature
    block: Block
    result: Tree
    inputs: tuple[Path, ...]
    guards: tuple[Guard, ...]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph on the arguments of a call, as the original function would be called."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return self.run(bound.arguments)

    def run(self, arguments: Mapping[str, Any]) -> Any:
        """Run the graph on arguments by parameter name."""
        given = [path.follow(arguments) for path in self.inputs]
        return fill(self.result, interpret(self.block, given, OPS.implementation))

    @property
    def constants(self) -> tuple[Constant, ...]:
        """Every constant the graph holds, with its origin."""
        return tuple(constants(self.block))

    def __str__(self) -> str:
        lines = [block_text(self.block, self.name)]
        live = [
            f"{value.name or '?'} = {path}"
            for value, path in zip(self.block.inputs, self.inputs, strict=True)
            if str(path) != value.name
        ]
        if live:
            lines.append(f"  live reads: {', '.join(live)}")
        if self.guards:
            lines.append(f"  guards: {', '.join(map(str, self.guards))}")
        return "\n".join(lines)
