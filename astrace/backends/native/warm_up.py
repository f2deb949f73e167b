"""The warm-up of a specialisation: NumPy source whose loops are timed, until the time spent in them pays for machine code.

Takes a block; gives the NumPy program with its outermost loops and runs of array code timed, and, once they are hot,
the program with kernels.  A block without a loop that could become a kernel is not timed at all.
"""

from __future__ import annotations

import itertools
import operator
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from astrace.backends.base import EXACT, Executable, Mode
from astrace.backends.native.background.compiler import compiler
from astrace.backends.native.background.connection import is_possible
from astrace.backends.native.background.turn import Turn
from astrace.backends.native.entry.admission import function_of, size_text
from astrace.backends.native.entry.seen_types import LoopEntry, SeenTypes
from astrace.backends.native.hints import Hints
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.runs import LOOPS, has_candidate, may_be_narrowed, runs
from astrace.backends.native.seams import BlockAround
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.specs import ANY, ArraySpec, ScalarSpec
from astrace.passes.bake.rng_state import put_back
from astrace.passes.lowering.closing import closed
from astrace.util import events
from astrace.util.own_work import OwnWork
from astrace.util.replaced_builtins import replaced_builtin

Made = TypeVar("Made")
HOT: Final = 0.1
"""Seconds in loops after which another process compiles them, while the program goes on."""
ALONE: Final = 5
"""How much longer loops have to take where the program waits for that: a kernel takes half a second, and Numba's import more."""
FIRST: Final = 16
"""The number of a loop's runs that are all timed."""
EACH: Final = 8
"""Of how many later runs one is timed."""
LARGER: Final = 8
"""The factor by which arguments have to grow until kernels that were slower are tried again."""
INT: Final = ScalarSpec("int")


class WarmUp:
    """The stages of a program: timed loops, kernels, and NumPy's loops alone where no kernel is faster.

    ``seen`` has the types with which loops are entered whose inputs may be anything.  ``replace`` is given the program of the next stage.  Kernels that were slower are tried again once the arguments of
    the program have grown.

    Args:
        name: the name of the function.
        compile_loops: makes the program with kernels, and gives these; it is given what asks another process to compile.
        compile_plain: makes NumPy's program, which calls the function that it is given with the program's inputs first.
        block: the program.
        mode: what its kernels may do to be faster.
    """

    def __init__(
        self,
        name: str,
        compile_loops: Callable[[Turn | None], tuple[Executable, Sequence[Kernel]]],
        compile_plain: Callable[[Block], Executable],
        block: Block,
        mode: Mode = EXACT,
    ) -> None:
        self.seconds = 0.0
        self.seen: dict[Node, SeenTypes] = {}
        self._compiled_for: frozenset[Node] = frozenset()
        self.replace: Callable[[Executable], None] | None = None
        self._name = name
        self._compile = compile_loops
        self._compile_plain = compile_plain
        self._block = block
        self.mode = mode
        self._kernels: Sequence[Kernel] = ()
        self._native: Executable | None = None
        self._hints: Hints | None = None
        self._plain: Executable | None = None
        self._failed = self._is_recalled = False
        self._factor = 1
        self.limit = -1
        self._lock = threading.Lock()

    @property
    def is_over(self) -> bool:
        """True once the loops are compiled and judged, or can't be compiled."""
        if self._native is None:
            return self._failed
        if self._entered - self._compiled_for:
            return False
        return all(one.is_retired or (one.is_judged and not one.is_awaited) for one in self._kernels)

    @property
    def _entered(self) -> frozenset[Node]:
        """The loops of which it is known with which types they are entered."""
        return frozenset(loop for loop, seen in self.seen.items() if seen.was_entered)

    @property
    def has_begun(self) -> bool:
        """True once its loops are, or are to be, compiled, whether in this process or because an earlier one found them hot."""
        return self._native is not None

    def loops_took(self, seconds: float) -> None:
        """Count the time that was spent in loops; compile once there is enough of it.

        Args:
            seconds: since the last time.
        """
        self.seconds += seconds
        if (
            self.seconds >= HOT * self._factor
            and self.replace is not None
            and self._lock.acquire(blocking=False)
        ):
            self._finish()

    def recalled(self, timed: Executable) -> Executable:
        """Return the program with kernels at once, where an earlier process has found it hot and these faster.

        Args:
            timed: the program that is timed, to be returned otherwise.
        """
        self._hints = Hints("program", timed.source, [value.spec for value in self._block.inputs], self.mode)
        if self._hints.read() is not True or replaced_builtin() is not None:
            return timed
        if self.seen:  # loops are compiled for the types that they will have been entered with
            self._is_recalled, self._factor = True, 0
            return timed
        native = self._with_kernels(Turn(looks_on_disk=True) if is_possible() else None)
        if native is None:
            return timed
        self._lock.acquire()  # as `_finish` does
        self._tell(native, "hot in an earlier process")
        return native

    def _finish(self) -> None:
        """Compile, once: the lock is not released, unless there are loops that nobody has entered yet.  These are compiled later."""
        alone = not is_possible() or compiler().is_absent
        waits = alone and self.seconds < HOT * ALONE and not self._is_recalled
        if waits or replaced_builtin() is not None:
            self._factor = ALONE if waits else self._factor
            self._lock.release()
            return
        recalled = self._is_recalled and is_possible()
        native = self._with_kernels(Turn(looks_on_disk=recalled) if recalled or not alone else None)
        if native is None:
            return
        self._keep(hot=True)
        self._give(native, f"{self.seconds:.2f} s in loops, which become kernels")
        if self.seen.keys() - self._compiled_for:
            self.seconds = 0.0
            self._lock.release()

    def _with_kernels(self, turn: Turn | None) -> Executable | None:
        """Return the program with kernels, if it can be made."""
        entered = self._entered
        found = self._made(lambda: self._compile(turn))
        if found is None:
            self._failed = True
            return None
        executable, self._kernels = found
        self._compiled_for = entered
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
            with OwnWork(), np.errstate(all="ignore"), put_back(()):
                return make()
        except Exception as error:  # the program goes on as it is; whoever looks for faults sees this one
            if os.environ.get("ASTRACE_DEBUG"):
                raise
            events.emit("backends", f"{self._name} can't be compiled", error)
            return None

    def _tell(self, executable: Executable, why: str) -> None:
        """Tell why another program runs, in one line; its text is told to those who ask for sources."""
        events.emit("backends", f"{self._name}: {why}")
        events.emit("source", f"source of {self._name}: {why}", executable)

    def _give(self, executable: Executable, why: str) -> None:
        """Let another program run."""
        self._tell(executable, why)
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
    around = BlockAround.of(block)
    for run in runs(block, warm_up.mode.exact):
        entries = {node: entry for node in run.nodes if (entry := _unknown_entry(node, around)) is not None}
        is_candidate = any(map(may_be_narrowed if entries else has_candidate, run.nodes))
        if run.may_be_kernel and (len(run.nodes) > 1 or is_candidate):
            warm_up.seen |= {node: SeenTypes(entry) for node, entry in entries.items()}
            found += watched(run.nodes, warm_up)
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


class Stopwatch(map):  # type: ignore[reportMissingTypeArgument]  # has none when Python runs it
    """What gives the time where a run is timed; generated source calls its ``__next__`` ``stopwatch_next``."""


class LoopTimer:
    """Times a loop, or a run of array code: its first runs, then every eighth, which stands for as many.

    Reading a clock and counting take a fraction of a microsecond, which is much for a short loop.

    Args:
        warm_up: counts the time.
    """

    def __init__(self, warm_up: WarmUp) -> None:
        clocks = itertools.chain(
            itertools.repeat(time.perf_counter, FIRST),
            itertools.cycle([*[float] * (EACH - 1), time.perf_counter]),
        )
        self._warm_up = warm_up
        self._runs = 0
        self.begin: Callable[[], float] = Stopwatch(operator.call, clocks).__next__
        """Gives the clock before a run, in seconds, or zero where the run is not timed; one atomic call."""

    def ended(self, started: float) -> None:
        """Count the time of a run.

        Args:
            started: the clock before it.
        """
        self._runs += 1
        taken = time.perf_counter() - started
        self._warm_up.loops_took(taken if self._runs <= FIRST else taken * EACH)


def watched(nodes: Sequence[Node], warm_up: WarmUp) -> list[Node]:
    """Return nodes with the calls around them that time them, and note with which types loops are entered.

    Args:
        nodes: a run.
        warm_up: counts the time.
    """
    timer, started = LoopTimer(warm_up), Value(ANY, "started")
    count = Node("call", (Constant(timer.ended), started), (Value(ANY),))
    regions = (Block((), (count,), ()), Block((), (), ()))
    return [
        Node("call", (Constant(timer.begin),), (started,)),
        *(one for node in nodes for one in _looked_at(node, warm_up)),
        closed(Block((started,), (Node("cond", (started,), (), {}, regions),), ())).nodes[0],
    ]


def _looked_at(node: Node, warm_up: WarmUp) -> list[Node]:
    """Return a node; in front of a loop whose inputs may be anything, the call that notes with which types it is entered."""
    seen = warm_up.seen.get(node)
    return (
        [node]
        if seen is None
        else [Node("call", (Constant(seen.look), *seen.entry.unknown), (Value(ANY),)), node]
    )


def _unknown_entry(node: Node, around: BlockAround) -> LoopEntry | None:
    """Return the entry of a loop whose inputs may be anything; ``None`` for any other node."""
    if node.op not in LOOPS:
        return None
    entry = LoopEntry.of(node, around.counts, around.makers)
    return entry if entry.unknown else None
