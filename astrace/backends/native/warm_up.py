"""The warm-up of a specialisation: NumPy source whose loops are timed, until the time spent in them pays for machine code.

Takes a block; gives the NumPy program with its outermost loops and runs of array code timed, and, once they are hot,
the program with kernels.  A block without a loop that could become a kernel is not timed at all.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from astrace.backends.base import Executable
from astrace.backends.native.admission import function_of, size_text
from astrace.backends.native.hints import Hints
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.runs import LOOPS, LOWERED, runs
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.specs import ANY, ArraySpec, ScalarSpec
from astrace.passes.bake.rng_state import put_back
from astrace.passes.lowering.control import fails
from astrace.util import events
from astrace.util.replaced_builtins import replaced_builtin

Made = TypeVar("Made")
HOT: Final = 0.5
"""Seconds in loops after which they are compiled: a kernel takes about that, and Numba's import more."""
LARGER: Final = 8
"""The factor by which arguments have to grow until kernels that were slower are tried again."""
INT: Final = ScalarSpec("int")


class WarmUp:
    """The stages of a program: timed loops, kernels, and NumPy's loops alone where no kernel is faster.

    ``replace`` is given the program of the next stage.  Kernels that were slower are tried again once the arguments of
    the program have grown.

    Args:
        name: the name of the function.
        compile_loops: makes the program with kernels, and gives these.
        compile_plain: makes NumPy's program, which calls the function that it is given with the program's inputs first.
        block: the program.
    """

    def __init__(
        self,
        name: str,
        compile_loops: Callable[[], tuple[Executable, Sequence[Kernel]]],
        compile_plain: Callable[[Block], Executable],
        block: Block,
    ) -> None:
        self.seconds = 0.0
        self.replace: Callable[[Executable], None] | None = None
        self._name = name
        self._compile = compile_loops
        self._compile_plain = compile_plain
        self._block = block
        self._kernels: Sequence[Kernel] = ()
        self._native: Executable | None = None
        self._hints: Hints | None = None
        self._plain: Executable | None = None
        self._failed = False
        self.limit = -1
        self._lock = threading.Lock()

    @property
    def is_over(self) -> bool:
        """True once the loops are compiled and judged, or can't be compiled."""
        if self._native is None:
            return self._failed
        return all(kernel.is_judged for kernel in self._kernels)

    def loop_took(self, started: float) -> None:
        """Count the time since a loop started; compile once there is enough of it.

        Args:
            started: the clock before the loop, in seconds.
        """
        self.seconds += time.perf_counter() - started
        if self.seconds >= HOT and self.replace is not None and self._lock.acquire(blocking=False):
            self._finish()

    def recalled(self, timed: Executable) -> Executable:
        """Return the program with kernels at once, where an earlier process has found it hot and these faster.

        Args:
            timed: the program that is timed, to be returned otherwise.
        """
        self._hints = Hints("program", timed.source, [value.spec for value in self._block.inputs])
        if self._hints.read() is not True or replaced_builtin() is not None:
            return timed
        native = self._with_kernels()
        if native is None:
            return timed
        self._lock.acquire()  # as `_finish` does
        events.emit("backends", f"{self._name}: hot in an earlier process", native)
        return native

    def _finish(self) -> None:
        """Compile, once: the lock is never released."""
        if replaced_builtin() is not None:
            self._lock.release()
            return
        native = self._with_kernels()
        if native is not None:
            self._keep(hot=True)
            self._give(native, f"{self.seconds:.2f} s in loops, compiled")

    def _with_kernels(self) -> Executable | None:
        """Return the program with kernels, if it can be made."""
        found = self._made(self._compile)
        if found is None:
            self._failed = True
            return None
        executable, self._kernels = found
        self._native = replace(executable, warm_up=self)
        for kernel in self._kernels:
            kernel.on_retired = self._look_for_losses
        return self._native

    def _keep(self, hot: bool) -> None:
        """Tell later processes whether kernels are worth having."""
        if self._hints is not None:
            self._hints.write(hot)

    def _made(self, make: Callable[[], Made]) -> Made | None:
        """Return a program; ``None`` where that fails: the one of now is kept."""
        try:
            with np.errstate(all="ignore"), put_back(()):
                return make()
        except Exception as error:  # the program goes on as it is; whoever looks for faults sees this one
            if os.environ.get("ASTRACE_DEBUG"):
                raise
            events.emit("backends", f"{self._name} can't be compiled", error)
            return None

    def _give(self, executable: Executable, why: str) -> None:
        """Let another program run."""
        events.emit("backends", f"{self._name}: {why}", executable)
        if self.replace is not None:
            self.replace(executable)

    def _look_for_losses(self) -> None:
        """Run NumPy's loops alone once all kernels are retired."""
        if not all(kernel.is_retired for kernel in self._kernels) or replaced_builtin() is not None:
            return
        if self._plain is None:
            made = self._made(lambda: self._compile_plain(self._watched()))
            if made is None:
                return
            self._plain = replace(made, warm_up=self, kernels=tuple(self._kernels))
        self._keep(hot=False)
        self._give(self._plain, "no kernel is faster, NumPy's loops run")

    def _watched(self) -> Block:
        """Return the program, which first looks at the size of its arguments."""
        specs = {value: value.spec for value in self._block.inputs}
        inputs = [value for value, spec in specs.items() if isinstance(spec, ArraySpec) or spec == INT]
        names = [f"x{index}" for index in range(len(inputs))]
        size = size_text(names, [value.spec for value in inputs], INT)
        watch = function_of(
            names,
            f"grew(size) if (size := {size}) > sizes.limit else None",
            {"grew": self._grew, "sizes": self},
        )
        first = Node("call", (Constant(watch), *inputs), (Value(ANY),))
        return replace(self._block, nodes=(first, *self._block.nodes)) if inputs else self._block

    def _grew(self, size: int) -> None:
        """Set a limit to the size of arguments; beyond it, kernels are tried again, and the limit is set anew."""
        is_first, self.limit = self.limit < 0, LARGER * size
        if is_first or self._native is None:
            return
        for kernel in self._kernels:
            kernel.restore()
        if not all(kernel.is_retired for kernel in self._kernels):
            self._keep(hot=True)
            self._give(self._native, "its arguments have grown, kernels are tried again")


def timed(block: Block, warm_up: WarmUp) -> Block:
    """Return the block with its outermost loops and its array code timed; the same one where none could become a kernel.

    Args:
        block: any block.
        warm_up: counts the time.
    """
    found: list[Node] = []
    for run in runs(block):
        if run.may_be_kernel and (len(run.nodes) > 1 or any(map(has_candidate, run.nodes))):
            found += _timed(run.nodes, warm_up)
        else:
            found += [_inside(node, warm_up) for node in run.nodes]
    return block if found == list(block.nodes) else Block(block.inputs, tuple(found), block.outputs)


def _inside(node: Node, warm_up: WarmUp) -> Node:
    """Return a node with the loops in its regions timed; the same one where there are none."""
    if node.op == "function":
        return node
    regions = tuple(timed(region, warm_up) for region in node.regions)
    changed = any(new is not old for new, old in zip(regions, node.regions, strict=True))
    return replace(node, regions=regions) if changed else node


def _timed(nodes: Sequence[Node], warm_up: WarmUp) -> list[Node]:
    started = Value(ANY, "started")
    return [
        Node("call", (Constant(time.perf_counter),), (started,)),
        *nodes,
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
