"""The warm-up of a specialisation: NumPy source whose loops are timed, until the time spent in them pays for machine code.

Takes a block; gives the NumPy program with its outermost loops timed, and, once they are hot, the program with
kernels.  A block without a loop that could become a kernel is not timed at all.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from astrace.backends.base import Executable
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.specs import ANY
from astrace.passes.bake.rng_state import put_back
from astrace.passes.lowering.control import fails
from astrace.passes.lowering.lower import RULES
from astrace.util import events
from astrace.util.replaced_builtins import replaced_builtin

HOT: Final = 0.5
"""Seconds in loops after which they are compiled: about what that takes."""
LOOPS: Final = frozenset({"for_loop", "while_loop"})
LOWERED: Final = LOOPS | {"cond"} | RULES.keys()


class WarmUp:
    """The time that a program has spent in loops.

    ``replace`` is given the program with kernels when there is one.

    Args:
        name: the name of the function.
        compile_loops: makes the program with kernels.
    """

    def __init__(self, name: str, compile_loops: Callable[[], Executable]) -> None:
        self.seconds = 0.0
        self.replace: Callable[[Executable], None] | None = None
        self._name = name
        self._compile = compile_loops
        self._lock = threading.Lock()

    def loop_took(self, started: float) -> None:
        """Count the time since a loop started; compile once there is enough of it.

        Args:
            started: the clock before the loop, in seconds.
        """
        self.seconds += time.perf_counter() - started
        if self.seconds >= HOT and self.replace is not None and self._lock.acquire(blocking=False):
            self._finish(self.replace)

    def _finish(self, give: Callable[[Executable], None]) -> None:
        """Compile, once: the lock is never released."""
        if replaced_builtin() is not None:
            self._lock.release()
            return
        try:
            with np.errstate(all="ignore"), put_back(()):
                executable = self._compile()
        except Exception as error:  # the program goes on as it is; whoever looks for faults sees this one
            if os.environ.get("ASTRACE_DEBUG"):
                raise
            events.emit("backends", f"{self._name} can't be compiled", error)
            return
        events.emit("backends", f"{self._name}: {self.seconds:.2f} s in loops, compiled", executable)
        give(executable)


def timed(block: Block, warm_up: WarmUp) -> Block:
    """Return the block with its outermost loops timed; the same one where none could become a kernel.

    Args:
        block: any block.
        warm_up: counts the time.
    """
    found: list[Node] = []
    for node in block.nodes:
        found += (
            _timed(node, warm_up) if node.op in LOOPS and has_candidate(node) else [_inside(node, warm_up)]
        )
    return block if found == list(block.nodes) else Block(block.inputs, tuple(found), block.outputs)


def _inside(node: Node, warm_up: WarmUp) -> Node:
    """Return a node with the loops in its regions timed; the same one where there are none."""
    if node.op == "function":
        return node
    regions = tuple(timed(region, warm_up) for region in node.regions)
    changed = any(new is not old for new, old in zip(regions, node.regions, strict=True))
    return replace(node, regions=regions) if changed else node


def _timed(node: Node, warm_up: WarmUp) -> list[Node]:
    started = Value(ANY, "started")
    return [
        Node("call", (Constant(time.perf_counter),), (started,)),
        node,
        Node("call", (Constant(warm_up.loop_took), started), (Value(ANY),)),
    ]


def has_candidate(loop: Node) -> bool:
    """Return whether a loop, or one inside it, holds only nodes that have a lowered form."""
    inner = list(_reached(loop))
    loops = [loop, *(one for one in inner if one.op in LOOPS)]
    return any(all(one.op in LOWERED for one in _reached(one)) for one in loops)


def _reached(node: Node) -> Iterator[Node]:
    """Yield the nodes in a node's regions, at any depth; a branch that raises gives a kernel up, and is left out."""
    for region in node.regions:
        if node.op == "cond" and fails(region):
            continue
        for one in region.nodes:
            yield one
            yield from _reached(one)
