"""The native backend: the NumPy program of a block, with kernels in the place of loops."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from astrace.backends.base import EXACT, Executable, Mode
from astrace.backends.native.background.turn import Turn
from astrace.backends.native.direct.call import DirectCalls
from astrace.backends.native.direct.program import direct_program
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.partition import Partition
from astrace.backends.native.warm_up import WarmUp, timed, watched
from astrace.backends.numpy import backend as numpy_backend
from astrace.errors import Reason
from astrace.ir.block import Block
from astrace.util.entrances import NO_ENTRANCES, Entrances
from astrace.util.trees import Tree


def compile_block(
    block: Block,
    result: Tree,
    name: str,
    file: str,
    module: Mapping[str, Any] = numpy_backend.NO_MODULE,
    entrances: Entrances = NO_ENTRANCES,
    mode: Mode = EXACT,
) -> tuple[Executable, Reason | None]:
    """Compile a block to a NumPy program that calls kernels.

    A block with loops of which none has a lowered form is run by NumPy alone; the reason of the first one is given.

    Args:
        block: any block.
        result: how the block's outputs make up what the function returns.
        name: the name of the function.
        file: the user's file, for tracebacks.
        module: what Python's warnings look for in the globals of the code that warns.
        entrances: the compiled functions that the block calls.
        mode: what kernels may do to be faster.
    """
    partition = Partition(_shown(name), file, module=module, mode=mode)
    parted = partition.block(block)
    executable = numpy_backend.compile_block(parted, result, name, file, module, entrances)
    reason = None if partition.kernels else next(iter(partition.refused), None)
    return _with_kernels(executable, parted, result, partition.kernels), reason


def refused_loops(block: Block, mode: Mode = EXACT) -> Sequence[Reason]:
    """Return why loops of a block can't become machine code, be they hot; nothing where there is no machine code at all.

    Args:
        block: any block.
        mode: what kernels may do to be faster.
    """
    if not is_available():
        return ()
    partition = Partition("", "", judged=True, mode=mode)
    partition.block(block)
    return partition.refused


def compile_hot(
    block: Block,
    result: Tree,
    name: str,
    file: str,
    module: Mapping[str, Any] = numpy_backend.NO_MODULE,
    entrances: Entrances = NO_ENTRANCES,
    mode: Mode = EXACT,
) -> Executable:
    """Compile a block to a NumPy program whose loops are compiled when they are hot.

    The arguments are those of `compile_block`.  Without Numba, and without a loop that could be compiled, the program
    is NumPy's alone.
    """

    def plain(changed: Block) -> Executable:
        return numpy_backend.compile_block(changed, result, name, file, module, entrances)

    def with_kernels(turn: Turn | None) -> tuple[Executable, Sequence[Kernel]]:
        partition = Partition(
            *(_shown(name), file), judged=True, module=module, turn=turn, mode=mode, seen=warm_up.seen
        )
        partition.watched = lambda loop: watched((loop,), warm_up)
        parted = partition.block(block)
        return _with_kernels(plain(parted), parted, result, partition.kernels), partition.kernels

    warm_up = WarmUp(name, with_kernels, plain, block, mode)
    measured = timed(block, warm_up) if is_available() else block
    return plain(block) if measured is block else warm_up.recalled(replace(plain(measured), warm_up=warm_up))


def _shown(name: str) -> str:
    """Return the name for a function's kernels."""
    return name if name.isidentifier() else "compiled"


def _with_kernels(
    executable: Executable, block: Block, result: Tree, kernels: Sequence[Kernel]
) -> Executable:
    """Return a program with the kernels that it calls; the same one where it calls none.

    Args:
        executable: the program.
        block: what it was made of.
        result: how the block's outputs make up what the function returns.
        kernels: those that it calls.
    """
    if not kernels:
        return executable
    source = "\n".join([*(kernel.source.shown for kernel in kernels), executable.source])
    program = direct_program(block, result, kernels)
    direct = None if program is None else DirectCalls(program)
    return replace(executable, source=source, backend="native", kernels=tuple(kernels), direct=direct)


@functools.cache
def is_available() -> bool:
    """Return whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None
