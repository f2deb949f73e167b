"""The native backend: the NumPy program of a block, with kernels in the place of loops."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astrace.backends.base import Executable
from astrace.backends.native.partition import Partition
from astrace.backends.native.warm_up import WarmUp, timed
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
    judged: bool = False,
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
        judged: a kernel runs only where it is faster than NumPy's program.
    """
    shown = name if name.isidentifier() else "compiled"
    partition = Partition(shown, file, judged=judged, module=module)
    executable = numpy_backend.compile_block(partition.block(block), result, name, file, module, entrances)
    if not partition.kernels:
        return executable, next(iter(partition.refused), None)
    texts = [kernel.source.text for kernel in partition.kernels]
    kernels = tuple(partition.kernels)
    return replace(
        executable, source="\n".join([*texts, executable.source]), backend="native", kernels=kernels
    ), None


def compile_hot(
    block: Block,
    result: Tree,
    name: str,
    file: str,
    module: Mapping[str, Any] = numpy_backend.NO_MODULE,
    entrances: Entrances = NO_ENTRANCES,
) -> Executable:
    """Compile a block to a NumPy program whose loops are compiled when they are hot.

    The arguments are those of `compile_block`.  Without Numba, and without a loop that could be compiled, the program
    is NumPy's alone.
    """

    def with_kernels() -> Executable:
        return compile_block(block, result, name, file, module, entrances, judged=True)[0]

    warm_up = WarmUp(name, with_kernels)
    measured = timed(block, warm_up) if is_available() else block
    executable = numpy_backend.compile_block(measured, result, name, file, module, entrances)
    return executable if measured is block else replace(executable, warm_up=warm_up)


@functools.cache
def is_available() -> bool:
    """Return whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None
