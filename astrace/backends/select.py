"""Selection of a backend: the one that was asked for, if it takes the block, else the exact one."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from astrace.backends.base import EXACT, Executable, Mode
from astrace.backends.native import backend as native_backend
from astrace.backends.numpy import backend as numpy_backend
from astrace.errors import InvalidArgument, Reason
from astrace.ir.block import Block
from astrace.locations import Location
from astrace.passes.analysis.device_arrays import is_device_program
from astrace.passes.bake.rng_state import put_back
from astrace.passes.functional.refusal import Refused
from astrace.util.entrances import NO_ENTRANCES, Entrances
from astrace.util.trees import Tree

BACKENDS: Final = ("auto", "numpy", "native", "jax")


@dataclass(frozen=True, slots=True)
class Choice:
    """A block made runnable.

    Args:
        executable: what runs it.
        refused: why not the backend that was asked for.
    """

    executable: Executable
    refused: Reason | None = None


def compile_block(
    block: Block,
    result: Tree,
    name: str,
    file: str,
    backend: str,
    module: Mapping[str, Any] = numpy_backend.NO_MODULE,
    start: Location | None = None,
    entrances: Entrances = NO_ENTRANCES,
    mode: Mode = EXACT,
) -> Choice:
    """Compile a block.

    Args:
        block: any block.
        result: how the block's outputs make up what the function returns.
        name: the name of the function.
        file: the user's file, for tracebacks.
        backend: one of `BACKENDS`; ``auto`` is NumPy's, and machine code for loops that are hot.
        module: what Python's warnings look for in the globals of the code that warns.
        start: the line of the function, for reasons that have no line of their own.
        entrances: the compiled functions that the block calls.
        mode: what machine code may do to be faster.
    """
    if backend == "auto" and not is_device_program(block):
        backend = preferred()
    if backend == "native":
        executable, refused = native_backend.compile_block(block, result, name, file, module, entrances, mode)
        return Choice(executable, refused)
    of_device = backend == "auto" and is_device_program(block)
    if backend == "auto" and not of_device:
        return Choice(native_backend.compile_hot(block, result, name, file, module, entrances, mode))
    exact = numpy_backend.compile_block(block, result, name, file, module, entrances)
    if backend != "jax" and not of_device:
        return Choice(exact)
    run = _jax()
    try:
        return Choice(run.compile_block(block, result, name, file, exact, start=start))
    except Refused as refused:
        reason = refused.reason
        return Choice(exact, reason if reason.location is not None else replace(reason, location=start))


def refused_loops(block: Block, backend: str, mode: Mode = EXACT) -> Sequence[Reason]:
    """Return why loops of a block can't become machine code; nothing where no loop would.

    Args:
        block: any block.
        backend: one of `BACKENDS`.
        mode: what machine code may do to be faster.
    """
    if backend == "auto" and not is_device_program(block):
        backend = preferred()
        return native_backend.refused_loops(block, mode) if backend in ("auto", "native") else ()
    return native_backend.refused_loops(block, mode) if backend == "native" else ()


def preferred() -> str:
    """Return the backend for programs over NumPy that ask for none: what ``ASTRACE_BACKEND`` says.

    Raises:
        InvalidArgument: there is no such backend.
    """
    name = os.environ.get("ASTRACE_BACKEND") or "auto"
    if name not in BACKENDS:
        raise InvalidArgument(f"ASTRACE_BACKEND: no backend {name!r}; the backends are {', '.join(BACKENDS)}")
    return name


def _jax() -> Any:
    """The module that runs programs through JAX; loading JAX draws no random numbers that the user could miss."""
    name = "astrace.backends.jax.backend"  # imported on demand only, since it is large
    if name in sys.modules:
        return sys.modules[name]
    with put_back(()):
        return importlib.import_module(name)
